/**
 * What a search finds little of: what was forgotten, what says only a part of it, and what is perhaps no matter of a
 * memory. What is shown beside an answer never takes its place.
 *
 * @module
 */
import { oneLine, shortId } from "@cambium/core/text";
import { type AskedAnswer, listedAnswer } from "../answers.js";
import { describing } from "../changed-value.js";
import { contradictionsAmong } from "../contradictions.js";
import { findForgotten, speaksOf } from "../find-memories.js";
import type { Idle, Planning } from "./plan.js";
import { ASKING_WORDS } from "./words-searched.js";

const SEEN = 10;

/** @returns what is said after what a search finds, if anything is */
export async function besideSearch(
  query: string,
  { space, branch }: Pick<Planning, "space" | "branch">,
): Promise<AskedAnswer | undefined> {
  const found = await space.recall(query, { branch, limit: SEEN });
  const [best, ...others] = found;
  if (best === undefined || found.certainty !== "strong") {
    const gone = await forgottenOf(query, { space, branch });
    if (gone !== undefined) return gone;
  }
  if (best === undefined) return undefined;
  const otherwise = contradictionsAmong(found).find((memories) => memories.includes(best));
  if (otherwise !== undefined)
    return {
      document: { otherwise: [otherwise.map(({ id, content }) => ({ id, content }))] },
      lines: [
        `\nOf these, ${otherwise.map(({ id }) => shortId(id)).join(" and ")} say otherwise of the same.`,
      ],
    };
  const own = wordsOf(best.matched);
  const more = wordsOf(others.flatMap(({ matched }) => matched)).filter((word) => !own.includes(word));
  if (more.length === 0 || own.length > more.length) return undefined;
  const quoted = (words: readonly string[]) => words.map((word) => `“${oneLine(word)}”`).join(", ");
  return {
    document: { isPartly: true, apart: [own, more] },
    lines: [
      `\nNo memory here speaks of ${quoted(own)} and of ${quoted(more)}: what is shown is only related.`,
    ],
  };
}

const wordsOf = (matched: readonly string[]): readonly string[] => [
  ...new Set(matched.map((word) => word.toLowerCase()).filter((word) => describing(word).length > 0)),
];

/** Only what says more than half of it, but for the words that ask. */
async function forgottenOf(
  query: string,
  { space, branch }: Pick<Planning, "space" | "branch">,
): Promise<AskedAnswer | undefined> {
  const words = describing(query).filter((word) => !ASKING_WORDS.test(word));
  if (words.length === 0) return undefined;
  const gone = await findForgotten(space, { branch, topic: words.join(" ") });
  const sure = gone.filter(
    ({ content }) => words.filter((word) => speaksOf(content, word)).length > words.length / 2,
  );
  if (sure.length === 0) return undefined;
  const { document, lines } = listedAnswer(sure, "that may be meant, and forgotten");
  return { document, lines: [...lines, "To bring one back: cambium restore <id>"] };
}

/** What a reader takes for something that no memory does, and of which little is known. */
export async function strangeSearch(
  query: string,
  { space, branch }: Pick<Planning, "space" | "branch">,
): Promise<Idle | undefined> {
  const found = await space.recall(query, { branch, limit: SEEN });
  if (found.certainty === "strong") return undefined;
  return {
    kind: "idle",
    why: "This may be nothing that a memory knows or does: nothing that is remembered says most of it, and nothing was done.",
    preview: { memories: [] },
    isNotFound: true,
    look: { verb: "recall", query },
  };
}
