/**
 * The open conflicts of a branch, field by field, as a model is shown them.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { fitting, textsOf } from "./pages.js";
import { conflictLine, shownConflict } from "./shown-memory.js";

export interface OpenConflicts {
  readonly total: number;
  /** Of those that fit, and how many do not; empty when there are none. */
  readonly text: string;
}

export async function openConflicts(space: Space, branch: string, maxBytes: number): Promise<OpenConflicts> {
  const open = (await space.conflicts({ branch })).flatMap(({ id, fields }) =>
    fields.map((field) => ({ id, field })),
  );
  const shown = fitting(open, maxBytes, ({ id, field }) => {
    const data = shownConflict(field);
    return { data, text: `${id}: ${conflictLine(data)}` };
  });
  const left = open.length - shown.length;
  const more = left === 0 ? [] : [`${left} more are not shown.`];
  return { total: open.length, text: [...textsOf(shown), ...more].join("\n") };
}
