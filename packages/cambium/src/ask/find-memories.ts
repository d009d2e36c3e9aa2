/**
 * Finds the memories that somebody speaks of. What is found is shown before anything is done with it; so it
 * rather finds several than guesses one.
 *
 * @module
 */

import type { OnBranch, SpaceReader } from "@cambium/client";
import { STOP_WORDS, wordsOf } from "@cambium/client/host";
import { isCambiumError, type Memory } from "@cambium/core";
import type { Labels } from "./intent.js";

/** No search for a topic finds more. */
export const MOST_FOUND = 50;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{1,4}){0,3}(?:-[0-9a-f]{1,12})?$/i;
/** Of words that are this long, a common beginning is enough: "releases" and "release". */
const STEM_LENGTH = 4;

export interface Sureness {
  /** More than half of the words, and not just half: "the door code" is not the alarm code. */
  readonly isSure?: boolean;
}

/** @returns those that say most of the topic's words, best first; none that says less than half of them */
export async function findMemories(
  space: SpaceReader,
  topic: string,
  { branch, isSure = false }: OnBranch & Sureness,
): Promise<readonly Memory[]> {
  const named = ID.test(topic) ? await byId(space, topic, branch) : undefined;
  if (named !== undefined) return [named];
  const found = await space.recall(topic, { branch, limit: MOST_FOUND, priors: false, spelling: false });
  const asked = wordsIn(topic).length;
  const most = mostMatched(found, asked, ({ matched }) => matched.length);
  const best = isSure ? most.filter(({ matched }) => matched.length > asked / 2) : most;
  // Recall shows one of those that say the same. Someone who forgets it means all of them.
  const alike = await Promise.all(
    best.flatMap(({ alike: ids = [] }) => ids.map((id) => space.get(id, { branch }))),
  );
  return [...best, ...alike];
}

/** The memory written last; forgotten ones do not count. */
export async function newestMemory(space: SpaceReader, options: OnBranch): Promise<Memory | undefined> {
  const all = await everyMemory(space, options);
  return all.reduce<Memory | undefined>(
    (newest, next) => (newest === undefined || next.at > newest.at ? next : newest),
    undefined,
  );
}

export interface ForgottenQuery extends OnBranch, Labels {
  readonly topic?: string | undefined;
  /** When it was forgotten, in milliseconds since 1970, inclusive. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** @returns what was forgotten, the last first */
export async function findForgotten(
  space: SpaceReader,
  { topic, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, ...where }: ForgottenQuery,
): Promise<readonly Memory[]> {
  const gone = (await everyMemory(space, where, "only"))
    .filter(({ at }) => at >= since && at <= until)
    .toSorted((a, b) => b.at - a.at);
  if (topic === undefined) return gone;
  if (ID.test(topic)) return gone.filter(({ id }) => id.startsWith(topic.toLowerCase()));
  const wanted = wordsIn(topic);
  return mostMatched(gone, wanted.length, ({ content }) => {
    const phrases = wordsIn(content);
    return wanted.filter((word) => phrases.some((other) => isSameWord(word, other))).length;
  });
}

async function byId(space: SpaceReader, id: string, branch: string | undefined): Promise<Memory | undefined> {
  try {
    return await space.get(id, { branch });
  } catch (error) {
    // Digits may be words of a memory, too.
    if (isCambiumError(error, "MEMORY_NOT_FOUND")) return undefined;
    throw error;
  }
}

interface Filters {
  readonly at?: string | undefined;
  readonly agent?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** All pages of them: those that are remembered, or those that are forgotten. */
export async function everyMemory(
  space: SpaceReader,
  options: OnBranch & Labels & Filters,
  forgotten: "none" | "only" = "none",
): Promise<readonly Memory[]> {
  const all: Memory[] = [];
  let cursor: string | undefined;
  do {
    const page = await space.list({ ...options, forgotten: forgotten === "only", limit: 10_000, cursor });
    all.push(...page.memories);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}

function mostMatched<T>(found: readonly T[], asked: number, count: (one: T) => number): readonly T[] {
  const most = Math.max(0, ...found.map(count));
  return most === 0 || most < asked / 2 ? [] : found.filter((one) => count(one) === most);
}

function wordsIn(text: string): readonly string[] {
  const all = wordsOf(text).map((word) => word.text.toLowerCase());
  const described = all.filter((word) => !STOP_WORDS.has(word));
  return [...new Set(described.length > 0 ? described : all)];
}

/** Whether a text says every word of the topic; short ones have to be the same, of longer ones the beginning. */
export function speaksOf(content: string, topic: string): boolean {
  const phrases = wordsIn(content);
  return wordsIn(topic).every((word) => phrases.some((other) => isSameWord(word, other)));
}

function isSameWord(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short === long || (short.length >= STEM_LENGTH && long.startsWith(short));
}
