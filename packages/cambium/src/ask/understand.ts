/**
 * Understands the requests of everyday use, without a model: a sentence becomes one request, or it is said
 * that it was not understood. English only. Pure: the clock and all names come in.
 *
 * @module
 */
import { EXAMPLES } from "./examples.js";
import { BRANCHING } from "./grammar/branching.js";
import { READING } from "./grammar/reading.js";
import { REMEMBERING, readRemember } from "./grammar/remembering.js";
import { ROLLBACK_PATTERN, SAVING } from "./grammar/rollback.js";
import type { NotUnderstood, Surroundings, Understanding } from "./intent.js";
import { matchPattern, type Reading, type Rule } from "./patterns.js";
import { MAX_SENTENCE, plainSentence, withoutCourtesies } from "./plain-sentence.js";

/** In this order: the first rule that makes sense of a sentence counts. */
const RULES: readonly Rule[] = [...ROLLBACK_PATTERN, ...READING, ...REMEMBERING, ...BRANCHING];

/** @returns the same for the same text and surroundings; never throws for a text */
export async function understand(text: string, around: Surroundings): Promise<Understanding> {
  const isSentence = text.length <= MAX_SENTENCE;
  const sentence = plainSentence(text.slice(0, MAX_SENTENCE));
  const saving = isSentence ? await firstReading(SAVING, sentence, around) : undefined;
  // Whatever is to be remembered may read like any other request.
  const reading =
    asRequest(saving) ??
    readRemember(withoutCourtesies(text)) ??
    (isSentence ? await firstReading(RULES, sentence, around) : TOO_LONG);
  if (reading !== undefined && "operation" in reading) return { understood: true, request: reading };
  return { understood: false, ...reading, ...nearestTo(sentence) };
}

const TOO_LONG = { why: `Only what is to be remembered may be longer than ${MAX_SENTENCE} characters.` };

const asRequest = (reading: Reading) =>
  reading !== undefined && "operation" in reading ? reading : undefined;

/** A rule that says why not does not keep later ones from making sense of it. */
async function firstReading(
  rules: readonly Rule[],
  sentence: string,
  around: Surroundings,
): Promise<Reading> {
  let whyNot: Reading;
  for (const { patterns, read } of rules) {
    for (const pattern of patterns) {
      const slots = matchPattern(pattern, sentence);
      const reading = slots === undefined ? undefined : await read(slots, around);
      if (reading !== undefined && "operation" in reading) return reading;
      whyNot ??= reading;
    }
  }
  return whyNot;
}

/** Less than this in common, and naming it would only puzzle. */
const LEAST_ALIKE = 0.3;

function nearestTo(sentence: string): Pick<NotUnderstood, "nearest"> {
  const asked = wordSet(sentence);
  const ranked = EXAMPLES.flatMap(({ operation, says }) =>
    says.map((example) => ({ operation, example, alike: similarityOf(asked, wordSet(example)) })),
  ).toSorted((a, b) => b.alike - a.alike);
  const [best] = ranked;
  if (best === undefined || best.alike < LEAST_ALIKE) return {};
  return { nearest: { operation: best.operation, example: best.example } };
}

const wordSet = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Dice's coefficient of two sets. */
function similarityOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return a.size + b.size === 0 ? 0 : (2 * shared) / (a.size + b.size);
}
