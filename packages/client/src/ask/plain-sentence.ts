/**
 * A sentence without its manners: politeness, greetings, doubled spaces and marks at its end say nothing
 * about what is asked for.
 *
 * @module
 */

/** Longer ones are texts; only what is to be remembered may be one. */
export const MAX_SENTENCE = 500;

const MANNERS_BEFORE: readonly RegExp[] = [
  /^[\s,:;.!-]+/,
  /^(?:hey|hi|hello|ok|okay|so|well|now|alright|right|um|please|kindly|cambium)\b(?=[\s,:!.-])/i,
  /^(?:can|could|would|will) you\b(?! (?:know|remember)\b.*\babout\b)/i,
  /^would you mind\b/i,
  /^i(?:'d| would) like (?:you )?to\b/i,
  /^i (?:want|need) (?:you )?to\b/i,
  /^let(?:'s| us)\b/i,
  /^(?:just|go ahead and)\b/i,
];
const MANNERS_AFTER: readonly RegExp[] = [
  /[\s,;.!?…]+$/,
  /[\s,]+(?:please|thanks|thank you|thx|cheers)$/i,
  /[\s,]+if (?:you can|you would|you don't mind|possible)$/i,
];

const SPELT_OUT: readonly (readonly [RegExp, string])[] = [
  [/\b(what|who|where|how|when|that)(?:'s|s(?= (?:new|changed|my|up|going|wrong|pending)\b))/gi, "$1 is"],
  [/\b(what|who|where|how|when|why)'d\b/gi, "$1 did"],
  [/\b(what|how|why)'ve\b/gi, "$1 have"],
  [/\byou've\b/gi, "you have"],
  [/\bi've\b/gi, "I have"],
  [/\b(?:don't|dont|do not)\b/gi, "don't"],
];

/** @returns the words between greeting and thanks, as they were written */
export function withoutManners(text: string): string {
  let rest = straight(text).trim();
  for (let before = ""; rest !== before; ) {
    before = rest;
    for (const manners of MANNERS_BEFORE) rest = rest.replace(manners, "").trimStart();
    for (const manners of MANNERS_AFTER.slice(1)) rest = rest.replace(manners, "").trimEnd();
    // A mark is only in the way of thanks: "That is all! Thanks."
    if (MANNERS_AFTER.slice(1).some((manners) => manners.test(withoutMarks(rest)))) rest = withoutMarks(rest);
  }
  return rest;
}

/** @returns the sentence on one line, without manners and marks at its end, with short forms spelt out */
export function plainSentence(text: string): string {
  const line = withoutMarks(withoutManners(text)).replace(/\s+/g, " ");
  return SPELT_OUT.reduce((sentence, [short, long]) => sentence.replace(short, long), line);
}

const withoutMarks = (text: string): string => text.replace(/[\s,;.!?…]+$/, "");

const straight = (text: string): string =>
  text.replace(/[\u2018\u2019\u02bc]/g, "'").replace(/[\u201c\u201d\u201e]/g, '"');
