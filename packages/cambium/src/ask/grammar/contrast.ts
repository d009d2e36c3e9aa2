/**
 * What is so, beside what it is instead of: "Friday, not Thursday", "in the attic not the cellar". Pure.
 *
 * @module
 */
import { escaped } from "../escaped.js";
import { typedParts } from "../typed-parts.js";

export const AUXILIARY =
  /\b(?:is|are|was|were|am|be|been|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|why|or|if|whether)$/i;

/** "Friday, not Thursday, at 9": what it is instead of finds the memory, and is not part of what is true. */
export function contrastIn(text: string, states: (part: string) => boolean) {
  const { old, now } = /^not (?<old>[^,]+), (?<now>.+)$/i.exec(text)?.groups ?? {};
  if (old !== undefined && now !== undefined) return { content: now, insteadOf: old };
  const found =
    /^(?<before>.+?),? (?:and )?(?:not|instead of|rather than) (?<old>[^,]+)(?<after>,.+)?$/i.exec(text);
  const { before = "", old: instead, after = "" } = found?.groups ?? {};
  if (instead === undefined) return undefined;
  if (!/,| instead of | rather than /i.test(text) && !isBareContrast(before, instead)) return undefined;
  // "Is not on Friday" says so, and is instead of nothing.
  if (!states(before)) return undefined;
  return { content: `${before.replace(/,$/, "")}${after}`, insteadOf: instead };
}

/** "In the red folder not the blue one", without a comma; "is still not in the folder" says what is so. */
export const BESIDE_NOT =
  /(?:'s|'re|'m|n't|\w\wly|\b(?:still|just|also|yet|always|often|ever|now|maybe|perhaps|but))$/i;
const isBareContrast = (before: string, old: string): boolean =>
  !AUXILIARY.test(before) &&
  !BESIDE_NOT.test(before) &&
  (/^(?:(?:the|a|an|my|our|his|her|their|at|on|in|to|for|with|by|from)\b|\d|\p{Lu})/u.test(old) ||
    typedParts(old)[0]?.start === 0) &&
  !/[,;]| (?:and|but|because|is|are|was|were) /i.test(old);

/** "I moved it to the safe": what was in something is in it now. */
export function placeOf(old: string, value: string, sentence: string): string {
  const link =
    new RegExp(` (\\w+|next to) ${escaped(value)}\\W*$`, "i").exec(sentence)?.[1]?.toLowerCase() ?? "to";
  const isDirection = /^(?:to|into|onto)$/.test(link);
  const before = /^(?:in|at|on|under|behind|with)\b/i.exec(old)?.[0].toLowerCase();
  return `${isDirection ? (link === "onto" ? "on" : before === "at" ? "at" : "in") : link} ${value}`;
}
