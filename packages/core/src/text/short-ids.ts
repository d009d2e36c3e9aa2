/**
 * Ids for people: as short as can be told apart.
 *
 * @module
 */

/** A UUIDv7 begins with its millisecond: twelve digits with a dash. Fewer would soon name two memories. */
const MIN_UUID_LENGTH = 13;
const HASH_LENGTH = 10;

/** Shortens an id for people. */
export type ShortId = (id: string) => string;

/** Shortens ids to beginnings that no other of `ids` shares. */
export function shortIds(ids: Iterable<string>): ShortId {
  const sorted = [...new Set(ids)].sort();
  const lengthById = new Map<string, number>();
  for (const [index, id] of sorted.entries()) {
    // Whatever shares the longest beginning stands next to it.
    const shared = Math.max(sharedLength(id, sorted[index - 1]), sharedLength(id, sorted[index + 1]));
    lengthById.set(id, Math.max(MIN_UUID_LENGTH, shared + 1));
  }
  return (id) => id.slice(0, lengthById.get(id) ?? MIN_UUID_LENGTH);
}

/** For an id that stands alone. */
export const shortId: ShortId = (id) => id.slice(0, MIN_UUID_LENGTH);

/** Records and changes are SHA-256: any ten digits tell them apart. */
export const shortHash = (hash: string): string => hash.slice(0, HASH_LENGTH);

function sharedLength(id: string, other: string | undefined): number {
  if (other === undefined) return 0;
  let length = 0;
  while (length < id.length && id[length] === other[length]) length += 1;
  return length;
}
