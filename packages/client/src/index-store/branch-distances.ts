/**
 * How far branches are apart: what one has that another lacks, when one last went into the other, and what on a branch
 * is nobody's.
 *
 * @module
 */
import type { BranchId } from "@cambium/core";
import { type BranchRow, sharesOf } from "./branch-rows.js";
import type { IndexDatabase } from "./index-database.js";

export class BranchDistances {
  readonly #index: IndexDatabase;

  constructor(index: IndexDatabase) {
    this.#index = index;
  }

  /** How many changes of members `row` has that `other` lacks. */
  countLacking(row: BranchRow, other: BranchRow): number {
    const others = sharesOf(other);
    const isThere = others.map(
      () =>
        "NOT EXISTS (SELECT 1 FROM placed o WHERE o.change = p.change AND o.branch = ? AND o.position < ?)",
    );
    const count = this.#index.prepare(
      `SELECT count(*) FROM placed p CROSS JOIN changes c ON c.id = p.change WHERE p.branch = ? AND p.position >= ?
       AND p.position < ? AND c.statement IS NOT NULL AND ${isThere.join(" AND ")}`,
    );
    return sharesOf(row).reduce((sum, { row: level, size }) => {
      const common = Math.min(size, others.find((share) => share.row === level)?.size ?? 0);
      const parameters = others.flatMap((share) => [share.row.id, share.size]);
      const [lacking] = count.get(level.id, common, size, ...parameters) as unknown as [number];
      return sum + lacking;
    }, 0);
  }

  /** When `source` last went into the branch. */
  lastMergeOf(row: BranchRow, source: BranchId): number | undefined {
    const times = sharesOf(row).flatMap(({ row: level, size }) => {
      const [at] = this.#index
        .prepare(
          `SELECT max(p.at) FROM changes c CROSS JOIN placed p ON p.change = c.id
           WHERE c.type = 'merge' AND c.type IN ('merge', 'undo') AND json_extract(c.statement, '$.from') = ?
           AND json_extract(c.statement, '$.heads') IS NOT NULL -- some memories are not the branch
           AND p.branch = ? AND p.position < ?`,
        )
        .get(source, level.id, size) as unknown as [number | null];
      return at === null ? [] : [at];
    });
    return times.length === 0 ? undefined : Math.max(...times);
  }

  /** How many changes of a branch no member vouches for. Its genesis is nobody's, and everybody's. */
  countForeign(row: BranchRow): number {
    if (!row.needsHistory) return 0;
    return sharesOf(row).reduce((sum, { row: level, size }) => {
      const [count] = this.#index
        .prepare(
          `SELECT count(*) FROM placed p CROSS JOIN changes c ON c.id = p.change
           WHERE p.branch = ? AND p.position < ? AND c.statement IS NULL AND c.deps != ''`,
        )
        .get(level.id, size) as unknown as [number];
      return sum + count;
    }, 0);
  }
}
