/**
 * Text that others wrote, on its way to a model: nothing in it is invisible, and nothing steers a terminal.
 *
 * What people cannot see they cannot review: characters without a shape have been used to hide orders in plain
 * sentences. Joiners stay, for scripts and emoji need them; one variation selector may follow a character.
 *
 * @module
 */
import { printable } from "./printable.js";

/** Zero-width characters, fillers, and tags: all that has no shape in any script or emoji. */
const SHAPELESS = [
  ...["\\u00ad", "\\u034f", "\\u115f", "\\u1160", "\\u17b4", "\\u17b5", "[\\u180b-\\u180f]", "\\u200b"],
  ...["[\\u2060-\\u2065]", "[\\u206a-\\u206f]", "\\u3164", "\\ufeff", "\\uffa0", "[\\ufff0-\\ufffb]"],
  ...["[\\u{e0000}-\\u{e00ff}]", "[\\u{e01f0}-\\u{e0fff}]"],
];
const SELECTOR = "(?:[\\ufe00-\\ufe0f]|[\\u{e0100}-\\u{e01ef}])";
const JOINER = "(?:\\u200c|\\u200d)";
/** A selector that follows another or nothing, and all joiners of a row but the last. */
const HIDING = [`(?<=^|${SELECTOR})${SELECTOR}`, `${JOINER}(?=${JOINER})`];
const INVISIBLE = new RegExp(`(?:${[...SHAPELESS, ...HIDING].join("|")})+`, "gu");

/**
 * Returns text that a model may be shown: what cannot be seen reads `⟨3 invisible⟩`, and nothing steers a terminal.
 */
export const safeText = (text: string): string =>
  isPlain(text) ? text : printable(text).replace(INVISIBLE, (run) => `⟨${[...run].length} invisible⟩`);

/** The same for every text in plain data, and for names. */
export function safeData(value: unknown): unknown {
  if (typeof value === "string") return safeText(value);
  if (Array.isArray(value)) return value.map(safeData);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [safeText(name), safeData(one)]));
}

/** Printable ASCII, tabs and line feeds: most texts. */
const isPlain = (text: string): boolean => /^[\t\n\x20-\x7e]*$/.test(text);
