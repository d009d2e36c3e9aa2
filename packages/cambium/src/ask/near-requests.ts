/**
 * What is near to a request that is not understood: examples that only read or begin with the same verb, and the
 * sentence itself with what makes it a request.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { EXAMPLES } from "./examples.js";
import { isConditional, isQuestion } from "./grammar/questions.js";
import { isStatement } from "./grammar/remembering.js";
import type { NotUnderstood } from "./intent.js";

/** Less than this in common, and naming it would only puzzle. */
const LEAST_ALIKE = 0.4;
export const MOST_NEAR = 3;
const MAX_QUOTED = 120;

type Near = NonNullable<NotUnderstood["near"]>;

/** What only reads, and what begins with the same verb; never what takes something away. */
export function near(sentence: string, isExplained: boolean): Pick<NotUnderstood, "near"> {
  const [asked, verb] = [wordSet(sentence), firstWord(sentence)];
  const ranked = nearExamples()
    .map(({ operation, says, asks }) => {
      const fitting = says
        .filter(({ first }) => asks === "never" || first === verb)
        .map(({ example, words }) => ({ operation, example, alike: similarityOf(asked, words) }));
      return fitting.toSorted((one, other) => other.alike - one.alike)[0];
    })
    .filter((best) => best !== undefined)
    .filter(({ alike }) => alike >= LEAST_ALIKE)
    .toSorted((one, other) => other.alike - one.alike)
    .map(({ operation, example }) => ({ operation, example }));
  const own = isExplained ? [] : inOtherWords(sentence);
  const all = (isQuestion(sentence) ? [...ranked, ...own] : [...own, ...ranked]).slice(0, MOST_NEAR);
  return all.length === 0 ? {} : { near: all };
}

/** Their words are looked for once. */
const nearExamples = () => {
  examplesRead ??= EXAMPLES.filter(({ operation }) => !TAKES_AWAY.has(operation)).map(
    ({ operation, says, asks }) => ({
      ...{ operation, asks },
      says: says.map((example) => ({ example, first: firstWord(example), words: wordSet(example) })),
    }),
  );
  return examplesRead;
};

interface ExampleRead extends Pick<(typeof EXAMPLES)[number], "operation" | "asks"> {
  readonly says: readonly {
    readonly example: string;
    readonly first: string;
    readonly words: ReadonlySet<string>;
  }[];
}
let examplesRead: readonly ExampleRead[] | undefined;

/** The sentence itself, with what makes it a request. */
export function inOtherWords(sentence: string): Near {
  if (sentence.length > MAX_QUOTED || sentence.includes('"')) return [];
  if (isQuestion(sentence)) return [{ operation: "recall", example: `search for "${sentence}"` }];
  if (isConditional(sentence)) return [{ operation: "remember", example: `remember: ${sentence}` }];
  return isStatement(sentence) ? [{ operation: "remember", example: `remember that ${sentence}` }] : [];
}

/** They take something out of sight, or bring another branch in. */
export const TAKES_AWAY: ReadonlySet<string> = new Set([
  ...["forget", "undo", "rollback", "take-back", "fresh", "delete-branch", "delete-checkpoint", "merge"],
]);

/** Words for the same thing count as one: the first of each line. */
const SAME_WORDS: ReadonlyMap<string, string> = new Map(
  [
    "make create save set take add do open name build",
    "checkpoint checkpoints snapshot snapshots backup backups copy state",
    "restore bring get recover return unforget undelete",
    "show list see display print view give tell",
    "memory memories note notes fact facts",
    "compare difference differ diff differs",
    "changed changes change new different",
  ].flatMap((line) => {
    const words = line.split(" ");
    return words.map((word) => [word, words[0] as string] as const);
  }),
);

/** Alone they say nothing of what it is about. */
const DOING: ReadonlySet<string> = new Set(["make", "restore", "show", "changed"]);

const sameWord = (word: string): string => SAME_WORDS.get(word) ?? word;

const firstWord = (text: string): string => sameWord(/[\p{L}\p{N}]+/u.exec(text.toLowerCase())?.[0] ?? "");

/** Words that say something; "the" and "what" are in every sentence. */
const wordSet = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word)).map(sameWord),
  );

/** Dice's coefficient of two sets. */
function similarityOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word));
  return shared.every((word) => DOING.has(word)) ? 0 : (2 * shared.length) / (a.size + b.size);
}
