/**
 * Which memories a caller means by their labels: one meaning for every call that takes such a filter.
 *
 * @module
 */
import type { Author, MemoryFields } from "../format/record.js";
import { FILTER_LABELS, type FilterLabel } from "../format/state-fields.js";

/** One value, or several. */
export type LabelValues = string | readonly string[];

/** Labels that a memory has to have, or may not have. */
export interface LabelFilter {
  /** Any of these. */
  readonly category?: LabelValues | undefined;
  /** All of these. */
  readonly tag?: LabelValues | undefined;
  /** Any of these. */
  readonly kind?: LabelValues | undefined;
  /** Any of these. */
  readonly area?: LabelValues | undefined;
  /** Written, in the version that is shown, by any of these. */
  readonly agent?: LabelValues | undefined;
}

/** Everything that is named has to hold. */
export interface LabelSelection extends LabelFilter {
  /** Not with any of these. */
  readonly not?: LabelFilter | undefined;
}

/** What of a memory a filter of labels looks at. */
export type Labelled = Pick<MemoryFields, "category" | "tags" | "kind" | "area"> & {
  readonly by?: Pick<Author, "agent">;
};

/** The values that a filter names for a label; an empty list names none, like an absent one. */
export const valuesOf = (filter: LabelFilter | undefined, label: FilterLabel): readonly string[] => {
  const values = filter?.[label] ?? [];
  return typeof values === "string" ? [values] : values;
};

/** The values that a memory has of a label. */
export function labelsOf(memory: Labelled, label: FilterLabel): readonly string[] {
  if (label === "tag") return memory.tags;
  const value = label === "agent" ? memory.by?.agent : memory[label];
  return value === undefined ? [] : [value];
}

/** A memory has several tags and one of everything else: so it needs all tags, and one of the other values. */
export function labelTest(selection: LabelSelection): (memory: Labelled) => boolean {
  const named = (filter: LabelFilter | undefined) =>
    FILTER_LABELS.map((label) => ({ label, values: valuesOf(filter, label) })).filter(
      ({ values }) => values.length > 0,
    );
  const [wanted, unwanted] = [named(selection), named(selection.not)];
  if (wanted.length === 0 && unwanted.length === 0) return () => true;
  return (memory) =>
    wanted.every(({ label, values }) => {
      const borne = labelsOf(memory, label);
      return label === "tag"
        ? values.every((value) => borne.includes(value))
        : values.some((value) => borne.includes(value));
    }) &&
    !unwanted.some(({ label, values }) => labelsOf(memory, label).some((value) => values.includes(value)));
}
