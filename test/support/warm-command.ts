/**
 * The command in this process, for scripts of a shell that call it often: a process of its own takes half a second
 * for what it loads.
 *
 * @module
 */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { systemTimers } from "@cambium/client/host";
import { main } from "../../packages/cambium/src/cli/program.js";
import { capturedIo } from "../../packages/cambium/test/cli/fixtures.js";

/** What a call of the shell hands over, each ended by a null byte; the arguments follow. */
const FIELDS = ["count", "home", "daemon", "cwd"] as const;

export class WarmCommand implements AsyncDisposable {
  readonly #server: Server;
  readonly #home: string;
  #calls = 0;

  private constructor(home: string) {
    this.#home = home;
    mkdirSync(join(home, "outputs"), { recursive: true });
    this.#server = createServer((socket) => void this.#answer(socket));
  }

  /** @param home - of the user; what a call prints goes to files in it */
  static async start(home: string): Promise<WarmCommand> {
    const command = new WarmCommand(home);
    await once(command.#server.listen(0, "127.0.0.1"), "listening");
    return command;
  }

  /** For bash: a function that calls it, by this name. */
  named(name: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `${name}() {
      local code out errors
      exec 3<>/dev/tcp/127.0.0.1/${port}
      printf '%s\\0' "$#" "$CAMBIUM_HOME" "\${CAMBIUM_DAEMON:-}" "$PWD" "$@" >&3
      read -r code out errors <&3
      exec 3>&-
      cat "$out"; cat "$errors" >&2
      return "$code"
    }`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(socket: Socket): Promise<void> {
    const [home = "", daemon = "", cwd = "", ...args] = await received(socket);
    const env = { CAMBIUM_HOME: home, CAMBIUM_DAEMON: daemon, NO_COLOR: "1" };
    const io = capturedIo({ env, cwd, userHome: this.#home, now: Date.now, timers: systemTimers });
    const code = await main(args, io);
    this.#calls += 1;
    const [out, errors] = ["out", "err"].map((kind) => join(this.#home, "outputs", `${this.#calls}.${kind}`));
    writeFileSync(out ?? "", io.stdout());
    writeFileSync(errors ?? "", io.stderr());
    socket.end(`${code} ${out} ${errors}\n`);
  }
}

/** @returns the fields after the count, then the arguments */
async function received(socket: Socket): Promise<readonly string[]> {
  let text = "";
  for await (const chunk of socket.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    text += chunk as string;
    const [count = "0", ...rest] = text.split("\0").slice(0, -1);
    if (text.includes("\0") && rest.length === Number(count) + FIELDS.length - 1) return rest;
  }
  return [];
}
