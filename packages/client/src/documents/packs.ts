/**
 * Packs: where the sealed records of a space are kept. This replica writes into one pack at a time and
 * opens the next when it is full; it reads from all of them.
 *
 * @module
 */
import {
  bytesToHex,
  type Catalog,
  type ChangeStatement,
  type Codec,
  type DocumentId,
  documentIdFromHex,
  ERASED_TEXT_BYTES,
  type ErasedExtent,
  type ErasureEntry,
  type ErasureRules,
  erasedTextCodes,
  type KeyedWrite,
  MAX_PACK_BYTES,
  MAX_PACK_RECORDS,
  type MemoryId,
  type MemoryRecord,
  openRecord,
  type PackId,
  type PartHash,
  prunedTextCode,
  type RecordDraft,
  type RecordHash,
  type RecordHeader,
  type RecordMeta,
  type RecordReading,
  type Reference,
  type ReplicaId,
  type Sealed,
  type SealedRecord,
  type SealedSource,
  type SpaceKeys,
  sealRecord,
} from "@cambium/core";
import * as A from "./automerge.js";
import type { CatalogKeeper } from "./catalog-keeper.js";
import type { Documents } from "./documents.js";
import type { ErasureNote } from "./erasure-note.js";
import { ErasuresInForce } from "./erasures-in-force.js";
import type { KeptParts } from "./kept-parts.js";
import { type PackContent, packContent, packEntry, readPack, type StoredPack } from "./pack-content.js";

/** Opened records kept in memory; a memory of 2 KB with three versions costs about 8 KB of it. */
const MAX_CACHED_RECORDS = 5_000;
/** Entries of packs kept in memory, about 1 MiB each. */
const MAX_CACHED_PACKS = 64;
/** Opened meta parts, about half a kilobyte each. */
const MAX_CACHED_METAS = 100_000;
/** With the id of a replica: the setting in which it says what it has. */
export const SEEN = "seen:";
/** Of those filled last: records sealed for them may still be on their way. */
const KEPT_FULL_PACKS = 2;
const PACK_STATEMENT: ChangeStatement = { type: "pack", memories: 0 };

export interface PacksOptions {
  readonly codec: Codec;
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  readonly replica: () => ReplicaId;
  readonly now: () => number;
  /** Which erasures are in force here. */
  readonly note: ErasureNote;
  /** What this device keeps although others have erased it. */
  readonly kept: KeptParts;
}

interface OpenPack {
  readonly id: PackId;
  readonly document: DocumentId;
  readonly replica: ReplicaId;
  /** Of the key under which its records are sealed. */
  readonly epoch: number;
  /** Written and reserved. */
  records: number;
  sizeBytes: number;
}

export class Packs implements SealedSource {
  readonly #options: PacksOptions;
  readonly #records = new Map<RecordHash, RecordReading>();
  readonly #contents = new Map<DocumentId, Promise<PackContent | undefined>>();
  /** A revision of the content names the meta part of the first record, which lies in another pack. */
  readonly #metas = new Map<PartHash, RecordMeta>();
  /** Sealed, and in the pack with the next flush. */
  readonly #queued = new Map<PackId, KeyedWrite[]>();
  /** Filled in this session, and still in memory. */
  readonly #full = new Set<DocumentId>();
  readonly #erasures: ErasuresInForce;
  /** Opened in this session: records may be sealed for them. */
  readonly #openedHere = new Set<PackId>();
  /** Where records go whose pack was rewritten since they were sealed for it. */
  readonly #laterHomes = new Map<PackId, DocumentId>();
  #current: OpenPack | undefined;
  #opening: Promise<OpenPack> | undefined;

  constructor(options: PacksOptions) {
    this.#options = options;
    this.#erasures = new ErasuresInForce(options.note);
    options.documents.onFlush(() => this.#writeQueued());
    options.catalog.onChange((catalog) => {
      if (this.#erasures.hasChanged(catalog)) this.forget();
    });
  }

  /** What is erased, by the catalog as it is now. */
  get erasures(): ErasureRules {
    return this.#erasures.of(this.#options.catalog.current);
  }

  /** Whether other devices have erased a memory as a whole, or all of this time, and this one keeps its copy. */
  isKeptHereAlone(memory: MemoryId, at: number): boolean {
    const others = this.#erasures.othersOf(this.#options.catalog.current);
    return others.coversMemory(memory) || others.coversTime(at);
  }

  /** Whether a text says what was erased once, told by its code. */
  wasErased(text: string): boolean {
    const { erasures } = this;
    if (!erasures.hasTexts) return false;
    const codes = erasedTextCodes(this.#options.codec.keys.erasures(), text);
    return codes.some((code) => erasures.coversText(code));
  }

  /** The same, for another thread. */
  get erasureEntries(): readonly ErasureEntry[] {
    this.#erasures.of(this.#options.catalog.current);
    return this.#erasures.entries;
  }

  /** Returns a test of whether a text is the one that retention pruned. */
  prunedTextTest(part: PartHash): (text: string) => boolean {
    const key = this.#options.codec.keys.erasures();
    const codes = this.erasureEntries.flatMap(({ cause, parts, texts }) => {
      const at = cause === "retention" && parts !== undefined ? placeIn(parts, part) : -1;
      if (at < 0) return [];
      return [bytesToHex(texts.subarray(at * ERASED_TEXT_BYTES, (at + 1) * ERASED_TEXT_BYTES))];
    });
    return (text) => codes.includes(bytesToHex(prunedTextCode(key, text)));
  }

  erasedExtent(record: RecordHash, header: RecordHeader): ErasedExtent | undefined {
    return this.erasures.extentOf(record, header);
  }

  /** Lets go of everything that was opened. */
  forget(): void {
    this.#records.clear();
    this.#contents.clear();
    this.#metas.clear();
  }

  /** From the tick in which this resolves, nothing is written into these documents: it goes into others. */
  async moveOn(retiring: ReadonlySet<DocumentId>): Promise<void> {
    while (this.#opening !== undefined) await this.#opening.catch(() => undefined);
    const open = [...this.#openedHere].filter((pack) => retiring.has(this.#homeOf(pack)));
    if (this.#current !== undefined && open.includes(this.#current.id)) this.#current = undefined;
    const { catalog, codec, documents } = this.#options;
    await documents.prepare();
    const homes = open.map((pack) => {
      const document = documentIdFromHex(bytesToHex(codec.platform.random(16)));
      documents.create("pack", document);
      return { pack, document };
    });
    await catalog.put(() =>
      homes.map(({ pack, document }) => {
        return { map: "documents", key: document, entry: { packs: [pack], state: "live" } } as const;
      }),
    );
    for (const { pack, document } of homes) this.#laterHomes.set(pack, document);
  }

  #homeOf(pack: PackId): DocumentId {
    return this.#laterHomes.get(pack) ?? documentIdFromHex(pack);
  }

  /** Seals a draft for the pack this replica writes now. Nothing is written before `put`. */
  async seal(draft: RecordDraft): Promise<SealedRecord> {
    const pack = await this.#reserve();
    const sealed = await sealRecord(this.#options.codec, pack.id, this.#reusing(draft));
    pack.sizeBytes += sealed.sizeBytes;
    await this.hold([sealed]);
    return sealed;
  }

  /**
   * Once this device has said what it has, others may prune what does not stand: then only the text that stands is named
   * again, and one that comes back is written anew.
   */
  #reusing(draft: RecordDraft): RecordDraft {
    const { catalog, replica } = this.#options;
    if (!catalog.current.settings.has(SEEN + replica())) return draft;
    return { ...draft, reuse: draft.reuse?.slice(0, 1) };
  }

  /** Brings back packs that were filled up and let go while these records were sealed; then `put` can be called at once. */
  async hold(records: readonly SealedRecord[]): Promise<void> {
    const { documents } = this.#options;
    for (const { record } of records) {
      const document = this.#homeOf(record.pack);
      if (documents.isLoaded(document)) continue;
      await documents.load("pack", document);
      this.#full.add(document);
    }
  }

  /** Writes sealed records into their packs with the next flush: one change for each pack, no matter who wrote. */
  put(records: readonly SealedRecord[]): void {
    for (const { record, header, parts } of records) {
      const writes = this.#queued.get(record.pack) ?? [];
      writes.push({ key: `headers/${record.hash}`, value: header });
      for (const [hash, part] of parts) writes.push({ key: `parts/${hash}`, value: part });
      this.#queued.set(record.pack, writes);
      this.#remember({ status: "here", record });
    }
  }

  #writeQueued(): void {
    const { documents, now } = this.#options;
    const queued = [...this.#queued];
    this.#queued.clear();
    for (const [pack, writes] of queued) {
      documents.change({ document: this.#homeOf(pack), statement: PACK_STATEMENT, writes, time: now() });
    }
  }

  /** A record that is at hand in memory. */
  opened(reference: Reference, memory: MemoryId): MemoryRecord | undefined {
    const known = this.#records.get(reference.record);
    return known?.status === "here" && known.record.memory === memory ? known.record : undefined;
  }

  /** Opens the record a reference names; opened ones are remembered, for they never change. */
  async read(reference: Reference, memory: MemoryId): Promise<RecordReading> {
    const record = this.opened(reference, memory);
    if (record !== undefined) return { status: "here", record };
    const reading = await this.readOnce(reference, memory);
    if (reading.status === "here") this.#remember(reading);
    return reading;
  }

  /** The same for a caller who keeps it himself. */
  async readOnce(reference: Reference, memory: MemoryId): Promise<RecordReading> {
    const record = this.opened(reference, memory);
    return record === undefined
      ? openRecord(this.#options.codec, this, reference, memory)
      : { status: "here", record };
  }

  async header(pack: PackId, hash: RecordHash): Promise<Sealed | undefined> {
    return this.#entry(pack, "headers", hash);
  }

  async part(pack: PackId, hash: PartHash): Promise<Sealed | undefined> {
    return this.#entry(pack, "parts", hash);
  }

  knownMeta(hash: PartHash): RecordMeta | undefined {
    return this.#metas.get(hash);
  }

  noteMeta(hash: PartHash, meta: RecordMeta): void {
    const [oldest] = this.#metas.keys();
    if (this.#metas.size >= MAX_CACHED_METAS && oldest !== undefined) this.#metas.delete(oldest);
    this.#metas.set(hash, meta);
  }

  async #entry(pack: PackId, map: keyof PackContent, hash: string): Promise<Sealed | undefined> {
    const { documents } = this.#options;
    for (const id of this.documentsOf(pack)) {
      const stored = documents.isLoaded(id) ? undefined : await this.#stored(id);
      const entry =
        stored === undefined ? packEntry(await documents.load("pack", id), map, hash) : stored[map][hash];
      if (entry !== undefined) return entry;
    }
    return map === "parts" ? this.#options.kept.part(pack, hash as PartHash) : undefined;
  }

  /** The entries of a pack that nobody writes or syncs right now, without its Automerge document. */
  async #stored(id: DocumentId): Promise<PackContent | undefined> {
    const reading = this.#contents.get(id) ?? this.#readStored(id);
    const [oldest] = this.#contents.keys();
    if (this.#contents.size >= MAX_CACHED_PACKS && oldest !== undefined) this.#contents.delete(oldest);
    this.#contents.set(id, reading);
    const content = await reading;
    if (content === undefined) this.#contents.delete(id); // it may be whole the next time
    return content;
  }

  async #readStored(id: DocumentId): Promise<PackContent | undefined> {
    const [stored] = await Promise.all([this.#options.documents.stored(id), A.loadAutomerge()]);
    return stored && readPack(stored);
  }

  /** What is stored of a pack, for opening its records elsewhere. */
  async stored(pack: PackId): Promise<StoredPack> {
    const { documents, codec, kept } = this.#options;
    const found = await Promise.all(this.documentsOf(pack).map((id) => documents.stored(id)));
    const parts = kept.partsOf(pack);
    const keys = epochsOf(codec.keys).flatMap((epoch) =>
      codec.keys.opening(`pack/${pack}`, epoch).map((key) => ({ epoch, key })),
    );
    return {
      ...{ pack, keys, documents: found.filter((stored) => stored !== undefined) },
      ...(parts === undefined ? {} : { kept: parts }),
    };
  }

  /** A pack's content is the union of its live documents; its first one bears its id. */
  documentsOf(pack: PackId): readonly DocumentId[] {
    const listed = documentsByPack(this.#options.catalog.current).get(pack);
    return listed ?? [documentIdFromHex(pack)];
  }

  #remember(reading: RecordReading & { readonly status: "here" }): void {
    if (this.#records.size >= MAX_CACHED_RECORDS) {
      for (const hash of [...this.#records.keys()].slice(0, MAX_CACHED_RECORDS / 10))
        this.#records.delete(hash);
    }
    this.#records.set(reading.record.hash, reading);
  }

  async #reserve(): Promise<OpenPack> {
    let pack = this.#current;
    if (pack === undefined || isFull(pack) || this.#isOutdated(pack)) {
      this.#opening ??= this.#openPack().finally(() => {
        this.#opening = undefined;
      });
      pack = await this.#opening;
      if (isFull(pack)) return this.#reserve();
    }
    pack.records += 1;
    return pack;
  }

  #isOutdated({ replica, epoch }: OpenPack): boolean {
    return replica !== this.#options.replica() || epoch !== this.#options.codec.keys.epoch;
  }

  async #openPack(): Promise<OpenPack> {
    const full = this.#current;
    if (full !== undefined) {
      await this.#options.documents.compact(full.document);
      this.#full.add(full.document);
      await this.#releaseFull();
    }
    const pack = (full === undefined ? await this.#lastOpenPack() : undefined) ?? (await this.#newPack());
    this.#current = pack;
    this.#openedHere.add(pack.id);
    return pack;
  }

  /** Dozens of full packs, kept as documents, would take gigabytes in a session that writes much. */
  async #releaseFull(): Promise<void> {
    for (const document of [...this.#full].slice(0, -KEPT_FULL_PACKS)) {
      const isQueued = () => [...this.#queued.keys()].some((pack) => this.#homeOf(pack) === document);
      if (await this.#options.documents.release(document, isQueued)) this.#full.delete(document);
    }
  }

  /** The pack an earlier session of this replica left room in. */
  async #lastOpenPack(): Promise<OpenPack | undefined> {
    const { catalog, documents, codec } = this.#options;
    const replica = this.#options.replica();
    const mine = [...catalog.current.packs].filter(
      ([, { value }]) => value.writer === replica && value.keyEpoch === codec.keys.epoch,
    );
    const [id] = mine.at(-1) ?? [];
    const [document, ...others] = id === undefined ? [] : this.documentsOf(id as PackId);
    // Rewritten by an erasure: then its documents stay as they are.
    if (id === undefined || document !== documentIdFromHex(id) || others.length > 0) return undefined;
    const doc = await documents.load("pack", document);
    if (doc === undefined) return undefined;
    const { headers, parts } = packContent(A.getBackend(doc));
    const entries = [...Object.values(headers), ...Object.values(parts)];
    const sizeBytes = entries.reduce((sum, { length }) => sum + length, 0);
    const records = Object.keys(headers).length;
    const { epoch } = codec.keys;
    const pack: OpenPack = { id: id as PackId, document, replica, epoch, records, sizeBytes };
    return isFull(pack) ? undefined : pack;
  }

  async #newPack(): Promise<OpenPack> {
    const { catalog, codec, documents } = this.#options;
    const replica = this.#options.replica();
    const { epoch } = codec.keys;
    const id = bytesToHex(codec.platform.random(16)) as PackId;
    const document = documentIdFromHex(id);
    await documents.prepare();
    documents.create("pack", document);
    await catalog.put(() => [
      { map: "packs", key: id, entry: { writer: replica, keyEpoch: epoch } },
      { map: "documents", key: document, entry: { packs: [id], state: "live" } },
    ]);
    return { id, document, replica, epoch, records: 0, sizeBytes: 0 };
  }
}

/** Of a hash in a list of them; -1 when it is not there. */
function placeIn(hashes: Uint8Array, hash: string): number {
  const all = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength);
  const wanted = Buffer.from(hash, "hex");
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1))
    if (at % wanted.length === 0) return at / wanted.length;
  return -1;
}

const epochsOf = ({ codes }: SpaceKeys): readonly number[] => [
  ...new Set(codes.known.map(({ epoch }) => epoch)),
];

const isFull = (pack: OpenPack): boolean =>
  pack.records >= MAX_PACK_RECORDS || pack.sizeBytes >= MAX_PACK_BYTES;

const documentsByCatalog = new WeakMap<Catalog, ReadonlyMap<PackId, readonly DocumentId[]>>();

function documentsByPack(catalog: Catalog): ReadonlyMap<PackId, readonly DocumentId[]> {
  const known = documentsByCatalog.get(catalog);
  if (known !== undefined) return known;
  const byPack = new Map<PackId, DocumentId[]>();
  for (const [document, { value }] of catalog.documents) {
    if (value.state !== "live") continue;
    for (const pack of value.packs) byPack.set(pack, [...(byPack.get(pack) ?? []), document as DocumentId]);
  }
  documentsByCatalog.set(catalog, byPack);
  return byPack;
}
