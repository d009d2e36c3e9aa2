/**
 * Text on a terminal: how wide it is, and where it is broken.
 *
 * @module
 */
import { stripVTControlCharacters } from "node:util";

/** Columns that `text` takes: East Asian wide characters and emoji two, combining marks none. */
export function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  return isAscii(plain)
    ? plain.length
    : graphemes(plain).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** Cuts plain text to `columns`, with an ellipsis when something is missing. */
export function fit(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const grapheme of graphemes(text)) {
    width += graphemeWidth(grapheme);
    if (width > columns - 1) break;
    kept += grapheme;
  }
  return columns < 1 ? "" : `${kept.trimEnd()}…`;
}

/** Breaks at spaces so that no line exceeds `columns`, where words allow; colours must not span spaces. */
export function wrap(text: string, columns: number | undefined): readonly string[] {
  return text.split("\n").flatMap((line) => (columns === undefined ? [line] : wrapLine(line, columns)));
}

/** Every line moved right by `spaces`, broken so that it still fits. */
export function indent(text: string, spaces: number, columns: number | undefined): string {
  const room = columns === undefined ? undefined : Math.max(20, columns - spaces);
  return wrap(text, room)
    .map((line) => (line === "" ? "" : " ".repeat(spaces) + line))
    .join("\n");
}

/**
 * Where plain text on one line is broken so that no part exceeds `columns`: at spaces, beside characters of
 * scripts that need none, and within words too long for a line.
 *
 * @returns parts as [start, end) in UTF-16 units
 */
export function lineRanges(
  text: string,
  columns: number | undefined,
): readonly (readonly [number, number])[] {
  if (columns === undefined || displayWidth(text) <= columns) return [[0, text.length]];
  const lines: [number, number][] = [];
  let [start, at, width] = [0, 0, 0];
  let gap: readonly [end: number, next: number] | undefined;
  let wasWide = false;
  for (const grapheme of graphemes(text)) {
    const ownWidth = graphemeWidth(grapheme);
    const isWide = ownWidth === 2;
    if (at > start && gap?.[1] !== at && (isWide || wasWide) && grapheme !== " ") gap = [at, at];
    if (width + ownWidth > columns && grapheme !== " ") {
      const [end, next] = gap ?? [at, at];
      lines.push([start, end]);
      start = next;
      width = displayWidth(text.slice(start, at));
      gap = undefined;
    }
    if (at > start && grapheme === " ") gap = [at, at + 1];
    wasWide = isWide;
    width += ownWidth;
    at += grapheme.length;
  }
  return [...lines, [start, text.length]];
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (displayWidth(line) <= columns) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && displayWidth(longer) > columns) {
      lines.push(current);
      current = word;
    } else current = longer;
  }
  return [...lines, current];
}

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

let segmenter: Intl.Segmenter | undefined;

/** Made at first need: it costs more than everything else here. */
function graphemes(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function graphemeWidth(grapheme: string): number {
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2;
  if (/^[\p{Mark}\p{Format}]/u.test(grapheme)) return 0;
  const code = grapheme.codePointAt(0) ?? 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** Blocks whose characters are Wide or Fullwidth in Unicode's EastAsianWidth. */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];
