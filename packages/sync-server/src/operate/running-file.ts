/**
 * Where the relay of a data directory listens, for commands on the same machine.
 *
 * @module
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const schema = z.object({
  url: z.string(),
  pid: z.int(),
  /** The certificate that it shows, as PEM: commands here take it as it is, whatever name is in it. */
  certificate: z.string().optional(),
});
type Running = z.infer<typeof schema>;

const pathOf = (dataDir: string): string => join(dataDir, "running.json");

/** @returns removes it */
export function writeRunning(dataDir: string, running: Running): () => void {
  writeFileSync(pathOf(dataDir), `${JSON.stringify(running)}\n`, { mode: 0o600 });
  return () => rmSync(pathOf(dataDir), { force: true });
}

/** @returns undefined where none runs, or one ended without a word */
export function readRunning(dataDir: string): Running | undefined {
  try {
    const running = schema.parse(JSON.parse(readFileSync(pathOf(dataDir), "utf8")));
    return isAlive(running.pid) ? running : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // another user's
  }
}
