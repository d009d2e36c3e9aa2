/**
 * How things are to be done from now on: kept as it was said.
 *
 * @module
 */
import type { Rule } from "../patterns.js";
import { isStatement, STATES } from "./remembering.js";
import { TAKING } from "./words.js";

/** "Always answer in German", "from now on, use tabs": how things are to be done is kept as it was said. */
export const PREFERRING: Rule = {
  patterns: [
    "(from now on|from here on|going forward|in future|in the future)[,] [always |please ]<rest>",
    "(always|never) <rest>",
  ],
  read: ({ rest = "" }, _around, sentence) =>
    NO_PREFERENCE.test(rest) ||
    isStatement(rest) ||
    rest.split(" ").length < 2 ||
    STATES.test(rest.split(" ")[0] ?? "")
      ? undefined
      : { operation: "remember", content: sentence },
};
/** What is to be done here, or is not to be. */
const NO_PREFERENCE = new RegExp(
  `^(?:don't |never |always |please )*(?:${TAKING.join("|")}|remember|memorize|save|store|keep|record|note|learn|write|add|change|merge|restore|combine|mind|again|the|a|an|my|our|it|this|that|what|who|when|I|we|you)\\b|[?]`,
  "i",
);
