/**
 * From a choice to the request that it names. The same for whoever chose: what its words mean here is read as the
 * grammar reads it, and what cannot be read is said, rather than left out of what is done.
 *
 * @module
 */
import { parseBranch } from "../grammar/branching.js";
import type { Intent, Surroundings, Understood } from "../intent.js";
import { moreThanOne } from "../one-thing.js";
import { OF_BRANCHES } from "./branch-choices.js";
import { isSound, narrowing } from "./checks.js";
import { type Choice, slotText } from "./choice.js";
import { OF_MEMORIES } from "./memory-choices.js";
import { OF_THE_PAST } from "./past-choices.js";
import type { Reader, Unread } from "./unread.js";

/** @returns what is asked for, or what of it was not understood */
export async function readChoice(
  choice: Choice,
  sentence: string,
  around: Surroundings,
): Promise<Understood | Unread> {
  const left = narrowing(choice, sentence);
  if (left !== undefined) return { left };
  // "Which of my notes came from cursor": what is there is asked for.
  const isThere = choice.operation === "forgotten" && !GONE.test(sentence);
  const read = READERS[isThere ? "list" : choice.operation];
  if (read === undefined) return { left: sentence };
  const found = await read({ choice: isThere ? { ...choice, operation: "list" } : choice, sentence, around });
  if (!("request" in found)) return found;
  const unread = narrowing({ ...choice, operation: found.request.operation }, sentence);
  if (unread !== undefined && found.isPreview !== true) return { left: unread };
  if (found.request.operation === "forget" && found.request.isContext)
    return placed({ understood: true, ...found }, choice, around);
  const topic = "topic" in found.request ? found.request.topic : undefined;
  const isTargeted = HIDES.has(found.request.operation) || found.request.operation === "restore";
  if (isTargeted && topic !== undefined && !isSound(topic, around)) return { left: topic };
  if (HIDES.has(found.request.operation) && moreThanOne(found.request, sentence) !== undefined)
    return { left: topic ?? sentence };
  return placed({ understood: true, ...found }, choice, around);
}

const READERS: Partial<Record<Choice["operation"], Reader>> = {
  ...OF_MEMORIES,
  ...OF_THE_PAST,
  ...OF_BRANCHES,
};

/** Said of what is gone. */
const GONE =
  /\b(?:forg[eo]t\w*|delet\w*|remov\w*|hid(?:e|es|den|ing)?|drop\w*|los[et]\w*|lost|gone|missing|vanish\w*|disappear\w*|discard\w*|scrap\w*|trash\w*|bin(?:ned|s)?|ditch\w*|toss\w*|chuck\w*|thr[eo]w\w*|cle?a?r\w*|clean\w*|wip\w+|eras\w*|purg\w*|un\w+|out|away|rid|no longer|any ?more|used to|not? \w+)\b/i;

const HIDES: ReadonlySet<Intent["operation"]> = new Set([
  ...(["forget", "take-back", "rollback", "undo"] as const),
]);

/** Of these, the branch is an argument. */
const ON_ONE: ReadonlySet<Choice["operation"]> = new Set([
  ...(["merge", "difference", "delete-branch", "use-branch", "rename-branch", "branches"] as const),
  ...(["branch", "settle", "conflicts", "status"] as const),
]);

/** On the branch that was said. */
function placed(found: Understood, choice: Choice, around: Surroundings): Understood {
  if (found.branch !== undefined || ON_ONE.has(choice.operation)) return found;
  const branch = slotText(choice, "branch");
  return branch === undefined ? found : { ...found, branch: parseBranch(branch, around) };
}
