/**
 * Cuts one Markdown text into the sections its headings make.
 *
 * Only headings of the document itself count, not those inside quotations or lists. Every text is a slice
 * of the source, so code blocks, tables and whatever else the parser does not know stay as they were.
 *
 * @module
 */
import { toString as plainText } from "mdast-util-to-string";
import { type Block, descendants, lineStart, readBlocks } from "./markdown-blocks.js";

type Heading = Extract<Block, { type: "heading" }>;

/** One heading on the way to a section. `occurrence` counts equal titles under the same parent, from 0. */
interface HeadingStep {
  readonly title: string;
  readonly occurrence: number;
}

export interface MarkdownSection {
  /** The headings above it and its own, outermost first; empty for the text before the first heading. */
  readonly path: readonly HeadingStep[];
  /** Its anchor as GitHub makes it, unique in the file; empty for the text before the first heading. */
  readonly anchor: string;
  /** Exact source text, its heading included. */
  readonly text: string;
  /** Whether there is anything below the heading, before the next one. */
  readonly hasContent: boolean;
  /** Where its links lead, as written, each once; `[[Note#Heading]]` as `wiki:Note#Heading`. */
  readonly linkUrls: readonly string[];
}

/** Returns the sections in the order of the text; the first is the text before any heading, even if empty. */
export function readSections(text: string): readonly MarkdownSection[] {
  const { blocks: all, definitions } = readBlocks(text);
  const nextSlice = slicer(text);
  const nextPath = pathFinder();
  const nextAnchor = anchorMaker();
  return groupByHeading(all).map(({ heading, blocks }) => {
    const title = heading === undefined ? "" : titleOf(heading);
    return {
      path: heading === undefined ? [] : nextPath(heading.depth, title),
      anchor: heading === undefined ? "" : nextAnchor(title),
      text: nextSlice(heading === undefined ? blocks : [heading, ...blocks]),
      hasContent: blocks.some(({ type }) => type !== "thematicBreak"),
      linkUrls: linkUrlsIn(blocks, definitions),
    };
  });
}

/** Returns the anchor GitHub gives a heading, before it is made unique in its file. */
export function titleToAnchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

function groupByHeading(blocks: readonly Block[]): { heading: Heading | undefined; blocks: Block[] }[] {
  let group: { heading: Heading | undefined; blocks: Block[] } = { heading: undefined, blocks: [] };
  const groups = [group];
  for (const block of blocks) {
    if (block.type === "heading") {
      group = { heading: block, blocks: [] };
      groups.push(group);
    } else {
      group.blocks.push(block);
    }
  }
  return groups;
}

const titleOf = (heading: Heading): string => plainText(heading).replace(/\s+/g, " ").trim().normalize("NFC");

/**
 * Hands out consecutive slices: from the first line of the first block to the end of the last, so that only
 * blank lines fall between them.
 *
 * The parser lets an underlined heading begin at the link definitions right above it; those belong to the
 * section before, hence the memory of where the last slice ended.
 */
function slicer(text: string): (blocks: readonly Block[]) => string {
  let sliceEnd = 0;
  return (blocks) => {
    const start = blocks[0]?.position?.start.offset;
    const end = blocks.at(-1)?.position?.end.offset;
    if (start === undefined || end === undefined) return "";
    const skippedEnd = sliceEnd + (/^(?:[ \t]*(?:\r\n?|\n))*/.exec(text.slice(sliceEnd))?.[0].length ?? 0);
    const slice = text.slice(lineStart(text, Math.max(start, skippedEnd), skippedEnd), end);
    sliceEnd = end;
    return slice;
  };
}

/**
 * Counts equal titles per parent, and counts empty sections too: filling one in, or adding a heading
 * under another parent, changes no other section's path.
 */
function pathFinder(): (depth: number, title: string) => readonly HeadingStep[] {
  interface Open {
    readonly depth: number;
    readonly step: HeadingStep;
    readonly occurrences: Map<string, number>;
  }
  const open: Open[] = [];
  const rootOccurrences = new Map<string, number>();
  return (depth, title) => {
    while ((open.at(-1)?.depth ?? 0) >= depth) open.pop();
    const siblings = open.at(-1)?.occurrences ?? rootOccurrences;
    const occurrence = siblings.get(title) ?? 0;
    siblings.set(title, occurrence + 1);
    open.push({ depth, step: { title, occurrence }, occurrences: new Map() });
    return open.map(({ step }) => step);
  };
}

function anchorMaker(): (title: string) => string {
  const used = new Map<string, number>();
  return (title) => {
    const plain = titleToAnchor(title);
    let anchor = plain;
    while (used.has(anchor)) {
      const count = (used.get(plain) ?? 0) + 1;
      used.set(plain, count);
      anchor = `${plain}-${count}`;
    }
    used.set(anchor, 0);
    return anchor;
  };
}

/** What a link in double brackets begins with, among the others. */
export const WIKI = "wiki:";

/** As Obsidian writes them: a note, perhaps a heading or a block of it, perhaps what to show instead. */
const WIKILINK = /\[\[([^[\]|\n]{1,500})(?:\|[^[\]\n]*)?\]\]/g;

function linkUrlsIn(blocks: readonly Block[], definitions: ReadonlyMap<string, string>): readonly string[] {
  const urls = new Set<string>();
  for (const node of descendants(blocks)) {
    if (node.type === "link") urls.add(node.url);
    if (node.type === "linkReference") urls.add(definitions.get(node.identifier) ?? "");
    if (node.type === "text")
      for (const [, target = ""] of node.value.matchAll(WIKILINK)) urls.add(WIKI + target.trim());
  }
  urls.delete("");
  return [...urls];
}
