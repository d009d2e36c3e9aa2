/**
 * The command `cambium-relay` from arguments to exit code.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { CambiumError, ERROR_CODES, isCambiumError } from "@cambium/core/errors";
import { onlyStyled, printable, shellWord } from "@cambium/core/text";
import { type RelayReady, serveRelay } from "../serve-relay.js";
import { columns, settingsHelp } from "../settings/show-settings.js";
import {
  type CommandIo,
  type CommandLine,
  commandLineOf,
  type OptionName,
  OTHER_OPTIONS,
  usageError,
} from "./command-line.js";
import { configOf, LOG_VERBS } from "./log-verbs.js";
import { SPACE_VERBS } from "./space-verbs.js";
import type { Verb, VerbAnswer } from "./verb.js";

const VERBS: Readonly<Record<string, Verb>> = { ...SPACE_VERBS, ...LOG_VERBS };

type Row = readonly [string, string];

const section = (title: string, rows: readonly Row[]): string => `${title}:\n${columns(rows)}`;

const optionRows = (isShown: (name: OptionName) => boolean): readonly Row[] =>
  (Object.keys(OTHER_OPTIONS) as OptionName[]).filter(isShown).map((name) => {
    const [value, about] = OTHER_OPTIONS[name];
    return [`--${name}${value === undefined ? "" : ` ${value}`}`, about];
  });

const SETTINGS_TEXT = `Settings come from an option, else from a variable (--max-payload is CAMBIUM_RELAY_MAX_PAYLOAD), else from the file
(max-payload = "64MiB"), else they are as said here.

${settingsHelp()}`;

const ABOUT = {
  all: "Run a relay until Ctrl-C, or administer one",
  serve: "Run a relay until Ctrl-C",
  administer: "Administer a relay",
} as const;

/** Of a command that has a part of it, the help is of that part, and says where the other is. */
function help({ name, part }: CommandFace): string {
  const [serves, administers] = [part !== "administer", part !== "serve"];
  const verbs: readonly Row[] = [
    ["serve", "run a relay until Ctrl-C"],
    ...Object.values(VERBS).map(({ synopsis, about }): Row => [synopsis, about]),
  ];
  const options: readonly Row[] = [
    ...optionRows((option) => (SERVING.has(option) ? serves : administers) || COMMON.has(option)),
    ["-V, --version", "print the version"],
    ["-h, --help", "print this help"],
  ];
  const examples = [
    ...(serves ? ["", " --port 0 --data ./relay --json"] : []),
    ...(serves ? [" --host 0.0.0.0 --tls-cert fullchain.pem --tls-key privkey.pem"] : []),
    ...(administers ? [" spaces", " backup relay-backup.sqlite"] : []),
  ].map((rest) => `  $ ${name}${rest}`);
  const blocks = [
    `Usage: ${name}${administers ? " [verb]" : ""} [options]`,
    `${ABOUT[part ?? "all"]}. It stores and forwards encrypted data that it cannot read`,
    administers && section("Verbs, for the relay that runs with the same data or the one of --url", verbs),
    section("Options", options),
    serves
      ? SETTINGS_TEXT
      : "The settings of a relay, --data among them, are taken too: `cambium serve --help` lists them.",
    !administers && "To administer a relay: `cambium relay --help`.",
    section("Environment", [["CAMBIUM_HOME", "where the memory of this device lives (default: ~/.cambium)"]]),
    "Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 5 refused, 6 stored data damaged",
    ["Examples:", ...examples].join("\n"),
  ];
  return `${blocks.filter((block) => block !== false).join("\n\n")}\n`;
}

const SERVING: ReadonlySet<OptionName> = new Set(["print-admin-token", "print-config"]);
const COMMON: ReadonlySet<OptionName> = new Set(["config", "json"]);

/** How the command is called, and what it says. */
export interface CommandFace {
  /** What is typed to get here. */
  readonly name: string;
  /** What of it the command is for: its help tells only that. One that administers does not serve unasked. */
  readonly part?: "serve" | "administer";
  /** What a person is told once the relay listens. */
  readonly readyText?: (ready: RelayReady) => string;
}

/** @returns the exit code */
export async function relayCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await runRelayCommand(argv, io, { name: "cambium-relay" });
  } catch (error) {
    return tellFailure(error, argv, io);
  }
}

/**
 * The same as a part of another command, which reports what is thrown.
 *
 * @returns the exit code
 */
export async function runRelayCommand(
  argv: readonly string[],
  io: CommandIo,
  face: CommandFace,
): Promise<number> {
  try {
    const line = commandLineOf(argv, io);
    if (line.is.help || (face.part === "administer" && argv.length === 0)) io.output(help(face));
    else if (line.is.version) io.output(`${version()}\n`);
    else return tell(await verbOf(line, face).act(line, io), line, io);
    return 0;
  } catch (error) {
    throw inWordsOf(error, face);
  }
}

/** A hint that can be typed. */
function inWordsOf(error: unknown, { name }: CommandFace): unknown {
  if (!isCambiumError(error) || error.hint === undefined) return error;
  const { code, message, hint, details, cause } = error;
  return new CambiumError(code, message, {
    ...{ hint: hint.replaceAll("`cambium-relay ", `\`${name} `), cause },
    ...(details === undefined ? {} : { details }),
  });
}

function verbOf(line: CommandLine, { readyText = plainReadyText }: CommandFace): Pick<Verb, "act"> {
  if (line.is["print-config"]) return { act: async () => configOf(line.sources) };
  if (line.verb === undefined || line.verb === "serve") return { act: (_, io) => serve(line, io, readyText) };
  const verb = VERBS[line.verb];
  if (verb === undefined) throw usageError(`There is no verb "${line.verb}".`);
  return verb;
}

function tell(answer: VerbAnswer | undefined, line: CommandLine, io: CommandIo): number {
  if (answer === undefined) return 0;
  io.output(`${line.is.json ? JSON.stringify(answer.document) : onlyStyled(answer.text)}\n`);
  return answer.exit ?? 0;
}

/** @returns the exit code */
export function tellFailure(error: unknown, argv: readonly string[], io: CommandIo): number {
  const known = isCambiumError(error) ? error : unexpected(error);
  const { code, message, hint, details } = known;
  if (argv.includes("--json")) io.errors(`${JSON.stringify({ error: { code, message, hint, details } })}\n`);
  else {
    io.errors(`cambium-relay: ${printable(message)}\n`);
    if (hint !== undefined) io.errors(`  ${printable(hint)}\n`);
  }
  const stack = error instanceof Error ? error.stack : undefined;
  if (io.env.CAMBIUM_DEBUG === "1" && stack !== undefined) io.errors(`${printable(stack)}\n`);
  return ERROR_CODES[code].exit;
}

async function serve(
  { sources, is, args: [unexpectedArg] }: CommandLine,
  io: CommandIo,
  readyText: (ready: RelayReady) => string,
): Promise<undefined> {
  if (unexpectedArg !== undefined) throw usageError(`Unexpected argument '${unexpectedArg}'.`);
  await serveRelay({
    ...sources,
    ...{
      signal: io.signal,
      log: io.errors,
      isWatched: io.isWatched,
      showAdminToken: is["print-admin-token"],
    },
    onReady: (ready) => io.output(`${is.json ? JSON.stringify(ready) : onlyStyled(readyText(ready))}\n`),
  });
}

const plainReadyText = ({
  url,
  urlForDevices = url,
  tokenFile,
  adminToken,
  metricsUrl,
}: RelayReady): string =>
  [
    `The relay listens on ${url}; Ctrl-C ends it.`,
    ...(metricsUrl === undefined ? [] : [`Its metrics are at ${metricsUrl}`]),
    ...(tokenFile === undefined ? [] : ["", `Its admin token is in ${tokenFile}`]),
    ...(adminToken === undefined ? [] : ["", `Its admin token is ${adminToken}`]),
    "",
    "On a device that has Cambium:",
    `  $ cambium init team --relay ${urlForDevices} --token ${tokenFile === undefined ? "<admin token>" : `"$(cat ${shellWord(tokenFile)})"`}`,
  ].join("\n");

function unexpected(error: unknown): CambiumError {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1);
  return new CambiumError("INTERNAL", `Something unexpected went wrong: ${line || "no reason was given."}`, {
    hint: "Set CAMBIUM_DEBUG=1 to see where, and please report it.",
    cause: error,
  });
}

function version(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
