/**
 * What a request is about: the memories, and the branch, that somebody can mean. Reads only; the caller shows
 * it before anything is done.
 *
 * @module
 */

import type { RollbackScope, Space, SpaceReader } from "@cambium/client";
import { CambiumError, type Memory } from "@cambium/core";
import { omitUndefined, oneLine, shellWord } from "@cambium/core/text";
import { describing } from "./changed-value.js";
import { contains, correctedText } from "./corrected-text.js";
import {
  everyMemory,
  findForgotten,
  findMemories,
  MOST_FOUND,
  newestMemory,
  speaksOf,
} from "./find-memories.js";
import type { Intent, ParsedBranch, ParsedDays } from "./intent.js";
import { refOf, startOfDay } from "./when.js";

type Asked<IntentKind extends Intent["operation"]> = Extract<Intent, { operation: IntentKind }>;

export interface Target {
  readonly memories: readonly Memory[];
  /** One of them is meant, and only the person knows which. */
  readonly isChoice: boolean;
  /** Of those that were meant, the ones that an exception finds. */
  readonly kept?: readonly Memory[];
}

export async function forgetTarget(
  space: SpaceReader,
  request: Asked<"forget">,
  branch: string | undefined,
): Promise<Target> {
  const { except } = request;
  const found = await forgetCandidates(space, request, branch);
  if (except === undefined) return found;
  const unfound = except.filter((topic) => !found.memories.some(({ content }) => speaksOf(content, topic)));
  if (request.all && unfound.length > 0 && found.memories.length > 0)
    throw new CambiumError(
      "MEMORY_NOT_FOUND",
      `None of the ${found.memories.length} memories that are meant speaks of "${unfound.join('", "')}". Nothing was done.`,
      { hint: "Say in other words what is to stay, or look with `cambium list`." },
    );
  const isKept = ({ content }: Memory): boolean => except.some((topic) => speaksOf(content, topic));
  if (!request.all) {
    const memories = found.memories.filter((memory) => !isKept(memory));
    return { memories, isChoice: memories.length > 1 };
  }
  return {
    memories: found.memories.filter((memory) => !isKept(memory)),
    kept: found.memories.filter(isKept),
    isChoice: false,
  };
}

async function forgetCandidates(
  space: SpaceReader,
  { topic, all, category, tag, isContext }: Asked<"forget">,
  branch: string | undefined,
): Promise<Target> {
  if (category !== undefined || tag !== undefined)
    return {
      memories: await everyMemory(space, { branch, ...omitUndefined({ category, tag }) }),
      isChoice: false,
    };
  if (topic !== undefined && isContext)
    return { memories: await spokenOf(space, topic, branch), isChoice: false };
  if (topic !== undefined) {
    const found = await findMemories(space, topic, { branch, isSure: true });
    // "The Norway rule" is the one that speaks of Norway.
    const memories = found.length > 0 || all ? found : await namedIn(space, topic, branch);
    return { memories, isChoice: memories.length > 1 && !all };
  }
  const newest = await newestMemory(space, { branch });
  return { memories: newest === undefined ? [] : [newest], isChoice: false };
}

/** The only memory that says most of the words, and more than one of them, or a name that no other says. */
async function spokenOf(
  space: SpaceReader,
  words: string,
  branch: string | undefined,
): Promise<readonly Memory[]> {
  const found = await space.recall(words, { branch, limit: MOST_FOUND, priors: false, spelling: false });
  const most = Math.max(0, ...found.map(({ matched }) => matched.length));
  const best = found.filter(({ matched }) => matched.length === most);
  if (most >= LEAST_SPOKEN && best.length === 1) return best;
  return await namedIn(space, words, branch);
}

/** The only memory that says a name which the words have. */
async function namedIn(
  space: SpaceReader,
  words: string,
  branch: string | undefined,
): Promise<readonly Memory[]> {
  const names = (words.match(A_NAME) ?? []).map((name) => name.replace(/['’]s$/, ""));
  if (names.length === 0) return [];
  const found = await space.recall(words, { branch, limit: MOST_FOUND, priors: false, spelling: false });
  const named = names.map((name) => found.filter(({ content }) => speaksOf(content, name)));
  return named.find((ones) => ones.length === 1) ?? [];
}
const LEAST_SPOKEN = 2;
/** A word with a capital, which may be the first one, or with a number. */
const A_NAME = /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}'’-]{3,}|\p{L}*\d[\p{L}\p{N}-]*)/gu;

export async function restoreTarget(
  space: SpaceReader,
  { topic, forgotten, category, tag, isContext }: Asked<"restore">,
  branch: string | undefined,
): Promise<Target> {
  if (isContext && topic !== undefined)
    return { memories: await forgottenSpokenOf(space, topic, branch), isChoice: false };
  const all = await findForgotten(space, {
    branch,
    topic,
    ...forgotten,
    ...omitUndefined({ category, tag }),
  });
  // "Restore that" means the last one.
  const memories = (topic ?? forgotten ?? category ?? tag) === undefined ? all.slice(0, 1) : all;
  return { memories, isChoice: memories.length > 1 && topic !== undefined };
}

/** The only one that was forgotten and says most of the words. */
async function forgottenSpokenOf(
  space: SpaceReader,
  words: string,
  branch: string | undefined,
): Promise<readonly Memory[]> {
  const spoken = describing(words);
  const all = (await findForgotten(space, { branch })).map((memory) => ({
    memory,
    count: spoken.filter((word) => speaksOf(memory.content, word)).length,
  }));
  const most = Math.max(0, ...all.map(({ count }) => count));
  const best = all.filter(({ count }) => count === most);
  return most >= LEAST_SPOKEN && best.length === 1 ? best.map(({ memory }) => memory) : [];
}

/** Which of the writes go back; of a topic, those of the memories that speak of it. */
export async function revertedScope(
  space: SpaceReader,
  { agent: name, topic, period, category, tag }: Asked<"take-back">,
  { branch, now }: { readonly branch: string; readonly now: number },
): Promise<RollbackScope> {
  const sure = topic === undefined ? undefined : await findMemories(space, topic, { branch, isSure: true });
  // Of half of the words, if this agent wrote it last: "cursor's edit of the token lifetime".
  const about =
    topic !== undefined && sure?.length === 0 && name !== undefined
      ? await lastWrittenBy(name, await findMemories(space, topic, { branch }), space, branch)
      : sure;
  if (about?.length === 0)
    throw new CambiumError("MEMORY_NOT_FOUND", `No memory speaks of "${topic}".`, {
      hint: "Try other words, or look with `cambium list`.",
    });
  const ids = about?.map(({ id }) => id);
  const agent = name === undefined ? undefined : await agentNamed(name, space, branch);
  return omitUndefined({ agent, category, tag, ids, ...edgesOf(period, now) });
}

/** The only one of them. */
async function lastWrittenBy(
  name: string,
  found: readonly Memory[],
  space: SpaceReader,
  branch: string,
): Promise<readonly Memory[]> {
  const agent = await agentNamed(name, space, branch);
  const own = found.filter(({ by }) => by.agent === agent);
  return own.length === 1 ? own : [];
}

/**
 * "The newcomer bot" is `newcomer-bot`.
 *
 * @returns the words as they are if nobody of such a name has written
 */
export async function agentNamed(written: string, space: SpaceReader, branch: string): Promise<string> {
  const words = written.split(" ");
  const bare = words.length > 1 && A_PROGRAM.test(words.at(-1) ?? "") ? [words, words.slice(0, -1)] : [words];
  const spellings = bare.flatMap((name) => ["-", "_", " ", ".", ""].map((sign) => name.join(sign)));
  for (const agent of new Set([written, ...spellings, ...spellings.map((name) => name.toLowerCase())])) {
    const { memories } = await space.list({ branch, agent, deleted: true, limit: 1 });
    if (memories.some(({ by }) => by.agent === agent)) return agent;
  }
  return words.length > 1 ? words.join("-") : written;
}

const A_PROGRAM = /^(?:agent|bot|assistant|program|tool|script)$/i;

/** As options are written. Until now or later is no limit. */
export const edgesOf = (period: ParsedDays | undefined, now: number) => ({
  since: period?.since === undefined ? undefined : refOf(period.since, startOfDay),
  until: period?.until === undefined || period.until >= now ? undefined : refOf(period.until),
});

export interface CorrectionTarget extends Target {
  /** It says so already. */
  readonly same?: Memory;
}

export async function correctionTarget(
  space: SpaceReader,
  request: Asked<"correct">,
  branch: string,
): Promise<CorrectionTarget> {
  const { subject, insteadOf } = request;
  const about = await findMemories(space, subject, { branch });
  const holdingOld = about.filter(({ content }) => insteadOf !== undefined && contains(content, insteadOf));
  // Of "I live in Oslo", half is what is new.
  const isSure = subject !== request.content;
  const memories =
    holdingOld.length > 0
      ? holdingOld
      : isSure
        ? await findMemories(space, subject, { branch, isSure })
        : about;
  const same = memories.find(
    ({ content }) =>
      isSameText(content, correctedText(content, request).text) ||
      (insteadOf !== undefined && !contains(content, insteadOf) && isSameText(content, request.content)),
  );
  return { memories, isChoice: memories.length > 1, ...omitUndefined({ same }) };
}

const isSameText = (a: string, b: string): boolean => bare(a) === bare(b);

const bare = (text: string): string =>
  text
    .trim()
    .replace(/[.!]+$/, "")
    .replace(/\s+/g, " ")
    .toLowerCase();

/** @throws {CambiumError} BRANCH_NOT_FOUND, AMBIGUOUS_BRANCH */
export async function branchTarget(
  { said: written, matches }: ParsedBranch,
  { branches }: Pick<Space, "branches">,
): Promise<string> {
  const [only, ...others] = matches;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined)
    throw new CambiumError(
      "AMBIGUOUS_BRANCH",
      `Several branches can be meant by "${written}": ${matches.join(", ")}.`,
      {
        hint: "Ask again with the name of the one you mean.",
        details: { branches: matches },
      },
    );
  const names = (await branches.list()).map(({ name }) => name);
  throw new CambiumError("BRANCH_NOT_FOUND", `No branch is called "${written}".`, {
    hint: `These are here: ${names.map(oneLine).join(", ")}. To make it: cambium branch ${shellWord(oneLine(written))}`,
    details: { branches: names },
  });
}
