/**
 * The log of a branch: its changes, newest first, by effective time.
 *
 * @module
 */

import { type BranchId, type ChangeHash, type MemoryId, parseActorId } from "../format/ids.js";
import type { Author } from "../format/record.js";
import type { BranchState } from "./branch-state.js";
import type { Change } from "./change.js";
import type { ChangeSet, History } from "./history.js";

/** One change of a branch, as `log` shows it. */
export interface LogEntry {
  /** Names the change. `undo` and `main@heads:…` take it. */
  readonly hash: ChangeHash;
  /** What the change did, such as `remember` or `merge`. */
  readonly type: string;
  /** Ids, or their number when there are more than 16. */
  readonly memories: readonly MemoryId[] | number;
  /** Its number among the changes of its writer on its branch; later ones have greater numbers. */
  readonly seq?: number;
  /** Milliseconds since 1970, effective on the branch shown. */
  readonly at: number;
  /** Only the replica, unless its records say more. */
  readonly by: Partial<Author>;
  /** The branch on which it was made, which may be another than the one shown. */
  readonly branch: BranchId;
  /** The changes before it, without those that the log leaves out. */
  readonly parents: readonly ChangeHash[];
  /** As the writer gave it. Absent if none was given, or its record is not here. */
  readonly reason?: string;
  /** What the first memory that it wrote says since, on one line; cut where it ends in `…`. */
  readonly text?: string;
  /** What it changed there, such as `50,000 → 60,000`. */
  readonly what?: string;
  /** Of a merge: the branch that was merged. */
  readonly from?: BranchId;
  /** A merge of some memories of that branch, and not of all. */
  readonly partial?: true;
  /** Of an undo: the changes that it reverts. */
  readonly of?: readonly ChangeHash[];
  /** What it is a part of: one undo reverts all changes with the same. */
  readonly operation?: string;
}

/**
 * Lists the changes of a state so that each stands before those it builds on. Changes that no member
 * vouches for, and the genesis change, are left out; their dependents point past them.
 */
export function logOf(state: BranchState): readonly LogEntry[] {
  const { history, times } = state;
  const set = state.set ?? history.all();
  const order = [...history.changes.keys()].filter((position) => isShown(history, set, position));
  order.sort((a, b) => (times[b] as number) - (times[a] as number) || b - a);
  return order.map((position) => entryOf(history, times[position] as number, position));
}

function entryOf(history: History, at: number, position: number): LogEntry {
  const change = history.changes[position] as Change & {
    readonly statement: NonNullable<Change["statement"]>;
  };
  const { type, memories, from, heads, of, operation } = change.statement;
  const actor = parseActorId(change.actor);
  return {
    hash: change.hash,
    type,
    memories,
    seq: change.seq,
    at,
    by: actor === undefined ? {} : { replica: actor.replica },
    branch: (actor?.document ?? "") as BranchId,
    parents: shownParents(history, position),
    ...(from === undefined ? {} : { from, ...(heads === undefined ? { partial: true as const } : {}) }),
    ...(of === undefined ? {} : { of }),
    ...(operation === undefined ? {} : { operation }),
  };
}

const isShown = (history: History, set: ChangeSet, position: number): boolean =>
  set[position] === 1 && history.changes[position]?.statement !== undefined;

/** The nearest shown changes this one builds on. */
function shownParents(history: History, position: number): readonly Change["hash"][] {
  const parents = new Set<Change["hash"]>();
  const open = [...history.depsAt(position)];
  const seen = new Set<number>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const change = history.changes[next];
    if (change?.statement !== undefined) parents.add(change.hash);
    else open.push(...history.depsAt(next));
  }
  return [...parents].sort();
}
