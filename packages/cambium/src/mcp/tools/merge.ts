import type { MergeResult, MergeScope } from "@cambium/client";
import { changesInWords, withoutConflicts } from "@cambium/core/text";
import { z } from "zod";
import { expectationOf, headsExpected } from "../expectation.js";
import {
  resolutions,
  resolutionsOf,
  type ShownMergeConflict,
  shownConflicts,
  strategy,
} from "../merge-conflicts.js";
import { operationFields } from "../operation-fields.js";
import { dataOf, type Shown, sizeOf, textsOf } from "../pages.js";
import { confirmed, judgedLater, label, maxBytes, place } from "../schemas.js";
import { countsOf, type ShownChange, shownChanges } from "../shown-changes.js";
import { DATA_NOTE, shownLabel } from "../shown-memory.js";
import { defineTool, type Reply, TAKES_AWAY, type ToolContext } from "../tool.js";

const input = () =>
  z.strictObject({
    ...operationFields("merge", { from: null, into: null }),
    only: judgedLater<MergeScope>().describe("Just some memories: category, tag, ids, query").optional(),
    strategy,
    resolutions: resolutions.optional(),
    expect: label.describe("From the preview").optional(),
    ...operationFields("merge", { again: "true brings an undone merge back, false leaves it undone" }),
    confirmed,
    space: place.space,
    maxBytes,
  });

/** Shows what a merge would do; does it once a call says which preview is meant. */
export const merge = defineTool({
  name: "merge",
  title: "Merge",
  description:
    "Bring what one branch (from) learned into another (into; default: the usual one), field by field. The first call only previews: counts, changes, conflicts with base, source (from) and target (into). Ask the user about conflicts, then call again with resolutions and the preview's expect. Nothing is written while a conflict is open. Undo: `cambium undo`.",
  annotations: TAKES_AWAY,
  input,
  run: async (call, args) => {
    const { from, into = call.branch, only, strategy: how, again, expect, confirmed } = args;
    const options = {
      ...{ from, into, only, strategy: how, again, signal: call.signal },
      resolutions: resolutionsOf(args.resolutions ?? []),
    };
    const agent = call.as({ confirmed });
    if (expect === undefined) return replyOf(call, await agent.merge({ ...options, preview: true }), args);
    const [fromHeads = [], intoHeads = []] = await headsExpected(expect, {
      ...{ space: call.space, branches: [from, into], asked: asked(only) },
    });
    const result = await agent.merge({ ...options, expect: { from: fromHeads, into: intoHeads } });
    return replyOf(call, result, args);
  },
});

/** What has to be asked again in the same way. */
const asked = (only: MergeScope | undefined) => (only === undefined ? "merge" : { merge: only });

type Args = z.output<ReturnType<typeof input>>;

async function replyOf(
  { space }: ToolContext,
  result: MergeResult,
  { only, maxBytes }: Args,
): Promise<Reply> {
  const { from, to, status, undone = [] } = result;
  const changes = { ...result, changed: withoutConflicts(result) };
  const all = result.conflicts.reduce((sum, { fields }) => sum + fields.length, 0);
  const conflicts = await shownConflicts(result.conflicts, {
    ...{ space, from: from.branch, into: to.branch, maxBytes: Math.floor(maxBytes * 0.7) },
  });
  const taken = conflicts.reduce((sum, shown) => sum + sizeOf(shown), 0);
  // What has to be decided comes first; what changes by itself has the room that is left.
  const { items, left } = shownChanges(changes, {
    maxBytes: maxBytes - taken,
    atLeast: conflicts.length > 0 ? 0 : 1,
  });
  const isOpen = status === "preview" || status === "conflict";
  const expect = isOpen ? expectationOf([from.heads, to.heads], asked(only)) : undefined;
  const shown: ShownMerge = {
    conflicts,
    open: all,
    items,
    left,
    expect,
    isUndone: undone.length > 0,
    isPart: only !== undefined,
  };
  return {
    text: linesOf(result, shown).join("\n"),
    data: {
      ...{ status, from: shownLabel(from.branch), into: shownLabel(to.branch), counts: countsOf(changes) },
      ...{ conflicts: dataOf(conflicts), openConflicts: all, changes: dataOf(items), left },
      ...(expect === undefined ? {} : { expect }),
      ...(undone.length === 0 ? {} : { undoneBefore: true }),
    },
  };
}

interface ShownMerge {
  readonly conflicts: readonly Shown<ShownMergeConflict>[];
  readonly open: number;
  readonly items: readonly Shown<ShownChange>[];
  readonly left: number;
  readonly expect: string | undefined;
  readonly isUndone: boolean;
  readonly isPart: boolean;
}

function linesOf(
  result: MergeResult,
  { conflicts, open, items, left, expect, isUndone, isPart }: ShownMerge,
): readonly string[] {
  const [from, into] = [shownLabel(result.from.branch), shownLabel(result.to.branch)];
  const counts = changesInWords(result);
  const first = {
    preview: `Would merge ${from} into ${into}: ${counts}. Nothing is written yet.`,
    conflict: `Cannot merge ${from} (source) into ${into} (target) yet: ${counts}. Nothing was written.`,
    merged: `Merged ${from} into ${into}: ${counts}.`,
    "up-to-date": isPart
      ? `Nothing to merge: nothing on ${from} that ${into} lacks matches what was asked for.`
      : `Nothing to merge: ${into} has everything of ${from}.`,
  }[result.status];
  const hidden = open - conflicts.length;
  const next =
    expect === undefined
      ? []
      : isUndone
        ? [
            "An earlier merge of it was undone. Ask the user, and preview again with again: true or again: false.",
          ]
        : open > 0
          ? [
              `Decide ${open === 1 ? "it" : `all ${open}`} with resolutions (or a strategy), and call again with expect: ${expect}`,
            ]
          : [`To merge exactly this, call again with the same arguments and expect: ${expect}`];
  return [
    first,
    ...(items.length + conflicts.length === 0 ? [] : [DATA_NOTE]),
    ...textsOf(conflicts),
    ...(hidden > 0 ? [`${hidden} more conflicts: preview again with resolutions of these to see them.`] : []),
    ...textsOf(items),
    ...(left > 0 ? [`${left} more changes are not shown; a larger maxBytes shows more.`] : []),
    ...next,
  ];
}
