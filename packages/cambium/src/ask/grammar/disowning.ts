/**
 * What is right, and that the other is not: "it's port 8010 for the dev server, the 8100 one is wrong", "the minimum is
 * £200, scrap the other figure". Of two memories, or of the two sides of a conflict, one stays.
 *
 * @module
 */
import { valuesIn } from "../changed-value.js";
import type { Rule } from "../patterns.js";
import { ASKS, ORDERS } from "./remembering.js";

const ONE =
  "(?: (?:one|figure|number|note|date|day|time|hour|price|memory|version|value|amount|code|thing)s?| entry| entries| memories)?";
const OLD = "(?:(?:the|that|his|her|my|your) )?(?<old>[^,;]{1,40}?)";
const WRONG =
  "(?:the )?(?:wrong(?: one)?|rubbish|nonsense|out of date|outdated|old|stale|incorrect|a mistake|a typo|false|not right|not true|no good|no longer right)";
const AWAY =
  "(?:scrap|bin|drop|lose|forget|delete|remove|ditch|ignore|chuck|hide|discard|get rid of|throw (?:out|away))";
const BEFORE = "(?:[,;:.–—-]+ ?(?:and |but |so )?| (?:and|but|so) )";
const PLEASE = "(?:please |pls |can you |could you |you can |just )*";

/** Said after it, or before it. */
const DISMISSALS: readonly RegExp[] = [
  `^(?<right>.+?)${BEFORE}${OLD}${ONE}(?:'s| is| are| was| were) (?:just |simply |plain |all )?${WRONG}$`,
  `^(?<right>.+?)${BEFORE}${PLEASE}${AWAY}(?: out| away)? ${OLD}${ONE}(?: out| away)?$`,
  `^${OLD}${ONE}(?:'s| is| are| was| were) (?:just |simply |plain |all )?${WRONG}[,;:.–—-]+ ?(?:and |but |so )?(?<right>.+)$`,
].map((form) => new RegExp(form, "iu"));

/** "Three to one on the rosin mix is the wrong one so bin it, the other's right". */
const WRONG_ONE = new RegExp(
  `^(?<old>[^,;.]+?) (?:is|are|was|were) ${WRONG}(?:${BEFORE}${PLEASE}${AWAY} (?:it|that|them))?(?:${BEFORE}(?:the )?other(?: one)?(?:'s| is| was| are) (?:the )?(?:right|correct|fine|true|good)(?: one)?)$`,
  "iu",
);

/** "The other", or a value that says by itself which one is meant. */
const OTHER = /^(?:other|others|older|old|first|previous|earlier|former|wrong)$/i;

export const DISOWNING: Rule = {
  patterns: ["<sentence>"],
  read: ({ sentence = "" }) => {
    if (sentence.includes("?")) return undefined;
    const wrong = WRONG_ONE.exec(sentence)?.groups?.old;
    if (wrong !== undefined && valuesIn(wrong).length > 0 && !ORDERS.test(wrong))
      return { operation: "settle", topic: wrong, notValue: wrong };
    for (const form of DISMISSALS) {
      const { right = "", old = "" } = form.exec(sentence)?.groups ?? {};
      const stated = right.trim();
      if (stated === "" || ORDERS.test(stated) || ASKS.test(stated)) continue;
      const [value] = valuesIn(stated);
      const isOther = OTHER.test(old);
      if (value === undefined || !(isOther || valuesIn(old).length > 0)) continue;
      return {
        operation: "settle",
        ...{ topic: stated, value: stated, content: stated },
        ...(isOther ? {} : { notValue: old }),
      };
    }
    return undefined;
  },
};
