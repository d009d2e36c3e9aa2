/**
 * Whether the parts of an archive fit each other. A manifest can be made anew by anybody, so that each part is as it
 * says proves little: here the key has to open the catalog, and every document has to be there and to be the one that
 * it is said to be. Nothing is made before that is known.
 *
 * @module
 */
import { resolve } from "node:path";
import {
  type BranchEntry,
  bytesFromBase64Url,
  type Catalog,
  catalogDocumentId,
  type DocumentId,
  type DocumentKind,
  deriveSpaceKeys,
  documentIdFromHex,
  documentIdToHex,
  History,
  type KeyRing,
  mainBranchId,
  type PackId,
  parseActorId,
  readCatalog,
  type SpaceId,
  spaceKeyCheck,
  throwIfAborted,
} from "@cambium/core";
import type { ArchiveContents, ReadArchiveOptions } from "../api/archive.js";
import * as A from "../documents/automerge.js";
import { loadInPieces } from "../documents/in-pieces.js";
import { packContent } from "../documents/pack-content.js";
import type { SpaceConfig } from "../documents/space-config.js";
import { kindOf } from "../documents/without-mirror.js";
import { chunkTools, nodePlatform } from "../platform/node-platform.js";
import { sortArriving } from "../sync/arriving-changes.js";
import { isSignedUnder } from "../sync/key-proof.js";
import { readArchive } from "./archive-file.js";
import { type ArchiveLink, contentsOf, type ReadingChain, readChain, readingOf } from "./contents.js";
import { EpochCheck, type PackOrigin } from "./epoch-check.js";
import { checkKept, isOfKept } from "./kept-of-device.js";
import { type ArchiveManifest, documentOfPart, SPACE } from "./manifest.js";
import { configOf, ringOf } from "./space-part.js";
import { damaged } from "./tar.js";

/** Checks an archive, and says what is in it. Needs no replica. */
export async function verifyArchive(
  path: string,
  options: ReadArchiveOptions = {},
): Promise<ArchiveContents> {
  return contentsOf(resolve(path), await readChecked(path, await readingOf(options)));
}

/**
 * Reads an archive and those that it needs, and checks every byte of them, and that all of it fits together.
 *
 * @returns oldest first
 * @throws {CambiumError} ARCHIVE_DAMAGED, WRONG_PASSPHRASE, SCHEMA_TOO_NEW, BAD_INPUT, ABORTED
 */
export async function readChecked(path: string, reading: ReadingChain): Promise<readonly ArchiveLink[]> {
  const links = await readChain(path, reading);
  await A.loadAutomerge();
  const { manifest } = links.at(-1) as ArchiveLink;
  const { config, chunks } = await readSpace(links, reading);
  const catalog = await readKeyed(config, chunks);
  const epochs = new EpochCheck(config, catalog.ring, catalog.read, manifest.by.replica);
  const check = new DocumentCheck(manifest, catalog, epochs);
  await eachDocument(links, reading, (id, parts) => check.check(id, parts));
  await epochs.finish();
  check.finish(links.reduce((sum, link) => sum + link.manifest.damaged, 0));
  return links;
}

async function readSpace(
  links: readonly ArchiveLink[],
  reading: ReadingChain,
): Promise<{ readonly config: SpaceConfig; readonly chunks: readonly Uint8Array[] }> {
  const { space } = (links.at(-1) as ArchiveLink).manifest;
  const id = catalogDocumentId(space.id);
  let config: SpaceConfig | undefined;
  const chunks: Uint8Array[] = [];
  for (const { path } of links)
    await readArchive(path, reading, (part) => {
      if (part.name === SPACE) config = configOf(part);
      else if (isOfKept(part.name)) checkKept(part);
      else if (documentOfPart(part.name) === id) chunks.push(part.bytes);
    });
  if (config === undefined || config.id !== space.id) throw damaged("it has no key of its space");
  return { config, chunks };
}

export interface KeyedCatalog {
  readonly ring: KeyRing;
  readonly read: Catalog;
}

/** What the catalog says, which the key has to open. */
async function readKeyed(config: SpaceConfig, chunks: readonly Uint8Array[]): Promise<KeyedCatalog> {
  const ring = orDamaged("its key is none", () => ringOf(config));
  const id = config.id as SpaceId;
  const key = bytesFromBase64Url(config.key);
  const doc = loaded(catalogDocumentId(id), chunks);
  const changes = A.getAllChanges(doc);
  A.free(doc);
  const first = deriveSpaceKeys(id, key).changes;
  const isRight =
    typeof config.keyCheck === "string" && config.keyCheck !== spaceKeyCheck(id, key)
      ? false
      : isSignedUnder(changes.map((bytes) => A.readChange("catalog", first, bytes, chunkTools.sha256)));
  if (isRight === false) throw damaged("its key does not open what is in it");
  return { ring, read: await readOf(ring, changes) };
}

async function readOf(ring: KeyRing, changes: readonly Uint8Array[]): Promise<Catalog> {
  const history = new History();
  history.add(changes.map((bytes) => A.readChange("catalog", ring.codes, bytes, chunkTools.sha256)));
  return await readCatalog(nodePlatform(), ring, history);
}

/** The catalog of an archive that was checked, and the keys that it has. */
export async function catalogOfLinks(
  links: readonly ArchiveLink[],
  reading: ReadingChain,
): Promise<KeyedCatalog> {
  const { config, chunks } = await readSpace(links, reading);
  return await readKeyed(config, chunks);
}

/** The catalog as its stored chunks have it. @throws {CambiumError} ARCHIVE_DAMAGED */
export async function catalogOfChunks(ring: KeyRing, chunks: readonly Uint8Array[]): Promise<Catalog> {
  await A.loadAutomerge();
  const doc = loaded(catalogDocumentId(ring.space), chunks);
  const changes = A.getAllChanges(doc);
  A.free(doc);
  return await readOf(ring, changes);
}

/** Gives each document once all of its parts were read: most have one, so hardly any wait. */
async function eachDocument(
  links: readonly ArchiveLink[],
  reading: ReadingChain,
  take: (id: DocumentId, parts: readonly Uint8Array[]) => void,
): Promise<void> {
  const left = new Map<DocumentId, number>();
  for (const { manifest } of links)
    for (const { name } of manifest.parts) {
      const id = documentOfPart(name);
      if (id !== undefined) left.set(id, (left.get(id) ?? 0) + 1);
    }
  const waiting = new Map<DocumentId, Uint8Array[]>();
  for (const { path } of links)
    await readArchive(path, reading, ({ name, bytes }) => {
      throwIfAborted(reading.signal);
      const id = documentOfPart(name);
      if (id === undefined) return;
      const parts = [...(waiting.get(id) ?? []), bytes];
      const more = (left.get(id) ?? 0) - 1;
      left.set(id, more);
      waiting.set(id, parts);
      if (more > 0) return;
      waiting.delete(id);
      take(id, parts);
    });
}

class DocumentCheck {
  readonly #manifest: ArchiveManifest;
  readonly #ring: KeyRing;
  readonly #catalog: Catalog;
  readonly #epochs: EpochCheck;
  readonly #headsById: ReadonlyMap<DocumentId, readonly string[]>;
  readonly #branches: ReadonlyMap<DocumentId, BranchEntry | undefined>;
  readonly #kinds: ReadonlyMap<DocumentId, DocumentKind>;
  /** Those that were not looked at, or of which something is not there. */
  readonly #incomplete: Set<DocumentId>;

  constructor(manifest: ArchiveManifest, { ring, read: catalog }: KeyedCatalog, epochs: EpochCheck) {
    this.#manifest = manifest;
    this.#ring = ring;
    this.#catalog = catalog;
    this.#epochs = epochs;
    this.#headsById = new Map(manifest.documents.map(({ id, heads }) => [id, heads]));
    this.#incomplete = new Set(this.#headsById.keys());
    const { space } = ring;
    const main = documentIdFromHex(mainBranchId(space));
    const entries = [...catalog.branches.values()].map(({ value }) => [value.document, value] as const);
    this.#branches = new Map<DocumentId, BranchEntry | undefined>([[main, undefined], ...entries]);
    this.#kinds = new Map<DocumentId, DocumentKind>([
      ...[...catalog.documents.keys()].map((id) => [id as DocumentId, "pack"] as const),
      ...[...this.#branches.keys()].map((id) => [id, "branch"] as const),
      [catalogDocumentId(space), "catalog"],
    ]);
  }

  check(id: DocumentId, parts: readonly Uint8Array[]): void {
    const heads = this.#headsById.get(id);
    if (heads === undefined) return; // of an earlier archive, and gone since
    const doc = loaded(id, parts);
    try {
      const isWhole = orDamaged(`the last changes of ${id} are none`, () => A.hasHeads(doc, heads));
      if (isWhole) this.#incomplete.delete(id);
      const kind = kindOf(doc);
      if (kind !== undefined && kind !== (this.#kinds.get(id) ?? kind)) throw another(id);
      if (kind !== undefined) this.#refuseForeign(id, kind, doc);
      if (kind === "pack" && this.#epochs.isNeeded)
        this.#epochs.take(packContent(A.getBackend(doc)), this.#originOf(id, doc));
    } finally {
      A.free(doc);
    }
  }

  /** The first document of a pack has its id, also where the catalog's word of it does not open. */
  #originOf(id: DocumentId, doc: A.Doc<unknown>): PackOrigin {
    const [pack = documentIdToHex(id) as PackId] = this.#catalog.documents.get(id)?.value.packs ?? [];
    const changes = A.getChangesMetaSince(doc, []).filter(({ deps }) => deps.length > 0);
    const writers = new Set(changes.map(({ actor }) => parseActorId(actor)?.replica));
    return { pack, writer: writers.size === 1 ? [...writers][0] : undefined };
  }

  /** What members made for another document, but for what this one was begun with or has merged. */
  #refuseForeign(id: DocumentId, kind: DocumentKind, doc: A.Doc<unknown>): void {
    const place = documentIdToHex(id);
    const begun = (this.#branches.get(id)?.forkHeads ?? []).filter((head) => A.hasHeads(doc, [head]));
    const { held } = sortArriving(
      A.getChangesMetaSince(doc, begun),
      ({ actor, deps }) => deps.length === 0 || parseActorId(actor)?.document === place,
    );
    const foreign = new Set(held.map(({ hash }) => hash));
    if (foreign.size === 0) return;
    for (const bytes of A.getChangesSince(doc, begun)) {
      if (!foreign.has(A.decodeChange(bytes).hash)) continue;
      const { statement } = A.readChange(kind, this.#ring.codes, bytes, chunkTools.sha256);
      if (statement !== undefined) throw another(id);
    }
  }

  /** @param chunks - how many could not be read when it was made: no more documents than that may lack something */
  finish(chunks: number): void {
    const [first] = this.#incomplete;
    if (first !== undefined && this.#incomplete.size > chunks)
      throw damaged(`its document ${first} is not there as its manifest says`);
    const documents = new Map([...this.#branches].map(([id]) => [documentIdToHex(id), id]));
    const lost = this.#manifest.branches.find(
      ({ id, memories = 0 }) =>
        memories > 0 && !this.#headsById.has(documents.get(id) ?? documentIdFromHex(id)),
    );
    if (lost !== undefined) throw damaged(`its branch ${lost.name} is not there`);
  }
}

const loaded = (id: DocumentId, chunks: readonly Uint8Array[]): A.Doc<unknown> =>
  orDamaged(`its document ${id} cannot be read`, () => loadInPieces(chunks));

const another = (id: DocumentId) => damaged(`its document ${id} is another one`);

function orDamaged<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw damaged(what, cause);
  }
}
