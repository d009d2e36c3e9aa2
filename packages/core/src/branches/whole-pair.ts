/**
 * Two branches whose histories are in memory. Costs as much as they are long, and is as simple as the
 * semantics: what answers from less is compared with it.
 *
 * @module
 */
import type { BranchId, ChangeHash, MemoryId } from "../format/ids.js";
import type { BranchState } from "../history/branch-state.js";
import type { BranchPair, MergeOrUndo, MergeSide } from "./branch-pair.js";
import { memoriesBetween, memoriesWritten } from "./undo.js";

/** A branch with its history in memory. */
export interface WholeBranch {
  /** Its id. */
  readonly branch: BranchId;
  /** What it holds. Its `set` is not looked at: all changes count. */
  readonly state: BranchState;
}

/** @param at - the moment of the merge, in milliseconds since 1970 */
export function wholePair(source: WholeBranch, target: WholeBranch, at: number): BranchPair {
  const stateOf = (side: MergeSide): BranchState => (side === "source" ? source : target).state;
  const union = unionOf(source.state, target.state, at);
  const { history } = union;
  return {
    source: source.branch,
    target: target.branch,
    isUpToDate: source.state.history.heads.every((head) => target.state.history.has(head)),
    arriving: memoriesBetween(history, history.ancestors(target.state.history.heads), history.all()),
    mergesAndUndos: (side) => mergesAndUndosOf(stateOf(side)),
    memoriesOf: (side, hash) => memoriesOf(stateOf(side), hash),
    states: () => ({ source: source.state, target: target.state, union }),
    stateAt: (side, heads) => ({ ...stateOf(side), set: stateOf(side).history.ancestors(heads) }),
  };
}

function unionOf(source: BranchState, target: BranchState, at: number): BranchState {
  const history = target.history.fork();
  history.add(source.history.changes);
  const mergedAt = target.times.reduce((latest, time) => Math.max(latest, time), at);
  const times = new Float64Array(history.size).fill(mergedAt);
  times.set(target.times);
  return { history, times };
}

const mergesAndUndosOf = ({ history, times }: BranchState): readonly MergeOrUndo[] =>
  history.changes.flatMap(({ hash, actor, deps, statement }, position) =>
    statement?.type === "merge" || statement?.type === "undo"
      ? [{ hash, actor, deps, statement, at: times[position] ?? 0 }]
      : [],
  );

function memoriesOf({ history }: BranchState, hash: ChangeHash): readonly MemoryId[] {
  const change = history.get(hash);
  return change === undefined ? [] : memoriesWritten([change]);
}
