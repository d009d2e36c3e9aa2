/**
 * The command `cambium-relay` from arguments to exit code.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CambiumError, ERROR_CODES, isCambiumError } from "@cambium/core/errors";
import { nonEmpty, onlyStyled, printable, shellWord } from "@cambium/core/text";
import { type RelayReady, serveRelay } from "../serve-relay.js";

/** What the command touches outside of itself; handed in, so that tests give their own. */
export interface CommandIo {
  readonly output: (text: string) => void;
  readonly errors: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly signal: AbortSignal;
}

const DEFAULT_PORT = 4141;
const LAST_PORT = 65_535;

const HELP = `Usage: cambium-relay [options]

Run a relay until Ctrl-C. It stores and forwards encrypted data that it cannot read.

Options:
  --host <address>  the address to listen on; put TLS in front for other devices (default: 127.0.0.1)
  --port <port>     0 for any free one (default: ${DEFAULT_PORT})
  --data <dir>      where the relay keeps its log (default: relay in CAMBIUM_HOME)
  --json            print one JSON document
  -V, --version     print the version
  -h, --help        print this help

Environment:
  CAMBIUM_HOME      where the memory of this device lives (default: ~/.cambium)

Exit codes: 0 done, 1 failed, 2 usage, 6 stored data damaged

Examples:
  $ cambium-relay
  $ cambium-relay --port 0 --data ./relay --json
  $ cambium-relay --host 0.0.0.0
`;

/** @returns the exit code */
export async function relayCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    const options = optionsFrom(argv);
    if (options.help) io.output(HELP);
    else if (options.version) io.output(`${version()}\n`);
    else await run(options, io);
    return 0;
  } catch (error) {
    return tellFailure(error, argv, io);
  }
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

type Options = ReturnType<typeof optionsFrom>;

async function run({ host, port, data, json }: Options, io: CommandIo): Promise<void> {
  const home = nonEmpty(io.env.CAMBIUM_HOME) ?? join(io.userHome, ".cambium");
  await serveRelay({
    ...{ host, port, dataDir: data ?? join(home, "relay"), signal: io.signal },
    onReady: (ready) => io.output(`${json ? JSON.stringify(ready) : onlyStyled(readyText(ready))}\n`),
  });
}

const readyText = ({ url, tokenFile }: RelayReady): string =>
  [
    `The relay listens on ${url}; Ctrl-C ends it.`,
    ...(tokenFile === undefined ? [] : ["", `Its admin token is in ${tokenFile}`]),
    "",
    "On a device that has Cambium:",
    `  $ cambium init team --relay ${url} --token ${tokenFile === undefined ? "<admin token>" : `"$(cat ${shellWord(tokenFile)})"`}`,
  ].join("\n");

/** @throws {CambiumError} BAD_INPUT when the arguments are not understood */
function optionsFrom(argv: readonly string[]) {
  const { host = "127.0.0.1", port, data, json, help, version: wantsVersion } = parsed(argv);
  return { host, port: portFrom(port), data, json, help, version: wantsVersion };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        host: { type: "string" },
        port: { type: "string" },
        data: { type: "string" },
        json: { type: "boolean", default: false },
        version: { type: "boolean", short: "V", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    // Node's own sentence goes on with how to write what it takes for a file's name.
    const [sentence = ""] = (error as Error).message.split(". ", 1);
    throw usageError(`${sentence.replace(/\.$/, "")}.`);
  }
}

function portFrom(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= LAST_PORT) return port;
  throw usageError(`"${text}" is not a port. Give a port from 0 to ${LAST_PORT}.`);
}

const usageError = (message: string): CambiumError =>
  new CambiumError("BAD_INPUT", message, { hint: "Run `cambium-relay --help`." });

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
