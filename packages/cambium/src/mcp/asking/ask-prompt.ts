/**
 * The prompt `ask`: a sentence of everyday use, understood without a model; what it would do, and what does it.
 * It writes nothing. Loaded when it is first asked for.
 *
 * @module
 */

import type { Agent, Space } from "@cambium/client";
import { CambiumError } from "@cambium/core/errors";
import { safeText } from "@cambium/core/text";
import { exampleGroups } from "../../ask/example-groups.js";
import { EXAMPLES } from "../../ask/examples.js";
import type { Intent, NotUnderstood } from "../../ask/intent.js";
import { surroundingsOf } from "../../ask/surroundings.js";
import { understand } from "../../ask/understand.js";
import { framed } from "../data-frame.js";
import { failureText } from "../failure.js";
import type { Serving } from "../serving.js";
import { one, shownValue } from "../shown-memory.js";
import type { Tool } from "../tool.js";
import { LEAN_TOOLS } from "../tool-sets.js";
import { correctPlan, forgetPlan, rememberPlan, restorePlan } from "./memory-plans.js";
import { commandLine, type Plan, type Planning, type Step } from "./plan.js";
import { readingPlan } from "./readings.js";
import {
  branchPlan,
  checkpointPlan,
  deleteBranchPlan,
  freshPlan,
  mergePlan,
  renameBranchPlan,
  revertPlan,
  rollbackPlan,
  undoPlan,
} from "./state-plans.js";

const MAIN = "main";

interface Asked {
  readonly request: string;
  readonly branch?: string | undefined;
}

export async function askPrompt(serving: Serving, { request: written, branch }: Asked): Promise<string> {
  // Where there is no space at all, none is made for a look.
  const space = await serving.usualSpace();
  const now = serving.now();
  const around =
    space === undefined ? { now, branches: [], checkpoints: [] } : await surroundingsOf(space, now);
  const found = await understand(written, around);
  const asked = `I asked of our memory: ${one(shownValue(written, 300))}.`;
  if (!found.understood) return [asked, ...notUnderstood(found)].join("\n\n");
  const { request } = found;
  if (request.operation === "help")
    return [`${asked} Tell me what can be asked so, without a model:`, ...exampleGroups()].join("\n\n");
  const does = EXAMPLES.find(({ operation }) => operation === request.operation)?.does ?? "";
  const understood = `${asked} Cambium read it, without a model, as “${request.operation}”: this ${does}.`;
  const tools = await servedTools(serving);
  const summary = await planFor(request, { serving, space, branch }).then(
    (plan) => planText(plan, new Set(tools.map(({ name }) => name))),
    (error: unknown) => [`It cannot be done so; tell me why, and ask what I mean. ${failureText(error)}`],
  );
  return [understood, ...summary].join("\n\n");
}

/** The official set has no prompts. */
async function servedTools({ settings }: Serving): Promise<readonly Tool[]> {
  return settings.tools === "full" ? await allTools() : LEAN_TOOLS;
}

const allTools = async (): Promise<readonly Tool[]> => [
  ...LEAN_TOOLS,
  ...(await import("../full-tools.js")).FULL_TOOLS,
];

function notUnderstood({ why, near = [] }: NotUnderstood): readonly string[] {
  return [
    [
      "Cambium, which reads it without a model, did not understand this as something to do. Nothing was done.",
      ...(why === undefined ? [] : [safeText(why)]),
      ...(near.length === 0 ? [] : [`Near to it: ${near.map(({ example }) => `“${example}”`).join(", ")}`]),
    ].join("\n"),
    "If you understand it, do it with your tools, and ask me first where it takes something out of sight; else tell me. Asked for help, it lists what it understands.",
  ];
}

function planText(
  { would, data, asks, steps, isAnswered = false }: Plan,
  served: ReadonlySet<string>,
): readonly string[] {
  if (steps.length === 0) return [would, ...(data === undefined ? [] : [framed(data)]), "Tell me so."];
  const first =
    asks === "which"
      ? "Nothing is written yet. Show me these and ask me which one I mean. Only then:"
      : asks === "before"
        ? "Nothing is written yet. Show me this and ask me first. Only when I agree:"
        : isAnswered
          ? "If you need to read more:"
          : "Nothing is written yet. To do it:";
  return [
    would,
    ...(data === undefined ? [] : [framed(data)]),
    [first, ...steps.map((step) => stepLine(step, served))].join("\n"),
  ];
}

function stepLine({ tool, args, command }: Step, served: ReadonlySet<string>): string {
  if (tool !== undefined && served.has(tool)) return `- call the tool ${tool} with ${exactJson(args)}`;
  return `- no tool served here does it; this command does: ${safeText(command)}`;
}

/** Safe to show, and still the same value. */
function exactJson(value: unknown): string {
  const json = JSON.stringify(value);
  return safeText(json) === json ? json : json.replace(/[^\x20-\x7e]/g, escaped);
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

interface Where {
  readonly serving: Serving;
  readonly space: Space | undefined;
  readonly branch: string | undefined;
}

async function planFor(request: Intent, { serving, space, branch: named }: Where): Promise<Plan> {
  if (space === undefined) return withoutSpace(request);
  const branch = named ?? (await branchToRead(serving, space));
  const planning = planningIn({ serving, space, branch, named });
  return (await readingPlan(request, planning)) ?? (await writingPlan(request, planning));
}

function withoutSpace(request: Intent): Plan {
  if (request.operation !== "remember")
    return { would: "There is no memory yet, so there is nothing to do it with.", steps: [] };
  const { content } = request;
  return {
    would: "It would make a space, for there is none yet, and remember this in it, word for word.",
    steps: [{ tool: "remember", args: { content }, command: commandLine(["remember", content]) }],
  };
}

interface Reading {
  readonly serving: Serving;
  readonly space: Space;
  readonly branch: string;
  /** As the person named it. */
  readonly named: string | undefined;
}

function planningIn({ serving, space, branch, named }: Reading): Planning {
  const { settings, session } = serving;
  const agentName = settings.agent ?? "mcp";
  const as = () => space.as({ agent: agentName, session, trigger: "mcp" });
  const signal = new AbortController().signal;
  const call = { ...{ space, branch, agentName, as, signal }, now: serving.now(), agreed: false };
  const inSpace = settings.space === undefined ? [] : ["--space", settings.space];
  return {
    ...{ space, branch, call },
    named: named === undefined ? {} : { branch },
    command: (words, { onBranch = true } = {}) =>
      commandLine([...words, ...(onBranch && branch !== MAIN ? ["--branch", branch] : []), ...inSpace]),
    read: async (name, args) => {
      const tool = (await allTools()).find((known) => known.name === name);
      if (tool === undefined) throw new Error(`There is no tool ${name}.`);
      const { text } = await tool.run(call, tool.input.parse(args) as never);
      // A cursor means nothing to who was given no answer of the tool.
      return text.replace(/: call again with cursor: \S+$/, ".");
    },
  };
}

async function writingPlan(request: Intent, planning: Planning): Promise<Plan> {
  switch (request.operation) {
    case "remember":
      return rememberPlan(request.content, planning);
    case "correct":
      return await correctPlan(request, planning);
    case "forget":
      return await forgetPlan(request, planning);
    case "restore":
      return await restorePlan(request, planning);
    case "undo":
      return await undoPlan(request, planning);
    case "checkpoint":
      return await checkpointPlan(request, planning);
    case "rollback":
      return await rollbackPlan(request, planning);
    case "take-back":
      return await revertPlan(request, planning);
    case "fresh":
      return await freshPlan(request, planning);
    case "merge":
      return await mergePlan(request, planning);
    case "branch":
      return branchPlan(request, planning);
    case "delete-branch":
      return await deleteBranchPlan(request, planning);
    case "rename-branch":
      return await renameBranchPlan(request, planning);
    default:
      throw new Error(`Nothing does ${request.operation}.`);
  }
}

/** The usual branch; one that a call would make first is not made here, and read where it would begin. */
async function branchToRead({ settings }: Serving, space: Space): Promise<string> {
  const { branch = MAIN } = settings;
  if (typeof branch === "string") return branch;
  const create = () => Promise.reject(new CambiumError("BRANCH_EXISTS", "Nothing is made for a look."));
  const name = (await branch({ space, agent: { branches: { create } } as unknown as Agent })) ?? MAIN;
  return (await space.branches.list()).some((known) => known.name === name) ? name : MAIN;
}
