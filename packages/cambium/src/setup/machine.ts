/**
 * What setting up looks at on a machine: its platform, its directories, the commands on its PATH. Handed in, so
 * that tests give a machine of their own, of any platform.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { nonEmpty } from "@cambium/core/text";

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The Node that runs this process. */
  readonly node: string;
  /** The file that Node runs as `cambium`. */
  readonly bin: string;
  /** Runs a command to its end; never rejects because of how it ended. */
  run(command: string, args: readonly string[]): Promise<Finished>;
}

export interface Finished {
  /** Undefined when it could not be started, or was stopped because it took too long. */
  readonly code: number | undefined;
  /** What it said, standard error last. */
  readonly said: string;
}

/** A client's command writes one entry; one that takes longer waits for somebody who is not there. */
const LONGEST_RUN_MS = 30_000;

/** Runs a command without a shell, so that no argument can be taken for something else. */
export function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env }: Pick<Machine, "cwd" | "env">,
): Promise<Finished> {
  return new Promise((resolve) => {
    const texts = { stdout: "", stderr: "" };
    const stated = (): string => `${texts.stdout}${texts.stderr}`.trim();
    const child = spawn(command, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_RUN_MS);
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        texts[stream] += text;
      });
    }
    const end = (finished: Finished): void => {
      clearTimeout(timer);
      resolve(finished);
    };
    child.on("error", (error) => end({ code: undefined, said: error.message }));
    child.on("close", (code) => end({ code: code ?? undefined, said: stated() }));
  });
}

/** Where npm puts commands for the time of one run: what is found there is gone for others. */
const PASSING_DIRECTORY = /[\\/]node_modules[\\/]\.bin[\\/]?$|[\\/]_npx[\\/]/;

/** Returns the path of a command that other programs on this machine find, too. */
export function findCommand(name: string, { env, platform }: Machine): string | undefined {
  const path = env.PATH ?? env.Path ?? "";
  const names = platform === "win32" ? [`${name}.exe`, `${name}.cmd`, `${name}.bat`] : [name];
  for (const dir of path.split(delimiter)) {
    if (dir === "" || PASSING_DIRECTORY.test(dir)) continue;
    const found = names.map((candidate) => join(dir, candidate)).find(isExecutable);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether this process runs from npx's cache, which npm may empty at any time. */
export const runsFromCache = ({ bin }: Machine): boolean => /[\\/]_npx[\\/]/.test(bin);

/** Where programs keep their settings: `~/.config`, `Library/Application Support` or `%APPDATA%`. */
export function settingsDirectory({ platform, home, env }: Machine): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return nonEmpty(env.APPDATA) ?? join(home, "AppData", "Roaming");
  return nonEmpty(env.XDG_CONFIG_HOME) ?? join(home, ".config");
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not for us
  }
}
