/**
 * What stands near a memory that was just written: others that say nearly the same, and what is undecided about it.
 * Said in the write's own reply, because nobody asks later.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import {
  conflictLine,
  HOW_TO_RESOLVE,
  one,
  type ShownConflict,
  shownConflict,
  shownValue,
} from "./shown-memory.js";
import type { ToolContext } from "./tool.js";

export interface SimilarMemory {
  /** Which of the memories written it is like. */
  readonly to: string;
  readonly id: string;
  readonly content: string;
  readonly similarity: number;
  readonly likeness: "text" | "subject";
}

export interface WriteFeedback {
  readonly similar: readonly SimilarMemory[];
  readonly conflicts: readonly (ShownConflict & { readonly id: string })[];
  readonly lines: readonly string[];
}

const ERASED_BEFORE =
  "The user erased this text for good once. Ask whether it should be kept; if not, erase it.";
const STAYS_HERE =
  "This stays on this device alone: others have erased it for good and destroy what comes to it. Tell the user: `cambium erasures` lists it.";
const MAX_SIMILAR = 3;
const PROPOSED = "Proposed: nobody recalls it until the owner has accepted it.";
const CONTENT_BYTES = 240;

export async function writeFeedback(call: ToolContext, written: readonly Memory[]): Promise<WriteFeedback> {
  const ids = new Set(written.map(({ id }) => id));
  const similar: SimilarMemory[] = [];
  const options = { branch: call.branch, limit: MAX_SIMILAR, related: true };
  // What nobody sees yet is not in the way of anything.
  const proposed = written.filter((memory) => memory.proposed === true);
  let problem = proposed.length === 0 ? undefined : PROPOSED;
  for (const { id } of written.filter((memory) => memory.proposed !== true)) {
    try {
      for (const found of await call.space.alike({ id }, options))
        if (!ids.has(found.id)) similar.push(similarTo(id, found));
    } catch {
      // The write stands; a failure reported here would have it made twice.
      problem = "Similar memories could not be checked.";
    }
  }
  const nearest = Map.groupBy(
    similar.toSorted((a, b) => b.similarity - a.similarity),
    ({ likeness }) => likeness,
  );
  const shown = [...(nearest.get("text") ?? []), ...(nearest.get("subject") ?? [])].slice(0, MAX_SIMILAR);
  const conflicts = written
    .flatMap((memory) => memory.conflicts.map((conflict) => ({ id: memory.id, ...shownConflict(conflict) })))
    .slice(0, MAX_SIMILAR);
  const before = written.some(({ erasedBefore }) => erasedBefore === true) ? [ERASED_BEFORE] : [];
  const alone = written.some(({ staysHere }) => staysHere === true) ? [STAYS_HERE] : [];
  return { similar: shown, conflicts, lines: [...before, ...alone, ...linesOf(shown, conflicts, problem)] };
}

const similarTo = (
  to: string,
  { id, content, similarity, likeness }: Memory & Pick<SimilarMemory, "similarity" | "likeness">,
): SimilarMemory => ({
  ...{ to, id, content: shownValue(content, CONTENT_BYTES), likeness },
  similarity: Math.round(similarity * 100) / 100,
});

function linesOf(
  similar: WriteFeedback["similar"],
  conflicts: WriteFeedback["conflicts"],
  problem: string | undefined,
): readonly string[] {
  const alike = similar
    .filter(({ likeness }) => likeness === "text")
    .map(({ id, content, similarity }) => `- ${id} (${similarity}): ${one(content)}`);
  const related = similar
    .filter(({ likeness }) => likeness === "subject")
    .map(({ id, content }) => `- ${id}: ${one(content)}`);
  return [
    ...(alike.length === 0
      ? []
      : [
          "Similar memories. If one says the same, keep one: revise it and forget the other. If one is out of date, revise it.",
          ...alike,
        ]),
    ...(related.length === 0
      ? []
      : ["On the same subject. If one is no longer true, revise or forget it.", ...related]),
    ...(conflicts.length === 0
      ? []
      : [
          "Open conflicts. Ask the user, then resolve them (tool resolve, or `cambium resolve <id>`):",
          ...conflicts.map((conflict) => `${conflict.id}: ${conflictLine(conflict)}`),
          HOW_TO_RESOLVE,
        ]),
    ...(problem === undefined ? [] : [problem]),
  ];
}
