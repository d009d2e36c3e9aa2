/**
 * One value of a note for another: "replace React 19 with React 20 in the frontend note", "in the note on Ada, change
 * tea to coffee". Only that place of the note changes.
 *
 * @module
 */
import { type Rule, unquoted } from "../patterns.js";

const NOTE = "(note|notes|memory|entry|one|record|fact)";
const SWAP = "(replace|swap|swap out|exchange|substitute) <old> (with|by|for)";
const CHANGE = "(change|correct|update|switch|set|fix) [the |my |our ]<old> (to|into)";

export const REPLACING: Rule = {
  patterns: [SWAP, CHANGE].flatMap((form) => [
    `${form} <now> (in|on|of|for) [the |my |our |that ]${NOTE} (about|on|of|for|with) <topic>`,
    `${form} <now> (in|on|of|for) [the |my |our |that ]<topic> ${NOTE}`,
    `(in|on|of|for) [the |my |our |that ]${NOTE} (about|on|of|for|with) <topic>[,] ${form} <now>`,
    `(in|on|of|for) [the |my |our |that ]<topic> ${NOTE}[,] ${form} <now>`,
  ]),
  read: ({ old = "", now = "", topic = "" }, _around, sentence) => {
    const named = { subject: unquoted(topic), now: unquoted(now), insteadOf: unquoted(old) };
    if (/[,;?]| (?:and|but|if|when|unless) /i.test(`${old} ${now} ${topic}`)) return undefined;
    return {
      ...{ operation: "correct", content: sentence, subject: named.subject, type: "update" },
      ...{ isKnown: true, isValue: true, named },
    };
  },
};
