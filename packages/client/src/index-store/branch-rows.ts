/**
 * What the index knows of each branch: how far it has followed its document, and whose first changes it
 * shares. There are few, so all are kept in memory.
 *
 * @module
 */
import type { BranchId, ChangeHash, DocumentId } from "@cambium/core";
import type { IndexDatabase } from "./index-database.js";
import { NOW } from "./schema.js";

export interface BranchRow {
  readonly id: number;
  readonly branch: BranchId;
  readonly document: DocumentId;
  /** Of the changes placed here. */
  readonly heads: Set<ChangeHash>;
  /** How many changes are placed, shared ones included. */
  size: number;
  /** The greatest effective time so far. */
  lastAt: number;
  /** The branch it was forked from, as long as what they share is kept once. */
  parent: BranchRow | undefined;
  /** How many of the parent's first changes are this branch's first changes too. */
  shared: number;
  /** What the parent showed at this effective time, this branch began with. */
  sharedUntil: number;
  /** Times follow from the whole history: a change came that fits no simple rule. */
  needsHistory: boolean;
  /** Where it came from when it was placed, as a text: times are those that this lineage gives. */
  readonly lineage: string;
  readonly children: Set<BranchRow>;
}

/** A branch of the index, and the effective time up to which it is looked at. */
export interface Level {
  readonly row: BranchRow;
  readonly until: number;
}

export interface SharedPart {
  readonly parent: BranchRow;
  readonly size: number;
  readonly until: number;
  /** What there is of the parent's history that fits no simple rule may lie in this part. */
  readonly needsHistory: boolean;
}

type Columns = [
  id: number,
  branch: string,
  document: string,
  heads: string,
  size: number,
  lastAt: number,
  parent: number | null,
  shared: number,
  sharedUntil: number,
  needsHistory: number,
  lineage: string,
];

export class BranchRows {
  readonly #index: IndexDatabase;
  readonly #rows = new Map<BranchId, BranchRow>();

  constructor(index: IndexDatabase) {
    this.#index = index;
    this.reload();
  }

  reload(): void {
    this.#rows.clear();
    const byId = new Map<number, BranchRow>();
    const stored = this.#index
      .prepare(
        `SELECT id, branch, document, heads, size, last_at, parent, shared, shared_until, needs_history, lineage
         FROM branches ORDER BY id`,
      )
      .all() as unknown as Columns[];
    for (const columns of stored) {
      const [id, branch, document, heads, size, lastAt, parent, shared, sharedUntil, needsHistory, lineage] =
        columns;
      const row: BranchRow = {
        ...{ id, branch: branch as BranchId, document: document as DocumentId },
        heads: new Set(JSON.parse(heads) as ChangeHash[]),
        ...{ size, lastAt, shared, sharedUntil, needsHistory: needsHistory === 1 },
        lineage,
        parent: parent === null ? undefined : byId.get(parent),
        children: new Set(),
      };
      row.parent?.children.add(row);
      byId.set(id, row);
      this.#rows.set(row.branch, row);
    }
  }

  all(): readonly BranchRow[] {
    return [...this.#rows.values()];
  }

  get(branch: BranchId): BranchRow | undefined {
    return this.#rows.get(branch);
  }

  byDocument(document: DocumentId): BranchRow | undefined {
    for (const row of this.#rows.values()) if (row.document === document) return row;
    return undefined;
  }

  /** @param heads - of what is shared */
  create(
    { branch, document, lineage }: Pick<BranchRow, "branch" | "document" | "lineage">,
    shares: SharedPart | undefined,
    heads: readonly ChangeHash[],
  ): BranchRow {
    const { lastInsertRowid } = this.#index
      .prepare(
        `INSERT INTO branches (branch, document, heads, size, last_at, shared, shared_until, needs_history, lineage)
         VALUES (?, ?, '[]', 0, 0, 0, 0, 0, ?)`,
      )
      .run(branch, document, lineage);
    const row: BranchRow = {
      ...{ id: Number(lastInsertRowid), branch, document, lineage, heads: new Set(heads) },
      ...{ size: shares?.size ?? 0, lastAt: shares?.until ?? 0, parent: shares?.parent },
      ...{ shared: shares?.size ?? 0, sharedUntil: shares?.until ?? 0 },
      needsHistory: shares?.needsHistory ?? false,
      children: new Set(),
    };
    shares?.parent.children.add(row);
    this.#rows.set(branch, row);
    this.save(row);
    return row;
  }

  save({ id, heads, size, lastAt, parent, shared, sharedUntil, needsHistory }: BranchRow): void {
    this.#index
      .prepare(
        `UPDATE branches SET heads = ?, size = ?, last_at = ?, parent = ?, shared = ?, shared_until = ?,
         needs_history = ? WHERE id = ?`,
      )
      .run(
        JSON.stringify([...heads].sort()),
        size,
        lastAt,
        parent?.id ?? null,
        shared,
        sharedUntil,
        needsHistory ? 1 : 0,
        id,
      );
  }

  /** Forgets a branch that nothing shares with. */
  remove(row: BranchRow): void {
    row.parent?.children.delete(row);
    this.#index.prepare("DELETE FROM placed WHERE branch = ?").run(row.id);
    this.#index.prepare("DELETE FROM pending WHERE branch = ?").run(row.id);
    this.#index.prepare("DELETE FROM notes WHERE key = ?").run(digestNoteKey(row)); // ids are given again
    this.#index.prepare("DELETE FROM branches WHERE id = ?").run(row.id);
    this.#rows.delete(row.branch);
  }
}

/** Where the digest of a branch is noted: see `StateDigests`. */
export const digestNoteKey = ({ id }: BranchRow): string => `digest/${id}`;

/** The branch, and those whose beginnings it shares, each as far as it counts here. Nearest first. */
export function levelsOf(row: BranchRow, until = NOW): readonly Level[] {
  const levels: Level[] = [];
  let [next, limit]: [BranchRow | undefined, number] = [row, until];
  while (next !== undefined) {
    levels.push({ row: next, until: limit });
    limit = Math.min(limit, next.sharedUntil);
    next = next.parent;
  }
  return levels;
}

/** In SQL, of intervals `s` of a level further away: those of memories that a nearer one has no rows for. */
export const NOT_NEARER = "AND NOT EXISTS (SELECT 1 FROM spans o WHERE o.branch = ? AND o.memory = s.memory)";

/** The branch and its ancestors, each with the number of its first changes that count here. */
export function sharesOf(row: BranchRow): readonly { readonly row: BranchRow; readonly size: number }[] {
  const shares: { row: BranchRow; size: number }[] = [];
  let [next, limit]: [BranchRow | undefined, number] = [row, Number.MAX_SAFE_INTEGER];
  while (next !== undefined) {
    shares.push({ row: next, size: limit });
    limit = Math.min(limit, next.shared);
    next = next.parent;
  }
  return shares;
}
