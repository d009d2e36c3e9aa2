/**
 * Which memories supersede which, found in the index: what links say, and what was made of what.
 *
 * @module
 */
import {
  type MemoryId,
  SUPERSEDED_RELATIONS,
  SUPERSEDING_RELATIONS,
  type Superseding,
  supersedingsOf,
} from "@cambium/core";
import type { IndexTables } from "../index-store/index-tables.js";
import type { SnapshotId } from "../index-store/snapshot-columns.js";

/** Texts of forms that may tell of it; links may be written in capitals or with underscores. */
const MARKS = [
  '"derivedFrom":',
  ...[...SUPERSEDING_RELATIONS, ...SUPERSEDED_RELATIONS].map((relation) => `"rel":"${relation}"`),
];

/** Reads every form once for each call: some ten milliseconds for thirty thousand. */
export function readSupersedings({ index, snapshots }: IndexTables): readonly Superseding[] {
  const isMarked = MARKS.map(() => "instr(told, ?)").join(" OR ");
  const rows = index
    .prepare(
      `SELECT id FROM (SELECT id, replace(lower(about), '_', '-') told FROM forms
       WHERE hash IS NOT NULL AND (instr(about, '"derivedFrom":') OR instr(about, '"links":'))) WHERE ${isMarked}`,
    )
    .all(...MARKS.map((mark) => mark.toLowerCase())) as unknown as [SnapshotId][];
  const ids = rows.map(([id]) => id);
  const found = snapshots.metadataOf(ids).flatMap(({ id, ...about }) => supersedingsOf(id, about));
  return [...new Map(found.map((one) => [`${one.newer} ${one.older} ${one.how}`, one])).values()];
}

/** Those that `ids` superseded or were superseded by, and so on; at most so many, the nearest first. */
export function relatedTo(
  ids: readonly MemoryId[],
  supersedings: readonly Superseding[],
  limit: number,
): readonly MemoryId[] {
  const beside = new Map<MemoryId, MemoryId[]>();
  const add = (one: MemoryId, other: MemoryId): void => {
    const known = beside.get(one);
    if (known === undefined) beside.set(one, [other]);
    else known.push(other);
  };
  for (const { newer, older } of supersedings) {
    add(newer, older);
    add(older, newer);
  }
  const seen = new Set(ids);
  for (const id of seen) {
    for (const other of beside.get(id) ?? []) if (seen.size < ids.length + limit) seen.add(other);
  }
  return [...seen].slice(ids.length);
}
