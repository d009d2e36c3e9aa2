/**
 * Plans on a whole branch, and between branches: checkpoint, undo, rollback, beginning again, branch, merge.
 *
 * @module
 */

import type { RollbackResult } from "@cambium/client";
import type { LogEntry } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { Intent, ParsedBranch } from "../../ask/intent.js";
import { periodLine, periodOfDays } from "../../ask/period-used.js";
import { freeCheckpointName } from "../../ask/surroundings.js";
import { branchTarget, changesNothing, revertedScope } from "../../ask/targets.js";
import { BEFORE_EVERYTHING } from "../../ask/when.js";
import { expectationOf, type RollbackAsked, rollbackAsked } from "../expectation.js";
import { shownConflicts } from "../merge-conflicts.js";
import { sizeOf, textsOf } from "../pages.js";
import { USUAL_BYTES } from "../schemas.js";
import { countsOf, countsText, shownChanges } from "../shown-changes.js";
import { one, shownAuthor, shownLabel, shownTime, shownValue } from "../shown-memory.js";
import { countOf, type Plan, type Planning, type Step } from "./plan.js";

type Asked<IntentKind extends Intent["operation"]> = Extract<Intent, { operation: IntentKind }>;

const MEMORIES_QUOTED = 3;
const SHORT_HASH = 16;

export async function checkpointPlan({ name }: Asked<"checkpoint">, planning: Planning): Promise<Plan> {
  const { space, branch, call } = planning;
  const chosen = name ?? (await freeCheckpointName("saved", space, call.now));
  return {
    would: `It would make the checkpoint ${shownLabel(chosen)} of ${shownLabel(branch)}.`,
    steps: [checkpointStep(chosen, planning)],
  };
}

const checkpointStep = (name: string, { named, command }: Planning): Step => ({
  tool: "checkpoint",
  args: { name, ...named },
  command: command(["checkpoint", name]),
});

export async function undoPlan({ last }: Asked<"undo">, planning: Planning): Promise<Plan> {
  const { space, branch, named, command } = planning;
  const { changes } = await space.log({ branch, limit: last });
  const [newest] = changes;
  if (newest === undefined)
    return { would: `Nothing was ever written on ${shownLabel(branch)}. There is nothing to do.`, steps: [] };
  const lines: string[] = [];
  let room = USUAL_BYTES;
  for (const change of changes) {
    const line = await changeLine(change, planning);
    room -= Buffer.byteLength(line) + 2;
    if (room < 0) break;
    lines.push(line);
  }
  const left = changes.length - lines.length;
  const count = changes.length;
  const fewer = count < last ? `, which is all there is` : "";
  return {
    would: `It would take back the last ${count === 1 ? "change" : `${count} changes`} of ${shownLabel(branch)}${fewer}; what others wrote since stays.`,
    data: [...lines, ...(left === 0 ? [] : [`${left} more are not shown.`])].join("\n"),
    asks: "before",
    steps: [
      {
        tool: "undo",
        // One is named, so that it is that one whatever is written meanwhile.
        args: { ...(count === 1 ? { change: newest.hash.slice(0, SHORT_HASH) } : { last: count }), ...named },
        command: command(
          count === 1
            ? ["undo", "--change", newest.hash.slice(0, SHORT_HASH)]
            : ["undo", "--last", String(count)],
        ),
      },
    ],
  };
}

async function changeLine(
  { hash, type, memories, at, by }: LogEntry,
  { space, branch }: Planning,
): Promise<string> {
  const ids = typeof memories === "number" ? [] : memories.slice(0, MEMORIES_QUOTED);
  const quotes = await Promise.all(
    // Of a memory whose record has not arrived there is nothing to quote.
    ids.map((id) =>
      space.get(id, { branch }).then(
        ({ content }) => `${id} ${one(shownValue(content, 200))}`,
        () => id,
      ),
    ),
  );
  const count = typeof memories === "number" ? memories : memories.length;
  const more = count > ids.length ? [`${count - ids.length} more`] : [];
  return `- ${hash.slice(0, SHORT_HASH)} ${shownTime(at)} ${shownAuthor(by)}: ${type} ${[...quotes, ...more].join("; ")}`;
}

export async function rollbackPlan({ to, only }: Asked<"rollback">, planning: Planning): Promise<Plan> {
  const asked = { to: to.ref, ...only };
  const labels = Object.entries(only ?? {}).flatMap(([label, value]) => [`--${label}`, value]);
  return await reverting(asked, { command: ["rollback", to.ref, ...labels] }, planning);
}

export async function revertPlan(request: Asked<"take-back">, planning: Planning): Promise<Plan> {
  const { call, space, branch } = planning;
  const { agent, period } = request;
  const { ids } = await revertedScope(space, request, branch);
  const since = isoOf(period?.since);
  // Until now or later is no limit.
  const until = (period?.until ?? call.now) < call.now ? isoOf(period?.until) : undefined;
  const command = [
    ["--by", agent],
    ["--since", since],
    ["--until", until],
    ...(ids ?? []).map((id) => ["--id", id]),
  ].flatMap(([option, value]) => (option === undefined || value === undefined ? [] : [option, value]));
  const asked = omitUndefined({ agent, since, until, ids });
  const plan = await reverting(asked, { command: ["rollback", ...command] }, planning);
  if (period === undefined) return plan;
  const line = periodLine({ ...periodOfDays(period), said: "" }, call.now);
  return { ...plan, would: `${plan.would} ${line}.` };
}

const isoOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();

interface Going {
  readonly command: readonly string[];
}

async function reverting(asked: RollbackAsked, going: Going, planning: Planning): Promise<Plan> {
  const preview = await rollbackPreview(asked, planning);
  if (changesNothing(preview))
    return {
      would: "Nothing would change: everything asked for is as it was. There is nothing to do.",
      steps: [],
    };
  return {
    would: `It would bring ${shownLabel(planning.branch)} back by one change, with a checkpoint before it: ${countsIn(preview)}.`,
    data: changesIn(preview),
    asks: "before",
    steps: [rollbackStep(asked, { ...going, preview }, planning)],
  };
}

async function rollbackPreview(asked: RollbackAsked, { branch, call }: Planning): Promise<RollbackResult> {
  const { to, only: parts } = rollbackAsked(asked);
  const isPart = Object.values(parts).some((part) => part !== undefined);
  return await call
    .as()
    .rollback({ branch, to, preview: true, signal: call.signal, ...(isPart ? { only: parts } : {}) });
}

function rollbackStep(
  asked: RollbackAsked,
  { command: words, preview }: Going & { readonly preview: RollbackResult },
  { named, command }: Planning,
): Step {
  const expect = expectationOf([preview.from.heads], rollbackAsked(asked));
  return {
    ...{ tool: "rollback", args: { ...asked, ...named, expect } },
    command: `${command(words)} --yes`,
  };
}

const countsIn = ({ counts, kept, conflicts }: RollbackResult): string => {
  const { created, changed, broughtBack, hidden } = counts;
  const all = countsText({ created, changed, broughtBack, hidden });
  const open = conflicts.length === 0 ? "" : `; ${conflicts.length} would stay undecided`;
  return `${all}${open}${kept.length === 0 ? "" : `; of ${kept.length} what others wrote since stays`}`;
};

function changesIn(preview: RollbackResult): string {
  const { items, left } = shownChanges(preview, { maxBytes: USUAL_BYTES });
  return [...textsOf(items), ...(left === 0 ? [] : [`${left} more are not shown.`])].join("\n");
}

export async function freshPlan({ branch: name }: Asked<"fresh">, planning: Planning): Promise<Plan> {
  const { space, branch, call } = planning;
  const where = shownLabel(branch);
  if (name !== undefined)
    return {
      would: `It would make the empty branch ${shownLabel(name)}; ${where} stays as it is.`,
      steps: [branchStep(name, `${branch}@${BEFORE_EVERYTHING}`, planning)],
    };
  const asked = { to: BEFORE_EVERYTHING };
  const preview = await rollbackPreview(asked, planning);
  if (changesNothing(preview))
    return { would: `${where} is empty already. There is nothing to do.`, steps: [] };
  const backup = await freeCheckpointName("backup", space, call.now);
  return {
    would: `It would make the checkpoint ${backup}, then hide ${countOf(preview.counts.hidden)} of ${where} by one change.`,
    data: changesIn(preview),
    asks: "before",
    steps: [
      checkpointStep(backup, planning),
      rollbackStep(asked, { command: ["rollback", BEFORE_EVERYTHING], preview }, planning),
    ],
  };
}

const branchStep = (name: string, from: string, { command }: Planning): Step => ({
  tool: "branch",
  args: { action: "create", name, from },
  command: command(["branch", name, "--from", from], { onBranch: false }),
});

export function branchPlan({ name }: Asked<"branch">, planning: Planning): Plan {
  const { branch } = planning;
  return {
    would: `It would make the branch ${shownLabel(name)} from ${shownLabel(branch)}. Afterwards pass it as branch to every call that means it.`,
    steps: [branchStep(name, branch, planning)],
  };
}

export async function mergePlan(request: Asked<"merge">, planning: Planning): Promise<Plan> {
  const { space, call, command } = planning;
  const from = await branchTarget(request.from, space);
  const into = request.into === undefined ? planning.branch : await branchTarget(request.into, space);
  const preview = await call.as().merge({ from, into, preview: true, signal: call.signal });
  const way = `${shownLabel(from)} into ${shownLabel(into)}`;
  if (preview.status === "up-to-date")
    return { would: `There is nothing to merge from ${way}. There is nothing to do.`, steps: [] };
  const conflicts = await shownConflicts(preview.conflicts, {
    ...{ space, from, into, maxBytes: Math.floor(USUAL_BYTES * 0.7) },
  });
  const open = preview.conflicts.reduce((sum, { fields }) => sum + fields.length, 0);
  const taken = conflicts.reduce((sum, shown) => sum + sizeOf(shown), 0);
  const { items, left } = shownChanges(preview, { maxBytes: USUAL_BYTES - taken, atLeast: open > 0 ? 0 : 1 });
  const hidden = left + open - conflicts.length;
  const isUndone = (preview.undone ?? []).length > 0;
  const summary = [
    `It would merge ${way}: ${countsText(countsOf(preview))}; ${open} in conflict.`,
    ...(open === 0 ? [] : ["Ask me about each conflict, and add resolutions to the call."]),
    ...(isUndone
      ? [
          "An earlier merge of it was undone: ask me, and add again: true to bring that back, or again: false.",
        ]
      : []),
  ];
  const expect = expectationOf([preview.from.heads, preview.to.heads], "merge");
  return {
    would: summary.join(" "),
    data: [
      ...textsOf(conflicts),
      ...textsOf(items),
      ...(hidden === 0 ? [] : [`${hidden} more are not shown.`]),
    ].join("\n"),
    asks: "before",
    steps: [
      {
        tool: "merge",
        args: { from, into, expect },
        command: command(["merge", from, "--into", into], { onBranch: false }),
      },
    ],
  };
}

export async function deleteBranchPlan(
  { branch: asked }: { readonly branch: ParsedBranch },
  { space, command }: Planning,
): Promise<Plan> {
  const name = await branchTarget(asked, space);
  return {
    would: `It would delete the branch ${shownLabel(name)}. Its history stays.`,
    asks: "before",
    steps: [
      {
        tool: "branch",
        args: { action: "delete", name },
        command: command(["branch", name, "--delete"], { onBranch: false }),
      },
    ],
  };
}

export async function renameBranchPlan(
  { branch: asked, name: to }: Asked<"rename-branch">,
  { space, command }: Planning,
): Promise<Plan> {
  const name = await branchTarget(asked, space);
  return {
    would: `It would rename the branch ${shownLabel(name)} to ${shownLabel(to)}.`,
    steps: [{ command: command(["branch", name, "--rename", to], { onBranch: false }) }],
  };
}
