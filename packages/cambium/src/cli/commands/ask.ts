import type { ChatModel } from "@cambium/client/host";
import { omitUndefined, oneLine } from "@cambium/core/text";
import { HELP } from "../../ask/answers.js";
import { EXAMPLES } from "../../ask/examples.js";
import { guarded, understandGuarded } from "../../ask/guards.js";
import type { Intent, NotUnderstood, Understood } from "../../ask/intent.js";
import { intentByModel } from "../../ask/model-intent.js";
import { commandsOf } from "../../ask/plans/commands.js";
import type { Idle, Plan, Reading } from "../../ask/plans/plan.js";
import { planFor } from "../../ask/plans/plan-for.js";
import { ofTheMemory, withWordsAround, wordsAlone } from "../../ask/plans/words-searched.js";
import { surroundingsOf } from "../../ask/surroundings.js";
import { branchTarget } from "../../ask/targets.js";
import { type Answer, NOT_FOUND_EXIT } from "../answer.js";
import { carryOut, type Mode } from "../asking/carry-out.js";
import { notUnderstoodAnswer } from "../asking/not-understood.js";
import { readingAnswer } from "../asking/readings.js";
import type { CommandDefinition } from "../command.js";
import type { Context, SpaceUse } from "../context.js";
import type { OptionTable } from "../option-table.js";
import { authorOption, secretOption } from "../options.js";
import { readText } from "../read-text.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  secretOption(authorOption(command)).option("--preview", "show what would happen; write nothing");

export const ask: CommandDefinition<typeof options, [words: readonly string[]]> = {
  about:
    "Ask in plain English for everyday tasks, without a model. Shows what it would do and asks first. --yes skips the question unless something would be hidden",
  examples: [
    "cambium ask what did you know about the budget last month",
    'cambium ask "actually, the release day is Friday"',
    'cambium ask "go back to how things were in January" --preview',
    "cambium ask merge my work memories back in --yes",
    "cambium ask help",
  ],
  options,
  act: async (context, [words], { preview: dryRun = false, yes = false, allowSecret = false }) => {
    const sentence = words.length === 1 ? await readText(words[0] ?? "", context.io) : words.join(" ");
    if (!/[\p{L}\p{N}]/u.test(sentence))
      throw new UsageError(
        "Nothing was asked.",
        'Type a request: cambium ask "what do you know about tea?". All that can be asked: cambium ask help',
      );
    // Someone without a space may ask what can be asked.
    const alone = await understandGuarded(sentence, { now: context.io.now(), branches: [], checkpoints: [] });
    if (alone.understood && alone.request.operation === "help" && alone.request.about === undefined) {
      const { document: result, lines } = HELP;
      return await context.answer({ understood: true, operation: "help", result }, () => lines.join("\n"));
    }
    const read = await context.withSpace((use) => readAndPlan(sentence, use, context));
    if (!("plan" in read)) return await notUnderstoodAnswer(sentence, read, context);
    const mode = { yes, allowSecret };
    const all: Answer[] = [];
    for (const one of [read, ...read.others])
      all.push(await answerTo(one, { dryRun: dryRun || one.isPreview, ...mode }, context));
    const [first, ...others] = all;
    if (first === undefined || others.length === 0) return first as Answer;
    return {
      document: { ...(first.document as object), others: others.map(({ document }) => document) },
      text: all.map(({ text }) => text.trimEnd()).join(`\n\n${BETWEEN}\n\n`),
      exit: first.exit,
    };
  },
};

interface Planned {
  readonly request: Intent;
  readonly plan: Plan | Idle | Reading;
  /** The model that read it. */
  readonly by: string | undefined;
  /** As the sentence says. */
  readonly branch: string | undefined;
  readonly isPreview: boolean;
  /** What was said around it. */
  readonly leftOut: readonly string[];
  /** All that is searched for. */
  readonly readAs: string | undefined;
  /** Asked in the same sentence. */
  readonly others: readonly Planned[];
}

async function readAndPlan(
  sentence: string,
  use: SpaceUse,
  context: Context,
): Promise<Planned | NotUnderstood> {
  const { signal, now: clock } = context.io;
  const now = clock();
  const around = await surroundingsOf(use.space, now);
  const found = await understandGuarded(sentence, around);
  const model = found.understood ? undefined : await modelFor(found, context);
  const chosen = model && (await intentByModel(sentence, around, { model, signal }));
  if (found.understood)
    return await planned(await ofTheMemory(found, sentence, around), sentence, use, context);
  if (chosen === undefined) {
    const alone = await wordsAlone(sentence, found, {
      around,
      space: use.space,
      branch: context.branch ?? "main",
    });
    return alone === undefined ? found : await planned(alone, sentence, use, context);
  }
  const allowed = guarded(sentence, chosen);
  return allowed.understood
    ? { ...(await planned(allowed, sentence, use, context)), by: model?.model }
    : allowed;
}

async function planned(
  read: Understood,
  sentence: string,
  use: SpaceUse,
  context: Context,
): Promise<Planned> {
  const { signal, now: clock } = context.io;
  const branch = read.branch === undefined ? undefined : await branchTarget(read.branch, use.space);
  const where = branch ?? context.branch ?? "main";
  const found = await withWordsAround(read, sentence, { space: use.space, branch: where });
  const { request, isPreview = false, leftOut = [], readAs } = found;
  const plan = await planFor(request, { ...use, branch: where, now: clock(), signal });
  const others: Planned[] = [];
  for (const other of found.others ?? []) others.push(await planned(other, "", use, context));
  return { request, plan, by: undefined, branch, isPreview, leftOut, readAs, others };
}

/** None unless a person named one, and none for a request whose words were read and do not fit together. */
async function modelFor({ isFinal }: NotUnderstood, { io }: Context): Promise<ChatModel | undefined> {
  if (isFinal || io.env.CAMBIUM_ASK_URL === undefined) return undefined;
  const { chatModelFromEnvironment } = await import("@cambium/client/host");
  return chatModelFromEnvironment(io.env);
}

/** Of two questions, the answers are told apart. */
const BETWEEN = "—";

async function answerTo(
  { request, plan, by, branch, leftOut, readAs }: Planned,
  mode: Mode,
  asked: Context,
): Promise<Answer> {
  const { operation } = request;
  const context = branch === undefined ? asked : asked.onBranch(branch);
  const understood = {
    understood: true,
    operation,
    request,
    ...omitUndefined({ branch }),
    ...(by === undefined ? {} : { understoodBy: by }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...omitUndefined({ readAs }),
  };
  const does = EXAMPLES.find((one) => one.operation === operation)?.does ?? operation;
  const byLine = by === undefined ? "" : `Read by the model ${oneLine(by)} as: ${does}.\n`;
  const left = leftOut.map((part) => `“${oneLine(part)}”`).join(", ");
  const readLine = [
    byLine,
    ...(leftOut.length === 0 ? [] : [`Left out of the request: ${left}.\n`]),
    ...(readAs === undefined ? [] : [`Read as a search for: ${oneLine(readAs)}\n`]),
  ].join("");
  switch (plan.kind) {
    case "plan":
      return await carryOut({ ...plan, would: `${readLine}${plan.would}` }, mode, understood, context);
    case "idle":
      return await context.answer(
        { ...understood, preview: plan.preview },
        () => `${readLine}${idleText(plan, branch ?? asked.branch)}`,
        plan.isNotFound ? NOT_FOUND_EXIT : 0,
      );
    case "reading": {
      const { document: result, text, exit } = await readingAnswer(plan, context);
      return { document: { ...understood, result }, text: context.json ? "" : `${readLine}${text}`, exit };
    }
  }
}

function idleText({ why, look }: Idle, branch = "main"): string {
  return look === undefined ? why : `${why} See \`${commandsOf(look, { branch }).join("")}\`.`;
}
