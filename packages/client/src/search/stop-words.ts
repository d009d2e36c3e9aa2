/**
 * English words that say nothing about a subject. They are searched for only where a query holds no
 * others: each stands in most memories, so it costs much and tells nothing apart.
 *
 * @module
 */
const WORDS = `a about above after again against all am an and any are as at be because been before being
 below between both but by can cannot could did do does doing down during each few for from further had has
 have having he her here hers herself him himself his how i if in into is it its itself just let me more most
 my myself no nor not now of off on once only or other our ours ourselves out over own same she should so
 some such than that the their theirs them themselves then there these they this those through to too under
 until up very was we were what when where which while who whom whose why will with would you your yours
 yourself yourselves`;
/** What is left of "isn't", "I'll" and the like when the apostrophe has parted them. */
const CONTRACTIONS =
  "s t d ll m re ve don didn doesn isn wasn aren weren couldn wouldn shouldn hasn haven hadn won";

/** In lower case. With what an apostrophe parts from words, such as the `ll` of `I'll`. */
export const STOP_WORDS: ReadonlySet<string> = new Set(`${WORDS} ${CONTRACTIONS}`.split(/\s+/));
