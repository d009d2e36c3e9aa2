import { join } from "node:path";
import { onlyStyled, shellWord } from "@cambium/core/text";
import type { RelayReady } from "@cambium/sync-server";
import { InvalidArgumentError, Option } from "commander";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context, ContextOptions } from "../context.js";

interface Options extends ContextOptions {
  readonly host: string;
  readonly port: number;
  readonly data?: string;
}

const DEFAULT_PORT = 4141;

export const serve: CommandDefinition<Options> = {
  about: "Run a relay until Ctrl-C. It stores and forwards encrypted data that it cannot read",
  examples: ["cambium serve", "cambium serve --port 0 --data ./relay --json", "cambium serve --host 0.0.0.0"],
  options: (command) =>
    command
      .option("--host <address>", "the address to listen on; put TLS in front for other devices", "127.0.0.1")
      .addOption(
        new Option("--port <port>", "0 for any free one").argParser(portNumber).default(DEFAULT_PORT),
      )
      .option("--data <dir>", "where the relay keeps its log (default: relay in CAMBIUM_HOME)"),
  runsUntilStopped: true,
  act: async (context, _args, { host, port, data = join(context.home, "relay") }) => {
    const { serveRelay } = await import("@cambium/sync-server");
    const { io, json } = context;
    const announce = async (ready: RelayReady): Promise<void> => {
      const { document, text } = await readyAnswer(ready, context);
      io.output.write(`${json ? JSON.stringify(document) : onlyStyled(text)}\n`);
    };
    await serveRelay({ dataDir: data, host, port, signal: io.signal, onReady: announce });
    return { document: undefined, text: "", exit: 0 };
  },
};

async function readyAnswer(ready: RelayReady, context: Context): Promise<Answer> {
  const { colors } = context.style;
  const { url, tokenFile } = ready;
  const token = tokenFile === undefined ? "<admin token>" : `"$(cat ${shellWord(tokenFile)})"`;
  return await context.answer(ready, () =>
    [
      `${colors.green("●")} The relay listens on ${colors.bold(url)}. Ctrl-C stops it.`,
      ...(tokenFile === undefined ? [] : ["", `Its admin token is in ${colors.bold(tokenFile)}`]),
      "",
      "In another terminal:",
      `  ${colors.dim("$")} cambium init team --relay ${url} --token ${token}`,
      "Or link a space that is there already:",
      `  ${colors.dim("$")} cambium link ${url} --token ${token}`,
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
