/**
 * A branch that a sentence names beside what it asks: "what does dragon-wakes say about Brannoc".
 *
 * @module
 */
import { escaped } from "../escaped.js";
import { knownName } from "../grammar/known-names.js";
import type { ParsedBranch, Surroundings } from "../intent.js";

interface Mentioned {
  readonly branch?: ParsedBranch;
  /** The topic without it. */
  readonly rest: string;
}

const MOST_WORDS = 4;

/** @returns the only one beside main; a name of one plain word has to be called a branch, or to stand after "on" */
export function branchMentioned(topic: string, sentence: string, { branches }: Surroundings): Mentioned {
  const others = branches.filter((name) => name !== "main");
  const words = sentence.split(/\s+/).map((word) => word.replace(/^[("'“]+|[)"'”,;:.!?]+$/g, ""));
  const found = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1)
    for (let size = Math.min(MOST_WORDS, words.length - at); size > 0; size -= 1) {
      const phrase = words.slice(at, at + size).join(" ");
      const name = /^(?:the|my|our) /i.test(phrase) ? undefined : knownName(phrase, others);
      const isSure =
        /[-_/\d\s]/.test(phrase) ||
        /^(?:branch|on)$/i.test(words[at - 1] ?? "") ||
        /^branch$/i.test(words[at + size] ?? "");
      if (name !== undefined && isSure) found.set(name, phrase);
    }
  const [one, ...more] = found;
  if (one === undefined || more.length > 0) return { rest: topic };
  const [name, phrase] = one;
  const rest = topic.replace(
    new RegExp(
      `(?:,? ?\\b(?:on|in|for|of|if I go with) )?(?:the )?(?:branch )?${escaped(phrase)}(?: branch)?`,
      "i",
    ),
    " ",
  );
  return {
    branch: { said: name, matches: [name] },
    rest: rest.replace(/\s+/g, " ").replace(/^[\s,;:?!.]+|[\s,;:?!.]+$/g, ""),
  };
}
