import { onlyStyled } from "@cambium/core/text";
import { InvalidArgumentError, Option } from "commander";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { UsageError } from "../usage-error.js";

interface Options extends ContextOptions {
  readonly stay?: true;
  readonly idleMs: number;
  readonly port?: number;
}

const DEFAULT_IDLE_MS = 10 * 60 * 1_000;

export const daemon: CommandDefinition<Options> = {
  about:
    "Run the process that owns the memory of this device, until no program needs it. Commands start it when needed",
  examples: ["cambium daemon", "cambium daemon --stay --port 4142"],
  options: (command) =>
    command
      .option("--stay", "keep running until it is stopped, even without callers")
      .addOption(
        new Option("--port <port>", "port on 127.0.0.1 (default: CAMBIUM_PORT, or any free one)").argParser(
          portNumber,
        ),
      )
      .addOption(
        new Option("--idle-ms <ms>", "how long to keep running without callers")
          .argParser(milliseconds)
          .default(DEFAULT_IDLE_MS)
          .hideHelp(),
      ),
  runsUntilStopped: true,
  act: async (context, _args, { stay, idleMs, port }) => {
    const { runDaemon } = await import("../../daemon/run-daemon.js");
    const { version } = await import("../../operations/version.js");
    const { io, json, home } = context;
    const print = async (document: object, text: string): Promise<void> => {
      const answer = await context.answer(document, () => text);
      io.output.write(`${json ? JSON.stringify(answer.document) : onlyStyled(answer.text)}\n`);
    };
    const wasTheOne = await runDaemon({
      ...{ home, env: io.env, version: version(), signal: io.signal },
      port: port ?? portFrom(io.env.CAMBIUM_PORT),
      idleMs: stay === true ? Number.POSITIVE_INFINITY : idleMs,
      onReady: (ready) =>
        print(
          { state: "started", ...ready },
          `The daemon of ${home} answers at ${ready.url}; Ctrl-C ends it.`,
        ),
    });
    if (!wasTheOne) await print({ state: "running" }, `A daemon of ${home} is running already.`);
    return await context.answer({}, () => "");
  },
};

/** @throws {UsageError} */
function portFrom(setting: string | undefined): number {
  if (setting === undefined || setting === "") return 0;
  try {
    return portNumber(setting);
  } catch {
    throw new UsageError(
      "CAMBIUM_PORT is not a port number.",
      "Set it to a number from 0 to 65535, or leave it unset.",
    );
  }
}

function portNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw new InvalidArgumentError("Give a port from 0 to 65535.");
}

function milliseconds(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= 2_147_483_647) return number;
  throw new InvalidArgumentError("Give a number of milliseconds above 0.");
}
