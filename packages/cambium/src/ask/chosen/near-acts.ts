/**
 * What may have been meant, as sentences that only read: at most three, and never one that takes anything away.
 *
 * @module
 */
import type { IntentKind, NotUnderstood } from "../intent.js";
import type { Choice, ChosenOperation } from "./choice.js";
import { topicRead } from "./words.js";

type Near = NonNullable<NotUnderstood["near"]>;

const MOST_NEAR = 3;
const MOST_QUOTED = 80;

const ABOUT: Partial<Record<ChosenOperation, readonly [IntentKind, (topic: string) => string]>> = {
  recall: ["recall", (topic) => `search for "${topic}"`],
  history: ["evolution", (topic) => `what is the history of ${topic}?`],
  "at-past": ["evolution", (topic) => `what is the history of ${topic}?`],
  correct: ["recall", (topic) => `search for "${topic}"`],
  forget: ["recall", (topic) => `search for "${topic}"`],
  "take-back": ["evolution", (topic) => `what is the history of ${topic}?`],
  restore: ["forgotten", () => "what have you forgotten?"],
  settle: ["conflicts", () => "what conflicts are open?"],
};
const WITHOUT: Partial<Record<ChosenOperation, readonly [IntentKind, string]>> = {
  changes: ["changes", "what changed since yesterday?"],
  forgotten: ["forgotten", "what have you forgotten?"],
  restore: ["forgotten", "what have you forgotten?"],
  conflicts: ["conflicts", "what conflicts are open?"],
  settle: ["conflicts", "what conflicts are open?"],
  status: ["status", "what is my status?"],
  branches: ["branches", "what branches are there?"],
  merge: ["branches", "what branches are there?"],
  difference: ["branches", "what branches are there?"],
  "use-branch": ["branches", "what branches are there?"],
  "delete-branch": ["branches", "what branches are there?"],
  checkpoints: ["checkpoints", "what checkpoints are there?"],
  rollback: ["checkpoints", "what checkpoints are there?"],
  list: ["list", "what do you know?"],
  undo: ["changes", "what changed in the last 24 hours?"],
  "take-back": ["changes", "what changed in the last 24 hours?"],
};

export function nearActs(acts: readonly ChosenOperation[], slots: Choice["slots"]): Near {
  const words = slots.topic?.[0] ?? slots.content?.[0];
  const topic = words === undefined ? undefined : topicRead(words);
  const isQuotable =
    topic !== undefined && topic !== "" && topic.length <= MOST_QUOTED && !topic.includes('"');
  const all = acts.flatMap((act): Near => {
    const [about, without] = [ABOUT[act], WITHOUT[act]];
    if (about !== undefined && isQuotable) return [{ operation: about[0], example: about[1](topic) }];
    return without === undefined ? [] : [{ operation: without[0], example: without[1] }];
  });
  return all
    .filter(({ example }, at) => all.findIndex((one) => one.example === example) === at)
    .slice(0, MOST_NEAR);
}
