/**
 * The records of a space, sealed for another one. A header names its space and the records that it follows, so it gets
 * another hash, and the records after it as well. Contents stay what they are. What is erased is not taken along.
 *
 * @module
 */
import {
  type Codec,
  decodeCanonical,
  decodeHeader,
  type Encodable,
  type ErasedExtent,
  type ErasureRules,
  encodeCanonical,
  encodeHeader,
  type MemoryId,
  openPackEntry,
  type PackId,
  type PartHash,
  partHash,
  type RecordHash,
  type RecordHeader,
  recordHash,
  type Sealed,
  sealPackEntry,
} from "@cambium/core";
import type { PackContent } from "../documents/pack-content.js";
import { ShortTurns } from "../platform/short-turns.js";
import type { CopiedNames } from "./copied-names.js";

export interface CopyingRecords {
  readonly names: CopiedNames;
  /** Of the other space, and of the new one. */
  readonly from: Codec;
  readonly to: Codec;
  /** What is erased in the other space. */
  readonly erased: ErasureRules;
  /** Of that, what was erased when the archive was made. */
  readonly erasedBefore: ErasureRules;
  readonly packs: readonly PackId[];
  /** Those that are needed, with what they follow. The rest stays behind. */
  readonly needed: Iterable<RecordHash>;
  /** All that the documents of a pack hold. Asked for several times. */
  readonly contentOf: (pack: PackId) => Promise<PackContent>;
  /** Takes what a pack holds in the new space. */
  readonly put: (pack: PackId, content: PackContent) => Promise<void>;
}

interface KnownHeader {
  readonly pack: PackId;
  readonly header: RecordHeader;
  /** How much of it is erased. */
  readonly extent: ErasedExtent | undefined;
}

/** Entries copied before others get on. */
const PIECES = 64;
/** Such a part says which version of another memory it was made from. */
const VERSION_SOURCE = Buffer.from("version");

export class RecordCopy {
  readonly #options: CopyingRecords;
  readonly #turns = new ShortTurns({ pieces: PIECES });
  readonly #headers = new Map<RecordHash, KnownHeader>();
  readonly #neededParts = new Set<string>();
  /** The record that a part names as its source. */
  readonly #sources = new Map<string, RecordHash>();
  /** Headers of the new space, by what they were called. */
  readonly #made = new Map<RecordHash, { readonly hash: RecordHash; readonly bytes: Uint8Array }>();
  /** Parts that say something else in the new space, by what they were called. */
  readonly #changedParts = new Map<string, { readonly hash: PartHash; readonly bytes: Uint8Array }>();

  /** Memories of which something was erased since. */
  readonly erasedSince = new Set<MemoryId>();

  constructor(options: CopyingRecords) {
    this.#options = options;
  }

  async copy(): Promise<void> {
    for (const pack of this.#options.packs) await this.#readHeaders(pack);
    const metas = this.#readableMetas();
    for (const pack of this.#options.packs) await this.#readSources(pack, metas);
    for (const hash of this.#inOrder()) {
      await this.#turns.piece();
      await this.#make(hash);
    }
    for (const pack of this.#options.packs) await this.#write(pack);
  }

  async #readHeaders(pack: PackId): Promise<void> {
    const { from, erased, contentOf } = this.#options;
    for (const [name, sealed] of Object.entries((await contentOf(pack)).headers)) {
      await this.#turns.piece();
      const hash = name as RecordHash;
      const bytes = await openPackEntry(from, { pack, map: "headers", hash }, sealed);
      if (bytes === undefined || this.#headers.has(hash)) continue;
      const header = decodeHeader(bytes);
      if (header.space !== from.keys.space) continue;
      this.#headers.set(hash, { pack, header, extent: erased.extentOf(hash, header) });
    }
  }

  /** By every record that is not erased, whether it is needed or not: there are no more sources than those. */
  #readableMetas(): ReadonlySet<string> {
    const readable = [...this.#headers.values()].filter(({ extent }) => extent !== "whole");
    return new Set<string>(readable.map(({ header }) => header.meta.hash));
  }

  async #readSources(pack: PackId, metas: ReadonlySet<string>): Promise<void> {
    const { from, contentOf } = this.#options;
    for (const [hash, sealed] of Object.entries((await contentOf(pack)).parts)) {
      if (!metas.has(hash) || this.#sources.has(hash)) continue;
      await this.#turns.piece();
      const bytes = await openPackEntry(from, { pack, map: "parts", hash }, sealed);
      const source = bytes && sourceIn(bytes);
      if (bytes === undefined || source === undefined) continue;
      this.#sources.set(hash, source);
      this.#changedParts.set(hash, { hash: hash as PartHash, bytes });
    }
  }

  /** Each after those that it names. */
  *#inOrder(): Generator<RecordHash> {
    const done = new Set<RecordHash>();
    for (const first of this.#options.needed) {
      const open = this.#headers.has(first) ? [first] : [];
      while (open.length > 0) {
        const hash = open.at(-1) as RecordHash;
        const before = done.has(hash) ? [] : this.#namedBy(hash).filter((one) => !done.has(one));
        if (before.length > 0) {
          open.push(...before);
          continue;
        }
        open.pop();
        if (done.has(hash)) continue;
        done.add(hash);
        yield hash;
      }
    }
  }

  #namedBy(hash: RecordHash): readonly RecordHash[] {
    const { parents = [], broughtBack, meta } = this.#headers.get(hash)?.header ?? {};
    const named = [...parents, broughtBack?.record as RecordHash, this.#sources.get(meta?.hash ?? "")];
    return named.filter((one): one is RecordHash => one !== undefined && this.#headers.has(one));
  }

  async #make(hash: RecordHash): Promise<void> {
    const { names, erasedBefore } = this.#options;
    const { header, extent } = this.#headers.get(hash) as KnownHeader;
    const { author, broughtBack, content, meta } = header;
    if (isErased(extent) && header.type !== "name" && !isErased(erasedBefore.extentOf(hash, header)))
      this.erasedSince.add(header.memory);
    if (extent === undefined) this.#neededParts.add(content.hash);
    if (extent !== "whole") this.#neededParts.add(meta.hash);
    const bytes = encodeHeader({
      ...header,
      space: names.space,
      memory: names.text(header.memory),
      parents: header.parents.map((parent) => names.text(parent)),
      author: { ...author, replica: names.replica(author.replica) },
      ...{ content, meta: { ...meta, hash: this.#partName(meta.hash) } },
      ...(broughtBack && { broughtBack: { ...broughtBack, record: names.text(broughtBack.record) } }),
    });
    const made = { hash: recordHash(bytes), bytes };
    names.note(hash, made.hash);
    this.#made.set(hash, made);
  }

  /** Made when the record that it names is. */
  #partName(hash: PartHash): PartHash {
    const [changed, source] = [this.#changedParts.get(hash), this.#sources.get(hash)];
    if (changed === undefined || source === undefined) return hash;
    const bytes = withSource(changed.bytes, this.#options.names.text(source));
    const made = { hash: partHash(bytes), bytes };
    this.#changedParts.set(hash, made);
    this.#sources.delete(hash);
    return made.hash;
  }

  async #write(pack: PackId): Promise<void> {
    const { from, to, contentOf, put } = this.#options;
    const content = await contentOf(pack);
    const headers: Record<string, Sealed> = {};
    for (const name of Object.keys(content.headers)) {
      const made = this.#made.get(name as RecordHash);
      if (made === undefined || this.#headers.get(name as RecordHash)?.pack !== pack) continue;
      await this.#turns.piece();
      headers[made.hash] = await sealPackEntry(to, { pack, map: "headers", hash: made.hash }, made.bytes);
    }
    const parts: Record<string, Sealed> = {};
    for (const [hash, sealed] of Object.entries(content.parts)) {
      if (!this.#neededParts.has(hash)) continue;
      await this.#turns.piece();
      const changed = this.#changedParts.get(hash);
      const bytes = changed?.bytes ?? (await openPackEntry(from, { pack, map: "parts", hash }, sealed));
      const name = changed?.hash ?? hash;
      if (bytes !== undefined)
        parts[name] = await sealPackEntry(to, { pack, map: "parts", hash: name }, bytes);
    }
    if (Object.keys(headers).length + Object.keys(parts).length > 0) await put(pack, { headers, parts });
  }
}

/** What retention prunes, nobody has erased. */
const isErased = (extent: ErasedExtent | undefined): boolean => extent !== undefined && extent !== "pruned";

/** A part is its salt, and what it says. */
type Part = readonly [
  salt: Uint8Array,
  value: { readonly source?: { readonly kind?: unknown; readonly record?: unknown } },
];

function sourceIn(bytes: Uint8Array): RecordHash | undefined {
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(VERSION_SOURCE) < 0) return undefined;
  const [, value] = decodeCanonical(bytes) as unknown as Part;
  const { source } = value;
  return source?.kind === "version" && typeof source.record === "string"
    ? (source.record as RecordHash)
    : undefined;
}

function withSource(bytes: Uint8Array, record: RecordHash): Uint8Array {
  const [salt, value] = decodeCanonical(bytes) as unknown as Part;
  return encodeCanonical([salt, { ...value, source: { ...value.source, record } }] as unknown as Encodable);
}
