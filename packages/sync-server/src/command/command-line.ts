/**
 * The arguments of `cambium-relay`, and what it touches outside of itself.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { CambiumError } from "@cambium/core/errors";
import type { SettingSources } from "../settings/read-settings.js";
import { SETTING_NAMES, SETTINGS } from "../settings/table.js";

/** What the command touches outside of itself; handed in, so that tests give their own. */
export interface CommandIo {
  /** Takes what goes to standard output. */
  readonly output: (text: string | Uint8Array) => void;
  /** Takes what goes to standard error: failures, and the log. */
  readonly errors: (text: string) => void;
  /** The variables of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home directory of the user. */
  readonly userHome: string;
  /** Ends a relay that runs. */
  readonly signal: AbortSignal;
  /** Standard error is a terminal. */
  readonly isWatched: boolean;
}

/** Options that are no settings, with what stands for their value in the help. */
export const OTHER_OPTIONS = {
  config: ["<file>", "the file of the settings (default: relay.toml in the data directory)"],
  url: ["<url>", "the relay to administer (default: the one that runs with these data)"],
  token: ["<token>", "its admin token (default: CAMBIUM_RELAY_TOKEN, or the file of the data directory)"],
  to: ["<file>", "where export writes (default: standard output)"],
  make: ["<role>", "tokens: make one with the role read, write or admin"],
  label: ["<text>", "tokens --make: says whose it is"],
  revoke: ["<id>", "tokens: revoke this one"],
  yes: [undefined, "delete: do it"],
  overwrite: [undefined, "backup, export: replace the file that is there, once the new one is whole"],
  audit: [
    "<file>",
    "restore: revoke, change and delete again what this audit file names (default: audit.jsonl of the data directory)",
  ],
  "revoke-tokens": [undefined, "restore: let nobody in; owners link their spaces again"],
  "print-admin-token": [undefined, "have the admin token in what is printed at the start"],
  "print-config": [undefined, "print the settings, and do nothing else"],
  json: [undefined, "print one JSON document"],
} as const satisfies Readonly<Record<string, readonly [string | undefined, string]>>;

export type OptionName = keyof typeof OTHER_OPTIONS;
type Flag = {
  [Name in OptionName]: (typeof OTHER_OPTIONS)[Name][0] extends string ? never : Name;
}[OptionName];

/** What was typed. */
export interface CommandLine {
  /** What to do; undefined: to serve. */
  readonly verb: string | undefined;
  readonly args: readonly string[];
  readonly given: Readonly<Partial<Record<Exclude<OptionName, Flag>, string>>>;
  readonly is: Readonly<Record<Flag | "help" | "version", boolean>>;
  readonly sources: SettingSources;
}

/** @throws {CambiumError} BAD_INPUT when the arguments are not understood */
export function commandLineOf(argv: readonly string[], io: CommandIo): CommandLine {
  const { values, positionals } = parsed(argv);
  const [verb, ...args] = positionals;
  const texts = Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "string"));
  const flags = Object.keys(OTHER_OPTIONS).filter(
    (name) => OTHER_OPTIONS[name as OptionName][0] === undefined,
  );
  const is = Object.fromEntries([...flags, "help", "version"].map((name) => [name, values[name] === true]));
  return {
    ...{ verb, args, given: texts as CommandLine["given"], is: is as CommandLine["is"] },
    sources: { options: texts as Record<string, string>, env: io.env, userHome: io.userHome },
  };
}

const string = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const PARSED = {
  ...Object.fromEntries(
    SETTING_NAMES.filter((name) => !SETTINGS[name].isSecret).map((name) => [name, string]),
  ),
  ...Object.fromEntries(
    Object.entries(OTHER_OPTIONS).map(([name, [value]]) => [name, value ? string : flag]),
  ),
  version: { type: "boolean", short: "V" } as const,
  help: { type: "boolean", short: "h" } as const,
};

function parsed(argv: readonly string[]): {
  values: Readonly<Record<string, string | boolean | undefined>>;
  positionals: readonly string[];
} {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: PARSED, allowPositionals: true });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    // Node's own sentence goes on with how to write what it takes for a file's name.
    const [sentence = ""] = (error as Error).message.split(". ", 1);
    throw usageError(`${sentence.replace(/\.$/, "")}.`);
  }
}

export const usageError = (message: string): CambiumError =>
  new CambiumError("BAD_INPUT", message, { hint: "Run `cambium-relay --help`." });
