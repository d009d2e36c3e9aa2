/**
 * Relays on one database, each a process.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { CutWay } from "./postgres-server.js";

const BIN = fileURLToPath(new URL("../../bin/cambium-relay.mjs", import.meta.url));
const ADMIN = "cambium_relay_admin_of_the_chaos_tests_0123456789";
/** In which their clients write. */
export const SPACE = "team";

/** A relay on a database, to be killed, paused, cut off from it, and replaced by another version. */
export class RelayProcess {
  readonly way: CutWay;
  readonly #dataDir: string;
  readonly #segments: string;
  #port = 0;
  #child: ChildProcess | undefined;
  url = "";

  constructor(way: CutWay, dataDir: string, segments: string) {
    this.way = way;
    this.#dataDir = dataDir;
    this.#segments = segments;
  }

  /** @param bin - of which version */
  async start(bin = BIN): Promise<void> {
    const settings = [
      "--blobs",
      this.#segments,
      "--store",
      this.way.url,
      "--store-timeout",
      "2s",
      "--port",
      String(this.#port),
    ];
    const child = spawn(process.execPath, [bin, ...settings, "--data", this.#dataDir, "--json"], {
      env: { ...process.env, CAMBIUM_RELAY_ADMIN_TOKEN: ADMIN, CAMBIUM_RELAY_LOG_LEVEL: "silent" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#child = child;
    let said = "";
    child.stdout.on("data", (text) => {
      said += String(text);
      if (!said.includes("\n")) return;
      this.url = (JSON.parse(said) as { url: string }).url;
      this.#port = Number(new URL(this.url).port);
    });
    // One that finds its database away ends, and is started again as a service manager would.
    await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  }

  get isAlive(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  async kill(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): Promise<void> {
    if (this.#child === undefined || !this.isAlive) return;
    this.#child.kill(signal);
    await once(this.#child, "close");
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    if (this.isAlive) this.#child?.kill(signal);
  }
}

/** Makes the space. @returns its token */
export async function makeSpace({ url }: RelayProcess): Promise<string> {
  const made = await fetch(`${url}/spaces`, {
    ...{ method: "POST", body: JSON.stringify({ space: SPACE }) },
    headers: { authorization: `Bearer ${ADMIN}`, "content-type": "application/json" },
  });
  return ((await made.json()) as { token: string }).token;
}
