/**
 * A server in Codex's `config.toml`. Setup adds a marked block at the end, and removes nothing but such a block:
 * TOML lets a table stand anywhere, so no other line has to move, and no library has to write the file again.
 * What the file says is read by a TOML parser, before and after.
 *
 * @module
 */
import { parse, TomlError } from "smol-toml";
import { type BlockMarks, putBlock, takeBlock } from "./marked-block.js";
import { SERVER_NAME, type ServerEntry } from "./server-entry.js";

const MARKS: BlockMarks = {
  begin: "# >>> cambium >>> written by `cambium setup`, which also takes it out",
  end: "# <<< cambium <<<",
};

export interface FoundTable {
  /** Values that are not texts are left out: then the entry differs from any of ours. */
  readonly entry: ServerEntry;
  /** Whether it stands between setup's marks. */
  readonly isMarked: boolean;
}

/** @returns in words why nothing can be added to this text; undefined when it can */
export function tomlProblem(text: string): string | undefined {
  const before = parsed(text);
  if (before instanceof TomlError) {
    return `is not valid TOML (line ${before.line}, column ${before.column})`;
  }
  const servers = before.mcp_servers;
  if (servers !== undefined && !isTable(servers)) return "sets mcp_servers to something other than tables";
  if (servers?.[SERVER_NAME] !== undefined) {
    return isTable(servers[SERVER_NAME])
      ? undefined
      : `sets mcp_servers.${SERVER_NAME} to something other than a table`;
  }
  const after = parsed(putTable(text, SERVER_NAME, { command: "", args: [], env: {} }));
  return after instanceof TomlError
    ? "sets mcp_servers without a [table], which cannot be added to from outside"
    : undefined;
}

/** Finds the server in any notation of TOML. Returns undefined where it is missing or the text is not TOML. */
export function findTable(text: string, name: string): FoundTable | undefined {
  const server = serverIn(text, name);
  if (server === undefined) return undefined;
  const { command, args, env } = server;
  return {
    entry: {
      command: isText(command) ? command : "",
      args: Array.isArray(args) ? args.filter(isText) : [],
      env: Object.fromEntries(Object.entries(isTable(env) ? env : {}).filter(hasText)),
    },
    isMarked: serverIn(takeTable(text), name) === undefined,
  };
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

type Table = Readonly<Record<string, unknown>>;

function parsed(text: string): Table | TomlError {
  try {
    return parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

function serverIn(text: string, name: string): Table | undefined {
  const root = parsed(text);
  const servers = root instanceof TomlError ? undefined : root.mcp_servers;
  const server = isTable(servers) ? servers[name] : undefined;
  return isTable(server) ? server : undefined;
}

const isText = (value: unknown): value is string => typeof value === "string";
const hasText = (pair: [string, unknown]): pair is [string, string] => isText(pair[1]);

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
