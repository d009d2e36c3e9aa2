/** Runs the built command as its users do: in processes of its own, each device with a home of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endDaemons } from "./daemons.js";

export const COMMAND = fileURLToPath(new URL("../../bin/cambium.mjs", import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file that takes the place of standard output. */
  readonly stdout?: number;
}

/** One device: its own user home, so that nothing of the machine's is touched. */
export class Device {
  readonly home: string;
  readonly #daemon: "on" | "off";

  constructor(home: string, daemon: "on" | "off" = "off") {
    this.home = home;
    this.#daemon = daemon;
  }

  start(args: readonly string[], { env = {}, stdout }: RunOptions = {}): ChildProcess {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CAMBIUM_"));
    return spawn(process.execPath, [COMMAND, ...args], {
      env: {
        ...Object.fromEntries(inherited),
        HOME: this.home,
        XDG_STATE_HOME: join(this.home, "state"),
        CAMBIUM_HOME: join(this.home, "cambium"),
        CAMBIUM_DAEMON: this.#daemon,
        ...env,
      },
      stdio: ["pipe", stdout ?? "pipe", "pipe"],
    });
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
    const child = this.start(args, options);
    child.stdin?.end(options.input ?? "");
    return await finished(child);
  }

  /** @throws when the command fails */
  async json<T = Record<string, unknown>>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run([...args, "--json"]);
    if (code !== 0) throw new Error(`cambium ${args.join(" ")} exited with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }
}

export async function finished(child: ChildProcess): Promise<Finished> {
  const text = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.setEncoding("utf8").on("data", (chunk: string) => {
      text[stream] += chunk;
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...text };
}

export interface RunningRelay extends AsyncDisposable {
  readonly url: string;
  readonly adminToken: string;
  /** Asks it to end, and says how it did. */
  stop(...signals: readonly NodeJS.Signals[]): Promise<Finished>;
}

/** Starts `cambium serve` and returns once it says it is ready. */
export async function serve(device: Device, dataDir: string): Promise<RunningRelay> {
  const child = device.start(["serve", "--port", "0", "--data", dataDir, "--json"]);
  const end = finished(child);
  const [line] = (await Promise.race([
    once(child.stdout ?? child, "data"),
    end.then(({ stderr }) => Promise.reject(new Error(`The relay did not start: ${stderr}`))),
  ])) as [string];
  const { url, tokenFile } = JSON.parse(line) as { url: string; tokenFile: string };
  const adminToken = await readFile(tokenFile, "utf8");
  const stop = async (...signals: readonly NodeJS.Signals[]): Promise<Finished> => {
    for (const signal of signals) child.kill(signal);
    return await end;
  };
  return { url, adminToken, stop, [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")) };
}

/** A folder for one test file, removed at its end. */
export class Scratch implements AsyncDisposable {
  readonly dir: string;
  readonly #daemon: "on" | "off";
  #devices = 0;

  private constructor(dir: string, daemon: "on" | "off") {
    this.dir = dir;
    this.#daemon = daemon;
  }

  /** @param daemon - whether verbs go through one; off unless the daemon is the point */
  static async make(daemon: "on" | "off" = "off"): Promise<Scratch> {
    return new Scratch(await mkdtemp(join(tmpdir(), "cambium-cli-")), daemon);
  }

  device(): Device {
    this.#devices += 1;
    return new Device(join(this.dir, `device-${this.#devices}`), this.#daemon);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endDaemons(this.dir);
    await rm(this.dir, { recursive: true, force: true });
  }
}
