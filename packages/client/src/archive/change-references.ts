/**
 * Which records a change of a branch names.
 *
 * @module
 */
import { bytesFromBase64Url, type Change, decodeReferences, type Reference } from "@cambium/core";

/** In what it writes, and in the note that says why. */
export function referencesOf({ statement, writes }: Change): readonly Reference[] {
  const values = writes.flatMap(({ value }) => (value instanceof Uint8Array ? [value] : []));
  const note = statement?.note === undefined ? [] : [bytesFromBase64Url(statement.note)];
  return [...values, ...note].flatMap((bytes) => decodeReferences(bytes) ?? []);
}
