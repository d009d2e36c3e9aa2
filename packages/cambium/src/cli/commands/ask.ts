import type { ChatModel } from "@cambium/client/host";
import { oneLine } from "@cambium/core/text";
import { EXAMPLES } from "../../ask/examples.js";
import type { Intent, NotUnderstood } from "../../ask/intent.js";
import { intentByModel } from "../../ask/model-intent.js";
import { surroundingsOf } from "../../ask/surroundings.js";
import { understand } from "../../ask/understand.js";
import type { Answer } from "../answer.js";
import { actionFor } from "../asking/actions.js";
import { carryOut } from "../asking/carry-out.js";
import { helpAnswer, notUnderstoodAnswer } from "../asking/help.js";
import type { Idle, PlannedAction } from "../asking/planned-action.js";
import { type Reading, readingFor } from "../asking/readings.js";
import type { CommandDefinition } from "../command.js";
import type { Context, SpaceUse } from "../context.js";
import { authorOption } from "../options.js";
import { readText } from "../read-text.js";

interface Options {
  readonly preview?: true;
  readonly yes?: true;
}

type Step =
  | { readonly kind: "read"; readonly read: Reading; readonly understood: object }
  | { readonly kind: "done"; readonly answer: Answer }
  | { readonly kind: "write"; readonly action: PlannedAction; readonly understood: object };

export const ask: CommandDefinition<Options, [words: readonly string[]]> = {
  about:
    "Ask in plain English for everyday tasks, without a model. Shows what it would do and asks first. --yes skips the question unless something would be hidden",
  examples: [
    "cambium ask what did you know about the budget last month",
    'cambium ask "actually, the release day is Friday"',
    'cambium ask "go back to how things were in January" --preview',
    "cambium ask merge my work memories back in --yes",
    "cambium ask help",
  ],
  options: (command) => authorOption(command).option("--preview", "show what would happen; write nothing"),
  act: async (context, [words], { preview: dryRun = false, yes = false }) => {
    const sentence = words.length === 1 ? await readText(words[0] ?? "", context.io) : words.join(" ");
    // Someone without a space may ask what can be asked.
    const alone = await understand(sentence, { now: context.io.now(), branches: [], checkpoints: [] });
    if (alone.understood && alone.request.operation === "help")
      return await outcome({ understood: true, operation: "help" }, () => helpAnswer(context));
    const step = await context.withSpace((use) => firstStep(sentence, use, context));
    switch (step.kind) {
      case "done":
        return step.answer;
      case "read":
        return await outcome(step.understood, step.read);
      case "write":
        return await carryOut(step.action, { dryRun, yes }, step.understood, context);
    }
  },
};

async function firstStep(sentence: string, use: SpaceUse, context: Context): Promise<Step> {
  const { space } = use;
  const around = await surroundingsOf(space, context.io.now());
  const found = await understand(sentence, around);
  const model = found.understood ? undefined : await modelFor(found, context);
  const chosen = model && (await intentByModel(sentence, around, { model, signal: context.io.signal }));
  const request = found.understood ? found.request : chosen;
  if (request === undefined)
    return { kind: "done", answer: await notUnderstoodAnswer(sentence, found as NotUnderstood, context) };
  const by = found.understood ? undefined : model?.model;
  const understood = {
    ...{ understood: true, operation: request.operation, request },
    ...(by === undefined ? {} : { understoodBy: by }),
  };
  const preparing = { ...use, context };
  const read = await readingFor(request, preparing);
  if (read !== undefined) return { kind: "read", read: readBy(read, by, request), understood };
  const planned = await actionFor(request, preparing);
  if (planned === undefined) throw new Error(`Nothing does ${request.operation}.`);
  const action =
    by === undefined ? planned : { ...planned, shown: `${readLine(by, request)}\n${planned.shown}` };
  return action.kind === "action"
    ? { kind: "write", action, understood }
    : { kind: "done", answer: await idleAnswer(action, understood, context) };
}

/** None unless a person named one, and none for a request whose words were read and do not fit together. */
async function modelFor({ isFinal }: NotUnderstood, { io }: Context): Promise<ChatModel | undefined> {
  if (isFinal || io.env.CAMBIUM_ASK_URL === undefined) return undefined;
  const { chatModelFromEnvironment } = await import("@cambium/client/host");
  return chatModelFromEnvironment(io.env);
}

const readLine = (model: string, { operation }: Intent): string =>
  `Read by the model ${oneLine(model)} as: ${EXAMPLES.find((one) => one.operation === operation)?.does ?? operation}.`;

const readBy = (read: Reading, model: string | undefined, request: Intent): Reading =>
  model === undefined
    ? read
    : async () => {
        const answer = await read();
        return { ...answer, text: `${readLine(model, request)}\n${answer.text}` };
      };

const idleAnswer = ({ preview, shown, exit }: Idle, understood: object, context: Context): Promise<Answer> =>
  context.answer({ ...understood, preview }, () => shown, exit);

async function outcome(understood: object, read: Reading): Promise<Answer> {
  const { document, text, exit } = await read();
  return { document: { ...understood, result: document }, text, exit };
}
