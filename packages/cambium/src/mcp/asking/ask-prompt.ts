/**
 * The prompt `ask`: a sentence of everyday use, understood without a model; what it would do, and what does it.
 * It writes nothing. Loaded when it is first asked for.
 *
 * @module
 */

import type { Agent, Space } from "@cambium/client";
import { CambiumError } from "@cambium/core/errors";
import { safeText } from "@cambium/core/text";
import { HELP } from "../../ask/answers.js";
import { EXAMPLES } from "../../ask/examples.js";
import { understandGuarded } from "../../ask/guards.js";
import type { Intent, NotUnderstood, Understood } from "../../ask/intent.js";
import { periodLine } from "../../ask/period-used.js";
import type { Idle, Look, Plan, Reading } from "../../ask/plans/plan.js";
import { planFor } from "../../ask/plans/plan-for.js";
import { ofTheMemory, withWordsAround, wordsAlone } from "../../ask/plans/words-searched.js";
import { surroundingsOf } from "../../ask/surroundings.js";
import { branchTarget } from "../../ask/targets.js";
import { framed } from "../data-frame.js";
import { failureText } from "../failure.js";
import { openConflicts } from "../open-conflicts.js";
import { USUAL_BYTES } from "../schemas.js";
import type { Serving } from "../serving.js";
import { one, shownLabel, shownValue } from "../shown-memory.js";
import type { Tool, ToolContext } from "../tool.js";
import { LEAN_TOOLS } from "../tool-sets.js";
import { argsOf, type Calling, callLines } from "./calls.js";
import { actionOf, describe, describeMemories } from "./plan-text.js";

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
  const read = await understandGuarded(written, around);
  const alone =
    read.understood || space === undefined
      ? undefined
      : await wordsAlone(written, read, { around, space, branch: branch ?? "main" });
  const found = alone ?? (read.understood ? await ofTheMemory(read, written, around) : read);
  const asked = `I asked of our memory: ${one(shownValue(written, 300))}.`;
  if (!found.understood) return [asked, ...notUnderstood(found)].join("\n\n");
  if (found.request.operation === "help" && found.request.about === undefined)
    return [`${asked} Tell me what can be asked so, without a model:`, ...HELP.lines.slice(1)].join("\n");
  const parts: string[] = [];
  for (const [place, each] of [found, ...(found.others ?? [])].entries())
    parts.push(...(await partsOf(each, place === 0 ? written : "", { serving, space, branch })));
  const [first = "", ...others] = parts;
  return [`${asked} ${first}`, ...others].join("\n\n");
}

async function partsOf(
  read: Understood,
  sentence: string,
  { serving, space, branch }: Where,
): Promise<readonly string[]> {
  const named = read.branch === undefined ? undefined : space && (await branchTarget(read.branch, space));
  const target = named ?? branch;
  const found =
    space === undefined ? read : await withWordsAround(read, sentence, { space, branch: target ?? MAIN });
  const { request } = found;
  const does = EXAMPLES.find(({ operation }) => operation === request.operation)?.does ?? "";
  const understood = `Cambium read it, without a model, as “${request.operation}”: this ${does}.`;
  const summary = await partsFor(request, { serving, space, branch: target }).catch((error: unknown) => [
    `It cannot be done so; tell me why, and ask what I mean. ${failureText(error)}`,
  ]);
  const left = (found.leftOut ?? []).map((part) => one(shownValue(part, 300))).join(", ");
  const { readAs } = found;
  return [
    understood,
    ...(left === "" ? [] : [`Left out of the request: ${left}.`]),
    ...(readAs === undefined ? [] : [`It searches for: ${one(shownValue(readAs, 300))}.`]),
    ...summary,
  ];
}

/** The official set has no prompts. */
async function servedTools({ settings }: Serving): Promise<readonly Tool[]> {
  return settings.tools === "full" ? await allTools() : LEAN_TOOLS;
}

const allTools = async (): Promise<readonly Tool[]> => [
  ...LEAN_TOOLS,
  ...(await import("../full-tools.js")).FULL_TOOLS,
];

function notUnderstood({ why, near = [], commands = [] }: NotUnderstood): readonly string[] {
  return [
    [
      "Cambium, which reads it without a model, did not understand this as something to do. Nothing was done.",
      ...(why === undefined ? [] : [safeText(why)]),
      ...(near.length === 0 ? [] : [`Near to it: ${near.map(({ example }) => `“${example}”`).join(", ")}`]),
      ...(commands.length === 0
        ? []
        : [`Commands that only look: ${commands.map((line) => safeText(line)).join("; ")}`]),
    ].join("\n"),
    "If you understand it, do it with your tools, and ask me first where it takes something out of sight; else tell me. Asked for help, it lists what it understands.",
  ];
}

interface Where {
  readonly serving: Serving;
  readonly space: Space | undefined;
  readonly branch: string | undefined;
}

async function partsFor(
  request: Intent,
  { serving, space, branch: named }: Where,
): Promise<readonly string[]> {
  const { settings, session } = serving;
  const served = new Set((await servedTools(serving)).map(({ name }) => name));
  const options = settings.space === undefined ? [] : ["--space", settings.space];
  if (space === undefined)
    return request.operation === "remember"
      ? [
          "It would make a space, for there is none yet, and remember this in it, word for word.",
          [
            "Nothing is written yet. To do it:",
            ...callLines(
              { verb: "remember", content: request.content, ...request.fields },
              { served, named: {}, branch: MAIN, options },
            ),
          ].join("\n"),
        ]
      : ["There is no memory yet, so there is nothing to do it with.", TELL];
  const branch = named ?? (await branchToRead(serving, space));
  const agentName = settings.agent ?? "mcp";
  const as = () => space.as({ agent: agentName, session, trigger: "mcp" });
  const signal = new AbortController().signal;
  const now = serving.now();
  const call: ToolContext = { space, branch, agentName, as, signal, now, agreed: false };
  const plan = await planFor(request, { space, agent: as(), branch, now, signal });
  const calling = { served, named: named === undefined ? {} : { branch }, branch, options };
  switch (plan.kind) {
    case "plan":
      return await planParts(plan, space, calling);
    case "idle":
      return idleParts(plan, calling);
    case "reading":
      return await readingParts(plan, call, calling);
  }
}

const TELL = "Tell me so.";
const MORE = "If you need to read more:";

async function planParts(
  { would, note, shown, consent, actions, choice }: Plan,
  space: Space,
  calling: Calling,
): Promise<readonly string[]> {
  const what = await describe(shown, space);
  const ids = new Set(what.shown?.map(({ id }) => id));
  // The text differs with the memory that is corrected.
  const each = choice?.memories.filter(({ id }) => ids.has(id)).map(choice.action) ?? [];
  const isEach = each[0]?.verb === "revise";
  const first =
    choice !== undefined
      ? `Nothing is written yet. Show me these and ask me which one I mean${isEach ? "" : "; its id takes the place of <id>"}. Only then${isEach ? " one of" : ""}:`
      : consent === "implied"
        ? "Nothing is written yet. To do it:"
        : "Nothing is written yet. Show me this and ask me first. Only when I agree:";
  const sentence = [`${safe(would)}${what.after ?? ""}.`, ...(note === undefined ? [] : [note])].join(" ");
  const lines = (isEach ? each : actions).flatMap((action) => callLines(actionOf(action, what), calling));
  return [sentence, ...(what.data === undefined ? [] : [framed(what.data)]), [first, ...lines].join("\n")];
}

function idleParts({ why, memories, look }: Idle, calling: Calling): readonly string[] {
  return [
    `${safe(why)} There is nothing to do.`,
    ...(memories === undefined ? [] : [framed(describeMemories(memories).data ?? "")]),
    look === undefined ? TELL : [MORE, ...callLines(look, calling)].join("\n"),
  ];
}

const READS = "It only reads. This is what it found; answer me from it.";

async function readingParts(
  { look, answer, memories: [memory, ...others] = [], period }: Reading,
  call: ToolContext,
  calling: Calling,
): Promise<readonly string[]> {
  if (look === undefined) return [READS, framed((answer?.lines ?? []).join("\n")), TELL];
  if (look.verb === "conflicts") return await conflictParts(call, calling);
  const also = others.slice(0, 5).map(({ id }) => id);
  const heads = [
    READS,
    ...(period === undefined ? [] : [`${periodLine(period, call.now)}.`]),
    ...(memory === undefined ? [] : [`These are the versions of ${memory.id}, and who wrote each and why.`]),
    ...(also.length === 0 ? [] : [`These can be meant, too: ${also.join(", ")}.`]),
  ];
  // Of blame there is no tool: the history says who wrote what.
  const read: Look = look.verb === "blame" ? { ...look, verb: "history" } : look;
  const lines = [read, ...(read === look ? [] : [look])].flatMap((one) => callLines(one, calling));
  const data = [await textOf(read, call, calling), ...(answer?.lines ?? [])].join("\n");
  return [safe(heads.join(" ")), framed(data), [MORE, ...lines].join("\n")];
}

/** The text of a tool that reads. */
async function textOf(look: Look, call: ToolContext, calling: Calling): Promise<string> {
  const { tool: name, args } = argsOf(look, calling) ?? {};
  const tool = (await allTools()).find((known) => known.name === name);
  if (tool === undefined) throw new Error(`There is no tool for ${look.verb}.`);
  const { text } = await tool.run(call, tool.input.parse(args) as never);
  // A cursor means nothing to who was given no answer of the tool.
  return text.replace(/: call again with cursor: \S+$/, ".");
}

async function conflictParts({ space, branch }: ToolContext, calling: Calling): Promise<readonly string[]> {
  const { total, text } = await openConflicts(space, branch, USUAL_BYTES);
  const where = shownLabel(branch);
  if (total === 0) return [`It only reads: there are no open conflicts on ${where}.`, TELL];
  return [
    `It only reads: ${total} ${total === 1 ? "conflict is" : "conflicts are"} open on ${where}. Explain both sides to me, and ask which shall stay. To decide one, take the tool resolve where it is served, else the command cambium resolve.`,
    framed(text),
    [MORE, ...callLines({ verb: "conflicts" }, calling)].join("\n"),
  ];
}

/** Names and words of the request in a sentence of ours: harmless, and no marks of data. */
const safe = (text: string): string => safeText(text).replace(/<(?=\s*\/?\s*(?:data|memory)\b)/gi, "‹");

/** The usual branch; one that a call would make first is not made here, and read where it would begin. */
async function branchToRead({ settings }: Serving, space: Space): Promise<string> {
  const { branch = MAIN } = settings;
  if (typeof branch === "string") return branch;
  const create = () => Promise.reject(new CambiumError("BRANCH_EXISTS", "Nothing is made for a look."));
  const name = (await branch({ space, agent: { branches: { create } } as unknown as Agent })) ?? MAIN;
  return (await space.branches.list()).some((known) => known.name === name) ? name : MAIN;
}
