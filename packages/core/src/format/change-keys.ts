/**
 * Which keys of maps a change names, read from its bytes without Automerge.
 *
 * The column of keys has one text for each operation: a positive count and one text that many times; a negative one
 * and that many texts; or 0 and how many operations have none, because they are at a place in a list.
 *
 * @module
 * @see https://automerge.org/automerge-binary-format-spec/
 */
import { isCambiumError } from "../errors.js";
import { COLUMNS, changeColumns } from "./change-header.js";
import { ChunkReader } from "./chunk-reader.js";

/**
 * The keys that the operations of a change write or delete, in any of its document's maps.
 *
 * @param change - plain, its header read before. Of a column that is garbled, which nobody can read, what stands before
 */
export function changeKeys(change: Uint8Array): ReadonlySet<string> {
  const reader = new ChunkReader(changeColumns(change).get(COLUMNS.keyText) ?? new Uint8Array());
  const decoder = new TextDecoder();
  const keys = new Set<string>();
  try {
    while (reader.left > 0) {
      const count = reader.signed();
      if (count === 0) reader.unsigned();
      else
        for (let left = Math.max(1, -count); left > 0; left -= 1)
          keys.add(decoder.decode(reader.lengthPrefixed()));
    }
  } catch (error) {
    if (!isCambiumError(error, "BAD_CHUNK")) throw error;
  }
  return keys;
}
