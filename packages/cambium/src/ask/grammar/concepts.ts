/**
 * How things stand, asked for in any words: which words name it, and which others may stand beside them. With any
 * other word it is another question.
 *
 * @module
 */
import type { Intent, Surroundings } from "../intent.js";
import { knownName } from "./known-names.js";

interface Concept {
  readonly request: Intent;
  /** One of them names it. */
  readonly core: RegExp;
  /** Without one of each, a word of the core may be about anything. */
  readonly with?: readonly RegExp[];
  readonly beside: string;
}

const DEVICES =
  "device devices gadget gadgets phone phones iphone laptop notebook computer computers desktop desk machine machines tablet ipad pc mac macbook workstation";
const CONTENT =
  "memory memories note notes fact facts things stuff changes change edits entries everything anything all data";

const CONCEPTS: readonly Concept[] = [
  {
    request: { operation: "conflicts" },
    core: /\b(?:conflict(?:s|ing|ed)?|contradict(?:s|ed|ing|ory|ions?)?|disagree(?:s|d|ments?)?|clash(?:es|ed|ing)?|undecided|unresolved|inconsisten(?:t|cy|cies))\b|\b(?:doesn't|don't|does not|do not|not) (?:add up|agree|tally|match up)\b|\bat odds\b/i,
    beside: `${DEVICES} ${CONTENT} agents sides side two both branches merge merging versions version values each other one another my notes themselves myself am resolve decide settle fix solve sort out need look pending remain remaining after before during moment currently add up agree tally doesn't don't odds`,
  },
  {
    request: { operation: "status" },
    core: /\b(?:sync|synced|syncs|synching|syncing|synchroni[sz]ed|status|unsynced|offline|online)\b|\bup to date\b/i,
    beside: `${DEVICES} ${CONTENT} ago time last latest newest relay server state fully completely properly connected waiting pending`,
  },
  {
    request: { operation: "status" },
    core: /\b(?:arrived?|reach(?:ed)?|connected|caught up|catch up|got|gotten|get|come|came|gone|received?|seen|across)\b/i,
    with: [new RegExp(`\\b(?:${DEVICES.replaceAll(" ", "|")})\\b`, "i")],
    beside: `${DEVICES} ${CONTENT} latest newest last new recent typed wrote written saved made said added relay server through over sent`,
  },
  {
    request: { operation: "labels", of: "device" },
    core: /\b(?:hooked|linked|paired|joined|connected|signed|logged)\b/i,
    with: [
      /^(?:which|what|list|show|is|are)\b/i,
      new RegExp(`\\b(?:${DEVICES.replaceAll(" ", "|")})\\b`, "i"),
    ],
    beside: `${DEVICES} thing memory memories in not`,
  },
  {
    request: { operation: "status" },
    core: /^(?:(?:on |to )?(?:which|what|how many) (?:of my )?(?:devices|computers|machines)|where)\b/i,
    with: [
      /\b(?:have|has|got|hold|holds|keeps?|kept|stored|saved|is|are)\b/i,
      /\b(?:cop(?:y|ies)|everything|memory|memories|all)\b/i,
    ],
    beside: `${DEVICES} memory memories everything copy copies hold holds keep keeps kept stored saved whole full complete own it`,
  },
  {
    request: { operation: "export" },
    core: /\b(?:export|exports|copy|back ?up|dump|download|archive|save|take)\b/i,
    with: [
      /\b(?:everything|all|whole|entire|memory|memories|notes|back ?up)\b/i,
      /\b(?:usb|sticks?|disks?|drive|files?|outside|cloud|folder|elsewhere|markdown|json|jsonl|text|download|export|dump)\b/i,
    ],
    beside: `${CONTENT} it of whole entire full complete file files usb stick disk hard drive external outside cloud folder elsewhere markdown json jsonl text plain keep safe safely somewhere else as format make`,
  },
  {
    request: { operation: "checkpoints" },
    core: /\b(?:checkpoints|snapshots|save points|saved states|backups)\b/i,
    beside:
      "made make saved save kept far last latest newest first oldest go back to return so names name of top poss possible",
  },
  {
    request: { operation: "labels", of: "category" },
    core: /\bcategories\b/i,
    beside: "use used using memories notes kinds so far",
  },
  {
    request: { operation: "labels", of: "tag" },
    core: /\btags\b/i,
    beside: "use used using memories notes so far",
  },
  {
    request: { operation: "labels", of: "agent" },
    core: /\bagents\b|^who has (?:written|saved|added)/i,
    beside: "written write writing wrote saved save added add memories notes things agents so far has who",
  },
  {
    request: { operation: "labels", of: "device" },
    core: /\bdevices\b|^who (?:can|may|is able to|has|could) (?:all )?(?:see|read|access|open|look|access to)\b/i,
    beside:
      "written write writing wrote saved save added add memories memory notes part so far access may read see open into able everything else",
  },
  {
    request: { operation: "branches" },
    core: /\bbranches\b/i,
    beside: "made make active alive memory here so far",
  },
];

const FILLER = new Set(
  "all what which who where when how is are was were be been being do does did have has had can could should would will must need needs there here any anything something some every the a an my our your its this that these those them they i we you me us of on in at to for from with by and or if so ever yet already still now right currently today again please show list see tell give check look get find let know about between open left around exist exists named called out up also just want like i'd".split(
    " ",
  ),
);

/** @returns undefined where a word is none of these: then it may be about something else */
export function readStanding(sentence: string, { devices = [] }: Surroundings): Intent | undefined {
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}'-]+/gu) ?? [];
  const concept = CONCEPTS.find(({ core, with: needed, beside }) => {
    if (!core.test(sentence) || needed?.every((one) => one.test(sentence)) === false) return false;
    const own = new Set(beside.split(" "));
    return words.every(
      (word) =>
        FILLER.has(word) || own.has(word) || coreHas(core, word) || knownName(word, devices) !== undefined,
    );
  });
  if (concept === undefined || !(ASKS.test(sentence) || words.length <= MOST_BARE)) return undefined;
  return concept.request;
}

/** Whether the word belongs to what names it; of two words, each. */
const coreHas = (core: RegExp, word: string): boolean =>
  core.test(word) ||
  (core.test("up to date") && /^(?:up|to|date)$/.test(word)) ||
  /^(?:save|points|saved|states|caught|catch)$/.test(word);

/** A question, or to be shown; other orders have verbs of their own. */
const ASKS =
  /^(?:what|which|who|where|when|how|on (?=which|what|how)|is|are|was|were|do|does|did|have|has|had|can|could|any|anything|show|list|see|tell|give|check|look|find|let|export|dump|download|archive|copy|save|take|all|the|a|my)\b/i;
const MOST_BARE = 3;
