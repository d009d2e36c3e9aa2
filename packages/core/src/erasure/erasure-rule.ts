/**
 * Erasures: what is destroyed for good, as rules. A rule names no text. It covers what is known when it is
 * written and what arrives later, and it is never taken back.
 *
 * @module
 */
import { bytesFromHex, bytesToHex, concatBytes } from "../format/bytes.js";
import {
  type BranchId,
  type ChangeHash,
  type MemoryId,
  type PartHash,
  type RecordHash,
  type ReplicaId,
  uuidFromBytes,
  uuidToBytes,
} from "../format/ids.js";
import type { ErasedExtent, RecordHeader } from "../format/record.js";

/** What a rule covers. Names stand one after the other as bytes, because there may be thousands. */
export interface ErasureTarget {
  /** Memories, 16 bytes each: every version, now and ever. */
  readonly memories?: Uint8Array | undefined;
  /** Records, 32 bytes each. */
  readonly records?: Uint8Array | undefined;
  /** Contents, 32 bytes each: of the erased versions, and of those that carry one without having decided it anew. */
  readonly parts?: Uint8Array | undefined;
  /** Versions of memories written at this time or later, in milliseconds since 1970; with `until`: and before that. */
  readonly from?: number | undefined;
  /** Versions of memories written before this time. */
  readonly until?: number | undefined;
}

/** An erasure as the catalog keeps it. */
export interface ErasureEntry extends ErasureTarget {
  /** The heads that its writer had seen, by branch: what was written without knowing of it is not among them. */
  readonly seen: Readonly<Record<BranchId, readonly ChangeHash[]>>;
  /**
   * Codes of the erased texts, `ERASED_TEXT_BYTES` each: to notice one that comes back. Of what retention pruned, one for
   * each of `parts`, in their order: to know a text that is found again.
   */
  readonly texts: Uint8Array;
  /** Memories that stayed although they might say the same, 16 bytes each. Not part of what the rule covers. */
  readonly mayRepeat?: Uint8Array | undefined;
  /** How many memories and versions it covered when it was written. */
  readonly counts: { readonly memories: number; readonly versions: number };
  /** The replica that wrote it, and the agent who asked for it. */
  readonly by: { readonly replica: ReplicaId; readonly agent?: string | undefined };
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Why, in the words of whoever asked. They stay. */
  readonly reason?: string | undefined;
  /**
   * Why it was written, where nobody wanted anything to be gone: the rules of retention do not keep it; or packs were
   * sealed anew under a later key, and it covers nothing.
   */
  readonly cause?: "retention" | "rekey" | undefined;
  /** The first of several that belong together: one entry holds so many names only. */
  readonly of?: string | undefined;
}

/** As much of a header as says whether the record is erased. */
export type CoveredHeader = Pick<RecordHeader, "memory" | "at" | "type" | "content">;

const MEMORY_BYTES = 16;
const HASH_BYTES = 32;

/** All erasures of a space together. Looking a record up takes less than a microsecond. */
export class ErasureRules {
  readonly #memories = new Set<MemoryId>();
  readonly #records = new Set<RecordHash>();
  readonly #parts = new Set<PartHash>();
  readonly #pruned = new Set<PartHash>();
  readonly #texts = new Set<string>();
  readonly #ranges: (readonly [from: number, until: number])[] = [];

  constructor(entries: Iterable<Pick<ErasureEntry, keyof ErasureTarget | "texts" | "cause">>) {
    for (const { memories, records, parts, from, until, texts, cause } of entries) {
      if (cause === "retention") {
        // Whatever else such an entry names counts for nothing.
        for (const bytes of pieces(parts, HASH_BYTES)) this.#pruned.add(bytesToHex(bytes) as PartHash);
        continue;
      }
      for (const bytes of pieces(memories, MEMORY_BYTES))
        this.#memories.add(uuidFromBytes(bytes) as MemoryId);
      for (const bytes of pieces(records, HASH_BYTES)) this.#records.add(bytesToHex(bytes) as RecordHash);
      for (const bytes of pieces(parts, HASH_BYTES)) this.#parts.add(bytesToHex(bytes) as PartHash);
      for (const bytes of pieces(texts, ERASED_TEXT_BYTES)) this.#texts.add(bytesToHex(bytes));
      if (from !== undefined || until !== undefined)
        this.#ranges.push([from ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY]);
    }
  }

  /** Whether there is nothing to look for. */
  get isEmpty(): boolean {
    const { size } = this.#memories;
    const { size: pruned } = this.#pruned;
    return size + pruned + this.#records.size + this.#parts.size + this.#ranges.length === 0;
  }

  /** Returns how much of a record is erased; undefined: nothing of it. */
  extentOf(record: RecordHash, { memory, at, type, content }: CoveredHeader): ErasedExtent | undefined {
    if (this.coversMemory(memory) || this.#records.has(record)) return "whole";
    // The names of branches and checkpoints, and the texts of requests, are no memories.
    if (type !== "name" && this.coversTime(at)) return "whole";
    if (this.#parts.has(content.hash)) return "content";
    return type !== "name" && this.#pruned.has(content.hash) ? "pruned" : undefined;
  }

  /** Whether every version of a memory is erased, also those to come. */
  coversMemory(memory: MemoryId): boolean {
    return this.#memories.has(memory);
  }

  /** Whether all versions of this time are erased. */
  coversTime(at: number): boolean {
    return this.#ranges.some(([from, until]) => at >= from && at < until);
  }

  /** Whether a content is erased, whichever record names it. */
  coversPart(part: PartHash): boolean {
    return this.#parts.has(part) || this.#pruned.has(part);
  }

  /** Whether there are codes of texts to look for. */
  get hasTexts(): boolean {
    return this.#texts.size > 0;
  }

  /** @param code - of `erasedTextCode` */
  coversText(code: Uint8Array): boolean {
    return this.#texts.size > 0 && this.#texts.has(bytesToHex(code));
  }
}

/** Length of the code of an erased text. */
export const ERASED_TEXT_BYTES = 16;

function* pieces(bytes: Uint8Array | undefined, length: number): Iterable<Uint8Array> {
  if (bytes === undefined) return;
  for (let start = 0; start + length <= bytes.length; start += length) {
    yield bytes.subarray(start, start + length);
  }
}

/** Returns ids or hashes as a rule keeps them: sorted, each once. */
export const packIds = (ids: Iterable<MemoryId>): Uint8Array =>
  concatBytes(...[...new Set(ids)].sort().map(uuidToBytes));
/** The same for hashes. */
export const packHashes = (hashes: Iterable<RecordHash | PartHash>): Uint8Array =>
  concatBytes(...[...new Set<string>(hashes)].sort().map(bytesFromHex));
