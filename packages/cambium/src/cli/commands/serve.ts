import { once } from "node:events";
import { join } from "node:path";
import { onlyStyled } from "@cambium/core/text";
import { InvalidArgumentError, Option } from "commander";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context, ContextOptions } from "../context.js";

interface Options extends ContextOptions {
  readonly host: string;
  readonly port: number;
  readonly data?: string;
}

/** What there is to say once the relay listens. */
interface Ready {
  readonly url: string;
  /** Only on the first run with these data. */
  readonly adminToken?: string;
}

const DEFAULT_PORT = 4141;

export const serve: CommandDefinition<Options> = {
  about: "Run a relay until Ctrl-C. It passes on and keeps what it cannot read",
  examples: ["cambium serve", "cambium serve --port 0 --data ./relay --json", "cambium serve --host 0.0.0.0"],
  options: (command) =>
    command
      .option(
        "--host <address>",
        "the address to listen on; beyond this device, put TLS in front",
        "127.0.0.1",
      )
      .addOption(
        new Option("--port <port>", "0 for any free one").argParser(portNumber).default(DEFAULT_PORT),
      )
      .option("--data <dir>", "where the relay keeps its log (default: relay in CAMBIUM_HOME)"),
  runsUntilStopped: true,
  act: async (context, _args, { host, port, data = join(context.home, "relay") }) => {
    const { startRelay } = await import("@cambium/sync-server");
    await using relay = await startRelay({ dataDir: data, host, port });
    const { url, adminToken } = relay;
    const answer = await readyAnswer({ url, ...(adminToken === undefined ? {} : { adminToken }) }, context);
    const { io, json } = context;
    io.output.write(`${json ? JSON.stringify(answer.document) : onlyStyled(answer.text)}\n`);
    if (!io.signal.aborted) await once(io.signal, "abort");
    return answer;
  },
};

async function readyAnswer(ready: Ready, context: Context): Promise<Answer> {
  const { colors } = context.style;
  const { url, adminToken } = ready;
  return await context.answer(ready, () =>
    [
      `${colors.green("●")} The relay listens on ${colors.bold(url)}; Ctrl-C ends it.`,
      ...(adminToken === undefined
        ? []
        : ["", `Its admin token, shown only now: ${colors.bold(adminToken)}`]),
      "",
      "In another terminal:",
      `  ${colors.dim("$")} cambium init team --relay ${url} --token ${adminToken ?? "<admin token>"}`,
    ].join("\n"),
  );
}

function portNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) {
    throw new InvalidArgumentError("Give a port from 0 to 65535.");
  }
  return number;
}
