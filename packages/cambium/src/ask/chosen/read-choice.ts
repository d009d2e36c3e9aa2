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
  const read = READERS[choice.operation];
  if (read === undefined) return { left: sentence };
  const found = await read({ choice, sentence, around });
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
