/**
 * What is different between two states, as the page lists it.
 *
 * @module
 */
import type { Memory } from "../../api/client.ts";
import type { Schemas } from "../../api/interface.ts";

export interface Change {
  readonly kind: "added" | "changed" | "gone";
  /** As it is afterwards; what is gone as it was. */
  readonly memory: Memory;
  readonly before?: Memory;
}

/** Changed first: they say the most. Newest first in each. */
export function changesIn(
  diff: Pick<Schemas["DiffResult"], "created" | "changed" | "deleted">,
): readonly Change[] {
  const newest = (changes: readonly Change[]) =>
    changes.toSorted((one, other) => other.memory.at - one.memory.at);
  return [
    ...newest(diff.changed.map(({ before, after }) => ({ kind: "changed", memory: after, before }))),
    ...newest(diff.created.map((memory) => ({ kind: "added", memory }))),
    ...newest(diff.deleted.map((memory) => ({ kind: "gone", memory }))),
  ];
}
