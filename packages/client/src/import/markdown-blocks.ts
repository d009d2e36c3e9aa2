/**
 * The blocks of a Markdown text, parsed in pieces: the parser copies all it has found at every underlined heading, so
 * that a text of nothing else takes it the square of its length.
 *
 * @module
 */
import { fromMarkdown } from "mdast-util-from-markdown";

type Root = ReturnType<typeof fromMarkdown>;
export type Block = Root["children"][number];

export interface MarkdownBlocks {
  /** With positions in the whole text. */
  readonly blocks: readonly Block[];
  /** URLs of reference links by identifier; the first definition counts, as CommonMark says. */
  readonly definitions: ReadonlyMap<string, string>;
}

/** In UTF-16 units. Longer where a single block is. */
const PIECE_LENGTH = 2_048;
const BYTE_ORDER_MARK = "\ufeff";
const EMPTY_LINE = /(?:\n|\r(?!\n))[ \t]*[\r\n]/;
const EMPTY_LINES = /(?:[ \t]*(?:\r\n?|\n))*/y;
/** What a reference link may be called. */
const LABEL = /\[((?:[^[\]\\]|\\.)+)\]/gs;

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly Block[];
}

export function readBlocks(text: string, pieceLength = PIECE_LENGTH): MarkdownBlocks {
  const pieces = piecesOf(text, pieceLength);
  const definitions = definitionsIn(pieces.flatMap(({ blocks }) => blocks));
  return { blocks: pieces.flatMap((piece) => withLinks(text, piece, definitions)), definitions };
}

function piecesOf(text: string, pieceLength: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let [start, length] = [text.startsWith(BYTE_ORDER_MARK) ? 1 : 0, pieceLength];
  while (start < text.length) {
    const end = pieceEnd(text, start + length);
    const blocks = parse(text, start, end);
    const kept = end === text.length ? blocks.length : finished(text.slice(start, end), start, blocks);
    if (kept === 0 && end < text.length) {
      length = (end - start) * 2; // one block, which is not over
      continue;
    }
    const next = kept === blocks.length ? end : lineStart(text, offsetOf(blocks[kept]), start);
    pieces.push({ start, end: next, blocks: blocks.slice(0, kept) });
    [start, length] = [next, pieceLength];
  }
  return pieces;
}

/** @returns how many of the first blocks stay as they are, and parsing may begin again behind them, whatever follows */
function finished(piece: string, start: number, blocks: readonly Block[]): number {
  for (let at = blocks.length; at > 0; at -= 1) {
    const [before, block] = [blocks[at - 1], blocks[at]];
    const between = piece.slice(
      (before?.position?.end.offset ?? 0) - start,
      block && offsetOf(block) - start,
    );
    const isApart = EMPTY_LINE.test(between);
    if (before?.type === "heading" || (isApart && (block !== undefined || before?.type === "paragraph")))
      return at;
  }
  return 0;
}

/** Again, with the definitions of other pieces before it, where one is referred to: only then it is a link. */
function withLinks(
  text: string,
  { start, end, blocks }: Piece,
  definitions: ReadonlyMap<string, string>,
): readonly Block[] {
  const own = definitionsIn(blocks);
  const foreign = new Set<string>();
  if (definitions.size > own.size) {
    for (const [, label = ""] of text.slice(start, end).matchAll(LABEL)) {
      const identifier = identifierOf(label);
      if (definitions.has(identifier) && !own.has(identifier)) foreign.add(identifier);
    }
  }
  const before = [...foreign].map((label) => `[${label}]: x\n`).join("");
  return before === "" ? blocks : parse(text, start, end, before).slice(foreign.size);
}

/** Behind an empty line: what looks like a byte order mark there is none. */
function parse(text: string, start: number, end: number, definitions = ""): readonly Block[] {
  const before = `${definitions}\n`;
  const { children } = fromMarkdown(before + text.slice(start, end));
  for (const node of descendants(children)) {
    if (node.position?.start.offset !== undefined) node.position.start.offset += start - before.length;
    if (node.position?.end.offset !== undefined) node.position.end.offset += start - before.length;
  }
  return children;
}

/** As CommonMark compares labels, and as the parser names definitions. */
const identifierOf = (label: string): string =>
  label
    .replace(/[\t\n\r ]+/g, " ")
    .replace(/^ | $/g, "")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase();

function definitionsIn(blocks: readonly Block[]): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  for (const node of descendants(blocks)) {
    if (node.type === "definition" && !definitions.has(node.identifier))
      definitions.set(node.identifier, node.url);
  }
  return definitions;
}

/** In the order of the text, and without recursion: quotations may nest thousands deep. */
export function* descendants(blocks: readonly Block[]): Generator<Block> {
  const pending: Block[] = [...blocks].reverse();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    if ("children" in node) for (const child of [...node.children].reverse()) pending.push(child);
  }
}

const offsetOf = (block: Block | undefined): number => block?.position?.start.offset ?? 0;

/** Where the line of `offset` begins, which is not before `from`. */
export function lineStart(text: string, offset: number, from: number): number {
  let start = offset;
  while (start > from && !isLineEnd(text, start - 1)) start -= 1;
  return start;
}

/** The end of the line of `offset`, and of the empty lines below it. */
function pieceEnd(text: string, offset: number): number {
  let end = Math.min(offset, text.length);
  while (end < text.length && !isLineEnd(text, end - 1)) end += 1;
  EMPTY_LINES.lastIndex = text[end - 1] === "\r" && text[end] === "\n" ? end + 1 : end;
  EMPTY_LINES.test(text);
  return EMPTY_LINES.lastIndex;
}

const isLineEnd = (text: string, at: number): boolean => text[at] === "\n" || text[at] === "\r";
