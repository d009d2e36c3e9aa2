/**
 * Which memories a rollback is about.
 *
 * @module
 */
import type { MemoryId } from "../format/ids.js";
import { type LabelFilter, type Labelled, labelTest } from "../memory/label-filter.js";

/** Everything that is named has to hold. */
export interface MemoryScope extends Omit<LabelFilter, "agent"> {
  /** Not with any of these. */
  readonly not?: Omit<LabelFilter, "agent"> | undefined;
  /** Only these. */
  readonly ids?: readonly MemoryId[] | undefined;
}

/** @param sides - the memory as it is and as it was: a label it has in either will do */
export function isInScope(
  { ids, ...labels }: MemoryScope,
  id: MemoryId,
  sides: readonly (Labelled | undefined)[],
): boolean {
  if (ids !== undefined && !ids.includes(id)) return false;
  const passes = labelTest(labels);
  return sides.some((side) => side !== undefined && passes(side));
}
