import type { RollbackResult } from "@cambium/client";
import { changesInWords, omitUndefined, safeText, textGoneLine } from "@cambium/core/text";
import { z } from "zod";
import { expectationOf, headsExpected, rollbackAsked } from "../expectation.js";
import { operationFields } from "../operation-fields.js";
import { dataOf, textsOf } from "../pages.js";
import { periodNote } from "../period-note.js";
import { confirmed, label, labels, maxBytes, memoryId, place } from "../schemas.js";
import { shownChanges } from "../shown-changes.js";
import { DATA_NOTE, shownLabel, shownTime } from "../shown-memory.js";
import { defineTool, type Reply, TAKES_AWAY } from "../tool.js";
import { keptLine } from "./undo.js";

const input = () =>
  z.strictObject({
    ...operationFields("rollback", {
      to: "Past state; not needed with agent or since",
    }),
    ids: z.array(memoryId).max(200).optional(),
    ...labels,
    query: label.describe("Only memories that speak of this").optional(),
    agent: label.describe("Take back only what it wrote").optional(),
    since: label.describe("Likewise, since: friday, 2 hours ago").optional(),
    until: label.optional(),
    ...operationFields("rollback", { onBranch: "Try it on a new branch of this name" }),
    expect: label.describe("From a preview: do exactly that").optional(),
    ...operationFields("rollback", { reason: null }),
    confirmed,
    ...place,
    maxBytes,
  });

/** Shows what a rollback would change; does it once a call says which preview is meant. */
export const rollback = defineTool({
  name: "rollback",
  title: "Roll back",
  description:
    "Bring a branch back to a past state, whole or in part, or take back what one agent wrote. The first call only previews; show the user, then call again with the preview's expect. A checkpoint is made before, and it is one new change: undo takes it back.",
  annotations: TAKES_AWAY,
  input,
  run: async (call, args) => {
    const { expect, reason, confirmed } = args;
    const asked = rollbackAsked(args);
    const { to, only, onBranch } = asked;
    const isPart = Object.values(only).some((part) => part !== undefined);
    const options = {
      branch: call.branch,
      to,
      onBranch,
      reason,
      signal: call.signal,
      ...(isPart ? { only } : {}),
    };
    const heads =
      expect === undefined
        ? undefined
        : (await headsExpected(expect, { space: call.space, branches: [call.branch], asked }))[0];
    const result = await call
      .as({ confirmed })
      .rollback(heads === undefined ? { ...options, preview: true } : { ...options, expect: heads });
    return replyOf(result, asked, { args, note: await periodNote(args, call.now) });
  },
});

function undoesLines({ undoes, matched, linked = [] }: RollbackResult): readonly string[] {
  const since = undoes?.since === undefined ? "" : ` since ${shownTime(undoes.since)}`;
  const of = undoes?.changes === 1 ? "change" : "changes";
  const speak = matched?.length === 1 ? "memory speaks" : "memories speak";
  return [
    ...(undoes === undefined ? [] : [`This will undo ${undoes.changes} ${of}${since}.`]),
    ...(matched === undefined ? [] : [`${matched.length} ${speak} of this.`]),
    ...linked
      .slice(0, 10)
      .map(({ id, from }) => `${id} would be hidden, and ${from.length} others link to it.`),
  ];
}

function replyOf(
  result: RollbackResult,
  asked: unknown,
  {
    args: { maxBytes },
    note,
  }: { readonly args: z.output<ReturnType<typeof input>>; readonly note: readonly string[] },
): Reply {
  const { status, from, to, counts, change, checkpoint, triedOn } = result;
  const { items, left } = shownChanges(result, { maxBytes });
  const expect = status === "preview" ? expectationOf([from.heads], asked) : undefined;
  const kept = result.kept.slice(0, 10);
  const textsGone = result.textsGone?.slice(0, 10);
  const branch = shownLabel(from.branch);
  const where = `${triedOn === undefined ? branch : `the new branch ${shownLabel(triedOn)}`}${to.ref === from.ref ? "" : ` to ${shownLabel(to.ref)}`}`;
  const changed = changesInWords(result);
  const first = {
    preview: `Would go back on ${where}: ${changed}. Nothing is written yet.`,
    "rolled-back": `Went back on ${where}: ${changed}.`,
    "up-to-date":
      textsGone === undefined
        ? "Nothing to take back: everything is already as it was then."
        : "Nothing to take back.",
  }[status];
  const summary = {
    created: counts.created,
    changed: counts.changed,
    broughtBack: counts.broughtBack,
    hidden: counts.hidden,
  };
  const advice = result.advice?.map((one) => safeText(one));
  const lines = [
    ...(advice ?? [first]),
    ...note,
    ...undoesLines(result),
    ...(checkpoint === undefined ? [] : [`The state before it: checkpoint:${shownLabel(checkpoint)}`]),
    ...(items.length === 0 ? [] : [DATA_NOTE]),
    ...textsOf(items),
    ...(left > 0 ? [`${left} more are not shown; a larger maxBytes shows more.`] : []),
    ...kept.map(keptLine),
    ...(textsGone ?? []).map(textGoneLine),
    ...(expect === undefined
      ? []
      : [`To do exactly this, call again with the same arguments and expect: ${expect}`]),
  ];
  return {
    text: lines.join("\n"),
    data: {
      ...{ status, branch, counts: summary, changes: dataOf(items), left, kept },
      ...omitUndefined({ advice, expect, textsGone }),
      ...(change === undefined ? {} : { change: change.slice(0, 16) }),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(triedOn === undefined ? {} : { triedOn }),
    },
  };
}
