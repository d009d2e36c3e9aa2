/**
 * What a text differs by from another one: where both begin and end alike, and what lies between, deflated with the other
 * text as the dictionary. An edit of a tenth takes about as much as its new words.
 *
 * @module
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";

/** In bytes of UTF-8. */
export interface TextDifference {
  /** So many are those that the base begins with. */
  readonly prefix: number;
  /** So many are those that the base ends with. */
  readonly suffix: number;
  /** How long it is, all of it. */
  readonly length: number;
  /** What lies between, piece by piece. */
  readonly pieces: readonly Uint8Array[];
}

/** Deflate looks back so far. */
const WINDOW = 32_768;
/** Few enough that what a piece repeats of the base lies in one window, though much was put in or taken out before it. */
const PIECE = 16_384;
const LONGEST_LOOK = { windowBits: 15, memLevel: 9, level: 9 };

/** Returns what `text` differs by from `base`. */
export function differenceOf(base: Uint8Array, text: Uint8Array): TextDifference {
  const limit = Math.min(base.length, text.length);
  let prefix = 0;
  while (prefix < limit && base[prefix] === text[prefix]) prefix += 1;
  let suffix = 0;
  while (suffix < limit - prefix && base.at(-1 - suffix) === text.at(-1 - suffix)) suffix += 1;
  const middle = text.subarray(prefix, text.length - suffix);
  const pieces = rangesOf(middle.length).map(([from, to]) =>
    deflateRawSync(middle.subarray(from, to), {
      ...LONGEST_LOOK,
      ...dictionaryFor(base, { prefix, suffix, length: text.length }, from),
    }),
  );
  return { prefix, suffix, length: text.length, pieces };
}

/**
 * Returns the text that differs by this from `base`; undefined where these two do not belong together. It may be another
 * text all the same: who asks compares its code.
 */
export function withDifference(base: Uint8Array, difference: TextDifference): Uint8Array | undefined {
  const { prefix, suffix, length, pieces } = difference;
  if (prefix + suffix > Math.min(base.length, length)) return undefined;
  const ranges = rangesOf(length - prefix - suffix);
  if (ranges.length !== pieces.length) return undefined;
  const text = new Uint8Array(length);
  text.set(base.subarray(0, prefix));
  text.set(base.subarray(base.length - suffix), length - suffix);
  for (const [place, [from, to]] of ranges.entries()) {
    const piece = inflated(pieces[place] as Uint8Array, {
      maxOutputLength: to - from,
      ...dictionaryFor(base, difference, from),
    });
    if (piece?.length !== to - from) return undefined;
    text.set(piece, prefix + from);
  }
  return text;
}

function inflated(bytes: Uint8Array, options: Parameters<typeof inflateRawSync>[1]): Uint8Array | undefined {
  try {
    return inflateRawSync(bytes, options);
  } catch {
    return undefined;
  }
}

/** Of the pieces of so many bytes. */
const rangesOf = (length: number): readonly (readonly [from: number, to: number])[] =>
  Array.from({ length: Math.ceil(length / PIECE) }, (_, place) => [
    place * PIECE,
    Math.min(length, (place + 1) * PIECE),
  ]);

/** Of a long base, what stands about where the piece does. */
function dictionaryFor(
  base: Uint8Array,
  { prefix, suffix, length }: Omit<TextDifference, "pieces">,
  from: number,
): { readonly dictionary?: Uint8Array } {
  if (base.length === 0) return {};
  if (base.length <= WINDOW) return { dictionary: base };
  const [between, middle] = [base.length - prefix - suffix, length - prefix - suffix];
  const about = prefix + Math.floor((from / middle) * between) + PIECE / 2;
  const start = Math.max(0, Math.min(base.length - WINDOW, about - WINDOW / 2));
  return { dictionary: base.subarray(start, start + WINDOW) };
}
