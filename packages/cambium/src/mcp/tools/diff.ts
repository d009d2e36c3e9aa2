import type { StateRef } from "@cambium/client";
import { countsInWords } from "@cambium/core/text";
import { z } from "zod";
import { operationFields } from "../operation-fields.js";
import { dataOf, skipOf, textsOf, tokenOf } from "../pages.js";
import { cursor, maxBytes, place } from "../schemas.js";
import { countsOf, shownChanges } from "../shown-changes.js";
import { DATA_NOTE, shownLabel } from "../shown-memory.js";
import { defineTool, READS } from "../tool.js";

/** What differs between two states, of one branch or two. */
export const diff = defineTool({
  name: "diff",
  title: "Diff",
  description:
    "Compare two states, memory by memory: what was learned, changed or forgotten since a date, or how two branches differ.",
  annotations: READS,
  input: () =>
    z.strictObject({
      ...operationFields("diff", {
        from: "Branch or past state, such as work@2026-08-01",
        to: "Default: the branch now",
      }),
      ...place,
      maxBytes,
      cursor,
    }),
  run: async (call, { from, to = call.branch, maxBytes, cursor }) => {
    const skip = skipOf(cursor);
    const found = await call.space.diff(from, to);
    const { items, left } = shownChanges(found, { maxBytes, skip });
    const counts = countsOf(found);
    const next = left > 0 ? tokenOf(skip + items.length) : undefined;
    const refs = { from: stateName(found.from), to: stateName(found.to) };
    const conflicts = found.conflicts.length;
    const lines = [
      `From ${refs.from} to ${refs.to}: ${countsInWords(counts)}${conflicts === 0 ? "" : `; ${conflicts} with open conflicts`}.`,
      ...(items.length === 0 ? [] : [DATA_NOTE]),
      ...textsOf(items),
      ...(next === undefined ? [] : [`${left} more: call again with cursor: ${next}`]),
    ];
    return {
      text: lines.join("\n"),
      data: {
        ...{ ...refs, counts, changes: dataOf(items), conflicts, left },
        ...(next === undefined ? {} : { cursor: next }),
      },
    };
  },
});

/** As it was asked for, or the branch's name: heads tell a reader nothing. */
const stateName = ({ ref, branch }: StateRef): string => shownLabel(ref.includes("@heads:") ? branch : ref);
