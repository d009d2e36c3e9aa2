import { oneLine, onlyStyled } from "@cambium/core/text";
import { InvalidArgumentError, Option } from "commander";
import type { DaemonStatus } from "../../operations/described.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { DaemonControl } from "../daemon-control.js";
import type { OptionTable, ReadOption } from "../option-table.js";
import { relativeTime } from "../render/time.js";
import { UsageError } from "../usage-error.js";

const DEFAULT_IDLE_MS = 10 * 60 * 1_000;

const options = (command: OptionTable) =>
  command
    .option("--stay", "keep running until it is stopped, even without callers")
    .option("--port <port>", "port on 127.0.0.1 (default: CAMBIUM_PORT, or any free one)", portNumber)
    .addOption(
      new Option("--idle-ms <ms>", "how long to keep running without callers")
        .argParser(milliseconds)
        .default(DEFAULT_IDLE_MS)
        .hideHelp() as ReadOption<{ readonly idleMs: number }>,
    );

export const daemon: CommandDefinition<typeof options, [action?: string]> = {
  about:
    "Look after the process that owns the memory of this device. Commands start it when they need it. `start` starts it now, in the background, `status` shows it, `stop` ends it when what is under way is done, `restart` does so and starts another. Without an action it runs in the foreground, until Ctrl-C or until no program needs it",
  examples: [
    "cambium daemon start",
    "cambium daemon status",
    "cambium daemon restart",
    "cambium daemon stop",
    "cambium daemon --stay --port 4142",
  ],
  options,
  runsUntilStopped: true,
  act: async (context, [action], { stay, idleMs, port }) => {
    const { io, home } = context;
    const print = (document: object, text: string): void =>
      io.output.write(`${context.json ? JSON.stringify(document) : onlyStyled(text)}\n`);
    if (action !== undefined) {
      const { DaemonControl } = await import("../daemon-control.js");
      const does = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
      if (action === "start" && (stay !== undefined || port !== undefined))
        throw new UsageError(
          "`start` takes no --stay and no --port.",
          "Leave out `start`: then it runs in the foreground, as a service manager wants it.",
        );
      if (does === undefined)
        throw new UsageError(
          `daemon has no action ${JSON.stringify(action)}.`,
          "Use `start`, `status`, `stop` or `restart`.",
        );
      print(...(await does(new DaemonControl(home, io), context)));
      return await context.answer({}, () => "");
    }
    const { runDaemon } = await import("../../daemon/run-daemon.js");
    const { build } = await import("../../operations/version.js");
    const wasTheOne = await runDaemon({
      ...{ home, env: io.env, version: build(), signal: io.signal },
      port: port ?? portFrom(io.env.CAMBIUM_PORT),
      idleMs: stay === true ? Number.POSITIVE_INFINITY : idleMs,
      onReady: async (ready) =>
        print(
          { state: "started", ...ready },
          `The daemon of ${home} answers at ${ready.url}; Ctrl-C ends it.`,
        ),
    });
    if (!wasTheOne) print({ state: "running" }, `A daemon of ${home} is running already.`);
    return await context.answer({}, () => "");
  },
};

type Action = (daemon: DaemonControl, context: Context) => Promise<[document: object, text: string]>;

const ACTIONS: Readonly<Record<string, Action>> = {
  start: async (control, context) => {
    const before = await control.status();
    const status = before ?? (await control.start());
    const was = before === undefined ? "" : "It was running already.\n";
    return [
      { state: "running", ...status, wasRunning: before !== undefined },
      `${was}${statusText(status, context)}`,
    ];
  },
  status: async (control, context) => {
    const status = await control.status();
    return status === undefined
      ? [{ state: "stopped" }, `No daemon of ${context.home} runs. The next command starts one.`]
      : [{ state: "running", ...status }, statusText(status, context)];
  },
  stop: async (control, context) => {
    const stopped = await control.stop({ restart: false });
    const document = { state: "stopped", wasRunning: stopped !== undefined };
    return stopped === undefined
      ? [document, `No daemon of ${context.home} runs.`]
      : [document, `The daemon${processText(stopped.pid)} has ended. The next command starts another.`];
  },
  restart: async (control, context) => {
    const stopped = await control.stop({ restart: true });
    const status = await control.start();
    const ended = stopped === undefined ? "" : `The daemon${processText(stopped.pid)} has ended.\n`;
    return [{ state: "running", ...status }, `${ended}${statusText(status, context)}`];
  },
};

const processText = (pid: number | undefined): string => (pid === undefined ? "" : ` (process ${pid})`);

function statusText({ pid, version, startedAt, url, stays, spaces }: DaemonStatus, context: Context): string {
  const { bold, dim } = context.style.colors;
  const since = relativeTime(startedAt, context.style.nowMs);
  const open = spaces.length === 0 ? "No space is open" : `Open: ${spaces.map(oneLine).join(", ")}`;
  return [
    `A daemon of ${oneLine(context.home)} runs: process ${bold(String(pid))}, version ${version}.`,
    `Started ${since}. ${stays ? "It stays until it is stopped" : "It stops when nobody needs it"}. ${open}.`,
    dim(`It answers at ${url}.`),
  ].join("\n");
}

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
