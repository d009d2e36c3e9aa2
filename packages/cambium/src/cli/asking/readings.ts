/**
 * Requests that only read: each is answered by the verb that people use for it.
 *
 * @module
 */
import { CambiumError, type Memory } from "@cambium/core";
import { omitUndefined, oneLine, shortId } from "@cambium/core/text";
import { findMemories } from "../../ask/find-memories.js";
import type { Intent, ParsedPeriod } from "../../ask/intent.js";
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
      return () => recall.act(context, [[query]], { priors: true, ...omitUndefined({ at: at?.ref }) });
    }
    case "list": {
      const { category, tag, at } = request;
      return () => list.act(context, [], omitUndefined({ category, tag, at: at?.ref }));
    }
    case "evolution": {
      const { topic, from } = request;
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
      return undefined;
  }
}

async function changesSince({ from, to }: ParsedPeriod, context: Context): Promise<Answer> {
  const branch = onBranch(context);
  const until = to === undefined ? branch : `${branch}@${to}`;
  return await diff.act(context, [`${branch}@${from}`, until], {});
}

/** The story of the memory that fits best, with a word about the others that could be meant. */
async function versionsReading(verb: "blame" | "history", topic: string, use: Preparing): Promise<Reading> {
  const { space, context } = use;
  const found = await findMemories(space, topic, { branch: context.branch });
  const [memory, ...others] = found;
  if (memory === undefined)
    throw new CambiumError("MEMORY_NOT_FOUND", `No memory speaks of "${oneLine(topic)}".`, {
      hint: "Try other words, or look with `cambium list`.",
    });
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
