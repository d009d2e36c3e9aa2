/**
 * A block of lines between two marks at the end of a text file that belongs to somebody else: put in, renewed in
 * place and taken out, without touching another byte.
 *
 * @module
 */

export interface BlockMarks {
  readonly begin: string;
  readonly end: string;
}

/** Returns the lines between the marks, or undefined when no block is there. */
export function findBlock(text: string, marks: BlockMarks): string | undefined {
  const place = placeOf(text, marks);
  if (place === undefined) return undefined;
  return text
    .slice(place.start + marks.begin.length, place.end - marks.end.length)
    .replaceAll("\r\n", "\n")
    .replace(/^\n|\n$/g, "");
}

/** Returns the text with the block: renewed where it stands, else at the end after an empty line. */
export function putBlock(text: string, marks: BlockMarks, lines: readonly string[]): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = [marks.begin, ...lines, marks.end].join(eol);
  const place = placeOf(text, marks);
  if (place !== undefined) return text.slice(0, place.start) + block + text.slice(place.end);
  if (text === "" || text === "\uFEFF") return text + block + eol;
  // A text whose last line has no end keeps it so: then taking the block out finds the way back.
  return text.endsWith("\n") ? text + eol + block + eol : text + eol + eol + block;
}

/** Returns the text without the block, and without the gap that was put before it. */
export function takeBlock(text: string, marks: BlockMarks): string {
  const place = placeOf(text, marks);
  if (place === undefined) return text;
  const before = text.slice(0, place.start);
  const after = text.slice(place.end);
  if (after === "") return before.replace(/\r?\n\r?\n$/, "");
  if (/^\r?\n$/.test(after)) return before.replace(/\r?\n$/, "");
  // Something was added behind: the gap before the block is now the gap before that.
  return before + after.replace(/^(\r?\n){1,2}/, "");
}

function placeOf(text: string, { begin, end }: BlockMarks) {
  const start = text.indexOf(begin);
  const last = start === -1 ? -1 : text.indexOf(end, start);
  return last === -1 ? undefined : { start, end: last + end.length };
}
