/**
 * The command `cambium-relay` in this process.
 *
 * @module
 */
import { relayCommand } from "../../src/command/relay-command.js";

export interface CommandRun {
  readonly env?: Readonly<Record<string, string>>;
  readonly userHome: string;
  /** Ends a relay that the command runs. */
  readonly signal?: AbortSignal;
  /** Called with each piece of output. */
  readonly onOutput?: (text: string) => void;
}

/** Runs it to its end. */
export async function runCommand(argv: readonly string[], run: CommandRun) {
  const { env = {}, userHome, signal = new AbortController().signal, onOutput = () => {} } = run;
  const told = { out: "", errors: "" };
  const code = await relayCommand(argv, {
    ...{ env, userHome, signal, isWatched: false },
    output: (text) => {
      const piece = typeof text === "string" ? text : Buffer.from(text).toString();
      told.out += piece;
      onOutput(piece);
    },
    errors: (text) => {
      told.errors += text;
    },
  });
  return { code, ...told };
}

/** The events that a log of lines of JSON tells. */
export const eventsOf = (log: string): string[] =>
  log
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { event: string }).event);
