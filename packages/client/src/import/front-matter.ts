/**
 * Reads `title`, `tags`, `aliases` and `date` from YAML front matter; the other fields stay text.
 *
 * These four fields use a corner of YAML that fits on a page: plain and quoted texts, lists on one line,
 * in brackets or with dashes. Whatever lies outside is named in `problems`, never guessed; a block that
 * is no mapping at all is not taken for front matter and stays text.
 *
 * @module
 */

export interface FrontMatter {
  readonly title?: string;
  readonly tags?: readonly string[];
  /** Other names of the note. */
  readonly aliases?: readonly string[];
  /** Milliseconds since 1970; a date without an offset is taken as UTC. */
  readonly date?: number;
  /** Where the text behind the front matter begins. */
  readonly bodyStart: number;
  /** The lines of all other fields, as they stand; empty when there are none. */
  readonly properties: string;
  /** Sentences on what was not understood. */
  readonly problems: readonly string[];
}

interface Field {
  readonly name: string;
  /** Text behind the colon. */
  readonly inline: string;
  /** Lines below it that belong to it, without comments and empty lines. */
  readonly below: string[];
  /** All of its lines, as they stand. */
  readonly lines: string[];
}

const NONE: FrontMatter = { bodyStart: 0, properties: "", problems: [] };
const READ: ReadonlySet<string> = new Set(["title", "tags", "aliases", "date"]);
const BLOCK = /^---[ \t]*\r?\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$(?![\s\S]))/m;
const FIELD = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/;
const LIST_ITEM = /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*|([^\s,[\]{}"'][^,[\]{}]*))(?:,|$)/y;
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?\s*(?:[Zz]|([+-])(\d{2}):?(\d{2}))?)?$/;

/** Returns what the front matter at the start of `text` says, if there is one. */
export function readFrontMatter(text: string): FrontMatter {
  const block = text.startsWith("---") ? BLOCK.exec(text) : null;
  if (block === null || block.index !== 0) return NONE;
  const fields = readFields(block[1] ?? "");
  if (fields === undefined) return NONE;

  const problems: string[] = [];
  const understood = <Value>(name: string, read: (field: Field) => Value | undefined): Value | undefined => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined || isNothing(field)) return undefined;
    const value = read(field);
    if (value === undefined) problems.push(`The field "${name}" of the front matter was not understood.`);
    return value;
  };
  const title = understood("title", readText);
  const tags = understood("tags", readTags);
  const date = understood("date", (field) => parseDate(readText(field) ?? ""));
  const aliases = understood("aliases", (field) => readNames(field));
  const properties = fields
    .filter((field) => !READ.has(field.name) && !isNothing(field))
    .flatMap(({ lines }) => lines)
    .join("\n");
  return {
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
    ...(aliases !== undefined && aliases.length > 0 && { aliases }),
    ...(date !== undefined && { date }),
    bodyStart: block[0].length,
    properties,
    problems,
  };
}

/** Returns the fields of a mapping, or nothing if the block is none. */
function readFields(block: string): readonly Field[] | undefined {
  const fields: Field[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const match = FIELD.exec(line);
    if (match !== null) {
      const [, name = "", inline = ""] = match;
      fields.push({ name, inline: withoutComment(inline.trim()), below: [], lines: [line] });
    } else if (/^(?:[ \t]|-(?:[ \t]|$)|[\]}])/.test(line) && fields.length > 0) {
      fields.at(-1)?.below.push(withoutComment(line.trim()));
      fields.at(-1)?.lines.push(line);
    } else {
      return undefined;
    }
  }
  return fields.length > 0 ? fields : undefined;
}

const isNothing = ({ inline, below }: Field): boolean =>
  below.length === 0 && ["", "~", "null", "[]"].includes(inline);

function readText({ inline, below }: Field): string | undefined {
  return below.length === 0 ? parseScalar(inline) : undefined;
}

const readTags = (field: Field): readonly string[] | undefined =>
  readNames(field, (tag) => tag.replace(/^#/, ""));

function readNames(
  { inline, below }: Field,
  cleaned = (name: string): string => name,
): readonly string[] | undefined {
  const names = inline === "" ? parseTagLines(below) : parseInlineList([inline, ...below].join(" "));
  if (names === undefined) return undefined;
  return [...new Set(names.map((name) => cleaned(name).trim().normalize("NFC")))].filter(
    (name) => name !== "",
  );
}

/** One name a line, or a bracketed list that begins below its name. */
function parseTagLines(lines: readonly string[]): readonly string[] | undefined {
  if (lines[0]?.startsWith("[")) return parseInlineList(lines.join(" "));
  return allOrNothing(
    lines.map((line) => (line.startsWith("-") ? parseScalar(line.slice(1).trim()) : undefined)),
  );
}

/** `[a, "b, c"]`, `a, b` or `a`. */
function parseInlineList(text: string): readonly string[] | undefined {
  const inner = text.startsWith("[") ? (text.endsWith("]") ? text.slice(1, -1).trim() : undefined) : text;
  if (inner === undefined) return undefined;
  const items: (string | undefined)[] = [];
  let position = 0;
  while (position < inner.length) {
    LIST_ITEM.lastIndex = position;
    const match = LIST_ITEM.exec(inner);
    if (match === null) return undefined;
    items.push(parseScalar((match[1] ?? match[2] ?? "").trim()));
    position = LIST_ITEM.lastIndex;
  }
  return allOrNothing(items);
}

const allOrNothing = (values: readonly (string | undefined)[]): readonly string[] | undefined =>
  values.every((value) => value !== undefined) ? values : undefined;

/** A plain or quoted text; anchors, tags, block texts and the rest of YAML give nothing. */
function parseScalar(text: string): string | undefined {
  if (/^'(?:[^']|'')*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (text.startsWith('"')) return parseDoubleQuoted(text);
  // A hash may begin a tag (`- #work`), as Obsidian's users write it; a comment was removed before.
  return text === "" || /^(?:[&*!|>%@`{}[\],'?]|-\s)/.test(text) ? undefined : text;
}

function parseDoubleQuoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined; // an escape that JSON lacks: the caller says that the field was not understood
  }
}

function withoutComment(text: string): string {
  const quoted = /^(?:- +)?("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(text);
  const from = quoted?.[0].length ?? 0;
  return (
    text.slice(0, from) +
    text
      .slice(from)
      .replace(/\s#\s.*$/, "")
      .trimEnd()
  );
}

function parseDate(text: string): number | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const local = new Date(0);
  local.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  local.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0, Number((match[7] ?? "0").padEnd(3, "0")));
  const isReal =
    local.getUTCMonth() + 1 === month && local.getUTCDate() === day && local.getUTCMinutes() === minute;
  if (!isReal) return undefined;
  const offsetMinutes = Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0);
  return local.getTime() - (match[8] === "-" ? -1 : 1) * offsetMinutes * 60_000;
}
