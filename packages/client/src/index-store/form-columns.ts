/**
 * How the parts of a form are kept in its row: short, because there are three of them for each memory.
 *
 * @module
 */
import {
  bytesFromHex,
  bytesToHex,
  type Memory,
  type MemoryRecord,
  type PackId,
  type PartHash,
  type RecordHash,
} from "@cambium/core";

/** Everything a form shows but its text, and for a record the version, which depends on the branch. */
export type About = Omit<Memory, "id" | "content" | "version" | "versions" | "record" | "conflicts"> &
  Partial<Memory>;

/** Left out of a row. */
const USUAL = { deleted: false, tags: [], pins: [], links: [] } as const satisfies Partial<About>;
const SETS = ["tags", "pins", "links"] as const;

const HASH_BYTES = 32;
const PACK_BYTES = 16;

/** Without the author, who is kept apart. */
export function aboutText({ by: _by, deleted, ...rest }: About): string {
  const plain: Record<string, unknown> = { ...rest };
  for (const set of SETS) if (rest[set].length === 0) delete plain[set];
  return JSON.stringify(deleted ? { deleted, ...plain } : plain);
}

/** What callers get shares this with the cache, so nothing in it can be changed. */
export function aboutFromText(text: string, by: Memory["by"]): About {
  const about = { ...USUAL, ...(JSON.parse(text) as Partial<About>), by } as About;
  for (const value of Object.values(about)) if (typeof value === "object") Object.freeze(value);
  return about;
}

export function hashesIn(bytes: Uint8Array): readonly RecordHash[] {
  const hashes: RecordHash[] = [];
  for (let start = 0; start < bytes.length; start += HASH_BYTES) {
    hashes.push(bytesToHex(bytes.subarray(start, start + HASH_BYTES)) as RecordHash);
  }
  return hashes;
}

/** Both hashes, and the packs of the parts unless both are in the record's own. */
export function partsToBytes({ parts: { content, meta }, pack }: MemoryRecord): Uint8Array {
  const isHome = content.pack === pack && meta.pack === pack;
  return bytesFromHex(content.hash + meta.hash + (isHome ? "" : content.pack + meta.pack));
}

export function partsFromBytes(bytes: Uint8Array, pack: PackId): MemoryRecord["parts"] {
  const hash = (start: number): PartHash => bytesToHex(bytes.subarray(start, start + HASH_BYTES)) as PartHash;
  const packAt = (start: number): PackId =>
    start < bytes.length ? (bytesToHex(bytes.subarray(start, start + PACK_BYTES)) as PackId) : pack;
  return {
    content: { hash: hash(0), pack: packAt(2 * HASH_BYTES) },
    meta: { hash: hash(HASH_BYTES), pack: packAt(2 * HASH_BYTES + PACK_BYTES) },
  };
}
