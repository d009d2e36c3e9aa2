/**
 * A space of its own, made of what an archive holds of another one: with another id and another key, so that the two
 * never meet. Everything is sealed and signed anew, by whoever makes it.
 *
 * Plan: records first, since their hashes change; then branches, which refer to them; then the catalog, which names both.
 *
 * @module
 */
import {
  actorId,
  type Catalog,
  type ChangeHash,
  type Codec,
  catalogDocumentId,
  type DocumentId,
  documentIdFromHex,
  documentIdToHex,
  ErasureRules,
  History,
  type KeyedWrite,
  KeyRing,
  type PackId,
  type Platform,
  type RecordHash,
  type ReplicaId,
  readCatalog,
  SPACE_KEY_BYTES,
  type SpaceId,
  sealEntry,
  throwIfAborted,
} from "@cambium/core";
import type { ErasedSince } from "../api/archive.js";
import type { Progress } from "../api.js";
import * as A from "../documents/automerge.js";
import type { CatalogWrite } from "../documents/catalog-keeper.js";
import { CARRIED, type ErasureNote } from "../documents/erasure-note.js";
import { loadInPieces } from "../documents/in-pieces.js";
import type { KeptParts } from "../documents/kept-parts.js";
import { type PackContent, packContent } from "../documents/pack-content.js";
import { rewrittenDocument } from "../documents/rewritten-document.js";
import { makeSignedChange, withActor } from "../documents/signed-change.js";
import type { SpaceConfig } from "../documents/space-config.js";
import { kindOf } from "../documents/without-mirror.js";
import { inheritKeys } from "../keys/inherited-keys.js";
import { hash } from "../platform/newer-node.js";
import { chunkTools } from "../platform/node-platform.js";
import type { ReplicaStore } from "../storage/store.js";
import { referencesOf } from "./change-references.js";
import { copiedEntries } from "./copied-catalog.js";
import { CopiedDigests, type CopyingChanges, copyChanges } from "./copied-changes.js";
import { CopiedNames, documentOf, NO_REPLICA } from "./copied-names.js";
import { type CopyingRecords, RecordCopy } from "./copied-records.js";
import type { ArchiveManifest } from "./manifest.js";
import { ringOf } from "./space-part.js";

export interface CopyingSpace {
  /** The space of the archive, as its settings are there, and its documents. */
  readonly from: {
    readonly config: SpaceConfig;
    readonly store: ReplicaStore;
    readonly manifest: ArchiveManifest;
    /** What the device that made the archive decided about erasures of others, and what it kept of them. */
    readonly note: ErasureNote;
    readonly kept: KeptParts;
  };
  /** What is erased in that space by now, where it is on this device. */
  readonly erasedHere: Catalog["erasures"] | undefined;
  /** Where the new one is to be. */
  readonly store: ReplicaStore;
  readonly platform: Platform;
  /** Who makes it. */
  readonly replica: ReplicaId;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface MadeSpace {
  readonly id: SpaceId;
  readonly key: Uint8Array;
  /** The erasures that it knows: nothing of what they are about was taken along. */
  readonly erasures: readonly string[];
  /** What was left out since that space has erased it after the archive was made, where that is known. */
  readonly erasedSince: ErasedSince | undefined;
}

/** In bytes: a change that a relay takes has at most twice as many. */
const MAX_CHANGE_BYTES = 1_000_000;

export async function copySpace(services: CopyingSpace): Promise<MadeSpace> {
  await A.loadAutomerge();
  return await new SpaceCopy(services).copy();
}

class SpaceCopy {
  readonly #services: CopyingSpace;
  readonly #from: Codec & { readonly keys: KeyRing };

  constructor(services: CopyingSpace) {
    this.#services = services;
    this.#from = { platform: services.platform, keys: ringOf(services.from.config) };
  }

  async copy(): Promise<MadeSpace> {
    const { platform } = this.#services;
    const archived = this.#withoutRefused(await this.#readCatalog());
    const { erasedHere = new Map() } = this.#services;
    const catalog = { ...archived, erasures: new Map([...archived.erasures, ...erasedHere]) };
    inheritKeys(this.#from.keys, catalog);
    const kinds = await this.#kinds(catalog);
    const names = new CopiedNames(this.#from.keys.space, kinds.writtenIn, platform);
    const key = platform.random(SPACE_KEY_BYTES);
    const to: Codec = { platform, keys: new KeyRing(names.space, { epoch: 0, secret: key }) };
    const erased = { erased: rulesOf(catalog), erasedBefore: rulesOf(archived) };
    const { packs, memories } = await this.#copyRecords(catalog, { ...erased, names, to, ...kinds });
    const changes = { names, from: this.#from.keys.codes, to: to.keys.codes };
    for (const [id, kind] of kinds.byDocument) await this.#copyChanges(id, kind, changes);
    const entries = await this.#entries(catalog, changes, packs);
    await this.#writeCatalog(entries, to);
    return {
      ...{ id: names.space, key },
      erasures: [...catalog.erasures].map(([id, { value }]) => value.of ?? id),
      erasedSince: this.#services.erasedHere && erasedSince(memories, this.#services.erasedHere, archived),
    };
  }

  async #readCatalog(): Promise<Catalog> {
    const { keys } = this.#from;
    const history = new History();
    const doc = await this.#load(catalogDocumentId(keys.space));
    history.add(
      A.getAllChanges(doc).map((bytes) => A.readChange("catalog", keys.codes, bytes, chunkTools.sha256)),
    );
    A.free(doc);
    return await readCatalog(this.#services.platform, keys, history);
  }

  /** What the device that made the archive had not agreed to is not erased in it. */
  #withoutRefused(catalog: Catalog): Catalog {
    const { held, refused } = this.#services.from.note.noted;
    if (held.size + refused.size === 0) return catalog;
    const isInForce = (id: string, of: string): boolean =>
      !id.startsWith(CARRIED) && !held.has(of) && !refused.has(of);
    const erasures = [...catalog.erasures].filter(([id, { value }]) => isInForce(id, value.of ?? id));
    return { ...catalog, erasures: new Map(erasures) };
  }

  /** Documents of changes, those in which the changes were written that they hold, and the records that these name. */
  async #kinds(catalog: Catalog) {
    const byDocument = new Map<DocumentId, "branch" | "uses">();
    const writtenIn = new Set<string>();
    const needed = namedIn(catalog);
    const known = new Set<string>([catalogDocumentId(this.#from.keys.space), ...catalog.documents.keys()]);
    for (const { id } of this.#services.from.manifest.documents) {
      if (known.has(id)) continue;
      const doc = await this.#load(id);
      const kind = kindOf(doc);
      if (kind === "branch" || kind === "uses") {
        byDocument.set(id, kind);
        writtenIn.add(documentIdToHex(id));
        for (const bytes of A.getAllChanges(doc)) {
          const change = A.readChange(kind, this.#from.keys.codes, bytes, chunkTools.sha256);
          writtenIn.add(documentOf(change.actor));
          for (const reference of referencesOf(change)) needed.add(reference.record);
        }
      }
      A.free(doc);
    }
    return { byDocument, writtenIn, needed };
  }

  /** @returns where each pack is in the new space, and of how many memories something was erased since */
  async #copyRecords(
    catalog: Catalog,
    how: Pick<CopyingRecords, "names" | "to" | "needed" | "erased" | "erasedBefore">,
  ): Promise<{ readonly packs: ReadonlyMap<PackId, DocumentId>; readonly memories: number }> {
    const { needed, names, to, erased, erasedBefore } = how;
    const here = new Set<string>(this.#services.from.manifest.documents.map(({ id }) => id));
    const byPack = new Map<PackId, DocumentId[]>();
    for (const [id, { value }] of catalog.documents)
      for (const pack of value.state === "live" && here.has(id) ? value.packs : [])
        byPack.set(pack, [...(byPack.get(pack) ?? []), id as DocumentId]);
    const made = new Map<PackId, DocumentId>();
    const records = new RecordCopy({
      ...{ names, from: this.#from, to, packs: [...byPack.keys()], needed },
      ...{ erased, erasedBefore },
      contentOf: async (pack) => await this.#contentOf(pack, byPack.get(pack) ?? []),
      put: async (pack, content) => {
        const { document, bytes, heads } = await rewrittenDocument(pack, content, to.keys.codes);
        await this.#put(document, bytes, heads);
        made.set(pack, document);
        this.#services.onProgress?.({ stage: "import", done: made.size, total: byPack.size });
      },
    });
    await records.copy();
    return { packs: made, memories: records.erasedSince.size };
  }

  async #contentOf(pack: PackId, documents: readonly DocumentId[]): Promise<PackContent> {
    const [headers, parts] = [{}, {}];
    for (const document of documents) {
      const doc = await this.#load(document);
      const content = packContent(A.getBackend(doc));
      A.free(doc);
      Object.assign(headers, content.headers);
      Object.assign(parts, content.parts);
    }
    Object.assign(parts, this.#services.from.kept.partsOf(pack));
    return { headers, parts };
  }

  async #copyChanges(id: DocumentId, kind: "branch" | "uses", changes: CopyingChanges): Promise<void> {
    const doc = await this.#load(id);
    const { bytes, heads } = await copyChanges(kind, doc, changes);
    A.free(doc);
    await this.#put(changes.names.text(id), bytes, heads);
  }

  async #entries(
    catalog: Catalog,
    changes: CopyingChanges,
    documents: ReadonlyMap<PackId, DocumentId>,
  ): Promise<readonly CatalogWrite[]> {
    const { platform, replica, from } = this.#services;
    const { space, imports, erasures } = this.#from.keys;
    const digests = await this.#digests(catalog, changes);
    return copiedEntries(catalog, {
      ...{ names: changes.names, platform, replica, documents },
      hasBranch: (branch) => from.manifest.leftOut === undefined || this.#hasBranch(catalog, branch),
      digestOf: ({ branch, heads }) => digests.get(branch)?.at(heads),
      origin: {
        ...{ space, imports, erasures: erasures() },
        ...{ archive: from.manifest.id, madeAt: from.manifest.madeAt },
      },
    });
  }

  #hasBranch({ branches }: Catalog, branch: string): boolean {
    const document = branches.get(branch)?.value.document ?? documentIdFromHex(branch);
    return this.#services.from.manifest.documents.some(({ id }) => id === document);
  }

  /** Of branches that have checkpoints. */
  async #digests(catalog: Catalog, changes: CopyingChanges): Promise<ReadonlyMap<string, CopiedDigests>> {
    const found = new Map<string, CopiedDigests>();
    const here = new Map(this.#services.from.manifest.documents.map(({ id }) => [documentIdToHex(id), id]));
    for (const { value } of catalog.checkpoints.values()) {
      const { branch } = value;
      const id = catalog.branches.get(branch)?.value.document ?? here.get(branch);
      if (found.has(branch) || id === undefined || !here.has(documentIdToHex(id))) continue;
      const doc = await this.#load(id);
      found.set(branch, new CopiedDigests(doc, changes));
      A.free(doc);
    }
    return found;
  }

  /** By nobody, as what every device would write alike. */
  async #writeCatalog(entries: readonly CatalogWrite[], { platform, keys }: Codec): Promise<void> {
    const document = catalogDocumentId(keys.space);
    const actor = actorId({ document: documentIdToHex(document), replica: NO_REPLICA, epoch: 0 });
    let doc = withActor(loadInPieces([A.genesis("catalog")]), actor);
    let last: { readonly seq: number; readonly hash: ChangeHash | undefined } = { seq: 0, hash: undefined };
    const write = (writes: readonly KeyedWrite[]): void => {
      const statement = { type: "catalog", memories: 0 } as const;
      const time = platform.now();
      doc = makeSignedChange(doc, keys.codes, { actor, last, statement, writes, time });
      last = { seq: last.seq + 1, hash: A.getHeads(doc)[0] as ChangeHash };
    };
    let writes: KeyedWrite[] = [];
    let sizeBytes = 0;
    for (const { map, key, entry } of entries) {
      const value = await sealEntry(platform, keys, map, key, entry);
      if (sizeBytes + value.length > MAX_CHANGE_BYTES) {
        write(writes);
        [writes, sizeBytes] = [[], 0];
      }
      writes.push({ key: `${map}/${key}`, value });
      sizeBytes += value.length;
    }
    write(writes);
    await this.#put(document, A.save(doc), A.getHeads(doc));
    A.free(doc);
  }

  async #load(id: DocumentId): Promise<A.Doc<unknown>> {
    throwIfAborted(this.#services.signal);
    const { store } = this.#services.from;
    const chunks = (await store.loadRange([id])).toSorted((a, b) => rank(a.key) - rank(b.key));
    return loadInPieces(chunks.flatMap(({ data }) => (data === undefined ? [] : [data])));
  }

  async #put(document: DocumentId, bytes: Uint8Array, heads: readonly string[]): Promise<void> {
    const { store } = this.#services;
    const name = hash("sha256", bytes, "hex");
    void store.save([document, "snapshot", name], bytes);
    const localHeads = heads.toSorted();
    store.putRow({ documentId: document, localHeads, receiptedHeads: [], receiptedAt: undefined });
    await store.flushed();
  }
}

/** The texts of the catalog: names of branches, and what checkpoints say of themselves. */
function namedIn({ branchStates, checkpoints }: Catalog): Set<RecordHash> {
  const references = [
    ...[...branchStates.values()].flatMap(({ value, others }) => [value, ...others].map(({ name }) => name)),
    ...[...checkpoints.values()].flatMap(({ value, others }) => [value, ...others].map(({ text }) => text)),
  ];
  return new Set(references.flatMap((reference) => reference?.record ?? []));
}

const rulesOf = ({ erasures }: Catalog): ErasureRules =>
  new ErasureRules([...erasures.values()].flatMap(({ value, others }) => [value, ...others]));

function erasedSince(memories: number, here: Catalog["erasures"], { erasures }: Catalog): ErasedSince {
  const times = [...here].flatMap(([id, { value }]) =>
    erasures.has(id) || value.cause !== undefined ? [] : [value.at],
  );
  return { memories, ...(memories === 0 ? {} : { lastAt: Math.max(...times) }) };
}

/** Snapshots first. */
const rank = (key: readonly string[]): number => (key[1] === "snapshot" ? 0 : 1);
