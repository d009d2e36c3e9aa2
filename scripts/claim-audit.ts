/**
 * The claim audit: every block of a page that promises something names what carries it, in a comment beside it.
 *
 *   <!-- test: GB12 RP3 -->                               rules, whose ids tests carry
 *   <!-- test: test/readme.test.ts "npm start" -->        a file of tests, and a part of a title in it
 *   <!-- bench: reference -->                             the benchmark that measured a figure; below a heading: that
 *                                                         the whole section describes
 *   <!-- check: lint and format -->                       a check of `npm run check`, by its name
 *   <!-- code: HT16 -->                                   anywhere on a page: what runs its code blocks
 *   <!-- section: AS21 -->                                below a heading: what compares the whole section with the code
 *   <!-- no promise: advice -->                           this block promises nothing, and is …
 *   <!-- no promises: background -->                      below a heading: nor does anything in that section
 *
 * A block is a paragraph, a list item with all that is in it, a table, or a code block. docs/decisions/0043 says why.
 *
 * @module
 */

/** What a block may be that promises nothing. */
export const REASONS: Readonly<Record<string, string>> = {
  advice: "what the reader should or might do",
  background: "why something is so, or how something works elsewhere",
  definition: "what a word means",
  example: "input or output made up to show a form",
  limit: "what does not work, or is not there",
  map: "where to find something",
  picture: "a drawing",
  status: "the state of the project, or its licence",
};

/** References that stand below a heading only, for its whole section. */
const SECTION_KINDS: ReadonlySet<string> = new Set(["section", "no promises"]);
/** With those that carry a section where they stand below its heading, and a block elsewhere. */
const BELOW_HEADINGS: ReadonlySet<string> = new Set([...SECTION_KINDS, "bench"]);

/** What references may name. */
export interface Known {
  readonly rules: ReadonlySet<string>;
  readonly benches: ReadonlySet<string>;
  /** The names of the static checks. */
  readonly checks: ReadonlySet<string>;
  /** The text of a file of the project; undefined where there is none. */
  readonly read: (path: string) => string | undefined;
}

export interface Finding {
  readonly line: number;
  readonly problem: string;
}

interface Block {
  readonly kind: "heading" | "paragraph" | "item" | "table" | "code" | "comment";
  readonly line: number;
  readonly text: string;
}

interface Reference {
  readonly kind: string;
  readonly value: string;
}

/** Returns what is wrong with a page: promises without a reference, and references to what there is not. */
export function auditPage(page: string, known: Known): readonly Finding[] {
  const findings: Finding[] = [];
  const blocks = blocksOf(page);
  const isCodeRun = blocks.some(({ text }) => referencesOf(text).some(({ kind }) => kind === "code"));
  let exemptLevel = Number.POSITIVE_INFINITY;
  blocks.forEach((block, at) => {
    const { line, text } = block;
    const own = referencesOf(text);
    for (const reference of own) {
      const problem = problemOf(reference, known);
      if (problem !== undefined) findings.push({ line, problem });
    }
    if (block.kind === "comment") return;
    const references = [...own, ...commentsAfter(blocks, at)];
    if (block.kind === "heading") {
      const level = text.search(/[^#]/);
      if (level <= exemptLevel) exemptLevel = Number.POSITIVE_INFINITY;
      if (references.some(({ kind }) => BELOW_HEADINGS.has(kind))) exemptLevel = Math.min(exemptLevel, level);
      return;
    }
    if (exemptLevel !== Number.POSITIVE_INFINITY || (block.kind === "code" && isCodeRun)) return;
    if (references.some(({ kind }) => kind !== "code" && !SECTION_KINDS.has(kind))) return;
    if (isLeadIn(block, blocks[nextBlock(blocks, at)]) || isOnlyLinks(text)) return;
    findings.push({ line, problem: `nothing carries this: ${startOf(text)}` });
  });
  return findings;
}

/** The rules that a text states, as `- **AB1** …`. */
export const rulesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^- \*\*([A-Z]{2}\d+)\*\*/gm)].map(([, id]) => id as string);

/** The blocks of a page of Markdown, in order. */
function blocksOf(page: string): readonly Block[] {
  const blocks: { kind: Block["kind"]; line: number; lines: string[] }[] = [];
  let open: (typeof blocks)[number] | undefined;
  let end: string | undefined; // what ends the code or comment that is open
  const begin = (kind: Block["kind"], line: number, text: string): void => {
    open = { kind, line, lines: [text] };
    blocks.push(open);
  };
  page.split("\n").forEach((text, index) => {
    const line = index + 1;
    const fence = /^(\s*)(`{3,})/.exec(text);
    if (end !== undefined) {
      open?.lines.push(text);
      if (end === "-->" ? text.includes(end) : text.trim() === end) end = undefined;
      else return;
      if (open?.kind !== "item") open = undefined;
    } else if (fence !== null) {
      if (fence[1] !== "" && open?.kind === "item") open.lines.push(text);
      else begin("code", line, text);
      end = fence[2];
    } else if (text.startsWith("<!--")) {
      begin("comment", line, text);
      if (text.includes("-->")) open = undefined;
      else end = "-->";
    } else if (/^#{1,6} /.test(text)) {
      begin("heading", line, text);
      open = undefined;
    } else if (/^(?:[-*+]|\d+[.)])\s/.test(text)) begin("item", line, text);
    else if (text.trim() === "") {
      if (open?.kind === "item") open.lines.push("");
      else open = undefined;
    } else if (open?.kind === "item" && (/^\s/.test(text) || !isBlank(open.lines))) open.lines.push(text);
    else if (open !== undefined && open.kind !== "item") open.lines.push(text);
    else begin(text.startsWith("|") ? "table" : "paragraph", line, text);
  });
  return blocks.map(({ kind, line, lines }) => ({ kind, line, text: lines.join("\n") }));
}

const isBlank = (lines: readonly string[]): boolean => lines.at(-1)?.trim() === "";

const referencesOf = (text: string): readonly Reference[] =>
  [...text.matchAll(/<!-- (test|bench|check|code|section|no promises?):\s+([\s\S]*?)\s*-->/g)].map(
    ([, kind = "", value = ""]) => ({ kind, value }),
  );

/** Where the next block is that is no comment. */
function nextBlock(blocks: readonly Block[], at: number): number {
  const next = blocks.findIndex(({ kind }, index) => index > at && kind !== "comment");
  return next === -1 ? blocks.length : next;
}

/** The references in the comments that follow a block, up to the next block. */
function commentsAfter(blocks: readonly Block[], at: number): readonly Reference[] {
  return blocks.slice(at + 1, nextBlock(blocks, at)).flatMap(({ text }) => referencesOf(text));
}

function problemOf({ kind, value }: Reference, known: Known): string | undefined {
  if (kind.startsWith("no ")) {
    return Object.hasOwn(REASONS, value)
      ? undefined
      : `"${value}" is no reason; there are ${Object.keys(REASONS).join(", ")}`;
  }
  if (kind === "bench") return known.benches.has(value) ? undefined : `there is no benchmark "${value}"`;
  if (kind === "check") return known.checks.has(value) ? undefined : `there is no check "${value}"`;
  const file = /^(\S+\.ts)\s+"([^"]+)"$/.exec(value);
  if (file !== null) {
    const [, path = "", title = ""] = file;
    const tests = known.read(path);
    if (tests === undefined) return `there is no ${path}`;
    return tests.includes(title) ? undefined : `${path} has no test "${title}"`;
  }
  const unknown = value.split(/\s+/).filter((id) => !known.rules.has(id));
  return unknown.length === 0 ? undefined : `no rule or test: ${unknown.join(" ")}`;
}

/** One sentence that ends in a colon, and leads to a block that has to be carried itself. */
const isLeadIn = ({ kind, text }: Block, next: Block | undefined): boolean =>
  kind === "paragraph" &&
  /:$/.test(text) &&
  !/[.!?]\s/.test(text) &&
  next !== undefined &&
  ["item", "table", "code"].includes(next.kind);

/** Links and what stands between them: the pages that they lead to make the promises. */
const isOnlyLinks = (text: string): boolean =>
  !/[\p{L}\p{N}]/u.test(text.replace(/^See also:/, "").replaceAll(/\[[^\]]*\]\([^)]*\)/g, ""));

const startOf = (text: string): string => {
  const [first = ""] = text.split("\n");
  return first.length > 70 ? `${first.slice(0, 69)}…` : first;
};
