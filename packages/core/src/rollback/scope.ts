/**
 * Which memories a rollback is about.
 *
 * @module
 */
import type { MemoryId } from "../format/ids.js";
import type { MemoryFields } from "../format/record.js";

/** Everything that is named has to hold. */
export interface MemoryScope {
  /** Compared exactly. */
  readonly area?: string | undefined;
  /** Compared exactly. */
  readonly category?: string | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  /** Only these. */
  readonly ids?: readonly MemoryId[] | undefined;
}

/** The labels that a scope looks at. */
type Labelled = Pick<MemoryFields, "area" | "category" | "tags">;

/** @param sides - the memory as it is and as it was: a label it has in either will do */
export function isInScope(
  { area, category, tags = [], ids }: MemoryScope,
  id: MemoryId,
  sides: readonly (Labelled | undefined)[],
): boolean {
  if (ids !== undefined && !ids.includes(id)) return false;
  return sides.some(
    (side) =>
      side !== undefined &&
      (area === undefined || side.area === area) &&
      (category === undefined || side.category === category) &&
      tags.every((tag) => side.tags.includes(tag)),
  );
}
