/**
 * Starts the daemon of a home, when nobody listens there. That there is one at most is the daemon's own business:
 * one too many ends at once. Here it is only kept from being common, since every start costs a process.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makePrivateDirectory } from "@cambium/client/host";
import { CambiumError } from "@cambium/core/errors";
import { answeredError } from "./answered-error.js";
import { daemonPlace } from "./daemon-place.js";

export interface Starter {
  /** Starts one unless one is being started; returns at once. */
  start(): void;
  /** Why the one that was started ended, reported once; undefined while there is hope. */
  takeFailure(): CambiumError | undefined;
  /** It answers. */
  settle(): void;
}

export interface DaemonStarterOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
}

/** Of one verb only; the daemon serves many. */
const OF_THE_CALLER = ["CAMBIUM_AGENT", "CAMBIUM_SPACE", "CAMBIUM_BRANCH", "CAMBIUM_DAEMON"];

const COMMAND = fileURLToPath(new URL("../../bin/cambium.mjs", import.meta.url));
const PRIVATE_FILE = 0o600;
/** After that, the process that said it would start one is taken to have died. */
const CLAIM_MS = 3_000;
/** One that found another running needs no successor at once. */
const REST_MS = 100;
const DESCRIBED_BYTES = 4_096;

export class DaemonStarter implements Starter {
  readonly #options: DaemonStarterOptions;
  readonly #claim: string;
  #child: ChildProcess | undefined;
  #endedAt = Number.NEGATIVE_INFINITY;
  #hasClaim = false;
  #failure: CambiumError | undefined;

  constructor(options: DaemonStarterOptions) {
    this.#options = options;
    this.#claim = join(options.home, "daemon.starting");
  }

  takeFailure(): CambiumError | undefined {
    const failure = this.#failure;
    this.#failure = undefined;
    return failure;
  }

  /** @throws {CambiumError} DAEMON_UNREACHABLE when the home cannot be made or written */
  start(): void {
    if (this.#child !== undefined || this.#options.now() - this.#endedAt < REST_MS) return;
    try {
      makePrivateDirectory(this.#options.home);
      this.#hasClaim = this.#hasClaim || isClaimed(this.#claim, this.#options.now());
      if (this.#hasClaim) this.#spawn();
    } catch (cause) {
      throw cannotStart(cause instanceof Error ? cause.message : String(cause), cause, UNWRITABLE_HINT);
    }
  }

  settle(): void {
    if (this.#hasClaim) rmSync(this.#claim, { force: true });
    this.#hasClaim = false;
    this.#failure = undefined;
    // How one that has answered ends some day says nothing about starting.
    this.#child = undefined;
  }

  #spawn(): void {
    const { home, env } = this.#options;
    const { log } = daemonPlace(home);
    const output = openSync(log, "a", PRIVATE_FILE);
    const reportedBefore = statSync(log).size;
    const inherited = Object.entries(env).filter(([name]) => !OF_THE_CALLER.includes(name));
    try {
      const child = spawn(process.execPath, [COMMAND, "daemon", "--json"], {
        cwd: "/",
        env: { ...Object.fromEntries(inherited), CAMBIUM_HOME: home },
        stdio: ["ignore", "ignore", output],
        detached: true,
        windowsHide: true,
      });
      this.#child = child;
      child.unref();
      child.on("error", (cause) => this.#ended(child, () => cannotStart(cause.message, cause)));
      child.on("exit", (code) => this.#ended(child, () => whyEnded(log, reportedBefore, code)));
    } finally {
      closeSync(output);
    }
  }

  /** Others who wait may try it then, and hear for themselves why it does not start. */
  #ended(child: ChildProcess, why: () => CambiumError | undefined): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    this.#endedAt = this.#options.now();
    if (this.#hasClaim) rmSync(this.#claim, { force: true });
    this.#hasClaim = false;
    this.#failure = why();
  }
}

/** Says to others that one is being started; false when somebody else has said so. */
function isClaimed(path: string, now: number): boolean {
  try {
    // Empty: that it is there says it all, and a full disk takes an empty file.
    closeSync(openSync(path, "wx", PRIVATE_FILE));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // The clocks of a file system and of this process may differ; a claim from the future counts for nothing.
  if (Math.abs(now - madeAt) > CLAIM_MS) rmSync(path, { force: true });
  return false;
}

/**
 * What it wrote to standard error is in the log, its failure as one JSON document.
 *
 * @returns undefined when it is worth another attempt: another one was there first, or somebody has killed it
 */
function whyEnded(log: string, reportedBefore: number, code: number | null): CambiumError | undefined {
  if (code === 0 || code === null) return undefined;
  let summary = "";
  try {
    summary = readFileSync(log).subarray(reportedBefore).subarray(-DESCRIBED_BYTES).toString("utf8");
  } catch {
    // Without its log there is still the exit code to tell.
  }
  for (const line of summary.split("\n").toReversed()) {
    if (!line.startsWith('{"error":')) continue;
    try {
      return answeredError(JSON.parse(line), 500);
    } catch {
      // Half a line; an earlier one may say it.
    }
  }
  return cannotStart(`it ended with exit code ${code}`, undefined);
}

const LOG_HINT = "See daemon.log in CAMBIUM_HOME, or set CAMBIUM_DAEMON=off to work without a daemon.";
const UNWRITABLE_HINT =
  "Make CAMBIUM_HOME writable for you, free space on its disk, or set it to another directory.";

const cannotStart = (why: string, cause: unknown, hint = LOG_HINT): CambiumError =>
  new CambiumError("DAEMON_UNREACHABLE", `The daemon cannot be started: ${why.replace(/\.$/, "")}.`, {
    hint,
    cause,
  });
