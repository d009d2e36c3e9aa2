/**
 * What the trained reader is given beside a sentence, and how what it says compares with what the grammar says.
 *
 * @module
 */
import { oneLine } from "@cambium/core/text";
import type { Intent, NotUnderstood, Surroundings, Understanding, Understood } from "../intent.js";
import type { Act } from "../trained/acts.js";
import type { TrainedReading } from "../trained/read-trained.js";
import type { Choice } from "./choice.js";
import { nearActs } from "./near-acts.js";

/** What understanding a request takes beside the sentence and its reading. */
export interface Beside {
  readonly reading: TrainedReading;
  readonly around: Surroundings;
  /** Whether it is an exact request and more. */
  readonly isWithMore: (sentence: string, isDone: boolean, act?: Act) => Promise<boolean>;
  /** By the grammar alone. */
  readonly again: (sentence: string) => Promise<Understanding>;
  /** A clause of it, by the trained reader. */
  readonly read: (words: string) => TrainedReading;
}

/** What a reading by the grammar may be, in the words of the trained reader; the others are none of its acts. */
export const SAME: Partial<Record<Intent["operation"], readonly Act[]>> = {
  recall: ["recall", "list"],
  list: ["list", "recall", "changes"],
  count: ["count"],
  labels: ["count", "list", "recall"],
  evolution: ["history", "changes", "at-past"],
  history: ["history", "blame"],
  "before-correction": ["history", "at-past"],
  blame: ["blame", "history"],
  changes: ["changes", "difference"],
  difference: ["difference"],
  forgotten: ["forgotten", "blame", "history"],
  remember: ["remember", "correct"],
  correct: ["correct", "remember"],
  doubt: ["correct"],
  settle: ["settle"],
  file: ["file"],
  forget: ["forget", "take-back"],
  restore: ["restore"],
  undo: ["undo", "take-back", "restore", "forget", "rollback"],
  "take-back": ["take-back", "forget", "undo", "rollback"],
  rollback: ["rollback", "restore", "undo"],
  merge: ["merge", "difference"],
  branch: ["branch"],
  "use-branch": ["use-branch"],
  "delete-branch": ["delete-branch"],
  branches: ["branches", "status"],
  checkpoint: ["checkpoint"],
  checkpoints: ["checkpoints"],
  conflicts: ["conflicts"],
  status: ["status"],
  export: ["export"],
};

export const isOf = ({ request }: Understood, act: Act): boolean =>
  SAME[request.operation]?.includes(act) === true ||
  // Of somebody and some time, what changed is what was written.
  (act === "changes" &&
    request.operation === "recall" &&
    (request.agent !== undefined || request.device !== undefined || request.period !== undefined));

const doesOf = (act: string): string => act.replaceAll("-", " ");

/** What was understood of it is said, and what was not. */
export function partly(choice: Choice, left: string, sentence: string): NotUnderstood {
  const topic = choice.slots.topic?.[0] ?? choice.slots.new?.[0] ?? choice.slots.branch?.[0];
  const known =
    topic === undefined ? doesOf(choice.operation) : `${doesOf(choice.operation)}, "${oneLine(topic)}"`;
  const near = nearActs([choice.operation], choice.slots);
  return {
    understood: false,
    why:
      oneLine(left).trim() === "" || left === sentence
        ? `Understood: ${known}. What it needs beside that is not plain. Nothing is done by a guess.`
        : `Understood: ${known}. Not understood: "${oneLine(left)}".`,
    ...(near.length === 0 ? {} : { near }),
  };
}
