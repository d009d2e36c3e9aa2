/**
 * What of a filter no memory can pass, because nobody uses the value: said, with the nearest value that is used, which
 * is taken in its place where only one is near.
 *
 * @module
 */
import {
  compareText,
  FILTER_LABELS,
  type FilterLabel,
  type LabelFilter,
  type LabelSelection,
  valuesOf,
} from "@cambium/core";
import type { UsedLabels } from "../index-store/state-queries.js";
import { distanceBetween } from "../search/letters.js";

export interface CheckedLabels<Selection> {
  /** What was given, unless a value was read as another. */
  readonly filter: Selection;
  /** Sentences. */
  readonly advice: readonly string[];
}

/** Short names differ by a letter from many others. */
const LONG = 6;
const LEAST_LENGTH = 3;
const MAX_NAMED = 5;

export function checkLabels<Selection extends LabelSelection>(
  filter: Selection,
  used: UsedLabels,
): CheckedLabels<Selection> {
  const advice: string[] = [];
  const read = (labels: LabelFilter): LabelFilter =>
    Object.fromEntries(
      FILTER_LABELS.filter((label) => valuesOf(labels, label).length > 0).map((label) => [
        label,
        valuesOf(labels, label).map((value) => {
          if (used[label].has(value)) return value;
          const near = nearestOf(value, [...used[label].keys()]);
          advice.push(sentence(label, value, near, used[label]));
          return near.meant ?? value;
        }),
      ]),
    );
  const [wanted, unwanted] = [read(filter), read(filter.not ?? {})];
  if (advice.length === 0) return { filter, advice };
  return { filter: { ...filter, ...wanted, not: unwanted }, advice: [...new Set(advice)] };
}

/** Whether an answer leaves open that a value of the filter is used: then it has to be looked up. */
export const isDoubtful = (filter: LabelSelection, isEmpty: boolean): boolean =>
  FILTER_LABELS.some(
    (label) =>
      valuesOf(filter.not, label).length > 0 || valuesOf(filter, label).length > (isEmpty ? 0 : anyOf(label)),
  );

export const areUsed = (filter: LabelSelection, used: UsedLabels): boolean =>
  FILTER_LABELS.every((label) =>
    [...valuesOf(filter, label), ...valuesOf(filter.not, label)].every((value) => used[label].has(value)),
  );

/** Of one value that has to hold, what passed the filter has it; of several that may, perhaps not each. */
const anyOf = (label: FilterLabel): number => (label === "tag" ? Number.POSITIVE_INFINITY : 1);

interface Near {
  /** The only one that is near enough to be meant. */
  readonly meant: string | undefined;
  /** Nearest first. */
  readonly names: readonly string[];
}

/** @returns those that differ by few letters, the nearest first */
export const nearestNames = (value: string, names: readonly string[]): readonly string[] =>
  nearestOf(value, names).names;

function nearestOf(value: string, used: readonly string[]): Near {
  const asked = folded(value);
  const near = used
    .map((name) => ({ name, distance: distanceBetween(asked, folded(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance || compareText(a.name, b.name));
  const [best, second] = near;
  const isChosen =
    best !== undefined &&
    best.distance < (second?.distance ?? Number.POSITIVE_INFINITY) &&
    best.distance <= slipsIn(asked) &&
    digitsOf(asked) === digitsOf(best.name);
  return { meant: isChosen ? best.name : undefined, names: near.slice(0, MAX_NAMED).map(({ name }) => name) };
}

const folded = (text: string): string => text.normalize("NFKC").trim().toLowerCase();
const slipsIn = ({ length }: string): number => (length < LEAST_LENGTH ? 0 : length < LONG ? 1 : 2);
/** v1 is no slip of v2. */
const digitsOf = (text: string): string => text.replace(/\D/g, "");

function sentence(
  label: FilterLabel,
  value: string,
  { meant, names }: Near,
  used: ReadonlyMap<string, number>,
): string {
  const what =
    label === "agent"
      ? `No memory here was written by "${value}"`
      : `No memory here has the ${label} "${value}"`;
  if (meant !== undefined) return `${what}. "${meant}" was used instead, the only one near it.`;
  const common = [...used].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0])).map(([name]) => name);
  const [why, others] = names.length > 0 ? ["Nearest", names] : ["In use", common.slice(0, MAX_NAMED)];
  return others.length === 0 ? `${what}, or any other.` : `${what}. ${why}: ${others.join(", ")}.`;
}
