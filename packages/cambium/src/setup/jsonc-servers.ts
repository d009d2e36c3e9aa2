/**
 * A server in a settings file of JSON with comments: read, put in, taken out. Only what belongs to the entry is
 * touched; comments, order, indentation and line ends of everything else stay byte for byte.
 *
 * @module
 */
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

/** The entry as it stands there, with keys that others added. */
export type RawEntry = Readonly<Record<string, unknown>>;

export type Parsed =
  | { readonly ok: true; readonly root: Node | undefined }
  | { readonly ok: false; readonly problem: string };

const BOM = "\uFEFF";

/** @param key - where servers stand, such as `mcpServers` */
export function parseServers(text: string, key: string): Parsed {
  const errors: ParseError[] = [];
  const json = text.startsWith(BOM) ? ` ${text.slice(1)}` : text; // one character for another: places stay
  const root = parseTree(json, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error !== undefined) {
    return {
      ok: false,
      problem: `cannot be understood at ${placeOf(text, error.offset)}: ${syntaxError(error)}`,
    };
  }
  if (root === undefined) return { ok: true, root };
  if (root.type !== "object") return { ok: false, problem: "holds no object" };
  const twice = (root.children ?? []).filter((property) => keyOf(property) === key).length > 1;
  if (twice) return { ok: false, problem: `has "${key}" twice` };
  const servers = findNodeAtLocation(root, [key]);
  if (servers !== undefined && servers.type !== "object") {
    return { ok: false, problem: `holds something else than servers at "${key}"` };
  }
  return { ok: true, root };
}

/** @returns undefined when no server of that name is there */
export function findServer(root: Node | undefined, key: string, name: string): RawEntry | undefined {
  const node = root === undefined ? undefined : findNodeAtLocation(root, [key, name]);
  if (node === undefined) return undefined;
  const value: unknown = getNodeValue(node);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as RawEntry) : {};
}

/** Returns the text with the server in it; `text` must parse, and is undefined where there is no file. */
export function putServer(text: string | undefined, key: string, name: string, entry: RawEntry): string {
  const parsed = text === undefined ? undefined : parseServers(text, key);
  const root = parsed?.ok === true ? parsed.root : undefined;
  if (text === undefined || root === undefined) return freshText(text ?? "", { [key]: { [name]: entry } });
  const layout = layoutOf(text);
  const present = findNodeAtLocation(root, [key, name]);
  if (present !== undefined) {
    return splice(
      text,
      present.offset,
      present.length,
      valueText(entry, indentAt(text, present.offset), layout),
    );
  }
  const servers = findNodeAtLocation(root, [key]);
  return servers === undefined
    ? insertMember(text, root, { key, value: { [name]: entry } }, layout)
    : insertMember(text, servers, { key: name, value: entry }, layout);
}

/** Returns the text without the server, wherever it stands now. */
export function takeServer(text: string, key: string, name: string): string {
  const parsed = parseServers(text, key);
  const servers = parsed.ok && parsed.root !== undefined ? findNodeAtLocation(parsed.root, [key]) : undefined;
  const members = servers?.children ?? [];
  const index = members.findIndex((member) => keyOf(member) === name);
  const member = members[index];
  if (member === undefined) return text;
  const [previous, next] = [members[index - 1], members[index + 1]];
  const end = member.offset + member.length;
  const before = previous === undefined ? (servers?.offset ?? 0) + 1 : previous.offset + previous.length;
  // With nothing but a comma between, it goes from the end of its neighbour: so it was put in.
  if (
    /^\s*,?\s*$/.test(text.slice(before, member.offset)) &&
    (previous !== undefined || next === undefined)
  ) {
    const rest = text.slice(end);
    const own = previous === undefined ? (/^\s*,/.exec(rest)?.[0].length ?? 0) : 0;
    return splice(text, before, end + own - before, "");
  }
  // Else its own lines go, and no other: a comment before it keeps the line end that closes it.
  const start = member.offset - indentAt(text, member.offset).length;
  const isOwnLine = start === 0 || text[start - 1] === "\n";
  const from = isOwnLine ? start : member.offset;
  const comma = /^\s*,/.exec(text.slice(end))?.[0].length ?? 0;
  const lineEnd = isOwnLine ? (/^[ \t]*\r?\n/.exec(text.slice(end + comma))?.[0].length ?? 0) : 0;
  return splice(text, from, end + comma + lineEnd - from, "");
}

interface Layout {
  readonly eol: string;
  readonly unit: string;
}

interface Member {
  readonly key: string;
  readonly value: unknown;
}

function insertMember(text: string, object: Node, member: Member, layout: Layout): string {
  const last = object.children?.at(-1);
  const { eol, unit } = layout;
  const ownIndent = indentAt(text, object.offset);
  if (last === undefined) {
    const inner = text.slice(object.offset + 1, object.offset + object.length - 1);
    const indent = ownIndent + unit;
    const close = inner.includes("\n") ? "" : eol + ownIndent;
    return splice(text, object.offset + 1, 0, eol + indent + memberText(member, indent, layout) + close);
  }
  const end = last.offset + last.length;
  const isOneLine = !text.slice(object.offset, last.offset).includes("\n");
  if (isOneLine)
    return splice(text, end, 0, `, ${JSON.stringify(member.key)}: ${JSON.stringify(member.value)}`);
  const indent = indentAt(text, last.offset);
  const line = eol + indent + memberText(member, indent, layout);
  const note = /^[ \t]*(,?)[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*(?=\r?\n))/.exec(
    text.slice(end),
  );
  if (note === null) return splice(text, end, 0, `,${line}`);
  // A comment behind the last server is about that one, and stays with it.
  const after = end + note[0].length;
  const hasComma = note[1] === ",";
  return splice(splice(text, after, 0, hasComma ? `${line},` : line), end, 0, hasComma ? "" : ",");
}

const memberText = ({ key, value }: Member, indent: string, layout: Layout): string =>
  `${JSON.stringify(key)}: ${valueText(value, indent, layout)}`;

const valueText = (value: unknown, indent: string, { eol, unit }: Layout): string =>
  JSON.stringify(value, undefined, unit).replaceAll("\n", eol + indent);

/** Where there is no object yet: an empty file, one with nothing but comments, or none. */
function freshText(text: string, value: unknown): string {
  const { eol, unit } = layoutOf(text);
  const gap = text.trim() === "" || /[\r\n]$/.test(text) ? "" : eol;
  return text + gap + valueText(value, "", { eol, unit }) + eol;
}

/** Line ends and indentation of what is there already. */
function layoutOf(text: string): Layout {
  const unit = /\n([ \t]+)["/]/.exec(text)?.[1] ?? "  ";
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", unit: unit.startsWith("\t") ? "\t" : unit };
}

/** The white space that the line of `offset` begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

const splice = (text: string, offset: number, length: number, replacement: string): string =>
  text.slice(0, offset) + replacement + text.slice(offset + length);

const keyOf = (property: Node): unknown => property.children?.[0]?.value;

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** "PropertyNameExpected" reads "property name expected". */
const syntaxError = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
