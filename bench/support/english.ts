/**
 * Text that looks like English to a compressor and to a search index: words by Zipf's law, the common
 * ones real, the rare ones built from syllables, in sentences and paragraphs.
 *
 * @module
 */
import { type SeededRandom, seededRandom } from "./seeded-random.ts";

export interface English {
  /** A sentence of 6 to 18 words. */
  readonly sentence: () => string;
  /** Sentences until about `sizeBytes` are full. */
  readonly text: (sizeBytes: number) => string;
  /** A word of middling frequency, as people search for. */
  readonly topic: () => string;
}

const COMMON =
  "the of and to in a is that it was for on are as with his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know";
const SYLLABLES =
  "an ar be ca con da de di el en er es fa fi for ga gen ha im in ist ka la le li lo ma me mi mo na ne no or pa pe po pro ra re ri ro sa se si so ta te ti to tra un va ve vi";
const ENDINGS = "ed er es ing ion ly ment ness s y able al ance ful";
const VOCABULARY_SIZE = 6_000;
const SENTENCES_PER_PARAGRAPH = 5;
const TOPIC_FIRST = 200;

export function english(random: SeededRandom): English {
  const words = vocabulary();
  const cumulative = zipf(words.length);
  const word = () => words[rankAt(cumulative, random.unit())] as string;
  const sentence = () => {
    const body = Array.from({ length: 6 + random.below(13) }, word).join(" ");
    return `${body.charAt(0).toUpperCase()}${body.slice(1)}.`;
  };
  return {
    sentence,
    text: (sizeBytes) => textOf(sentence, sizeBytes),
    topic: () => words[TOPIC_FIRST + random.below(words.length - TOPIC_FIRST)] as string,
  };
}

function textOf(sentence: () => string, sizeBytes: number): string {
  const sentences: string[] = [];
  for (let length = 0; length < sizeBytes; ) {
    const next = sentence();
    sentences.push(next);
    length += next.length + 1;
  }
  return sentences
    .map((text, index) => `${text}${(index + 1) % SENTENCES_PER_PARAGRAPH === 0 ? "\n" : " "}`)
    .join("")
    .trim();
}

/** The same words for every seed, so that sizes can be compared between runs. */
function vocabulary(): readonly string[] {
  const random = seededRandom(1);
  const [syllables, endings] = [SYLLABLES.split(" "), ENDINGS.split(" ")];
  const words = new Set(COMMON.split(" "));
  while (words.size < VOCABULARY_SIZE) {
    const stem = Array.from({ length: 1 + random.below(3) }, () => syllables[random.below(syllables.length)]);
    words.add(`${stem.join("")}${endings[random.below(endings.length)]}`);
  }
  return [...words];
}

function zipf(size: number): readonly number[] {
  let sum = 0;
  const cumulative = Array.from({ length: size }, (_, rank) => {
    sum += 1 / (rank + 2.7);
    return sum;
  });
  return cumulative.map((value) => value / sum);
}

function rankAt(cumulative: readonly number[], unit: number): number {
  let [low, high] = [0, cumulative.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] as number) < unit) low = middle + 1;
    else high = middle;
  }
  return low;
}
