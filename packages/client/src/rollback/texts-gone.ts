/**
 * Ways back whose text is gone: pruned, or erased. They are not taken, and a preview says so as well.
 *
 * @module
 */
import type { MemoryId, PlannedWrite } from "@cambium/core";
import type { RollbackServices } from "./services.js";

/** Returns what would be written, and which memories stay as they are because nobody has their text any more. */
export function splitByText(
  { writer }: Pick<RollbackServices, "writer">,
  planned: readonly PlannedWrite[],
): { readonly writes: readonly PlannedWrite[]; readonly textsGone: readonly MemoryId[] } {
  const writes = planned.filter((write) => !writer.leavesOut(write));
  const textsGone = planned.filter((write) => !writes.includes(write)).map(({ memory }) => memory);
  return { writes, textsGone };
}
