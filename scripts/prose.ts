/**
 * Fills the prose of Markdown pages to a width, and finds lines that are wider. Paragraphs, list items and
 * quotes are filled; code, tables, headings, comments and link definitions stay as they are.
 *
 * @module
 */

export const PROSE_WIDTH = 100;

export interface LongLine {
  /** Counted from 1. */
  readonly line: number;
  readonly length: number;
}

interface Block {
  readonly kind: "prose" | "heading" | "verbatim";
  /** Index of the first line. */
  readonly start: number;
  readonly lines: readonly string[];
  /** Before the first line of prose: indentation, list marker, quote marker. */
  readonly first: string;
  /** Before each further line. */
  readonly rest: string;
}

export interface WrapOptions {
  readonly width?: number;
  /** Fills every paragraph again, also those that fit. Default: false. */
  readonly all?: boolean;
}

/** Returns the page with its prose filled: the paragraphs that hold a line wider than `width`, or all. */
export function wrapProse(page: string, { width = PROSE_WIDTH, all = false }: WrapOptions = {}): string {
  return blocksOf(page)
    .flatMap((block) =>
      all || block.lines.some((line) => lengthOf(line) > width) ? filled(block, width) : block.lines,
    )
    .join("\n");
}

/** Returns the lines wider than `width` that filling, or a shorter heading, would mend. */
export function longLines(page: string, width = PROSE_WIDTH): readonly LongLine[] {
  return blocksOf(page).flatMap((block) => {
    const long = block.lines
      .map((line, index) => ({ line: block.start + index + 1, length: lengthOf(line) }))
      .filter(({ length }) => length > width);
    const canBeMended =
      block.kind === "heading"
        ? !block.lines.some((line) => line.includes("]("))
        : filled(block, width).join("\n") !== block.lines.join("\n");
    return canBeMended ? long : [];
  });
}

const lengthOf = (line: string): number => [...line].length;

const FENCE = /^[\s>]*(?:(?:[-*+]|\d+[.)]) +)?(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?: |$)/;
const LIST_ITEM = /^(\s*)([-*+]|\d+[.)])( +)(?=\S)/;
const QUOTE = /^ {0,3}>/;
/** A table's row, a rule or underline, a link definition, HTML. */
const VERBATIM = /^\s*(?:\||(?:[-*_] *){3,}$|=+$|\[[^\]]+\]: |<(?![a-z]+:))/;

function blocksOf(page: string): readonly Block[] {
  const lines = page.split("\n");
  const blocks: Block[] = [];
  const take = (kind: Block["kind"], count: number, first = "", rest = ""): void => {
    blocks.push({ kind, start: at, lines: lines.slice(at, at + count), first, rest });
    at += count;
  };
  let at = 0;
  let itemIndent = 0;
  while (at < lines.length) {
    const line = lines[at] as string;
    const item = LIST_ITEM.exec(line);
    const indent = line.length - line.trimStart().length;
    if (line.trim() !== "" && item === null && indent < itemIndent) itemIndent = indent;
    const other = heightOfOther(lines, at, itemIndent);
    if (other > 0) take("verbatim", other);
    else if (HEADING.test(line)) take("heading", 1);
    else if (item !== null) {
      itemIndent = item[0].length;
      take("prose", heightOfProse(lines, at), item[0], " ".repeat(itemIndent));
    } else {
      const prefix = /^\s*(?:> ?)*/.exec(line)?.[0] ?? "";
      take("prose", heightOfProse(lines, at), prefix, prefix);
    }
  }
  return blocks;
}

/** How many lines from here are no prose: 0 when the first is prose or a heading. */
function heightOfOther(lines: readonly string[], at: number, itemIndent: number): number {
  const line = lines[at] as string;
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) {
    const closing = new RegExp(`^[\\s>]*${fence}\\${fence[0]}*\\s*$`);
    return heightUntil(lines, at, (end) => end > at && closing.test(lines[end] as string));
  }
  if (/^\s*<!--/.test(line)) return heightUntil(lines, at, (end) => lines[end]?.includes("-->") === true);
  const isCode = /^\s*$/.test(lines[at - 1] ?? "") && line.search(/\S/) >= itemIndent + 4;
  return line.trim() === "" || isCode || VERBATIM.test(line) ? 1 : 0;
}

function heightUntil(lines: readonly string[], at: number, isLast: (end: number) => boolean): number {
  for (let end = at; end < lines.length; end += 1) if (isLast(end)) return end - at + 1;
  return lines.length - at;
}

function heightOfProse(lines: readonly string[], at: number): number {
  const isQuote = QUOTE.test(lines[at] as string);
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] as string;
    const begins = [FENCE, HEADING, LIST_ITEM, VERBATIM].some((other) => other.test(line));
    if (line.trim() === "" || begins || QUOTE.test(line) !== isQuote || hasHardBreak(lines[end - 1])) break;
  }
  return end - at;
}

const hasHardBreak = (line = ""): boolean => / {2}$|\\$/.test(line);

function filled({ kind, lines, first, rest }: Block, width: number): readonly string[] {
  if (kind !== "prose") return lines;
  const ending = / {2,}$/.exec(lines.at(-1) as string)?.[0] ?? "";
  const text = lines.map((line, index) =>
    index === 0 ? line.slice(first.length) : withoutPrefix(line, rest),
  );
  const result: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of wordsOf(text.join(" "))) {
    if (!isEmpty && lengthOf(line) + 1 + lengthOf(word) > width) {
      result.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...result, line + ending];
}

const withoutPrefix = (line: string, prefix: string): string =>
  (prefix.includes(">") ? line.replace(/^\s*(?:> ?)*/, "") : line).trim();

/** What would begin a list, a quote, a table, a heading or HTML if a line began with it. */
const BEGINS_A_BLOCK = /^(?:[-*+]|\d+[.)]|#{1,6}|=+|-+|[>|~].*|<(?!!--).*|`{3}.*)$/;

/** Words, code spans, links and comments: what no line break may part. A word that would begin a block stays with the last. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(UNBROKEN)) {
    if (BEGINS_A_BLOCK.test(word) && words.length > 0) words.push(`${words.pop()} ${word}`);
    else words.push(word);
  }
  return words;
}

const CODE_SPAN = "(`+)(?!`).*?[^`]\\1(?!`)";
const LINK = "!?\\[(?:[^\\[\\]]|\\[[^\\]]*\\])*\\](?:\\([^)]*\\)|\\[[^\\]]*\\])";
const COMMENT = "<!--.*?-->";
const UNBROKEN = new RegExp(`(?:${CODE_SPAN}|${LINK}|${COMMENT}|\\S)+?(?=\\s|$)`, "g");
