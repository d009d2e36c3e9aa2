/**
 * Requests that only read: each is answered by the verb that people use for it.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { omitUndefined, oneLine, shortId } from "@cambium/core/text";
import { periodLine, periodUsed, refText } from "../../ask/period-used.js";
import type { Look, Reading } from "../../ask/plans/plan.js";
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

function lookAt(look: Look, context: Context): Promise<Answer> {
  switch (look.verb) {
    case "recall":
      return recall.act(context, [[look.query]], {
        priors: true,
        spelling: true,
        ...look,
        ...writtenBy(look),
      });
    case "list":
      return list.act(context, [], { ...look, ...writtenBy(look) });
    case "evolution":
      return evolution.act(context, [[look.query]], omitUndefined({ since: look.from }));
    case "diff":
      return diff.act(context, [look.from, look.to], {});
    case "history":
      return history.act(context, [look.id], {});
    case "blame":
      return blame.act(context, [look.id], {});
    case "before-correction":
      return show.act(context, [look.id], { beforeCorrection: true });
    case "checkpoints":
      return checkpoints.act(context, [], {});
    case "branches":
      return branches.act(context, [], {});
    case "conflicts":
      return conflicts.act(context, [], {});
    case "status":
      return status.act(context, [], {});
  }
}

/** Of the verbs, `--agent` says who asks. */
const writtenBy = ({ agent }: { readonly agent?: string }) => (agent === undefined ? {} : { by: [agent] });

/** Once the space is closed again, because each verb opens it by itself. */
export async function readingAnswer(reading: Reading, context: Context): Promise<Answer> {
  const { look, answer, period, memories } = reading;
  if (look === undefined)
    return await context.answer(answer?.document, () => (answer?.lines ?? []).join("\n"));
  const { document, text, exit } = await lookAt(look, context);
  const now = context.io.now();
  const [memory, ...others] = memories ?? [];
  const whole = {
    ...(memory === undefined ? {} : { memory }),
    ...(document as object),
    ...(memory === undefined ? {} : { others: others.map(({ id }) => id) }),
    ...answer?.document,
    ...(period === undefined ? {} : { period: periodUsed(period, now) }),
  };
  const isEmpty = (document as { memories?: readonly unknown[] }).memories?.length === 0;
  const then =
    "at" in look && look.at !== undefined && answer !== undefined ? [`As of ${refText(look.at)}:`] : [];
  return await context.answer(
    whole,
    () =>
      [
        ...(period === undefined ? [] : [periodLine(period, now)]),
        ...(memory === undefined ? [] : [headOf(memory, context)]),
        ...then,
        ...(isEmpty && then.length > 0 ? [] : [text]),
        ...(answer?.lines ?? []),
        ...alsoText(others, look.verb),
      ].join("\n"),
    exit,
  );
}

const headOf = ({ id, content }: Memory, { style }: Context): string =>
  `${style.colors.bold(`${shortId(id)}  ${oneLine(content)}`)}\n`;

function alsoText(others: readonly Memory[], verb: string): readonly string[] {
  if (others.length === 0) return [];
  const lines = others
    .slice(0, 5)
    .map(
      ({ id, content }) =>
        `  cambium ${verb === "blame" ? verb : "history"} ${shortId(id)}  ${oneLine(content)}`,
    );
  return ["\nThese can be meant, too:", ...lines];
}
