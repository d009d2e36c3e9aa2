/**
 * Erasing in packs: which records there are, and new documents in the place of those that hold what is erased.
 *
 * Plan: read the headers of all records that are here; let core say what of them is covered; write a document without
 * it for each that holds some of it, and for each retired one that holds what no live one does; mark the old ones
 * retired; only then destroy them. Each step may be cut short: the next run sees what is left to do.
 *
 * @module
 */
import {
  bytesToHex,
  type Codec,
  type Coverage,
  type DocumentId,
  isCambiumError,
  type KnownHeader,
  openHeader,
  openRecord,
  type PackId,
  type PartHash,
  type RecordHash,
  type RecordHeader,
  type Sealed,
  throwIfAborted,
} from "@cambium/core";
import type { ProgressOptions } from "../api.js";
import { idleTimers } from "../platform/idle-timers.js";
import { ShortTurns } from "../platform/short-turns.js";
import * as A from "./automerge.js";
import type { CatalogKeeper } from "./catalog-keeper.js";
import type { Documents } from "./documents.js";
import type { KeptParts } from "./kept-parts.js";
import type { PackContent } from "./pack-content.js";
import { PackDocuments } from "./pack-documents.js";
import { packWritesOf } from "./pack-writes.js";
import type { Packs } from "./packs.js";
import { ReadHeaders } from "./read-headers.js";

export interface PackErasureOptions {
  readonly codec: Codec;
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  readonly packs: Packs;
  readonly kept: KeptParts;
}

/** What is to go from packs. */
interface Destroyed extends Pick<Coverage, "parts"> {
  /** Parts that others have erased, or will, and that stay on this device alone. */
  readonly kept: ReadonlySet<PartHash>;
}

/** A record that is here, and where. */
export type HeldHeader = KnownHeader & Pick<RecordHeader, "author"> & { readonly pack: PackId };

/** So many are opened before others get on. */
const HEADERS_AT_ONCE = 64;

export class PackErasure {
  readonly #options: PackErasureOptions;
  readonly #packs: PackDocuments;
  /** What came of retired documents that are not here any more. */
  readonly #brought = new Map<DocumentId, PackContent>();

  readonly #read: ReadHeaders<HeldHeader>;
  readonly #turns = new ShortTurns({ pieces: HEADERS_AT_ONCE });

  constructor(options: PackErasureOptions) {
    this.#options = options;
    this.#packs = new PackDocuments(options);
    this.#read = new ReadHeaders(idleTimers, (document) => options.documents.headsOf(document));
  }

  /** Changes of a retired document have come: what no other document has is carried with the next `destroy`. */
  async bring(document: DocumentId, chunks: readonly Uint8Array[]): Promise<void> {
    await A.loadAutomerge();
    const { headers, parts } = this.#brought.get(document) ?? { headers: {}, parts: {} };
    const content = { headers: { ...headers }, parts: { ...parts } };
    for (const { map, key, value } of chunks.flatMap(packWritesOf))
      if (map === "headers" || map === "parts") content[map][key] = value;
    this.#brought.set(document, content);
  }

  /** Erased texts among what was brought: until they are gone, it can be told what quotes them. */
  async broughtTexts(): Promise<readonly string[]> {
    const { catalog, codec, packs } = this.#options;
    const texts = new Set<string>();
    for (const [document, { headers, parts }] of this.#brought) {
      const [pack] = catalog.current.documents.get(document)?.value.packs ?? [];
      if (pack === undefined) continue;
      const source = {
        header: (_pack: PackId, hash: RecordHash) => headers[hash],
        part: async (from: PackId, hash: PartHash) => parts[hash] ?? (await packs.part(from, hash)),
      };
      for (const [hash, sealed] of Object.entries(headers)) {
        const reference = { record: hash as RecordHash, pack };
        const header = await this.#open(reference, sealed);
        if (header === undefined || packs.erasures.extentOf(header.hash, header) === undefined) continue;
        const reading = await openRecord(codec, source, reference, header.memory);
        if (reading.status === "here") texts.add(reading.record.fields.content);
      }
    }
    return [...texts];
  }

  /** Whether a document that has come holds something that is, or may be, erased. */
  async isTouched(document: DocumentId, mayCarry: (header: HeldHeader) => boolean): Promise<boolean> {
    const { catalog, packs } = this.#options;
    const [pack] = catalog.current.documents.get(document)?.value.packs ?? [];
    if (pack === undefined) return false;
    const { headers, parts } = await this.#packs.contentOf(document);
    for (const [hash, sealed] of Object.entries(headers)) {
      const header = await this.#open({ record: hash as RecordHash, pack }, sealed);
      if (header === undefined || !(header.content.hash in parts || header.meta.hash in parts)) continue;
      if (packs.erasures.extentOf(header.hash, header) !== undefined || mayCarry(header)) return true;
    }
    return false;
  }

  /** The headers of the records in one document. */
  async headersIn(document: DocumentId): Promise<readonly HeldHeader[]> {
    const [pack] = this.#options.catalog.current.documents.get(document)?.value.packs ?? [];
    if (pack === undefined) return [];
    const { headers } = await this.#packs.contentOf(document);
    const opened: HeldHeader[] = [];
    for (const [hash, sealed] of Object.entries(headers)) {
      const header = await this.#open({ record: hash as RecordHash, pack }, sealed);
      if (header !== undefined) opened.push(header);
    }
    return opened;
  }

  /** The headers of all records that are here, whether a branch lists them or not. */
  async headers({ signal, onProgress }: ProgressOptions = {}): Promise<readonly HeldHeader[]> {
    await this.#options.documents.flush(); // what was sealed lies in the packs then
    const found = new Map<RecordHash, HeldHeader>();
    const here = this.#packs.here();
    const read = async (document: DocumentId, pack: PackId) =>
      this.#opened((await this.#packs.contentOf(document)).headers, pack, found);
    for (const [place, { document, pack }] of here.entries()) {
      throwIfAborted(signal);
      for (const header of await this.#read.of(document, () => read(document, pack)))
        if (!found.has(header.hash)) found.set(header.hash, header);
      onProgress?.({ stage: "packs looked through", done: place + 1, total: here.length });
    }
    for (const [document, content] of this.#brought) {
      const [pack] = this.#options.catalog.current.documents.get(document)?.value.packs ?? [];
      if (pack === undefined) continue;
      for (const header of (await this.#opened(content.headers, pack, found)).headers)
        if (!found.has(header.hash)) found.set(header.hash, header);
    }
    return [...found.values()];
  }

  /** @param found - what is open already: most of a document is in the one that took its place, too */
  async #opened(
    sealed: PackContent["headers"],
    pack: PackId,
    found: ReadonlyMap<RecordHash, HeldHeader>,
  ): Promise<{ readonly headers: readonly HeldHeader[]; readonly isWhole: boolean }> {
    const [headers, entries] = [[] as HeldHeader[], Object.entries(sealed)];
    for (const [hash, bytes] of entries) {
      const known = found.get(hash as RecordHash);
      const header =
        known?.pack === pack ? known : await this.#open({ record: hash as RecordHash, pack }, bytes);
      if (header !== undefined) headers.push(header);
    }
    return { headers, isWhole: headers.length === entries.length };
  }

  /**
   * Destroys what is covered, in all packs that are here. Durable when it resolves.
   *
   * @param mayWrite - a reader destroys what others have marked, and marks nothing
   * @returns how many documents were destroyed in which something was erased
   */
  async destroy(
    { parts: erased, kept }: Destroyed,
    mayWrite: boolean,
    onProgress?: ProgressOptions["onProgress"],
  ): Promise<number> {
    const { documents, packs } = this.#options;
    const left = erased.union(kept);
    const dirty = mayWrite ? await this.#holding(erased) : new Set<DocumentId>();
    await packs.moveOn(new Set([...dirty, ...this.#packs.here("retired").map(({ document }) => document)]));
    await documents.flush();
    let [dropped, replaced] = [0, 0];
    for (const { document, pack } of this.#packs.here("live")) {
      if (!dirty.has(document)) continue;
      await this.#replace(document, pack, erased);
      replaced += 1;
      onProgress?.({ stage: "packs written anew", done: replaced, total: dirty.size });
    }
    for (const { document, pack } of this.#packs.here("retired")) {
      const content = await this.#packs.contentOf(document);
      this.#keep(content, pack, kept);
      if (mayWrite) await this.#list(document, pack, content, erased);
      if (!(await this.#carry(content, pack, left, mayWrite))) continue;
      await documents.drop(document);
      if (this.#listsErased(document)) dropped += 1;
    }
    for (const [document, content] of [...this.#brought]) {
      const [pack] = this.#options.catalog.current.documents.get(document)?.value.packs ?? [];
      if (pack === undefined) continue;
      this.#keep(content, pack, kept);
      if (mayWrite) await this.#list(document, pack, content, erased);
      await this.#carry(content, pack, left, mayWrite);
      // More of it may have come meanwhile.
      if (this.#brought.get(document) === content) this.#brought.delete(document);
    }
    if (this.#options.kept.destroy(erased)) dropped += 1;
    packs.forget();
    return dropped;
  }

  /** Others take the place of one under a later key: nothing is gone with it. */
  #listsErased(document: DocumentId): boolean {
    const entry = this.#options.catalog.current.documents.get(document);
    const entries = entry === undefined ? [] : [entry.value, ...entry.others];
    return entries.some(({ erased }) => erased === undefined || erased.length > 0);
  }

  #keep({ parts }: PackContent, pack: PackId, wanted: ReadonlySet<PartHash>): void {
    if (wanted.size === 0) return;
    const found = Object.entries(parts).filter(([hash]) => wanted.has(hash as PartHash));
    this.#options.kept.keep(pack, found as [PartHash, Sealed][]);
  }

  /** The parts that are here, in documents or kept beside them. */
  async presentParts(): Promise<ReadonlySet<PartHash>> {
    const present = new Set<PartHash>();
    for (const { document, pack } of this.#packs.here()) {
      const { parts } = await this.#packs.contentOf(document);
      const kept = this.#options.kept.partsOf(pack) ?? {};
      for (const hash of [...Object.keys(parts), ...Object.keys(kept)]) present.add(hash as PartHash);
    }
    return present;
  }

  /** How many bytes each of these parts takes, sealed, of those that are here. */
  async sizesOf(parts: ReadonlySet<PartHash>): Promise<ReadonlyMap<PartHash, number>> {
    return this.#ofParts(parts, ({ length }) => length);
  }

  /** These parts as they are here, also in documents that others have retired. */
  async sealedParts(parts: ReadonlySet<PartHash>): Promise<ReadonlyMap<PartHash, Sealed>> {
    return this.#ofParts(parts, (sealed) => sealed.slice()); // not all of the document
  }

  async #ofParts<Value>(parts: ReadonlySet<PartHash>, of: (sealed: Sealed) => Value) {
    const found = new Map<PartHash, Value>();
    for (const { document } of this.#packs.here()) {
      const content = await this.#packs.contentOf(document);
      for (const [hash, sealed] of Object.entries(content.parts))
        if (parts.has(hash as PartHash)) found.set(hash as PartHash, of(sealed));
    }
    return found;
  }

  /** Whether something is to be destroyed that others have marked. */
  get isRetiredHere(): boolean {
    return this.#brought.size > 0 || this.#packs.here("retired").length > 0;
  }

  /** Waits for its turn: writes go before. */
  async #open(
    reference: { readonly record: RecordHash; readonly pack: PackId },
    sealed: Uint8Array,
  ): Promise<HeldHeader | undefined> {
    await this.#turns.piece();
    try {
      const header = await openHeader(this.#options.codec, reference, sealed);
      return { ...header, hash: reference.record, pack: reference.pack };
    } catch (error) {
      if (isCambiumError(error, "STORE_DAMAGED") || isCambiumError(error, "SCHEMA_TOO_NEW")) return undefined;
      throw error;
    }
  }

  async #holding(parts: ReadonlySet<PartHash>): Promise<Set<DocumentId>> {
    const holding = new Set<DocumentId>();
    if (parts.size === 0) return holding;
    for (const { document } of this.#packs.here("live")) {
      const content = await this.#packs.contentOf(document);
      if (Object.keys(content.parts).some((part) => parts.has(part as PartHash))) holding.add(document);
    }
    return holding;
  }

  /** The new document is on disk before the old one is retired, and both are before anything is destroyed. */
  async #replace(document: DocumentId, pack: PackId, erased: ReadonlySet<PartHash>): Promise<void> {
    const { headers, parts } = await this.#packs.contentOf(document);
    const kept = Object.entries(parts).filter(([hash]) => !erased.has(hash as PartHash));
    await this.#packs.put(pack, { headers, parts: Object.fromEntries(kept) });
    await this.#packs.retire(
      { document, pack },
      Object.keys(parts).filter((hash) => erased.has(hash as PartHash)),
    );
  }

  /**
   * Erased parts that came to a document when it was retired already, and that nobody has listed: the relay destroys
   * what is listed or carried, and nothing else.
   */
  async #list(document: DocumentId, pack: PackId, { parts }: PackContent, erased: ReadonlySet<PartHash>) {
    const listed = new Set<string>();
    for (const { value, others } of this.#options.catalog.current.documents.values())
      for (const entry of [value, ...others])
        if (entry.packs.includes(pack))
          for (const hash of hashesIn(entry.erased ?? new Uint8Array())) listed.add(hash);
    const unlisted = Object.keys(parts).filter((hash) => erased.has(hash as PartHash) && !listed.has(hash));
    if (unlisted.length > 0) await this.#packs.retire({ document, pack }, [...listed, ...unlisted]);
  }

  /** @returns whether everything in a retired document is erased, or in a live one by now */
  async #carry(
    { headers, parts }: PackContent,
    pack: PackId,
    erased: ReadonlySet<PartHash>,
    mayWrite: boolean,
  ): Promise<boolean> {
    const live = await Promise.all(
      this.#packs
        .here("live")
        .filter((other) => other.pack === pack)
        .map((other) => this.#packs.contentOf(other.document)),
    );
    const lacking = <Entries extends Readonly<Record<string, Uint8Array>>>(
      entries: Entries,
      map: keyof PackContent,
    ): Record<string, Uint8Array> =>
      Object.fromEntries(
        Object.entries(entries).filter(
          ([hash]) =>
            !erased.has(hash as PartHash) && live.every((content) => content[map][hash] === undefined),
        ),
      );
    const left = { headers: lacking(headers, "headers"), parts: lacking(parts, "parts") };
    if (Object.keys(left.headers).length + Object.keys(left.parts).length === 0) return true;
    if (!mayWrite) return false;
    await this.#packs.put(pack, left);
    return true;
  }
}

const HASH_BYTES = 32;

const hashesIn = (bytes: Uint8Array): readonly string[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, place) =>
    bytesToHex(bytes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)),
  );
