/**
 * The built command as a process of its own, and the daemon that it leaves behind.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type Environment = Readonly<Record<string, string>>;

export const CAMBIUM = fileURLToPath(new URL("../../packages/cambium/bin/cambium.mjs", import.meta.url));

/** @returns what it printed */
export const runCambium = (args: readonly string[], env: Environment, cwd?: string): Promise<string> =>
  runNode([CAMBIUM, ...args], env, cwd);

/** A process of this Node. @returns what it printed */
export function runNode(args: readonly string[], env: Environment, cwd?: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { cwd, env: { ...inherited(), ...env }, maxBuffer: 256 * 1024 * 1024 };
  execFile(process.execPath, [...args], options, (error, stdout) =>
    error === null ? resolve(stdout) : reject(error),
  );
  return promise;
}

/** Nothing of the caller's Cambium. */
export const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith("CAMBIUM_") ? [] : [[name, value]],
    ),
  );

/** @returns the process that owns a home; undefined when there is none */
export async function daemonOf(home: string): Promise<number | undefined> {
  const note = await readFile(join(home, "daemon.json"), "utf8").catch(() => undefined);
  return note === undefined ? undefined : (JSON.parse(note) as { readonly pid: number }).pid;
}

/** Longer than a daemon that is told to end takes. */
const ENDING_MS = 30_000;

/**
 * Ends the daemon of a home, if there is one, and waits until it is gone.
 *
 * @returns the process that it was
 */
export async function endDaemon(home: string): Promise<number | undefined> {
  const pid = await daemonOf(home);
  if (pid === undefined || !signalled(pid, "SIGTERM")) return pid; // it ended by itself, or there was none
  const deadline = performance.now() + ENDING_MS;
  while (signalled(pid, 0)) {
    if (performance.now() > deadline) throw new Error(`The daemon, process ${pid}, does not end.`);
    await wait(10);
  }
  return pid;
}

/** @returns false when there is no such process */
function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
