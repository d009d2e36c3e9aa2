/**
 * Placing new changes on a branch: in which order, and since when each counts. Most are written here on
 * top of what was written here; their times follow from their dependencies alone. For the rest the
 * times of the whole history are computed again.
 *
 * @module
 */
import {
  type BranchId,
  CambiumError,
  type Change,
  type ChangeHash,
  type ClockCorrection,
  correctedTimes,
  effectiveTimes,
  type History,
  hasItsBeginning,
  inheritedParts,
  type Lineage,
} from "@cambium/core";
import type { BranchRow } from "./branch-rows.js";
import type { ChangeStore, Counting, Place } from "./change-store.js";

export interface PlacedChange {
  readonly change: Change;
  readonly place: Place;
}

export interface Placement {
  readonly placed: readonly PlacedChange[];
  /** Earlier changes that count otherwise now, by position. */
  readonly retimed: ReadonlyMap<number, Counting>;
  /** A later change may put these times right, so that they have to be computed from the whole history. */
  readonly needsHistory: boolean;
}

export interface PlacementRequest {
  readonly row: BranchRow;
  /** Not placed yet; dependencies come first. */
  readonly changes: readonly Change[];
  readonly lineage: Lineage;
  readonly corrections: readonly ClockCorrection[];
}

/** Nobody's change and the same everywhere: it counts from the beginning. */
const isGenesis = ({ statement, deps }: Change): boolean => statement === undefined && deps.length === 0;

const isWrittenOn = (change: Change, branch: BranchId): boolean =>
  change.statement !== undefined && change.actor.startsWith(branch);

/** A change names its writer's last one among its dependencies, too, which need not be a head. */
const closes = ({ deps }: Change, heads: ReadonlySet<ChangeHash>): boolean =>
  [...heads].every((head) => deps.includes(head));

interface Draft {
  readonly change: Change;
  readonly isOwn: boolean;
  readonly isClosed: boolean;
  readonly unplacedDeps: readonly Draft[];
  /** The greatest time among what was written on this branch and this change builds on. */
  readonly floor: number;
  at: number;
}

/** @returns undefined when the whole history has to be looked at */
export function placeByDependencies(request: PlacementRequest, store: ChangeStore): Placement | undefined {
  const { row, changes, lineage, corrections } = request;
  const begunElsewhere = lineage.length > 1 && row.size === 0;
  if (row.needsHistory || begunElsewhere) return undefined;
  const timeOf = correctedTimes(corrections);
  const heads = new Set(row.heads);
  const drafts = new Map<ChangeHash, Draft>();
  for (const change of changes) {
    if (change.disowned.length > 0 && !isGenesis(change)) return undefined;
    const draft = draftOf(change, request, { store, heads, drafts, timeOf });
    if (draft === undefined) return undefined;
    drafts.set(change.hash, draft);
    for (const dep of change.deps) heads.delete(dep);
    heads.add(change.hash);
  }
  timeArrivals([...drafts.values()]);
  if ([...drafts.values()].some(({ at }) => Number.isNaN(at))) return undefined;
  return { placed: placesOf(row.size, [...drafts.values()]), retimed: new Map(), needsHistory: false };
}

interface DraftContext {
  readonly store: ChangeStore;
  readonly heads: ReadonlySet<ChangeHash>;
  readonly drafts: ReadonlyMap<ChangeHash, Draft>;
  readonly timeOf: (change: Change) => number;
}

function draftOf(
  change: Change,
  { row }: PlacementRequest,
  { store, heads, drafts, timeOf }: DraftContext,
): Draft | undefined {
  let floor = 0;
  const unplacedDeps: Draft[] = [];
  for (const dep of change.deps) {
    const fresh = drafts.get(dep);
    if (fresh !== undefined) {
      unplacedDeps.push(fresh);
      floor = Math.max(floor, fresh.isOwn ? fresh.at : fresh.floor);
      continue;
    }
    const place = store.placeOf(row, dep);
    if (place === undefined)
      throw new CambiumError("INTERNAL", `A change came before ${dep}, which it needs.`);
    if (!place.isOwn) return undefined; // came from elsewhere: what its time rests on is not known here
    floor = Math.max(floor, place.at);
  }
  const isOwn = isWrittenOn(change, row.branch) || isGenesis(change);
  const at = isGenesis(change) ? 0 : isOwn ? Math.max(floor, timeOf(change)) : Number.NaN;
  return { change, isOwn, isClosed: closes(change, heads), unplacedDeps, floor, at };
}

/** Changes from elsewhere count from the earliest change of this branch that builds on them. */
function timeArrivals(drafts: readonly Draft[]): void {
  const own = drafts.filter(({ isOwn }) => isOwn).sort((a, b) => a.at - b.at);
  for (const { at, unplacedDeps } of own) {
    const open = [...unplacedDeps];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!Number.isNaN(next.at)) continue;
      next.at = at;
      open.push(...next.unplacedDeps);
    }
  }
}

const placesOf = (size: number, drafts: readonly Draft[]): readonly PlacedChange[] =>
  drafts.map(({ change, at, isOwn, isClosed }, index) => ({
    change,
    place: { position: size + index, at, isOwn, isClosed },
  }));

/**
 * @param history - of the branch, in the order of its positions; the new changes are added to it
 * @param known - by position, how what is placed and not shared counts so far
 */
export function placeByHistory(
  { row, changes, lineage, corrections }: PlacementRequest,
  history: History,
  known: ReadonlyMap<number, Counting>,
): Placement {
  const heads = new Set(row.heads);
  const added = history.add(changes);
  const times = effectiveTimes(history, lineage, corrections);
  const own = ownPositions(history, lineage);
  const timeAt = (position: number): number =>
    isGenesis(history.changes[position] as Change) ? 0 : (times[position] as number);
  const placed = added.map((change): PlacedChange => {
    const position = history.positionOf(change.hash) as number;
    const place = {
      position,
      at: timeAt(position),
      isOwn: own[position] === 1,
      isClosed: closes(change, heads),
    };
    for (const dep of change.deps) heads.delete(dep);
    heads.add(change.hash);
    return { change: withReplaced(change, history), place };
  });
  const retimed = new Map<number, Counting>();
  for (const [position, was] of known) {
    const is = { at: timeAt(position), isOwn: own[position] === 1 };
    if (is.at !== was.at || is.isOwn !== was.isOwn) retimed.set(position, is);
  }
  const hasBegun = hasItsBeginning(lineage, (head) => history.has(head));
  return { placed, retimed, needsHistory: !hasBegun || isUnsettled(history, own) };
}

/**
 * What was written on this branch, or before the fork; then also what something before the fork built on:
 * no later change of this branch says since when it counts.
 */
function ownPositions(history: History, lineage: Lineage): Uint8Array {
  const before = inheritedParts(history, lineage.slice(0, -1)).flatMap(({ branch, reach }) =>
    history.changes.filter((change, position) => reach[position] === 1 && isWrittenOn(change, branch)),
  );
  const own = history.ancestors(before.map(({ hash }) => hash));
  const branch = lineage.at(-1)?.branch;
  for (const [position, change] of history.changes.entries()) {
    if (isGenesis(change) || (branch !== undefined && isWrittenOn(change, branch))) own[position] = 1;
  }
  return own;
}

/** Whether a change stands there that nothing of this branch builds on yet, or that no member vouches for. */
function isUnsettled(history: History, own: Uint8Array): boolean {
  const ownHashes = history.changes.filter((_, position) => own[position] === 1).map(({ hash }) => hash);
  const reached = history.ancestors(ownHashes);
  return history.changes.some(
    (change, position) => reached[position] === 0 || (change.statement === undefined && !isGenesis(change)),
  );
}

/** The writes with everything they replaced, where a change that does not count came between. */
const withReplaced = (change: Change, history: History): Change => ({
  ...change,
  writes: change.writes.map((write) => {
    const placed = history.writes(write.key).find(({ id }) => id === write.id);
    return placed === undefined ? write : { ...write, replaces: placed.replaces };
  }),
});
