/**
 * A text that begins with the branch that it is for.
 *
 * @module
 */
import { parseBranch } from "../grammar/branching.js";
import { isQuestion } from "../grammar/questions.js";
import type { Understood } from "../intent.js";
import type { Beside } from "./beside.js";

/** Surer than this of something else, it is no text. */
const LEAST_AGAINST = 0.8;

/** "On graphql-api: every error has a code": a text, and the branch that it is for. */
export async function placedText(
  sentence: string,
  { around, read, again }: Beside,
): Promise<Understood | undefined> {
  const { place, text } = FOR_BRANCH.exec(sentence)?.groups ?? {};
  const branch = place === undefined ? undefined : parseBranch(place, around);
  if (branch?.matches.length !== 1 || text === undefined) return undefined;
  const [top] = read(text).acts;
  const isText = top?.act === "remember" || top?.act === "correct" || (top?.probability ?? 0) < LEAST_AGAINST;
  if (isText && !isQuestion(text))
    return { understood: true, request: { operation: "remember", content: text, isStated: true }, branch };
  const found = await again(text);
  return found.understood && found.branch === undefined && found.isLoose !== true
    ? { ...found, branch }
    : undefined;
}
const FOR_BRANCH =
  /^(?:(?:note|remember|save|add|put|keep|jot(?: down)?|write|record) )?(?:(?:this|that|it) )?(?:for|on|in|to) (?:the )?(?:branch )?(?<place>[\w./-]+)(?: branch)? ?: (?<text>\S[\s\S]*)$/i;
