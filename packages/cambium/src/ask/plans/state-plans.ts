/**
 * Plans on a whole branch: checkpoint, undo, rollback, beginning again.
 *
 * @module
 */
import type { RollbackOptions, RollbackResult } from "@cambium/client";
import type { LogEntry } from "@cambium/core";
import { omitUndefined, oneLine } from "@cambium/core/text";
import { periodLine, periodOfDays, periodUsed, refText } from "../period-used.js";
import { freeCheckpointName } from "../surroundings.js";
import { agentNamed, revertedScope } from "../targets.js";
import { BEFORE_EVERYTHING } from "../when.js";
import { branchPlan } from "./branch-plans.js";
import { type Action, type Asked, countOf, type Idle, named, type Plan, type Planning } from "./plan.js";

export async function checkpointPlan({ name }: Asked<"checkpoint">, planning: Planning): Promise<Plan> {
  const { space, branch, now } = planning;
  const chosen = name ?? (await freeCheckpointName("saved", space, now));
  return {
    kind: "plan",
    would: `Would make the checkpoint ${named(chosen)} of ${named(branch)}`,
    preview: { name: chosen, branch },
    consent: "implied",
    actions: [{ verb: "checkpoint", name: chosen }],
  };
}

export const deleteCheckpointPlan = ({ name }: Asked<"delete-checkpoint">): Plan => ({
  kind: "plan",
  would: `Would delete the checkpoint ${named(name)}. The state that it names stays in the history, without a name`,
  preview: { name },
  consent: "always",
  actions: [{ verb: "delete-checkpoint", name }],
});

export async function undoPlan(
  { last, isWriting, isRedo, agent: name }: Asked<"undo">,
  { space, branch }: Planning,
): Promise<Plan | Idle> {
  const agent = name === undefined ? undefined : await agentNamed(name, space, branch);
  const { changes } = await space.log({ branch, limit: last, ...omitUndefined({ agent }) });
  const count = changes.length;
  if (count === 0)
    return {
      ...{ kind: "idle", preview: {} },
      why: `Nothing was ever written on ${named(branch)}${agent === undefined ? "" : ` by ${named(agent)}`}.`,
    };
  const of = agent === undefined ? "" : ` of ${named(agent)}`;
  const what = count === 1 ? `the last change${of}` : `the last ${count} changes`;
  const [newest] = changes;
  if (isRedo && newest !== undefined && newest.type !== "undo") return notUndone(newest, branch);
  const other = isWriting ? changes.find(({ type }) => !WRITES_MEMORY.has(type)) : undefined;
  if (other !== undefined) return notWritten(what, other, last);
  return {
    kind: "plan",
    would: `Would take back ${what} on ${named(branch)}${count < last ? ` (there are only ${count})` : ""}`,
    shown: { kind: "changes", changes },
    preview: { changes },
    consent: "asked",
    actions: [{ verb: "undo", changes: changes.map(({ hash }) => hash) }],
  };
}

const notUndone = ({ type, text }: LogEntry, branch: string): Idle => ({
  kind: "idle",
  why: `Nothing to redo: the last change on ${named(branch)} is no undo, but ${type}${text === undefined ? "" : ` “${named(text)}”`}. The changes before it: cambium log`,
  preview: {},
});

/** "The last two things I saved" are not what was forgotten or merged since. */
const notWritten = (what: string, { type, text }: LogEntry, last: number): Idle => ({
  kind: "idle",
  why: `Nothing was done: of ${what}, one is no memory that was written: ${type}${text === undefined ? "" : ` “${named(text)}”`}. To take them back all the same: cambium ask "undo the last ${last === 1 ? "change" : `${last} changes`}".`,
  preview: {},
});

const WRITES_MEMORY: ReadonlySet<string> = new Set(["remember", "revise", "import", "restore"]);

export async function rollbackPlan(
  { to, only }: Asked<"rollback">,
  planning: Planning,
): Promise<Plan | Idle> {
  const { topic, ...labels } = only ?? {};
  const scope =
    topic === undefined
      ? only
      : { ...labels, ...(await revertedScope(planning.space, { operation: "take-back", topic }, planning)) };
  const about = topic === undefined ? "" : `Of what is about "${named(topic)}":\n`;
  return await reverting(
    { to: to.ref, ...omitUndefined({ only: scope }) },
    { would: `${about}Would go back on ${named(planning.branch)} to ${named(refText(to.ref))}` },
    planning,
  );
}

export async function revertPlan(request: Asked<"take-back">, planning: Planning): Promise<Plan | Idle> {
  const { topic, period, category, tag } = request;
  const { branch, now } = planning;
  const only = await revertedScope(planning.space, request, planning);
  const { agent } = only;
  const used = period === undefined ? undefined : periodOfDays(period);
  const about = [
    ...(topic === undefined ? [] : [` about "${named(topic)}"`]),
    ...(category === undefined ? [] : [` in category ${named(category)}`]),
    ...(tag === undefined ? [] : [` tagged ${named(tag)}`]),
  ].join("");
  const would = [
    `Of ${named(agent ?? "everyone")}${about}${used === undefined ? ", of all times" : ""}:`,
    ...(used === undefined ? [] : [periodLine(used, now)]),
    `Would go back on ${named(branch)}`,
  ];
  const document = used === undefined ? {} : { period: periodUsed(used, now) };
  return await reverting({ only }, { would: would.join("\n"), document }, planning);
}

interface Words {
  readonly would: string;
  readonly document?: object;
  /** Before it. */
  readonly first?: readonly Action[];
}

async function reverting(
  asked: Pick<RollbackOptions, "to" | "only">,
  { would, document = {}, first = [] }: Words,
  planning: Planning,
): Promise<Plan | Idle> {
  const preview = await previewOf(asked, planning);
  const all = { ...preview, ...document };
  // Nobody of that name has written: no success, though nothing is left of it.
  if (preview.advice !== undefined)
    return { kind: "idle", isNotFound: true, why: preview.advice.map(oneLine).join(" "), preview: all };
  if (changesNothing(preview)) {
    const why =
      preview.kept.length === 0
        ? "Nothing to take back: everything is already as it was then."
        : "Nothing to take back: others have decided it since, or it settled a conflict.";
    return { kind: "idle", why: [...would.split("\n").slice(0, -1), why].join("\n"), preview: all };
  }
  return {
    kind: "plan",
    would,
    shown: { kind: "rollback", preview },
    preview: all,
    consent: "always",
    actions: [...first, { verb: "rollback", ...asked, heads: preview.from.heads }],
  };
}

const previewOf = (
  asked: Pick<RollbackOptions, "to" | "only">,
  { agent, branch, signal }: Planning,
): Promise<RollbackResult> => agent.rollback({ ...asked, branch, preview: true, signal });

const changesNothing = ({ counts }: RollbackResult): boolean =>
  Object.values(counts).every((count) => count === 0);

/** Everything is hidden by one change, after a checkpoint that stays: so it is undone by one word. */
export async function freshPlan({ branch: name }: Asked<"fresh">, planning: Planning): Promise<Plan | Idle> {
  const { space, branch, now } = planning;
  if (name !== undefined) return branchPlan({ name, from: `${branch}@${BEFORE_EVERYTHING}` }, planning);
  const asked = { to: BEFORE_EVERYTHING };
  const preview = await previewOf(asked, planning);
  if (changesNothing(preview))
    return { kind: "idle", why: `${named(branch)} is empty already.`, preview: { preview } };
  const checkpoint = await freeCheckpointName("backup", space, now);
  return {
    kind: "plan",
    would: `Would make the checkpoint ${checkpoint}, which stays until you delete it, then start fresh on ${named(branch)}, without ${countOf(preview.counts.hidden)}`,
    shown: { kind: "rollback", preview },
    preview: { checkpoint, ...preview },
    consent: "always",
    actions: [
      { verb: "checkpoint", name: checkpoint },
      { verb: "rollback", ...asked, heads: preview.from.heads },
    ],
  };
}
