/**
 * How the parts of a form are kept in its row: short, because there are three of them for each memory.
 *
 * @module
 */
import { bytesToHex, EMPTY_SETS, type Memory, type RecordHash, SET_FIELDS } from "@cambium/core";

export type SnapshotId = number;

/** Where a form is looked for: among what main shows now, among everything else, or nowhere. As numbers: their places. */
export const LISTINGS = ["nowhere", "now", "past"] as const;
export type Listing = (typeof LISTINGS)[number];

/** Everything a form shows but its text, and for a record the version, which depends on the branch. */
export type Metadata = Omit<Memory, "id" | "content" | "version" | "versions" | "record" | "conflicts"> &
  Partial<Memory>;

/** What most versions of a memory have in common. */
export type Plain = Omit<Metadata, "by" | "type" | "at">;

/** Left out of a row. */
const USUAL = { deleted: false, ...EMPTY_SETS } as const satisfies Partial<Plain>;

export const HASH_BYTES = 32;

/** Without what has columns of its own. */
export function plainText({ by: _by, type: _type, at: _at, deleted, ...rest }: Metadata): string {
  const plain: Record<string, unknown> = { ...rest };
  for (const set of SET_FIELDS) if (rest[set].length === 0) delete plain[set];
  return JSON.stringify(deleted ? { deleted, ...plain } : plain);
}

/** What callers get shares this with the cache, so nothing in it can be changed. */
export function plainFromText(text: string): Plain {
  const plain = { ...USUAL, ...(JSON.parse(text) as Partial<Plain>) } as Plain;
  for (const value of Object.values(plain)) if (typeof value === "object") Object.freeze(value);
  return plain;
}

export function hashesIn(bytes: Uint8Array): readonly RecordHash[] {
  const hashes: RecordHash[] = [];
  for (let start = 0; start < bytes.length; start += HASH_BYTES) {
    hashes.push(bytesToHex(bytes.subarray(start, start + HASH_BYTES)) as RecordHash);
  }
  return hashes;
}
