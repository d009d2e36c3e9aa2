/** Daemons that verbs have started: none may outlive the test that was the reason for it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const TIMEOUT_MS = 15_000;

/** Ends every daemon of a home somewhere in `dir`, and returns when they are gone. */
export async function endDaemons(dir: string): Promise<void> {
  await Promise.all(daemonsIn(dir).map(end));
}

export function daemonsIn(dir: string): readonly number[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("daemon.json"))
    .map((path) => (JSON.parse(readFileSync(join(dir, path), "utf8")) as { pid: number }).pid)
    .filter(isAlive);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function end(pid: number): Promise<void> {
  process.kill(pid, "SIGTERM");
  for (const deadline = Date.now() + TIMEOUT_MS; isAlive(pid); await delay(10)) {
    if (Date.now() > deadline) process.kill(pid, "SIGKILL");
  }
}
