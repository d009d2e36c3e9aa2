/**
 * The process behind `cambium`: it runs when imported, by `bin/cambium.mjs`.
 *
 * @module
 */
import { homedir } from "node:os";
import { OutputError } from "./failure.js";
import { EXIT_BY_SIGNAL, type Io, processOutput } from "./io.js";
import { main, tellFailure } from "./program.js";

const stop = new AbortController();

const argv = process.argv.slice(2);

/** Why standard output does not take what is written. */
let outputError: NodeJS.ErrnoException | undefined;

/** Ctrl-C is meant for the pager then. */
let isPaging = false;

const io: Io = {
  // Opened when something reads it: few verbs do, and it takes as long as a call to the daemon.
  get input() {
    return process.stdin;
  },
  output: processOutput(process.stdout, (error) => {
    outputError = error;
    stop.abort(error.code);
  }),
  // Where complaints cannot be written, nobody can be told.
  errors: processOutput(process.stderr, (error) => {
    if (error.code === "EPIPE") stop.abort(error.code);
  }),
  env: process.env,
  userHome: homedir(),
  cwd: currentDirectory(),
  now: Date.now,
  timers: {
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  },
  signal: stop.signal,
  page: async (text) => {
    if (argv.includes("--no-pager")) return false;
    const { showInPager } = await import("./pager.js");
    isPaging = true;
    try {
      return await showInPager(text, process.env);
    } finally {
      isPaging = false;
    }
  },
  browse: async (url) => (await import("./browser.js")).openBrowser(url, process.env),
  edit: async (text) => (await import("./editor.js")).editText(text, process.env),
};

/** One Ctrl-C may come twice: from the terminal, and passed on by the process that started this one. */
const ECHO_MS = 1_000;
let stoppedAtMs = Number.POSITIVE_INFINITY;

// The first signal asks the verb to end; someone who sends another does not want to wait for that.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (isPaging && signal === "SIGINT") return;
    if (!stop.signal.aborted) stoppedAtMs = performance.now();
    else if (performance.now() - stoppedAtMs > ECHO_MS) process.exit(EXIT_BY_SIGNAL[signal]);
    stop.abort(signal);
  });
}

// A library below prints to standard output what it thinks worth noting; with --json, one document stands there and no more.
console.log = console.error;

// What goes wrong on the side, in a timer or a socket, is reported like any other failure.
process.on("uncaughtException", (error) => {
  tellFailure(error, argv, io).then(
    (exit) => process.exit(exit),
    () => process.exit(1),
  );
});

const code = await main(argv, io);
// Written to a pipe, the last bytes may still be on their way on some platforms.
await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
// The reader of our output may leave before its end (`cambium log | head`): that is no failure.
process.exit(await exitAfter(outputError));

async function exitAfter(error: NodeJS.ErrnoException | undefined): Promise<number> {
  if (error === undefined || error.code === "EPIPE") return code;
  return await tellFailure(new OutputError(error), argv, io);
}

/** A shell may stand in a directory that was removed; most verbs need none. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return homedir();
  }
}
