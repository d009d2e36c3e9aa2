/**
 * Actions on a whole branch: checkpoint, undo, rollback, beginning again.
 *
 * @module
 */

import type { RollbackOptions, RollbackResult, SpaceReader } from "@cambium/client";
import { CambiumError, type LogEntry } from "@cambium/core";
import { oneLine, shortHash, shortId } from "@cambium/core/text";
import type { Intent } from "../../ask/intent.js";
import { periodLine, periodOfDays, periodUsed } from "../../ask/period-used.js";
import { freeCheckpointName } from "../../ask/surroundings.js";
import { changesNothing, revertedScope } from "../../ask/targets.js";
import { BEFORE_EVERYTHING } from "../../ask/when.js";
import { changesText } from "../render/changes.js";
import { nothingText, rollbackPreview, rollbackText } from "../render/rollback.js";
import { relativeTime } from "../render/time.js";
import { type Idle, idle, onBranch, type PlannedAction, type Preparing, there } from "./planned-action.js";

type Asked<IntentKind extends Intent["operation"]> = Extract<Intent, { operation: IntentKind }>;

const MEMORIES_QUOTED = 3;

export async function checkpointAction(
  { name }: Asked<"checkpoint">,
  use: Preparing,
): Promise<PlannedAction> {
  const { space, context } = use;
  const chosen = name ?? (await freeCheckpointName("saved", space, context.io.now()));
  return {
    kind: "action",
    preview: { name: chosen, branch: onBranch(context) },
    shown: `Would make the checkpoint ${oneLine(chosen)} of ${onBranch(context)}.`,
    question: "Save it?",
    alwaysAsks: false,
    verb: `cambium checkpoint ${chosen}${there(context)}`,
    act: async ({ agent }) => {
      const made = await agent.checkpoints.create({ name: chosen, branch: context.branch });
      const shown = oneLine(made.name);
      const text = `Made the checkpoint ${shown} of ${oneLine(made.branch)}\nGo back to it with: cambium ask "go back to checkpoint ${shown}"`;
      return { result: made, text };
    },
  };
}

export async function undoAction({ last }: Asked<"undo">, use: Preparing): Promise<PlannedAction | Idle> {
  const { space, context } = use;
  const { branch } = context;
  const changes = await lastChanges(space, branch, last);
  if (changes.length === 0) return idle(`Nothing was ever written on ${onBranch(context)}.`);
  const lines = await Promise.all(changes.map((change) => changeLine(change, use)));
  const fewer = changes.length < last ? ` (there are only ${changes.length})` : "";
  return {
    kind: "action",
    preview: { changes },
    shown: `Would take back on ${onBranch(context)}${fewer}:\n${lines.join("\n")}`,
    question: changes.length === 1 ? "Take it back?" : `Take these ${changes.length} back?`,
    alwaysAsks: false,
    verb: `cambium undo --last ${changes.length}${there(context)}`,
    act: async ({ agent, space: now }) => {
      const still = await lastChanges(now, branch, changes.length);
      if (still.some(({ hash }, index) => hash !== changes[index]?.hash))
        throw new CambiumError("STALE_EXPECTATION", "Something was written since this was shown; ask again.");
      const result = await agent.undo({ branch, last: changes.length });
      const count = result.memories.length;
      const text = [
        `Took back ${result.changes.map(shortHash).join(", ")}: ${count} ${count === 1 ? "memory" : "memories"}`,
        context.style.colors.dim(`To bring it back: cambium undo --change ${shortHash(result.change)}`),
      ].join("\n");
      return { result, text };
    },
  };
}

const lastChanges = async (space: SpaceReader, branch: string | undefined, limit: number) =>
  (await space.log({ branch, limit })).changes;

async function changeLine(
  { hash, type, memories, at }: LogEntry,
  { space, context }: Preparing,
): Promise<string> {
  const { style } = context;
  const ids = typeof memories === "number" ? [] : memories.slice(0, MEMORIES_QUOTED);
  const quotes = await Promise.all(
    // Of a memory whose record has not arrived there is nothing to quote; the change can be described without.
    ids.map((id) =>
      space.get(id, { branch: context.branch }).then(
        ({ content }) => quote(content),
        () => id,
      ),
    ),
  );
  const count = typeof memories === "number" ? memories : memories.length;
  const more = count > ids.length ? [`${count - ids.length} more`] : [];
  const when = style.colors.dim(relativeTime(at, style.nowMs));
  return `  ${style.colors.yellow(shortHash(hash))}  ${type}  ${[...quotes, ...more].join("; ")}  ${when}`;
}

function quote(content: string): string {
  const text = oneLine(content);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

export async function rollbackAction(
  { to, only }: Asked<"rollback">,
  use: Preparing,
): Promise<PlannedAction | Idle> {
  const labels = Object.entries(only ?? {}).flatMap(([label, value]) => [`--${label}`, value]);
  return await reverting({ to: to.ref, ...(only === undefined ? {} : { only }) }, use, {
    verb: ["cambium rollback", to.ref, ...labels].join(" "),
    question: "Go back?",
  });
}

export async function revertAction(
  request: Asked<"take-back">,
  use: Preparing,
): Promise<PlannedAction | Idle> {
  const { agent, topic, period } = request;
  const { context, space } = use;
  const now = context.io.now();
  const only = await revertedScope(space, request, context.branch);
  const options = [
    ["--by", agent],
    ["--since", isoOf(period?.since)],
    ["--until", isoOf(period?.until)],
    ...(only.ids ?? []).map((id) => ["--id", shortId(id)]),
  ].flatMap(([option, value]) => (option === undefined || value === undefined ? [] : [option, value]));
  const about = topic === undefined ? "" : ` about "${oneLine(topic)}"`;
  const used = period === undefined ? undefined : periodOfDays(period);
  return await reverting({ only }, use, {
    verb: ["cambium rollback", ...options].join(" "),
    question: `Take back what ${agent ?? "everyone"} wrote${about}${period === undefined ? "" : " in that time"}?`,
    head: [
      `Of ${agent ?? "everyone"}${about}${period === undefined ? ", of all times" : ""}:`,
      ...(used === undefined ? [] : [periodLine(used, now)]),
    ],
    document: used === undefined ? {} : { period: periodUsed(used, now) },
  });
}

const isoOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();

interface Words {
  readonly verb: string;
  readonly question: string;
  /** What was understood, above what would happen. */
  readonly head?: readonly string[];
  readonly document?: object;
}

async function reverting(
  asked: RollbackOptions,
  use: Preparing,
  words: Words,
): Promise<PlannedAction | Idle> {
  const { agent, context } = use;
  const options = { ...asked, branch: context.branch };
  const preview = await agent.rollback({ ...options, preview: true });
  const head = words.head ?? [];
  const document = { ...preview, ...words.document };
  if (changesNothing(preview)) return idle([...head, nothingText(preview)].join("\n"), { preview: document });
  return {
    kind: "action",
    preview: document,
    shown: [...head, rollbackPreview(preview, context.style)].join("\n"),
    question: words.question,
    alwaysAsks: true,
    verb: `${words.verb}${there(context)} --yes`,
    act: async ({ agent: now }) => {
      const { heads: expect } = preview.from;
      const result = await now.rollback({ ...options, expect, signal: context.io.signal });
      return { result, text: rollbackText(result, context.style) };
    },
  };
}

/** Everything is hidden by one change, after a checkpoint that stays: so it is undone by one word. */
export async function freshAction({ branch }: Asked<"fresh">, use: Preparing): Promise<PlannedAction | Idle> {
  const { agent, space, context } = use;
  if (branch !== undefined) return emptyBranchAction(branch, use);
  const options = { branch: context.branch, to: BEFORE_EVERYTHING };
  const preview = await agent.rollback({ ...options, preview: true });
  if (changesNothing(preview)) return idle(`${onBranch(context)} is empty already.`, { preview });
  const backup = await freeCheckpointName("backup", space, context.io.now());
  const count = preview.counts.hidden;
  return {
    kind: "action",
    preview: { checkpoint: backup, ...preview },
    shown: `${hiddenText(preview, use)}\n\nBefore that it would make the checkpoint ${backup}, which stays until you delete it.`,
    question: `Start fresh, without ${count === 1 ? "this memory" : `these ${count} memories`}?`,
    alwaysAsks: true,
    verb: `cambium rollback ${BEFORE_EVERYTHING}${there(context)} --yes`,
    act: async ({ agent: now }) => {
      const { heads: expect } = preview.from;
      const checkpoint = await now.checkpoints.create({ name: backup, branch: context.branch });
      const result = await now.rollback({ ...options, expect, signal: context.io.signal });
      const text = [
        `Started fresh on ${onBranch(context)}: ${count} ${count === 1 ? "memory" : "memories"} forgotten.`,
        `To have everything back: cambium ask "go back to checkpoint ${backup}", or cambium undo`,
      ].join("\n");
      return { result: { checkpoint, ...result }, text };
    },
  };
}

function hiddenText({ deleted }: RollbackResult, { context }: Preparing): string {
  const first = { created: [], changed: [], conflicts: [], deleted: deleted.slice(0, MEMORIES_QUOTED) };
  const more = deleted.length - first.deleted.length;
  return [
    `Would start fresh on ${onBranch(context)}: ${deleted.length} forgotten`,
    changesText(first, context.style),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join("\n\n");
}

function emptyBranchAction(name: string, { context }: Preparing): PlannedAction {
  const from = `${onBranch(context)}@${BEFORE_EVERYTHING}`;
  return {
    kind: "action",
    preview: { name, from },
    shown: `Would make the empty branch ${oneLine(name)}; ${onBranch(context)} stays as it is.`,
    question: "Make it?",
    alwaysAsks: false,
    verb: `cambium branch ${name} --from ${from}`,
    act: async ({ agent }) => {
      const made = await agent.branches.create(name, { from });
      const shown = oneLine(made.name);
      return {
        result: made,
        text: `Made the empty branch ${shown}\nWrite on it with --branch ${shown}, or CAMBIUM_BRANCH=${shown}.`,
      };
    },
  };
}
