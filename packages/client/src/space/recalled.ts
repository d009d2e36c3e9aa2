/**
 * The answer of a recall: its memories, how sure it is, and what to try next.
 *
 * @module
 */
import type { Period } from "@cambium/core";
import type { Certainty, Recalled, RecalledMemory } from "../api.js";
import type { Respelt } from "./respelt-query.js";

/** A memory of an answer, and how much of the query it says, 0 to 1. */
export interface Answered {
  readonly memory: RecalledMemory;
  readonly coverage: number;
}

interface AnswerNotes {
  /** About the filters. */
  readonly advice: readonly string[];
  /** Whether no vectors had a say. */
  readonly wordsOnly: boolean;
  /** Whether anything was searched for; else filters have chosen. */
  readonly hasWords: boolean;
}

/** Chosen on questions with and without an answer; see bench/README.md. */
const STRONG_COVERAGE = 0.5;

/** An array, as most callers read it, that says more: as a match of a regular expression does. */
export function recalledOf(answers: readonly Answered[], notes: AnswerNotes): Recalled {
  const certainty = certaintyOf(answers);
  const advice = [...notes.advice, ...(certainty === "strong" ? [] : [adviceFor(certainty, notes)])];
  return Object.defineProperties(
    answers.map(({ memory }) => memory),
    { certainty: { value: certainty }, advice: { value: advice } },
  ) as unknown as Recalled;
}

/** A word that is none of a memory, and was read as one that is. */
export const spellingRead = ({ written, read }: Respelt): string =>
  `No memory here says "${written}". It was read as "${read}".`;

/** A wrong reading of "last week" has to be seen. */
export function periodRead({ said, from, until }: Period): string {
  const begin = from === undefined ? "the beginning" : localText(from, "T00:00:00.000");
  const end = until === undefined ? "now" : localText(until, "T23:59:59.999");
  return `"${said}" was read as the time from ${begin} to ${end}: what is of that time comes first.`;
}

/** Where the machine is; a day without its edge. */
function localText(at: number, edge: string): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
  return local.endsWith(edge)
    ? local.slice(0, -edge.length)
    : local.slice(0, -":00.000".length).replace("T", " ");
}

function certaintyOf([best]: readonly Answered[]): Certainty {
  if (best === undefined) return "none";
  return best.coverage >= STRONG_COVERAGE ? "strong" : "weak";
}

function adviceFor(certainty: "weak" | "none", { wordsOnly, hasWords }: AnswerNotes): string {
  if (!hasWords) return "Nothing passes the filters. Leave one out, or search by words.";
  const what = certainty === "none" ? "Nothing was found" : "Only a part of the query was found";
  const how = wordsOnly ? " Search is by words only here, so the same thing in other words is missed." : "";
  return `${what}.${how} Try other or fewer words, or list what is there by tag, kind or time.`;
}
