/**
 * A server in Codex's `config.toml`. Setup adds a marked block at the end, and takes out nothing but such a block:
 * TOML lets a table stand anywhere, so no other line has to move, and no library has to write the file anew.
 *
 * @module
 */
import { type BlockMarks, putBlock, takeBlock } from "./marked-block.js";
import { SERVER_NAME, type ServerEntry } from "./server-entry.js";

const MARKS: BlockMarks = {
  begin: "# >>> cambium >>> written by `cambium setup`, which also takes it out",
  end: "# <<< cambium <<<",
};

export interface FoundTable {
  readonly entry: ServerEntry;
  /** Whether it stands between setup's marks. */
  readonly isMarked: boolean;
}

/** @returns in words why nothing can be added to this text; undefined when it can */
export function tomlProblem(text: string): string | undefined {
  const lines = topLevelLines(text);
  if (lines === undefined) return "ends inside a text that is not closed";
  if (lines.some(({ line }) => /^\s*mcp_servers\s*[=.]/.test(line))) {
    return "sets mcp_servers without a [table], which cannot be added to from outside";
  }
  if (lines.some(({ line }) => /^\s*\[\[\s*["']?mcp_servers\b/.test(line))) {
    return "has mcp_servers as a list, where Codex wants tables";
  }
  if (isSetElsewhere(lines.map(({ line }) => line))) {
    return `sets something of the server ${SERVER_NAME} outside of [mcp_servers.${SERVER_NAME}]`;
  }
  return undefined;
}

/** A table that was added besides would be there twice, and then Codex would read nothing of the file. */
function isSetElsewhere(lines: readonly string[]): boolean {
  const headers = lines.filter((line) => /^\s*\[/.test(line));
  const hasTable = headers.some((line) => isHeader(line, ["mcp_servers", SERVER_NAME]));
  if (!hasTable && headers.some((line) => isHeader(line, ["mcp_servers", SERVER_NAME, "env"]))) return true;
  let isParent = false;
  return lines.some((line) => {
    if (/^\s*\[/.test(line)) isParent = isHeader(line, ["mcp_servers"]);
    return isParent && OWN_KEY.test(line);
  });
}

const OWN_KEY = /^\s*["']?cambium["']?\s*[=.]/;

/** Finds `[mcp_servers.<name>]`, as setup or `codex mcp add` write it. */
export function findTable(text: string, name: string): FoundTable | undefined {
  const lines = topLevelLines(text) ?? [];
  const headers = lines.filter(({ line }) => /^\s*\[/.test(line));
  const found = headers.find(({ line }) => isHeader(line, ["mcp_servers", name]));
  if (found === undefined) return undefined;
  const bodyOf = (header: { readonly offset: number; readonly line: string }): string => {
    const next = headers.find(({ offset }) => offset > header.offset)?.offset ?? text.length;
    return text.slice(header.offset + header.line.length, next);
  };
  const envHeader = headers.find(({ line }) => isHeader(line, ["mcp_servers", name, "env"]));
  const body = bodyOf(found);
  const env = envHeader === undefined ? inlineEnv(body) : pairsIn(bodyOf(envHeader));
  const command = /^\s*command\s*=\s*(.+)$/m.exec(body)?.[1] ?? "";
  const args = /^\s*args\s*=\s*\[([^\]]*)\]/m.exec(body)?.[1] ?? "";
  const begin = text.indexOf(MARKS.begin);
  const isMarked = begin !== -1 && begin < found.offset && text.indexOf(MARKS.end, found.offset) !== -1;
  return { entry: { command: stringsIn(command)[0] ?? "", args: stringsIn(args), env }, isMarked };
}

export const putTable = (text: string, name: string, entry: ServerEntry): string =>
  putBlock(text, MARKS, tableLines(name, entry));

export const takeTable = (text: string): string => takeBlock(text, MARKS);

function tableLines(name: string, { command, args, env }: ServerEntry): readonly string[] {
  const variables = Object.entries(env).map(([key, value]) => `${tomlKey(key)} = ${tomlString(value)}`);
  return [
    `[mcp_servers.${tomlKey(name)}]`,
    `command = ${tomlString(command)}`,
    `args = [${args.map(tomlString).join(", ")}]`,
    ...(variables.length === 0 ? [] : [`env = { ${variables.join(", ")} }`]),
  ];
}

const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key));

/** A JSON string is a basic string of TOML, but for DEL, which TOML wants escaped. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

/** Lines that begin outside of multi-line strings; undefined when one is not closed at the end. */
function topLevelLines(
  text: string,
): readonly { readonly line: string; readonly offset: number }[] | undefined {
  const found: { line: string; offset: number }[] = [];
  let open: '"""' | "'''" | undefined;
  let offset = 0;
  for (const line of text.split("\n")) {
    if (open === undefined) found.push({ line, offset });
    open = openAfter(line, open);
    offset += line.length + 1;
  }
  return open === undefined ? found : undefined;
}

/** Which multi-line string is open after this line. */
function openAfter(line: string, open: '"""' | "'''" | undefined): '"""' | "'''" | undefined {
  let [state, at] = [open, 0];
  while (at < line.length) {
    const rest = line.slice(at);
    if (state !== undefined) {
      const isEscape = state === '"""' && rest.startsWith("\\");
      if (rest.startsWith(state)) [state, at] = [undefined, at + 3];
      else at += isEscape ? 2 : 1;
      continue;
    }
    const triple = /^("""|''')/.exec(rest)?.[1] as '"""' | "'''" | undefined;
    if (rest.startsWith("#")) return undefined;
    if (triple !== undefined) [state, at] = [triple, at + 3];
    else at += /^("(?:[^"\\]|\\.)*"|'[^']*')/.exec(rest)?.[0].length ?? 1;
  }
  return state;
}

function isHeader(line: string, path: readonly string[]): boolean {
  const inner = /^\s*\[([^[\]]+)\]\s*(#.*)?$/.exec(line)?.[1];
  if (inner === undefined) return false;
  const keys = inner.split(".").map((key) => key.trim().replace(/^(["'])(.*)\1$/, "$2"));
  return keys.length === path.length && keys.every((key, index) => key === path[index]);
}

const STRING = /"((?:[^"\\]|\\.)*)"|'([^']*)'/g;

const stringsIn = (text: string): readonly string[] =>
  [...text.matchAll(STRING)].map(([, basic, literal]) => literal ?? unescaped(basic ?? ""));

/** Anything else than JSON's escapes reads as it stands: such an entry is not ours, and is then left alone. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}

const inlineEnv = (body: string): Readonly<Record<string, string>> =>
  pairsIn(/^\s*env\s*=\s*\{(.*)\}\s*$/m.exec(body)?.[1] ?? "");

function pairsIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.matchAll(/(?:"([^"]+)"|([A-Za-z0-9_-]+))\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*')/g);
  return Object.fromEntries(
    [...pairs].map(([, quoted, bare, value]) => [quoted ?? bare, stringsIn(value ?? "")[0]]),
  );
}
