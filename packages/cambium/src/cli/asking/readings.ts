/**
 * Requests that only read: each is answered by the verb that people use for it.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { omitUndefined, oneLine, shortId } from "@cambium/core/text";
import { type Asking, answerOf, memoryAbout, sinceThen } from "../../ask/answers.js";
import type { Intent, ParsedPeriod } from "../../ask/intent.js";
import { periodLine, periodOfDays, periodUsed } from "../../ask/period-used.js";
import { branchTarget } from "../../ask/targets.js";
import type { Answer } from "../answer.js";
import { blame } from "../commands/blame.js";
import { branches } from "../commands/branches.js";
import { checkpoints } from "../commands/checkpoints.js";
import { conflicts } from "../commands/conflicts.js";
import { diff } from "../commands/diff.js";
import { evolution } from "../commands/evolution.js";
import { history } from "../commands/history.js";
import { list } from "../commands/list.js";
import { recall } from "../commands/recall.js";
import { show } from "../commands/show.js";
import { status } from "../commands/status.js";
import type { Context } from "../context.js";
import { howToUse } from "./branch-actions.js";
import { helpAnswer } from "./help.js";
import { onBranch, type Preparing } from "./planned-action.js";

/** Answers once the space is closed again, because each verb opens it by itself. */
export type Reading = () => Promise<Answer>;

/** @returns undefined for what writes */
export async function readingFor(request: Intent, use: Preparing): Promise<Reading | undefined> {
  const { context } = use;
  switch (request.operation) {
    case "recall": {
      const { query, at } = request;
      const read = () => recall.act(context, [[query]], { priors: true, ...omitUndefined({ at: at?.ref }) });
      return at === undefined ? read : await thenAndSince(read, { query, at: at.ref }, use);
    }
    case "list": {
      const { category, tag, at } = request;
      const read = () => list.act(context, [], omitUndefined({ category, tag, at: at?.ref }));
      const isAll = category === undefined && tag === undefined;
      return at === undefined || !isAll ? read : await thenAndSince(read, { at: at.ref }, use);
    }
    case "before-correction": {
      const [memory] = await memoryAbout(request.topic, askingIn(use));
      return () => show.act(context, [memory.id], { beforeCorrection: true });
    }
    case "difference": {
      const [from, to] = [
        await branchTarget(request.from, use.space),
        await branchTarget(request.to, use.space),
      ];
      return () => diff.act(context, [from, to], {});
    }
    case "evolution": {
      const { topic, from } = request;
      if (topic === undefined) break;
      return () => evolution.act(context, [[topic]], omitUndefined({ from }));
    }
    case "blame":
    case "history":
      return await versionsReading(request.operation, request.topic, use);
    case "changes":
      return () => changesSince(request.period, context);
    case "checkpoints":
      return () => checkpoints.act(context, [], {});
    case "branches":
      return () => branches.act(context, [], {});
    case "conflicts":
      return () => conflicts.act(context, [], {});
    case "status":
      return () => status.act(context, [], {});
    case "use-branch":
      return () => useBranch(request, context);
    case "help":
      return () => helpAnswer(context);
    default:
      break;
  }
  const answer = await answerOf(request, askingIn(use));
  return answer && (() => context.answer(answer.document, () => answer.lines.join("\n")));
}

const askingIn = ({ space, context }: Preparing): Asking => ({
  space,
  branch: context.branch,
  now: context.io.now(),
});

/** What was known then, and what came of it. */
async function thenAndSince(
  read: Reading,
  then: { readonly query?: string; readonly at: string },
  use: Preparing,
): Promise<Reading> {
  const { context } = use;
  const since = await sinceThen(then, askingIn(use));
  return async () => {
    const { document, text, exit } = await read();
    const isEmpty = (document as { memories?: readonly unknown[] }).memories?.length === 0;
    const parts = [`As of ${then.at}:`, ...(isEmpty ? [] : [text]), since.lines.join("\n")];
    return await context.answer({ ...(document as object), ...since.document }, () => parts.join("\n"), exit);
  };
}

async function changesSince({ said, from, to, interval }: ParsedPeriod, context: Context): Promise<Answer> {
  const branch = onBranch(context);
  const until = to === undefined ? branch : `${branch}@${to}`;
  const { document, text, exit } = await diff.act(context, [`${branch}@${from}`, until], {});
  if (interval === undefined) return { document, text, exit };
  const now = context.io.now();
  const used = periodOfDays({ said, ...interval });
  const named = { ...(document as object), period: periodUsed(used, now) };
  return await context.answer(named, () => [periodLine(used, now), text].join("\n"), exit);
}

/** The story of the memory that fits best, with a word about the others that could be meant. */
async function versionsReading(verb: "blame" | "history", topic: string, use: Preparing): Promise<Reading> {
  const { context } = use;
  const [memory, ...others] = await memoryAbout(topic, askingIn(use));
  return async () => {
    const outcome =
      verb === "blame"
        ? await blame.act(context, [memory.id], {})
        : await history.act(context, [memory.id], {});
    const document = { memory, ...(outcome.document as object), others: others.map(({ id }) => id) };
    const head = context.style.colors.bold(`${shortId(memory.id)}  ${oneLine(memory.content)}`);
    return await context.answer(
      document,
      () => [head, outcome.text, ...alsoText(others, verb)].join("\n\n"),
      outcome.exit,
    );
  };
}

function alsoText(others: readonly Memory[], verb: string): readonly string[] {
  if (others.length === 0) return [];
  const lines = others
    .slice(0, 5)
    .map(({ id, content }) => `  cambium ${verb} ${shortId(id)}  ${oneLine(content)}`);
  return [["These can be meant, too:", ...lines].join("\n")];
}

async function useBranch(
  { branch: { said: written, matches } }: Extract<Intent, { operation: "use-branch" }>,
  context: Context,
): Promise<Answer> {
  const switching =
    "There is no switching: every call says which branch it means, so that programs do not move each other.";
  const known = matches.map(howToUse);
  const make = `No branch is called ${oneLine(written)}. Make it with: cambium branch ${oneLine(written)}`;
  return await context.answer({ branches: matches }, () =>
    [switching, ...(known.length === 0 ? [make] : known)].join("\n"),
  );
}
