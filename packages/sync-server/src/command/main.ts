/**
 * The process behind `cambium-relay`: it runs when imported, by `bin/cambium-relay.mjs`.
 *
 * @module
 */
import { homedir } from "node:os";
import type { CommandIo } from "./command-line.js";
import { relayCommand, tellFailure } from "./relay-command.js";

/** Exit codes of a process that a signal ended, as shells report them. */
const EXIT_BY_SIGNAL = { SIGINT: 130, SIGTERM: 143 } as const;
/** One Ctrl-C may come twice: from the terminal, and passed on by the process that started this one. */
const ECHO_MS = 1_000;

const stop = new AbortController();
const argv = process.argv.slice(2);
const io: CommandIo = {
  output: (text) => void process.stdout.write(text),
  errors: (text) => void process.stderr.write(text),
  env: process.env,
  userHome: homedir(),
  signal: stop.signal,
  isWatched: process.stderr.isTTY === true,
};

// The first signal asks the relay to end; someone who sends another does not want to wait for that.
let stoppedAtMs = Number.POSITIVE_INFINITY;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (!stop.signal.aborted) stoppedAtMs = performance.now();
    else if (performance.now() - stoppedAtMs > ECHO_MS) process.exit(EXIT_BY_SIGNAL[signal]);
    stop.abort(signal);
  });
}

// What goes wrong on the side, in a timer or a socket, is reported like any other failure.
process.on("uncaughtException", (error) => process.exit(tellFailure(error, argv, io)));

const code = await relayCommand(argv, io);
// Written to a pipe, the last bytes may still be on their way on some platforms.
process.stdout.write("", () => process.exit(code));
