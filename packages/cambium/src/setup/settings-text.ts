/**
 * One way to ask and change a settings text, whatever its format.
 *
 * @module
 */
import type { SettingsFormat } from "./client.js";
import { findServer, parseServers, putServer, type RawEntry, takeServer } from "./jsonc-servers.js";
import { SERVER_NAME, type ServerEntry } from "./server-entry.js";
import { findTable, putTable, takeTable, tomlProblem } from "./toml-servers.js";

export interface SettingsText {
  /** Why this text cannot be worked with, to follow the file's name; undefined when it can. */
  problem(text: string): string | undefined;
  find(text: string): Found | undefined;
  /** @param text - undefined: there is no file yet */
  put(text: string | undefined, entry: ServerEntry): string;
  take(text: string): string;
}

export interface Found {
  readonly entry: ServerEntry;
  /** Whether setup can take it out of the text; a table that another program wrote stays. */
  readonly isRemovable: boolean;
}

export const settingsTextOf = (format: SettingsFormat): SettingsText =>
  format.kind === "toml" ? tomlText : jsoncText(format.key, format.extras ?? {});

const tomlText: SettingsText = {
  problem: tomlProblem,
  find: (text) => {
    const table = findTable(text, SERVER_NAME);
    return table === undefined ? undefined : { entry: table.entry, isRemovable: table.isMarked };
  },
  put: (text, entry) => putTable(text ?? "", SERVER_NAME, entry),
  take: takeTable,
};

function jsoncText(key: string, extras: RawEntry): SettingsText {
  const rawIn = (text: string): RawEntry | undefined => {
    const parsed = parseServers(text, key);
    return parsed.ok ? findServer(parsed.root, key, SERVER_NAME) : undefined;
  };
  return {
    problem: (text) => {
      const parsed = parseServers(text, key);
      return parsed.ok ? undefined : parsed.problem;
    },
    find: (text) => {
      const raw = rawIn(text);
      return raw === undefined ? undefined : { entry: entryOf(raw), isRemovable: true };
    },
    put: (text, { command, args, env }) => {
      const present = text === undefined ? undefined : rawIn(text);
      const ownEnv = Object.keys(env).length > 0 || present?.env !== undefined ? { env } : {};
      return putServer(text, key, SERVER_NAME, { ...(present ?? extras), command, args, ...ownEnv });
    },
    take: (text) => takeServer(text, key, SERVER_NAME),
  };
}

/** Whatever is no text is left out: then the entry differs from any of ours, and is reported so. */
function entryOf({ command, args, env }: RawEntry): ServerEntry {
  const variables = typeof env === "object" && env !== null ? Object.entries(env) : [];
  return {
    command: typeof command === "string" ? command : "",
    args: Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [],
    env: Object.fromEntries(variables.filter(([, value]) => typeof value === "string")),
  };
}
