/**
 * Which automatic checkpoints are kept: all of the last days, then one a week, one a month, and one a year.
 *
 * Of each week, month or year the oldest stays: whatever is made later does not displace it, so that a name
 * that someone has seen lasts as long as its tier does.
 *
 * @module
 */
import { compareText } from "../format/bytes.js";
import { weekNumber } from "./iso-week.js";

/** When checkpoints are made automatically, and how long they are kept. */
export interface CheckpointPolicy {
  /** How many made by hand may stand at once. */
  readonly byHand: number;
  /** An operation that touches more memories than this is preceded by a checkpoint. */
  readonly bulk: number;
  /** Whether the first write of a week is. */
  readonly weekly: boolean;
  /** All automatic ones that are no older than so many days stay. */
  readonly days: number;
  /** After those days, one a week for so many weeks. */
  readonly weeks: number;
  /** After those weeks, one a month for so many months. */
  readonly months: number;
  /** After those months, one a year for so many years. */
  readonly years: number | "for ever";
}

/** What counts where the space has no settings of its own. */
export const DEFAULT_CHECKPOINT_POLICY: CheckpointPolicy = {
  byHand: 50,
  bulk: 25,
  weekly: true,
  days: 7,
  weeks: 4,
  months: 12,
  years: "for ever",
};

/** What retention has to know of an automatic checkpoint. */
export interface AgedCheckpoint {
  /** Decides between two made in the same millisecond. */
  readonly id: string;
  /** Branches are judged one by one. */
  readonly branch: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const YEAR_MS = 365.2425 * DAY_MS;
const MONTH_MS = YEAR_MS / 12;

/** Those that go, branch by branch. The newest of each branch always stays. */
export function outdatedCheckpoints<Checkpoint extends AgedCheckpoint>(
  checkpoints: readonly Checkpoint[],
  policy: CheckpointPolicy,
  now: number,
): readonly Checkpoint[] {
  const byBranch = Map.groupBy(checkpoints, ({ branch }) => branch);
  return [...byBranch.values()].flatMap((ofBranch) => outdatedOfBranch(ofBranch, policy, now));
}

function outdatedOfBranch<Checkpoint extends AgedCheckpoint>(
  checkpoints: readonly Checkpoint[],
  policy: CheckpointPolicy,
  now: number,
): readonly Checkpoint[] {
  const oldestFirst = checkpoints.toSorted((a, b) => a.at - b.at || compareText(a.id, b.id));
  const newest = oldestFirst.at(-1);
  const taken = new Set<string>();
  return oldestFirst.filter((checkpoint) => {
    const place = placeOf(checkpoint.at, policy, now);
    if (place === "all" || checkpoint === newest) return false;
    if (place === undefined || taken.has(place)) return true;
    taken.add(place);
    return false;
  });
}

/** @returns the period of which one stays; `all` while all do, undefined when none does */
function placeOf(at: number, { days, weeks, months, years }: CheckpointPolicy, now: number) {
  const endOfDays = days * DAY_MS;
  const endOfWeeks = endOfDays + weeks * WEEK_MS;
  const endOfMonths = endOfWeeks + months * MONTH_MS;
  const endOfYears = years === "for ever" ? Number.POSITIVE_INFINITY : endOfMonths + years * YEAR_MS;
  const age = now - at;
  if (age <= endOfDays) return "all";
  if (age <= endOfWeeks) return `week ${weekNumber(at)}`;
  if (age <= endOfMonths) return `month ${new Date(at).toISOString().slice(0, 7)}`;
  return age <= endOfYears ? `year ${new Date(at).getUTCFullYear()}` : undefined;
}
