/**
 * The command line from arguments to exit code: finds the verb, runs it, prints its answer.
 *
 * @module
 */

import { onlyStyled } from "@cambium/core/text";
import { version } from "../operations/version.js";
import type { Answer } from "./answer.js";
import { Context, type Library } from "./context.js";
import { Interrupted, reportFailure, reportStopped, toFailure } from "./failure.js";
import type { Io } from "./io.js";
import { showText } from "./page.js";
import { styleFor } from "./render/style.js";

const theLibrary: Library = {
  openReplica: async (options) => {
    const [{ openReplica }, { withDeviceNames }] = await Promise.all([
      import("@cambium/client"),
      import("../operations/device-names.js"),
    ]);
    return withDeviceNames(await openReplica(options));
  },
  connectReplica: async (options, news) =>
    (await import("../daemon-client/connect-spaces.js")).connectWhole(options, news),
  connectSpaces: async (options, news) =>
    (await import("../daemon-client/connect-spaces.js")).connectSpaces(options, news),
};

/** How long an interrupted verb may take to close what it holds. */
const CLOSING_MS = 2_000;

/** @returns the exit code: 0 done, 1 failed, 2 usage, 3 not found, 4 conflict open, 5 refused, 6 damaged */
export async function main(argv: readonly string[], io: Io, library: Library = theLibrary): Promise<number> {
  // Answered first, before anything is loaded.
  if (argv[0] === "--version" || argv[0] === "-V") {
    io.output.write(`${version()}\n`);
    return 0;
  }
  try {
    return await run(argv, io, library);
  } catch (error) {
    return await tellFailure(error, argv, io);
  }
}

/** @returns the exit code */
export async function tellFailure(error: unknown, argv: readonly string[], io: Io): Promise<number> {
  const json = argv.includes("--json");
  if (error instanceof Interrupted) {
    reportStopped(error, json, io);
    return error.exit;
  }
  const failure = await toFailure(error, argv);
  reportFailure(failure, error, json, io);
  return failure.exit;
}

async function run(argv: readonly string[], io: Io, library: Library): Promise<number> {
  const { runProgram } = await import("./run-program.js");
  let exit = 0;
  await runProgram(argv, io, async (definition, args, options) => {
    const context = new Context(io, styleFor(io), library, options, argv, main);
    const acting = definition.act(context, args, options);
    if (definition.runsUntilStopped) {
      exit = (await acting).exit;
      return;
    }
    const answer = await untilInterrupted(acting, io.signal);
    // Only here: a verb that fails or is interrupted has printed nothing.
    await print(answer, context);
    exit = answer.exit;
  });
  return exit;
}

/** Gives up waiting at Ctrl-C, though not before the verb had time to close what it holds. */
async function untilInterrupted(acting: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const interruption = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const interrupt = (): void => {
    const giveUp = (): void => interruption.reject(new Interrupted(signal.reason));
    timer = setTimeout(giveUp, CLOSING_MS);
    acting.then(giveUp, giveUp);
  };
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    const answer = await Promise.race([acting, interruption.promise]);
    if (signal.aborted) throw new Interrupted(signal.reason);
    return answer;
  } catch (error) {
    // What a stopped verb complains of is that it was stopped; it may know what it had done by then.
    throw signal.aborted && !(error instanceof Interrupted) ? new Interrupted(signal.reason) : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", interrupt);
  }
}

async function print(answer: Answer, { io, json }: Context): Promise<void> {
  if (json) io.output.write(`${JSON.stringify(answer.document)}\n`);
  else if (answer.text !== "") await showText(`${onlyStyled(answer.text)}\n`, io);
}
