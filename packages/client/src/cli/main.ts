/**
 * The process behind `cambium`: it runs when imported, by `bin/cambium.mjs`.
 *
 * @module
 */
import { homedir } from "node:os";
import { EXIT_BY_SIGNAL, type Io, processOutput } from "./io.js";
import { main } from "./program.js";

const stop = new AbortController();

const io: Io = {
  input: process.stdin,
  output: processOutput(process.stdout),
  errors: processOutput(process.stderr),
  env: process.env,
  userHome: homedir(),
  now: Date.now,
  signal: stop.signal,
};

// The reader of our output may leave before its end (`cambium log | head`): that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    stop.abort("EPIPE");
  });
}

// The first signal asks the verb to end; a second one does not wait for it.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => (stop.signal.aborted ? process.exit(EXIT_BY_SIGNAL[signal]) : stop.abort(signal)));
}

const code = await main(process.argv.slice(2), io);
// Written to a pipe, the last bytes may still be on their way on some platforms.
process.stdout.write("", () => process.exit(code));
