/**
 * What a space consists of while it is open, put together in the order in which the parts need each other.
 *
 * @module
 */
import { join } from "node:path";
import type { Repo } from "@automerge/automerge-repo";
import {
  bytesFromBase64Url,
  type Codec,
  type DocumentId,
  KeyRing,
  type PartHash,
  type SpaceId,
} from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import type { Embedder } from "../api/embedder.js";
import type { Erasure, Role, SourceFetcher } from "../api.js";
import { BriefMarks } from "../brief/brief-marks.js";
import { CheckpointKeeper } from "../checkpoints/checkpoint-keeper.js";
import type { AcknowledgedNote } from "../documents/acknowledged-note.js";
import { CatalogKeeper } from "../documents/catalog-keeper.js";
import { ChunkedDocuments } from "../documents/chunked-documents.js";
import { CorrectedClock } from "../documents/clock.js";
import type { DocumentServices } from "../documents/document-services.js";
import { Documents } from "../documents/documents.js";
import { ErasureNote } from "../documents/erasure-note.js";
import { HeldChanges } from "../documents/held-changes.js";
import { KEPT_PARTS_FILE, KeptParts } from "../documents/kept-parts.js";
import { PackErasure } from "../documents/pack-erasure.js";
import { Packs } from "../documents/packs.js";
import { PendingRequests } from "../documents/requested-changes.js";
import { SetAside } from "../documents/set-aside.js";
import type { KeptEpochs, SpaceConfig } from "../documents/space-config.js";
import { VerifiedChanges } from "../documents/verified-changes.js";
import { withoutNetwork } from "../documents/without-network.js";
import type { Eraser } from "../erasure/eraser.js";
import type { Pruner } from "../erasure/pruner.js";
import type { ErasureServices } from "../erasure/services.js";
import { SettingsKeeper } from "../governance/settings-keeper.js";
import { GraphReader } from "../graph/graph-reader.js";
import { GraphTurns } from "../graph/graph-turns.js";
import { ImportFolders } from "../import/import-folders.js";
import { CatalogTable } from "../index-store/catalog-table.js";
import { SearchLists } from "../index-store/search-lists.js";
import { SpaceIndex } from "../index-store/space-index.js";
import { UsageTable } from "../index-store/usage-table.js";
import { VectorTexts } from "../index-store/vector-texts.js";
import { KeyEpochs } from "../keys/key-epochs.js";
import { takersOf } from "../keys/takers.js";
import type { VectorProgress } from "../models/vector-maker.js";
import { BranchDirectory } from "../space/branch-directory.js";
import { BranchViews } from "../space/branch-views.js";
import { CheckpointDirectory } from "../space/checkpoint-directory.js";
import { DuplicateFinder } from "../space/duplicate-finder.js";
import { LogEvents } from "../space/log-events.js";
import { Recaller } from "../space/recaller.js";
import { SpaceOverview } from "../space/space-overview.js";
import type { SpaceVectors } from "../space/space-vectors.js";
import { StateFinder } from "../space/state-finder.js";
import { StateReader } from "../space/state-reader.js";
import { Writer } from "../space/writer.js";
import { UsageCounter } from "../usage/usage-counter.js";
import { DIFFERENCES_FILE } from "../versions/difference-store.js";
import { Differences } from "../versions/differences.js";
import { fileFetcher, importFetcher, urlFetcher } from "../versions/source-fetchers.js";
import type { SummaryMaker } from "../versions/summary-maker.js";
import { VersionReader } from "../versions/version-reader.js";
import { ConcealmentKeeper } from "./concealment-keeper.js";
import type { Rekeyer, RekeyerOptions } from "./rekeyer.js";
import { remakeIndex } from "./remake-index.js";
import { Upkeep } from "./upkeep.js";

export interface SpacePartsOptions extends Pick<DocumentServices, "store" | "identity" | "platform"> {
  readonly config: SpaceConfig;
  /** Where the space keeps its files. */
  readonly dir: string;
  readonly note: AcknowledgedNote;
  readonly embedder: Embedder | undefined;
  /** With an embedder: its modules are not loaded without one. */
  readonly openVectors: typeof SpaceVectors.open | undefined;
  /** Without them, the rules write every sentence about a change. */
  readonly summaries: SummaryMaker | undefined;
  /** By the kinds of sources that they read. */
  readonly sourceFetchers: Readonly<Record<string, SourceFetcher>> | undefined;
  readonly role: () => Role;
  readonly saveEpochs: (epochs: KeptEpochs) => void;
  /** Whether sealing anew was begun and has not come to its end. */
  readonly rekeyBegun: RekeyerOptions["begun"];
  /** What the link held by which this device came. */
  readonly cameWith: () => string | undefined;
  /** Whether the relay has destroyed what it was asked to. */
  readonly relayErased: () => Erasure["relay"];
  /** Whether the relay has confirmed all of a document, or there is no relay. */
  readonly isSafe: (document: DocumentId) => boolean;
  /** Whether this device has joined the space and has not yet heard what main holds. */
  readonly isUnheard: () => boolean;
  /** Whether there is a line to the relay, or one is being tried. */
  readonly mayArrive: () => boolean;
  /** Whether what the relay holds is being read. */
  readonly isArriving: () => boolean;
  readonly onNotice: (message: string) => void;
  readonly onVectors: (progress: VectorProgress) => void;
}

export type SpaceParts = ReturnType<typeof assembleParts>;

export function assembleParts(options: SpacePartsOptions) {
  const documents = documentParts(options);
  const reading = readingParts(options, documents);
  const { packs, views, index, clock } = { ...documents, ...reading };
  const checkpointKeeper = new CheckpointKeeper({
    ...{ ...documents, index, directory: reading.checkpoints, now: clock.now },
    ...{ platform: options.platform, keys: documents.codec.keys, replica: () => options.identity.id },
  });
  const writer = new Writer({
    ...{ documents: documents.documents, packs, views, load: index.load, now: clock.now, role: options.role },
    beforeWrite: (write) => checkpointKeeper.beforeWrite(write),
  });
  const settings = new SettingsKeeper({
    ...{ catalog: documents.catalog, documents: documents.documents },
    ...{ now: clock.now, replica: () => options.identity.id },
  });
  const concealments = new ConcealmentKeeper({
    ...{ ...documents, ...reading, now: clock.now, replica: () => options.identity.id },
  });
  const { eraser, pruner } = eraserOpener(options, { ...documents, ...reading, settings });
  return {
    ...documents,
    ...reading,
    settings,
    concealments,
    pruner,
    rekeyer: rekeyerOpener(options, documents),
    checkpointKeeper,
    writer,
    eraser,
    graphTurns: new GraphTurns(clock.now),
  };
}

/** Most spaces never erase anything: its modules are loaded when something is to be. */
function eraserOpener(
  { dir, identity, role, relayErased }: SpacePartsOptions,
  parts: ReturnType<typeof documentParts> &
    ReturnType<typeof readingParts> & { readonly settings: SettingsKeeper },
): { readonly eraser: () => Promise<Eraser>; readonly pruner: () => Promise<Pruner> } {
  const services: ErasureServices = {
    ...{ ...parts, dir, now: parts.clock.now, replica: () => identity.id },
    note: parts.erasureNote,
    packErasure: new PackErasure(parts),
    mayWrite: () => role() !== "read",
    relay: relayErased,
    rebuildIndex: (progress) => remakeIndex(parts, progress),
    keepCatalog: () => parts.catalog.keep(parts.catalogTable),
  };
  let made: Eraser | undefined;
  const eraser = async (): Promise<Eraser> => {
    const { Eraser } = await import("../erasure/eraser.js");
    made ??= new Eraser(services);
    return made;
  };
  const pruner = async (): Promise<Pruner> => {
    const { Pruner } = await import("../erasure/pruner.js");
    return new Pruner(services, parts.settings, await eraser());
  };
  return { eraser, pruner };
}

function rekeyerOpener(
  { identity, relayErased, isSafe, rekeyBegun: begun }: SpacePartsOptions,
  parts: ReturnType<typeof documentParts>,
): () => Promise<Rekeyer> {
  let made: Rekeyer | undefined;
  return async () => {
    const { Rekeyer } = await import("./rekeyer.js");
    made ??= new Rekeyer({
      ...{ ...parts, now: parts.clock.now, replica: () => identity.id, isSafe, relay: relayErased },
      begun,
    });
    return made;
  };
}

/** Everything that is stored and synced. */
function documentParts(options: SpacePartsOptions) {
  const { config, store, note, identity, platform, dir, saveEpochs, cameWith } = options;
  const clock = new CorrectedClock(platform.now, identity);
  const { now } = clock;
  const first = bytesFromBase64Url(config.key);
  const keys = new KeyRing(config.id as SpaceId, { epoch: 0, secret: first });
  const epochs = new KeyEpochs({
    ...{ ring: keys, first, platform, kept: config.epochs, save: saveEpochs },
    ...{ replica: () => identity.id, takers: () => takersOf(identity, cameWith()) },
  });
  const codec: Codec = { platform, keys };
  const requests = new PendingRequests();
  const setAside = new SetAside(store);
  const held = new HeldChanges(store);
  const verified = new VerifiedChanges();
  const chunked = new ChunkedDocuments(store, requests);
  const openRepo = repoOpener(chunked);
  const documents = new Documents({ openRepo, store, note, identity, changeKey: keys.codes, requests });
  const catalog = new CatalogKeeper(codec, documents, now);
  const erasureNote = new ErasureNote(join(dir, "erasures.json"));
  const kept = new KeptParts(join(dir, KEPT_PARTS_FILE));
  const packs = new Packs({
    ...{ codec, documents, catalog, replica: () => identity.id, now },
    ...{ note: erasureNote, kept },
  });
  return {
    clock,
    codec,
    epochs,
    openRepo,
    store,
    note,
    documents,
    chunked,
    setAside,
    held,
    verified,
    catalog,
    packs,
    erasureNote,
    kept,
  };
}

/** Makes one repo, when it is first needed. */
function repoOpener(chunked: ChunkedDocuments): () => Promise<Repo> {
  let opening: Promise<Repo> | undefined;
  const open = async (): Promise<Repo> => {
    const { Repo } = await import("@automerge/automerge-repo");
    const repo = new Repo({ peerId: `replica-${crypto.randomUUID()}` as never });
    chunked.serve(repo);
    withoutNetwork(repo);
    return repo;
  };
  return () => {
    opening ??= open();
    return opening;
  };
}

/** The index, and what asks it. */
function readingParts(options: SpacePartsOptions, parts: ReturnType<typeof documentParts>) {
  const { config, dir, identity, platform, embedder, role, summaries, onNotice } = options;
  const { documents, catalog, packs, clock, codec, verified } = parts;
  const { now } = clock;
  const space = config.id as SpaceId;
  const changeKey = codec.keys.codes;
  const lists = new SearchLists();
  const path = join(dir, "index.sqlite");
  const index = new SpaceIndex({
    ...{ path, space, texts: lists, documents, catalog, packs, changeKey, verified },
  });
  const catalogTable = new CatalogTable(index.tables.index);
  const directory = new BranchDirectory(space, catalog, index.loadAndKeep);
  const { isUnheard, mayArrive, isArriving } = options;
  const views = new BranchViews({ documents, catalog, index, directory, isUnheard, mayArrive, isArriving });
  const checkpoints = new CheckpointDirectory(catalog, index.loadAndKeep);
  const finder = new StateFinder({ directory, views, index, checkpoints, now });
  const usageTable = new UsageTable(index.tables);
  const uses = new UsageCounter({
    ...{ documents, catalog, identity, changeKey, role, now, random: platform.random },
    ...{ cache: usageTable, carriedUsage: usageTable },
    onFailure: (error) => onNotice(`Recalls could not be counted yet: ${messageOf(error)}`),
  });
  const vectors = embedder && vectorsOf(embedder, index, options);
  const recaller = new Recaller({
    ...{ index, lists, now },
    usageOf: (memory) => usageTable.sumOf(memory) + uses.carriedOf(memory),
    nearest: async (query, limit) => vectors?.nearest(query, limit),
  });
  summaries?.readFrom((record) => index.tables.snapshots.record(record)?.record);
  const events = new LogEvents(directory, checkpoints, catalog);
  const reader = new StateReader({ finder, recaller, index, events, uses, now });
  const prunedTextTest = (part: PartHash) => packs.prunedTextTest(part);
  const differences = new Differences({ path: join(dir, DIFFERENCES_FILE), codec, packs, prunedTextTest });
  const importFolders = new ImportFolders(join(dir, "imports.json"));
  const versions = new VersionReader({
    ...{ finder, recaller, index, now, summaries, reader, differences, prunedTextTest },
    fetchers: { ...fetchersIn(importFolders), ...options.sourceFetchers },
  });
  const graphReader = new GraphReader({ finder, index });
  const duplicateFinder = new DuplicateFinder({ finder, reader, index, lists });
  const overview = new SpaceOverview({ finder, index, directory, views, reader, checkpoints, now });
  const upkeep = new Upkeep({ finder, reader, index, uses, now });
  const marks = new BriefMarks(join(dir, "briefs.json"));
  return {
    ...{ marks, importFolders, index, catalogTable, views, directory },
    ...{ checkpoints, finder, uses, usageTable, vectors },
    ...{ events, recaller, duplicateFinder, reader, versions },
    ...{ differences, graphReader, overview, upkeep, summaries },
  };
}

const fetchersIn = (folders: ImportFolders): Readonly<Record<string, SourceFetcher>> => ({
  file: fileFetcher,
  import: importFetcher(folders),
  url: urlFetcher,
});

function vectorsOf(
  embedder: Embedder,
  index: SpaceIndex,
  { dir, openVectors, onNotice, onVectors }: SpacePartsOptions,
): SpaceVectors | undefined {
  const texts = new VectorTexts(index.tables);
  const path = join(dir, "vectors.sqlite");
  return openVectors?.({ embedder, path, texts, onProgress: onVectors }, onNotice);
}
