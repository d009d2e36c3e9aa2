/**
 * How much a space stores in SQLite, summed in steps: others are served in between. Most is in segments, which know
 * their sizes; the rows of all other entries are read.
 *
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatabaseSync } from "../platform/sqlite.js";
import type { SpaceUsage } from "./relay-log.js";

/** Read at once: a millisecond or so. */
const ENTRIES_PER_STEP = 1_024;

/** Positions behind `after`, up to `upTo`. */
interface Range {
  readonly after: number;
  readonly upTo: number;
}

/** @returns counts what a space has stored once it is asked; what is packed meanwhile may count twice */
export function sqliteUsage(database: DatabaseSync): (space: string) => Promise<SpaceUsage> {
  const spaceOf = database.prepare("SELECT space_no AS no, position FROM log_spaces WHERE space = ?");
  const documents = database.prepare("SELECT COUNT(*) AS count FROM log_documents WHERE space_no = ?");
  const packed = database.prepare(
    `SELECT after, settled_to AS upTo FROM log_segments WHERE space_no = ? ORDER BY after`,
  );
  const segmentBytes = database.prepare(
    "SELECT COALESCE(SUM(stored_bytes), 0) AS sum FROM log_segments WHERE space_no = ?",
  );
  const rowBytes = database.prepare(
    `SELECT COALESCE(SUM(LENGTH(bytes)), 0) AS sum FROM log_entries JOIN log_bytes USING (bytes_no)
     WHERE space_no = ? AND position > ? AND position <= ?`,
  );
  return async (space) => {
    const found = spaceOf.get(space) as { no: number; position: number } | undefined;
    if (found === undefined) return { documents: 0, bytes: 0 };
    const { no } = found;
    let bytes = 0;
    for (const { after, upTo } of gaps(packed.all(no) as unknown as Range[], found.position)) {
      for (let from = after; from < upTo; from += ENTRIES_PER_STEP) {
        if (from > after) await nextTurn();
        bytes += rowBytes.get(no, from, Math.min(from + ENTRIES_PER_STEP, upTo))?.sum as number;
      }
    }
    const added = rowBytes.get(no, found.position, Number.MAX_SAFE_INTEGER)?.sum as number;
    bytes += added + (segmentBytes.get(no)?.sum as number);
    return { documents: documents.get(no)?.count as number, bytes };
  };
}

/** What lies between ranges that are in order, and may overlap. */
function* gaps(ranges: readonly Range[], end: number): Generator<Range> {
  let after = 0;
  for (const range of ranges) {
    if (range.after > after) yield { after, upTo: range.after };
    after = Math.max(after, range.upTo);
  }
  if (after < end) yield { after, upTo: end };
}
