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
/** That it was a mistake, or what was decided: then follows what is to be done. */
const SORRY =
  /^(?:I\s+(?:didn['’]?t|did\s+not)\s+mean\s+(?:that|it|to|to\s+do\s+that)|(?:that|it)\s+was\s+(?:wrong|a\s+mistake|an\s+accident|not\s+what\s+I\s+meant)|my\s+(?:mistake|bad)|sorry|(?:we|I)(?:['’]ve|\s+have)?\s+(?:decided|changed\s+(?:my|our)\s+minds?)|wrong\s+one|never\s*mind\s+(?:that|it|the\s+last\s+one))\s*[,;.!–—-]+\s+(?=\S)/i;
/** "I'd be grateful if you could …", "it would be great if you …", "I wonder whether you could …". */
const IF_YOU =
  /^(?:(?:i|we)(?:['’]d|\s+(?:would|should))\s+(?:be\s+(?:very\s+|so\s+|most\s+)?(?:glad|happy|grateful|thankful|pleased)|appreciate\s+it|like\s+it)|(?:it|that)(?:['’]d|\s+would)\s+be\s+(?:very\s+|so\s+|really\s+)?(?:nice|great|good|lovely|kind|helpful|wonderful|awesome|cool)|(?:i|we)(?:['’]m|\s+am|\s+was)?\s+wonder(?:ing)?)\s+(?:if|whether)\s+you\s+(?:(?:can|could|would|will)\b)?/i;
/** "Could I ask you to …", "would it be possible to …", "be so kind as to …". */
const MAY_I =
  /^(?:(?:may|might|could|can)\s+(?:i|we)\s+(?:ask|trouble|bother|get)\s+you\s+to|(?:would|will)\s+it\s+be\s+(?:possible|ok|okay|alright|all\s+right)\s+to|(?:please\s+)?be\s+so\s+(?:kind|good|nice)(?:\s+(?:as|and))?(?:\s+to)?|do\s+me\s+(?:a|the)\s+favou?r\s+(?:and|,)|(?:please|pls)\s+to)\b/i;
const COURTESIES_BEFORE: readonly RegExp[] = [
  /^[\s,:;.!-]+/,
  /^(?:hey|hi|hello|ok|okay|so|well|now|alright|right|um|oops|please|pls|plz|kindly|cambium|btw|by\s+the\s+way|quick\s+question)\b(?=[\s,:!.-])/i,
  /^(?:h+m+|u+h+|a+h+|o+h+|ugh|whoops|damn|yes|yeah|yep|yup|sure|great|cool|perfect|thanks|one\s+more\s+thing|oh\s+no|hm+\s+no)\b(?=[\s,:!.-])/i,
  // "No, the budget is 900" corrects.
  /^(?:no|nope)\s*,\s*(?=(?:please\s+)?(?:undo|bring|restore|take|put|go|forget|delete|remove|show|list|revert|roll)\b)/i,
  /^(?:(?:hang|hold)\s+on(?!\s+to\b)|(?:no\s*,?\s+)?wait)\b(?=[\s,:!.-])/i,
  /^would\s+you\s+mind\b/i,
  WOULD_YOU,
  SORRY,
  /^(?:can|could|may)\s+(?:I|we)\s+(?=(?:try|make|create|start|open)\b)/i,
  /^(?!(?:i|we)(?:['’]d)?\s+(?:\w+\s+){0,3}you\s+to\s+know\b)(?:i|we)(?:['’]d|\s+(?:would|should))\s+(?:(?:really|also|just|very\s+much)\s+)?(?:like|love|prefer|be\s+glad|be\s+happy)\s+(?:(?:for\s+)?you\s+)?to\b/i,
  /^(?!(?:i|we)(?:['’]d)?\s+(?:\w+\s+){0,3}you\s+to\s+know\b)(?:i|we)\s+(?:want|need|wish)\s+(?:you\s+)?to\b/i,
  IF_YOU,
  MAY_I,
  /^let(?:['’]s|\s+us|\s+me)\b/i,
  /^only\s+(?=(?:show|list|find|give)\b)/i,
  /^(?:just|maybe|perhaps|possibly|go\s+ahead\s+and)\b/i,
];
const COURTESIES_AFTER: readonly RegExp[] = [
  // Behind a mark only: "the castle is worth knowing" says so of the castle.
  /\s*[,.;–—-]\s*(?:ta\s+(?:very\s+much|muchly)|worth\s+(?:knowing|remembering|noting|keeping|(?:having|writing|noting)\s+(?:written\s+|noted\s+)?down)|just\s+so\s+you\s+know|for\s+(?:the\s+record|future\s+reference))$/i,
  /[\s,]+(?:please|pls|plz|thanks|thank\s+you|thx|cheers|ta|asap|ok|okay)$/i,
  /[\s,]+(?:lo+l|lmao|rofl|ha(?:ha)+h?|he(?:he)+|x+d|bro|dude|mate|tbh|imho|pretty\s+please|many\s+thanks|thanks\s+(?:a\s+lot|so\s+much|in\s+advance)|thank\s+you\s+(?:very|so)\s+much|(?:will|would)\s+you\s+please)$/i,
  /\s+\p{Extended_Pictographic}+\p{Emoji_Modifier}*\uFE0F?$/u,
  /\s+[:;]-?[)(DPp]$/,
  /[\s,]+if\s+(?:you\s+can|you\s+would|you\s+don['’]t\s+mind|possible)$/i,
  /,\s*(?:will|would|can|could)\s+you$/i,
];

/** They say why, or that nothing else is meant, and leave what is asked for as it is. */
const ASIDES = [
  "(?:I|we)(?:['’]m|['’]re| am| are) (?:all )?done with (?:it|that|this|them)",
  "(?:I|we) (?:don['’]?t|no longer) (?:need|want) (?:it|that|this|them)(?: any ?more| any longer)?",
  "(?:it|that|this)(?:['’]s| was| is) (?:wrong|a mistake|my mistake|outdated|out of date|obsolete|old)",
  "(?:leave|keep) (?:the rest|everything else)(?: as it is| alone)?",
  "(?:the rest|everything else) (?:stays|can stay|should stay|is fine)(?: as it is)?",
  "(?:the )?same \\w+(?:(?:,| and|, and)? (?:the )?same \\w+)*",
];
const ASIDE = new RegExp(`\\s*[,;.–—-]+\\s*(?:and\\s+)?(?:${ASIDES.join("|")})$`, "i");

/** What it is about is said first, and then what to do with "it". */
const IT_IS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:I|we) (?:don't|do not|no longer) want you to (?:remember|know|keep|store) (.+?)(?: any ?more| any longer)?$/i,
    "forget $1",
  ],
  [
    /^(?:I|we) (?:no longer|don't|do not) (?:need|want) (.+?)(?: any ?more| any longer)?[,;.] (?:so )?(?:and )?(?:please )?(forget|drop|delete|remove|get rid of|discard) (?:it|that|them)$/i,
    "$2 $1",
  ],
  [
    /^((?:the|my|our) .+?) (?:is|are) (?:wrong|outdated|out of date|obsolete|no longer (?:true|needed))[,;.] (?:so )?(?:and )?(?:please )?(forget|drop|delete|remove|get rid of|discard) (?:it|that|them)$/i,
    "$2 $1",
  ],
  // What it is for leaves the branch as it is.
  [
    /^I'd like to [^,]+, (?:so )?(?:please )?((?:open|make|create|start) (?:me )?a (?:new )?branch .+?)(?: for (?:that|it|this))?$/i,
    "$1",
  ],
  [
    /^(?!if\b|when\b|unless\b|before\b|after\b|don't\b|never\b)[^,]+, (?:so )?((?:open|make|create|start) (?:me )?a (?:new )?branch .+?) for (?:that|it|this)$/i,
    "$1",
  ],
  [/^(throw|clear|kick) (.+) (away|out)$/i, "$1 $3 $2"],
  [
    /^((?:open|make|create|start) .*\bbranch .+?),? and (?:then )?(?:switch|move|go|change|jump) (?:over )?(?:to it|there|onto it)$/i,
    "$1",
  ],
];

/** As they are typed in a hurry. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\bim\b/gi, "I'm"],
  [/\bive\b/gi, "I've"],
  [/\b(you|they|we)ve\b/gi, "$1've"],
  [/\b(you|they)re\b/gi, "$1're"],
  [/\b(that|there)s\b(?= )/gi, "$1's"],
];

/** @returns the words with the apostrophes that were left out */
export const withApostrophes = (text: string): string =>
  SHORT.reduce((sentence, [short, long]) => sentence.replace(short, long), text);

const SPELT_OUT: readonly (readonly [RegExp, string])[] = [
  [/^gimme\b/i, "give me"],
  [/ for (?:me|us)(?= (?:called|named)\b)/i, ""],
  [
    /^((?:how many|list|show|find|tally|count|give|get|tell|look up|check|make|create|open|compare)\b.*) for (?:me|us)$/i,
    "$1",
  ],
  [/\b(everything|all|anything) what (?!is\b|are\b|was\b|were\b)/i, "$1 that "],
  [/^lemme\b/i, "let me"],
  [/^what(?:'s|s) (?=been\b)/i, "what has "],
  [/ (?:so far|by now|at all|yet|already)$/i, ""],
  [/^((?:is|are|was|were)\b.*?),? or not$/i, "$1"],
  [/\b(what|who|where|how|when|that)(?:'s|s(?= (?:new|changed|my|up|going|wrong|pending)\b))/gi, "$1 is"],
  [/\b(what|who|where|how)s\b(?= )/gi, "$1 is"],
  [/\b(does|did|is|are|was|were|has|have|had|could|would|should|ca|wo)nt\b/gi, "$1n't"],
  [/\b(what|who|where|how|when|why)'d\b/gi, "$1 did"],
  [/\b(what|how|why)'ve\b/gi, "$1 have"],
  [/\byou've\b/gi, "you have"],
  [/^(?:(?:show|give|get|tell) me|can I (?:see|have|get)) (?:a|the|my) (?:full |whole )?list of /i, "list "],
  [/\brestore points?\b/gi, "checkpoint"],
  [/\bi'?ve\b/gi, "I have"],
  ...SHORT,
  [/\b(?:don't|dont|do not)\b/gi, "don't"],
  [/^(?:can|could|may) I (?:please )?(?:see|have|get|look at) (?!(?:the|my|our|that) .* back$)/i, "give me "],
  [
    /^(?:I'd like|I would like|I want|I need|we need)(?: to (?:see|have|look at))? (?=(?:an? |all |every|the (?:full |whole )?(?:list|history|changes)))(?!.* back$)/i,
    "give me ",
  ],
];

/** After these, a question mark is manners, too. */
const ASKED: readonly RegExp[] = [WOULD_YOU, IF_YOU, MAY_I];

/** No thanks are longer. What is to be remembered may be, and is not searched for them. */
const TAIL = 60;

/** @returns the words between greeting and thanks, as they were written */
export function withoutCourtesies(text: string): string {
  let rest = text.trim();
  let isAsked = false;
  for (let before = ""; rest !== before; ) {
    before = rest;
    for (const courtesy of COURTESIES_BEFORE) {
      isAsked ||= ASKED.includes(courtesy) && courtesy.test(rest);
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
  const asked = [...SPELT_OUT, ...IT_IS].reduce(
    (sentence, [short, long]) => sentence.replace(short, long),
    line,
  );
  return asked.slice(0, asked.length - (ASIDE.exec(asked.slice(-TAIL))?.[0].length ?? 0));
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
