/**
 * A sentence without its manners: politeness, greetings, doubled spaces and marks at its end say nothing
 * about what is asked for.
 *
 * @module
 */

/** Longer ones are texts; only what is to be remembered may be one. */
export const MAX_SENTENCE = 500;

/** As a question it is still a request: its question mark is manners, too. */
const WOULD_YOU = /^(?:can|could|would|will)\s+you\b(?!\s+(?:know|remember)\b[\s\S]*\babout\b)/i;
const COURTESIES_BEFORE: readonly RegExp[] = [
  /^[\s,:;.!-]+/,
  /^(?:hey|hi|hello|ok|okay|so|well|now|alright|right|um|oops|please|pls|plz|kindly|cambium|btw|by\s+the\s+way|quick\s+question)\b(?=[\s,:!.-])/i,
  /^(?:hang\s+on|hold\s+on|(?:no\s*,?\s+)?wait)\b(?=[\s,:!.-])/i,
  WOULD_YOU,
  /^would\s+you\s+mind\b/i,
  /^i(?:['’]d|\s+would)\s+like\s+(?:you\s+)?to\b/i,
  /^i\s+(?:want|need)\s+(?:you\s+)?to\b/i,
  /^let(?:['’]s|\s+us|\s+me)\b/i,
  /^(?:just|maybe|perhaps|possibly|go\s+ahead\s+and)\b/i,
];
const COURTESIES_AFTER: readonly RegExp[] = [
  /[\s,]+(?:please|pls|plz|thanks|thank\s+you|thx|cheers|ta|asap|ok|okay)$/i,
  /[\s,]+if\s+(?:you\s+can|you\s+would|you\s+don['’]t\s+mind|possible)$/i,
];

const SPELT_OUT: readonly (readonly [RegExp, string])[] = [
  [/\b(what|who|where|how|when|that)(?:'s|s(?= (?:new|changed|my|up|going|wrong|pending)\b))/gi, "$1 is"],
  [/\b(what|who|where|how)s\b(?= )/gi, "$1 is"],
  [/\b(does|did|is|are|was|were|has|have|had|could|would|should|ca|wo)nt\b/gi, "$1n't"],
  [/\b(what|who|where|how|when|why)'d\b/gi, "$1 did"],
  [/\b(what|how|why)'ve\b/gi, "$1 have"],
  [/\byou've\b/gi, "you have"],
  [/^(?:(?:show|give|get|tell) me|can I (?:see|have|get)) (?:a|the|my) (?:full |whole )?list of /i, "list "],
  [/\brestore points?\b/gi, "checkpoint"],
  [/\bi've\b/gi, "I have"],
  [/\b(?:don't|dont|do not)\b/gi, "don't"],
];

/** No thanks are longer. What is to be remembered may be, and is not searched for them. */
const TAIL = 60;

/** @returns the words between greeting and thanks, as they were written */
export function withoutCourtesies(text: string): string {
  let rest = text.trim();
  let isAsked = false;
  for (let before = ""; rest !== before; ) {
    before = rest;
    for (const courtesy of COURTESIES_BEFORE) {
      isAsked ||= courtesy === WOULD_YOU && WOULD_YOU.test(rest);
      rest = rest.replace(courtesy, "").trimStart();
    }
    // Also before thanks: "Could you remember that it is Friday? Thanks!"
    if (isAsked) rest = withoutLast("?", rest);
    // A mark is only in the way of thanks: "That is all! Thanks."
    const bare = withoutMarks(rest);
    const tail = bare.slice(-TAIL);
    const thanks = COURTESIES_AFTER.map((courtesy) => courtesy.exec(tail)).find((match) => match !== null);
    if (thanks !== undefined && thanks !== null)
      rest = bare.slice(0, bare.length - thanks[0].length).trimEnd();
  }
  return rest;
}

/** @returns the sentence on one line, without manners and marks at its end, with short forms spelt out */
export function plainSentence(text: string): string {
  const line = withoutMarks(withoutCourtesies(straight(text))).replace(/\s+/g, " ");
  return SPELT_OUT.reduce((sentence, [short, long]) => sentence.replace(short, long), line);
}

const withoutMarks = (text: string): string => withoutLast(",;.!?…", text);

/**
 * Without these signs, and spaces, at its end.
 *
 * By hand: a pattern that ends so would look at each run of them in a long text again from each of its places.
 */
export function withoutLast(signs: string, text: string): string {
  let end = text.length;
  while (end > 0 && (signs.includes(text.charAt(end - 1)) || text.charAt(end - 1).trim() === "")) end -= 1;
  return text.slice(0, end);
}

/** Of the same length. */
export const straight = (text: string): string =>
  text.replace(/[\u2018\u2019\u02bc]/g, "'").replace(/[\u201c\u201d\u201e]/g, '"');
