/**
 * Writing an archive while the space is open, and others may write to it.
 *
 * Plan: the catalog first, then branches, then packs and the rest: what a branch refers to is in its pack before. If the
 * catalog has changed by the end, what has come with that is written again, and the catalog with it; if something was
 * erased or a new key came meanwhile, everything is.
 *
 * @module
 */
import { realpath } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import {
  bytesToHex,
  CambiumError,
  type DocumentId,
  documentIdFromHex,
  documentIdToHex,
  mainBranchId,
  type PackId,
  sameHeads,
  throwIfAborted,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { ArchiveContents, ArchivedBranch, ArchiveOptions } from "../api/archive.js";
import * as A from "../documents/automerge.js";
import type { DocumentServices } from "../documents/document-services.js";
import type { ErasureNote } from "../documents/erasure-note.js";
import { loadInPieces } from "../documents/in-pieces.js";
import type { KeptParts } from "../documents/kept-parts.js";
import type { SpaceConfig } from "../documents/space-config.js";
import { writeNewFile } from "../export/new-files.js";
import { homeOf } from "../export/outside-home.js";
import { hash } from "../platform/newer-node.js";
import {
  archiveBytes,
  type Described,
  type ReadArchive,
  type ReadingArchive,
  readArchive,
} from "./archive-file.js";
import { auditSegments } from "./audit-parts.js";
import { chosenOf, documentsOfBranches, packsOfBranches } from "./chosen-branches.js";
import { contentsOf } from "./contents.js";
import { keptOfDevice } from "./kept-of-device.js";
import { type ArchivedDocument, partName, SPACE } from "./manifest.js";
import { Passphrase } from "./sealed-stream.js";
import type { ArchivePart } from "./tar.js";

export interface ArchiveServices
  extends Pick<
    DocumentServices,
    "codec" | "documents" | "catalog" | "store" | "platform" | "replica" | "now"
  > {
  /** Where the space keeps its files. */
  readonly dir: string;
  readonly config: () => SpaceConfig;
  readonly branches: () => Promise<readonly ArchivedBranch[]>;
  /** The keys of recovery kits that stand: they open it, too. */
  readonly kits: () => readonly Uint8Array[];
  /** What this device has decided about erasures of others, and what it keeps of them. */
  readonly erasureNote: ErasureNote;
  readonly kept: KeptParts;
  /** Writes what the audit log has in memory. */
  readonly flushAudit: () => void;
}

/** How often it is begun anew, or goes on, because others write meanwhile. */
const MAX_ROUNDS = 5;

/** @throws {CambiumError} BAD_INPUT, ARCHIVE_DAMAGED, WRONG_PASSPHRASE, ABORTED */
export async function writeArchive(
  newPath: string,
  services: ArchiveServices,
  options: ArchiveOptions = {},
): Promise<ArchiveContents> {
  const path = resolve(newPath);
  const { passphrase: text, clear = false } = options;
  if ((text === undefined) !== clear) throw undecided(clear);
  if (text?.trim() === "") throw new CambiumError("BAD_INPUT", "The passphrase is empty.");
  const passphrase = text === undefined ? undefined : new Passphrase(text);
  const reading = { opener: passphrase, signal: options.signal };
  if (options.since !== undefined) await refuseOwnBase(path, resolve(options.since));
  const base = options.since === undefined ? undefined : await baseOf(options.since, services, reading);
  const seal = passphrase && { passphrase, random: services.platform.random, kits: services.kits() };
  let read: ReadArchive | undefined;
  for (let round = 1; read === undefined; round += 1) {
    try {
      await writeNewFile(path, archiveBytes(partsOf(services, options, base), seal), {
        ...{ home: homeOf(services.dir), overwrite: options.overwrite === true, signal: options.signal },
        // What was written is read again: a file that cannot be read is no archive.
        check: async (beside) => {
          read = await readArchive(beside, reading);
        },
      });
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || round === MAX_ROUNDS) throw error;
    }
  }
  return contentsOf(path, [{ path, ...read }]);
}

/** What is new since a file cannot take its place: the rest would be nowhere. */
async function refuseOwnBase(path: string, since: string): Promise<void> {
  const real = (file: string): Promise<string> => realpath(file).catch(() => file);
  if ((await real(path)) !== (await real(since))) return;
  throw new CambiumError("BAD_INPUT", `${path} would take the place of the archive that it builds on.`, {
    hint: "Give the new archive another name, or leave out --since to write a whole one.",
  });
}

/** What is left out: it is in an earlier archive. */
interface Base {
  readonly id: string;
  readonly file: string;
  readonly headsById: ReadonlyMap<string, readonly string[]>;
  /** Checksums of its parts. */
  readonly sums: ReadonlyMap<string, string>;
}

async function baseOf(since: string, { config }: ArchiveServices, reading: ReadingArchive): Promise<Base> {
  const path = resolve(since);
  const { manifest } = await readArchive(path, reading);
  if (manifest.space.id !== config().id)
    throw new CambiumError("BAD_INPUT", `${path} is an archive of another space, ${manifest.space.name}.`, {
      hint: "Name an earlier archive of this space, or leave out --since.",
    });
  const headsById = new Map(manifest.documents.map(({ id, heads }) => [id as string, heads]));
  const sums = new Map(manifest.parts.map(({ name, sha256 }) => [name, sha256]));
  return { id: manifest.id, file: basename(path), headsById, sums };
}

/** Something was erased, or a key came: what is written already does not fit what follows. */
class ChangedMeanwhile extends Error {}

async function* partsOf(
  services: ArchiveServices,
  { signal, onProgress, clear, branches: names }: ArchiveOptions,
  base: Base | undefined,
): AsyncGenerator<ArchivePart, Described> {
  const { documents, catalog, store, config, codec, platform, now, replica } = services;
  const madeAt = now();
  const all = (await services.branches()).map(({ id, name, memories }) => ({
    ...{ id, name },
    ...omitUndefined({ memories }),
  }));
  const { branches, leftOut } = chosenOf(all, names);
  await documents.flush();
  yield jsonPart(SPACE, spaceOf(config(), clear === true));
  const keys = config().epochs?.known.length;
  const erasedNow = (): string => [catalog.current.erasures.size, services.erasureNote.version].join();
  const erased = erasedNow();
  const written = new Map<DocumentId, readonly string[]>();
  const counts = new Map<DocumentId, number>();
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    for await (const [id, done, total] of documentsInOrder(services, leftOut && branches)) {
      throwIfAborted(signal);
      onProgress?.({ stage: "archive", done, total });
      const known = written.get(id);
      const isBranch = known !== undefined && documents.kindOf(id) === "branch";
      if (isBranch || (known !== undefined && sameHeads(known, headsNow(services, id)))) continue;
      const found = await readDocument(services, id, base?.headsById.get(id));
      if (found === undefined) continue;
      written.set(id, found.heads);
      if (found.bytes.length === 0) continue;
      const number = counts.get(id) ?? 0;
      counts.set(id, number + 1);
      yield { name: partName(id, number), bytes: found.bytes };
    }
    await documents.flush();
    await catalog.refresh();
    if (erasedNow() !== erased) throw new ChangedMeanwhile();
    if (sameHeads(written.get(catalog.document) ?? [], headsNow(services, catalog.document))) break;
  }
  if (catalog.current.erasures.size > 0)
    yield* keptOfDevice(services, leftOut && packsOf(services, written.keys()));
  if (config().epochs?.known.length !== keys || erasedNow() !== erased) throw new ChangedMeanwhile();
  services.flushAudit();
  for (const segment of auditSegments(join(services.dir, "audit"))) {
    if (base?.sums.get(segment.name) !== hash("sha256", segment.bytes, "hex")) yield segment;
  }
  const { replicas } = catalog.current;
  const ofBranches = new Set<string>(branches.map(({ id }) => id));
  const checkpoints = [...catalog.current.checkpoints.values()].filter(
    ({ value }) => leftOut === undefined || ofBranches.has(value.branch),
  ).length;
  const me = replica();
  return {
    id: bytesToHex(platform.random(16)),
    ...{ madeAt, branches, checkpoints, replicas: [...new Set([...replicas.keys(), me])] },
    space: { id: codec.keys.space, name: config().name },
    by: { replica: me, device: replicas.get(me)?.value.name ?? me },
    ...(base === undefined ? {} : { since: { id: base.id, file: base.file } }),
    ...omitUndefined({ leftOut }),
    documents: [...written].map(([document, heads]): ArchivedDocument => ({ id: document, heads })),
    damaged: store.quarantined().length,
  };
}

const packsOf = ({ catalog }: ArchiveServices, documents: Iterable<DocumentId>): ReadonlySet<PackId> =>
  new Set(
    [...documents].flatMap(
      (id) => catalog.current.documents.get(id)?.value.packs ?? [documentIdToHex(id) as PackId],
    ),
  );

const headsNow = ({ store }: ArchiveServices, id: DocumentId): readonly string[] =>
  store.row(id)?.localHeads ?? [];

/** With how many were given before, and how many there are; of some branches, what they need is known once they are written. */
async function* documentsInOrder(
  services: ArchiveServices,
  branches: readonly ArchivedBranch[] | undefined,
): AsyncGenerator<readonly [id: DocumentId, done: number, total: number]> {
  const isStored = storedIn(services);
  if (branches === undefined) {
    const ids = idsInOrder(services);
    for (const [done, id] of ids.entries()) yield [id, done, ids.length];
    return;
  }
  const first = documentsOfBranches(services, branches).filter(isStored);
  for (const [done, id] of first.entries()) yield [id, done, first.length];
  const packs = (await packsOfBranches(services, branches)).filter(isStored);
  for (const [done, id] of packs.entries()) yield [id, first.length + done, first.length + packs.length];
}

const storedIn =
  ({ store }: ArchiveServices) =>
  (id: DocumentId): boolean =>
    isDocument(id) && !store.isRetired(id) && (store.row(id)?.localHeads.length ?? 0) > 0;

/** The catalog, then branches, then everything that they refer to. */
function idsInOrder(services: ArchiveServices): readonly DocumentId[] {
  const { catalog, store, codec } = services;
  const branches = [...catalog.current.branches.values()].map(({ value }) => value.document);
  const first = [catalog.document, documentIdFromHex(mainBranchId(codec.keys.space)), ...branches];
  const rest = store.rows().map(({ documentId }) => documentId as DocumentId);
  return [...new Set([...first, ...rest])].filter(storedIn(services));
}

/** A row of the store may be of something else, such as how far a log was read. */
function isDocument(id: DocumentId): boolean {
  try {
    documentIdToHex(id);
    return true;
  } catch {
    return false;
  }
}

interface FoundDocument {
  readonly heads: readonly string[];
  /** Empty: an earlier archive has all of it. */
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array();

/** What is stored of a document, and the heads that this leads to. */
async function readDocument(
  { store }: ArchiveServices,
  id: DocumentId,
  known: readonly string[] | undefined,
): Promise<FoundDocument | undefined> {
  const heads = store.row(id)?.localHeads;
  if (heads === undefined) return undefined;
  await store.flushed();
  const stored = (await store.loadRange([id])).filter(({ key }) => DOCUMENT_CHUNKS.has(key[1] as string));
  const bytes = Buffer.concat(stored.flatMap(({ data }) => (data === undefined ? [] : [data])));
  const isAsNoted = sameHeads(store.row(id)?.localHeads ?? [], heads);
  if (isAsNoted && known === undefined) return { heads, bytes };
  if (isAsNoted && known !== undefined && sameHeads(known, heads)) return { heads, bytes: NOTHING };
  await A.loadAutomerge();
  const doc = loadInPieces([bytes]);
  try {
    const loaded = A.getHeads(doc).toSorted();
    if (known === undefined || !A.hasHeads(doc, known)) return { heads: loaded, bytes };
    return { heads: loaded, bytes: A.saveSince(doc, [...known]) };
  } finally {
    A.free(doc);
  }
}

const DOCUMENT_CHUNKS: ReadonlySet<string> = new Set(["snapshot", "incremental"]);

/** Without what is of this device alone; in the clear, without its access to the relay. */
function spaceOf({ relay, role, ...config }: SpaceConfig, isClear: boolean): object {
  const {
    accessUntil: _a,
    isUnheard: _b,
    invited: _c,
    lastReceiptAt: _d,
    acceptedRestore: _e,
    cameWith: _f,
    cameWithKit: _g,
    isRekeying: _h,
    isKitUnknown: _i,
    ...kept
  } = config;
  return { ...kept, role, relay: isClear ? null : relay };
}

const jsonPart = (name: string, value: object): ArchivePart => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
});

const undecided = (clear: boolean): CambiumError =>
  clear
    ? new CambiumError(
        "BAD_INPUT",
        "An archive is sealed with a passphrase, or written in the clear, not both.",
      )
    : new CambiumError("BAD_INPUT", "An archive is sealed with a passphrase unless you say otherwise.", {
        hint: "Give one with --passphrase-file <file>, or say --clear: then whoever has the file reads everything.",
      });
