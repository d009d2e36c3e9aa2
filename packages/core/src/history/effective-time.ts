/**
 * Effective time: since when a change counts on a branch. Clocks lie and merges bring in old changes,
 * so the state of a branch at a date is what that branch really held then.
 *
 * Plan: walk the branches from the first ancestor down to this one. On each, changes written there
 * count from their own time, but never before what they build on; changes merged in count from the
 * earliest merge that brought them. Changes up to the fork keep the time they had on the parent.
 *
 * @module
 */

import { type BranchId, type ChangeHash, parseActorId, type ReplicaId } from "../format/ids.js";
import type { Change } from "./change.js";
import type { ChangeSet, History } from "./history.js";

/** What a branch has from one step of its lineage. */
export interface InheritedPart {
  /** The branch on which the changes were made or merged. */
  readonly branch: BranchId;
  /** The changes that come from this branch and those before it. */
  readonly reach: ChangeSet;
}

/** From the first ancestor to the branch itself. */
export type Lineage = readonly LineageStep[];

/** A branch on the way from the first ancestor. */
export interface LineageStep {
  /** Its id. */
  readonly branch: BranchId;
  /** Where the next branch of the lineage left this one; undefined for the last. */
  readonly forkedAt?: readonly ChangeHash[] | undefined;
}

/** "The changes `fromSeq`–`lastSeq` of this writer were made by a clock that was wrong by so much." */
export interface ClockCorrection {
  /** Whose clock was wrong. */
  readonly replica: ReplicaId;
  /** In which of its runs. */
  readonly epoch: number;
  /** 32 hexadecimal digits. The document in which the changes are. */
  readonly document: string;
  /** The first of the actor's changes that it is about. */
  readonly fromSeq: number;
  /** The last of them, inclusive. */
  readonly lastSeq: number;
  /** Added to the change's time, in milliseconds. */
  readonly offsetMs: number;
}

/** Milliseconds since 1970 by position in the history. */
export type EffectiveTimes = Float64Array;

/** Returns since when each change counts on the last branch of the lineage. */
export function effectiveTimes(
  history: History,
  lineage: Lineage,
  corrections: readonly ClockCorrection[] = [],
): EffectiveTimes {
  const times = new Float64Array(history.size).fill(Number.NaN);
  const correctedTime = correctedTimes(corrections);
  for (const { branch, reach } of inheritedParts(history, lineage)) {
    timeOwnChanges(history, times, branch, reach, correctedTime);
    timeArrivals(history, times, branch, reach);
  }
  timeRest(history, times, correctedTime);
  return times;
}

/** Everything whose effective time is at or before `at`. */
export function changesUntil(times: EffectiveTimes, at: number): ChangeSet {
  return Uint8Array.from(times, (time) => (time <= at ? 1 : 0));
}

/** The time a change was written at, as far as is known. */
type CorrectedTime = (change: Change) => number;

function timeOwnChanges(
  history: History,
  times: EffectiveTimes,
  branch: BranchId,
  reach: ChangeSet,
  correctedTime: CorrectedTime,
): void {
  // The greatest time among what a change builds on, carried through changes that have none yet.
  const floors = new Float64Array(history.size);
  for (const [position, change] of history.changes.entries()) {
    let floor = 0;
    for (const dep of history.depsAt(position)) floor = Math.max(floor, floors[dep] as number);
    if (reach[position] === 1 && Number.isNaN(times[position]) && isVouchedFor(change, branch)) {
      times[position] = Math.max(floor, correctedTime(change));
    }
    const own = times[position] as number;
    floors[position] = Number.isNaN(own) ? floor : Math.max(floor, own);
  }
}

/** Gives changes from elsewhere the time of the earliest change of this branch that brought them. */
function timeArrivals(history: History, times: EffectiveTimes, branch: BranchId, reach: ChangeSet): void {
  const own = [...history.changes.keys()].filter(
    (position) => reach[position] === 1 && isVouchedFor(history.changes[position] as Change, branch),
  );
  own.sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
  for (const position of own) spread(history, times, position);
}

/** Marks every ancestor of `position` that has no time yet. Each is marked once, so all spreading is linear. */
function spread(history: History, times: EffectiveTimes, position: number): void {
  const time = times[position] as number;
  const open = [...history.depsAt(position)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!Number.isNaN(times[next])) continue;
    times[next] = time;
    open.push(...history.depsAt(next));
  }
}

/** Changes that nothing of the lineage builds on: their own time, not before their ancestors'. */
function timeRest(history: History, times: EffectiveTimes, correctedTime: CorrectedTime): void {
  for (const [position, change] of history.changes.entries()) {
    if (!Number.isNaN(times[position])) continue;
    const floor = Math.max(0, ...history.depsAt(position).map((dep) => times[dep] as number));
    times[position] = Math.max(floor, correctedTime(change));
  }
}

const isVouchedFor = (change: Change, branch: BranchId): boolean =>
  change.statement !== undefined && change.actor.startsWith(branch);

/**
 * What the branch has from each step of its lineage: what had happened where the next step left it, as far as
 * every later one has it still. A fork may leave its parent at a state from before the parent itself began; then
 * the heads at which the parent began are no part of what the fork began with. They say nothing about it, also
 * where a merge brings them later: what a branch began with keeps its times whatever comes.
 */
export function inheritedParts(history: History, lineage: Lineage): readonly InheritedPart[] {
  let reach = history.all();
  return lineage
    .toReversed()
    .map(({ branch, forkedAt }) => {
      if (forkedAt?.every((head) => reach[history.positionOf(head) ?? -1] === 1) === true) {
        const left = history.ancestors(forkedAt);
        reach = reach.map((isHere, position) => isHere & (left[position] as number));
      }
      return { branch, reach };
    })
    .toReversed();
}

/**
 * Whether everything is here that the branch began with. Before that, nobody can tell what of its history that is,
 * and times may be others once it has come.
 */
export function hasItsBeginning(lineage: Lineage, has: (head: ChangeHash) => boolean): boolean {
  return lineage.at(-2)?.forkedAt?.every(has) ?? true;
}

/** What the clocks should have said. */
export function correctedTimes(corrections: readonly ClockCorrection[]): CorrectedTime {
  if (corrections.length === 0) return trustedTime;
  return (change) => {
    const actor = parseActorId(change.actor);
    const correction = corrections.find(
      ({ replica, epoch, document, fromSeq, lastSeq }) =>
        actor?.replica === replica &&
        actor.epoch === epoch &&
        actor.document === document &&
        fromSeq <= change.seq &&
        change.seq <= lastSeq,
    );
    return trustedTime(change) + (correction?.offsetMs ?? 0);
  };
}

/** A change nobody vouches for has no say in time: it counts from when something else brings it. */
const trustedTime = (change: Change): number => (change.statement === undefined ? 0 : change.time);
