/**
 * Requests that only read: answered at once, by the tools that read.
 *
 * @module
 */

import { omitUndefined } from "@cambium/core/text";
import { type Asking, answerOf, sinceThen } from "../../ask/answers.js";
import { findMemories } from "../../ask/find-memories.js";
import type { Intent } from "../../ask/intent.js";
import { branchTarget } from "../../ask/targets.js";
import { openConflicts } from "../open-conflicts.js";
import { USUAL_BYTES } from "../schemas.js";
import { one, shownLabel } from "../shown-memory.js";
import { nothingFound } from "./memory-plans.js";
import type { Plan, Planning, Step } from "./plan.js";

/** @returns undefined for what writes */
export async function readingPlan(request: Intent, planning: Planning): Promise<Plan | undefined> {
  const step = stepFor(request, planning);
  if (step !== undefined) return await withSince(await answered(step, planning), request, planning);
  switch (request.operation) {
    case "blame":
    case "history":
      return await versionsPlan(request.operation, request.topic, planning);
    case "conflicts":
      return await conflictsPlan(planning);
    case "use-branch":
      return useBranchPlan(request.branch, planning);
    case "before-correction":
      return await versionsPlan("history", request.topic, planning);
    case "difference":
      return await differencePlan(request, planning);
    default: {
      const answer = await answerOf(request, askingIn(planning));
      return (
        answer && {
          would: "It only reads. This is what it found; answer me from it.",
          data: answer.lines.join("\n"),
          steps: [],
        }
      );
    }
  }
}

const askingIn = ({ space, branch, call }: Planning): Asking => ({ space, branch, now: call.now });

async function differencePlan(
  { from, to }: Extract<Intent, { operation: "difference" }>,
  planning: Planning,
): Promise<Plan> {
  const { space, command } = planning;
  const [source, target] = [await branchTarget(from, space), await branchTarget(to, space)];
  const words = command(["diff", source, target], { onBranch: false });
  return await answered({ tool: "diff", args: { from: source, to: target }, command: words }, planning);
}

/** Of a state of the past, what came of it belongs to the answer. */
async function withSince(plan: Plan, request: Intent, planning: Planning): Promise<Plan> {
  if (request.operation !== "recall" && request.operation !== "list") return plan;
  const isPart = request.operation === "list" && (request.category ?? request.tag) !== undefined;
  if (request.at === undefined || isPart) return plan;
  const query = request.operation === "recall" ? request.query : undefined;
  const { lines } = await sinceThen({ at: request.at.ref, ...omitUndefined({ query }) }, askingIn(planning));
  return { ...plan, data: [plan.data, ...lines].join("\n") };
}

async function answered(step: Required<Step>, { read }: Planning): Promise<Plan> {
  const data = await read(step.tool, step.args);
  const would = "It only reads. This is what it found; answer me from it.";
  return { would, data, steps: [step], isAnswered: true };
}

/** What one tool answers by itself. */
function stepFor(request: Intent, { branch, named, command }: Planning): Required<Step> | undefined {
  switch (request.operation) {
    case "recall": {
      const { query, at } = request;
      const args = { query, ...omitUndefined({ at: at?.ref }), ...named };
      return { tool: "recall", args, command: command(["recall", query, ...option("--at", at?.ref)]) };
    }
    case "list": {
      const { category, tag, at } = request;
      const labels = [...option("--category", category), ...option("--tag", tag)];
      const args = { ...omitUndefined({ category, tag, at: at?.ref }), ...named };
      return { tool: "list", args, command: command(["list", ...labels, ...option("--at", at?.ref)]) };
    }
    case "evolution": {
      const { topic, from } = request;
      if (topic === undefined) return undefined;
      const args = { query: topic, ...omitUndefined({ from }), ...named };
      return { tool: "evolution", args, command: command(["evolution", topic, ...option("--from", from)]) };
    }
    case "changes": {
      const { from: since, to } = request.period;
      const [from, until] = [`${branch}@${since}`, to === undefined ? branch : `${branch}@${to}`];
      const words = ["diff", from, until];
      return { tool: "diff", args: { from, to: until }, command: command(words, { onBranch: false }) };
    }
    case "checkpoints":
      return { tool: "checkpoint", args: {}, command: command(["checkpoints"], { onBranch: false }) };
    case "branches":
      return { tool: "branch", args: {}, command: command(["branches"], { onBranch: false }) };
    case "status":
      return { tool: "status", args: { ...named }, command: command(["status"]) };
    default:
      return undefined;
  }
}

const option = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [name, value];

/** The story of the memory that fits best, with a word about the others that could be meant. */
async function versionsPlan(verb: "blame" | "history", topic: string, planning: Planning): Promise<Plan> {
  const { space, branch, named, command, read } = planning;
  const [memory, ...others] = await findMemories(space, topic, { branch });
  if (memory === undefined) return nothingFound(topic, planning);
  const args = { id: memory.id, ...named };
  const also = others.slice(0, 5).map(({ id }) => id);
  const more = also.length === 0 ? "" : ` These can be meant, too: ${also.join(", ")}.`;
  return {
    would: `It only reads. These are the versions of ${memory.id}, and who wrote each and why; answer me from them.${more}`,
    data: await read("history", args),
    steps: [
      { tool: "history", args, command: command(["history", memory.id]) },
      ...(verb === "blame" ? [{ command: command(["blame", memory.id]) }] : []),
    ],
    isAnswered: true,
  };
}

async function conflictsPlan({ space, branch, command }: Planning): Promise<Plan> {
  const open = await openConflicts(space, branch, USUAL_BYTES);
  if (open.total === 0)
    return { would: `It only reads: there are no open conflicts on ${shownLabel(branch)}.`, steps: [] };
  return {
    would: `It only reads: ${open.total} ${open.total === 1 ? "conflict is" : "conflicts are"} open on ${shownLabel(branch)}. Explain both sides to me, and ask which shall stay. To decide one, take the tool resolve where it is served, else the command cambium resolve.`,
    data: open.text,
    steps: [{ command: command(["conflicts"]) }],
    isAnswered: true,
  };
}

function useBranchPlan(
  { said: written, matches }: Extract<Intent, { operation: "use-branch" }>["branch"],
  { branch, command }: Planning,
): Plan {
  const switching = "There is no switching: every call says which branch it means.";
  if (matches.length > 0)
    return {
      would: `${switching} From now on pass ${matches.map((name) => JSON.stringify({ branch: name }).slice(1, -1)).join(" or ")} to every call.`,
      steps: [],
    };
  return {
    would: `${switching} No branch is called ${one(shownLabel(written))}; it would be made like this, if I want it.`,
    asks: "before",
    steps: [
      {
        tool: "branch",
        args: { action: "create", name: written, from: branch },
        command: command(["branch", written, "--from", branch], { onBranch: false }),
      },
    ],
  };
}
