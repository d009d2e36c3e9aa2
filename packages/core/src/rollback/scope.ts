/**
 * Which memories going back is about.
 *
 * @module
 */
import type { MemoryId } from "../format/ids.js";
import type { MemoryFields } from "../format/record.js";

/** Everything that is named has to hold. */
export interface MemoryScope {
  readonly area?: string | undefined;
  readonly category?: string | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  readonly ids?: readonly MemoryId[] | undefined;
}

type Labelled = Pick<MemoryFields, "area" | "category" | "tags">;

/** @param sides - the memory as it is and as it was: a label it bears in either will do */
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
