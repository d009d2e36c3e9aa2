/**
 * Where the relay of a data directory listens, for commands on the same machine.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const schema = z.object({
  url: z.string(),
  pid: z.int(),
  /** When that process began, where the system tells it: its number may be another's by now. */
  started: z.string().optional(),
  /** The certificate that it shows, as PEM: commands here take it as it is, whatever name is in it. */
  certificate: z.string().optional(),
});
type Running = z.infer<typeof schema>;

const pathOf = (dataDir: string): string => join(dataDir, "running.json");

/** @returns removes it */
export function writeRunning(dataDir: string, running: Omit<Running, "started">): () => void {
  const whole: Running = { ...running, started: startOf(running.pid) };
  writeFileSync(pathOf(dataDir), `${JSON.stringify(whole)}\n`, { mode: 0o600 });
  return () => rmSync(pathOf(dataDir), { force: true });
}

/** @returns undefined where none runs, or one ended without a word */
export function readRunning(dataDir: string): Running | undefined {
  try {
    const running = schema.parse(JSON.parse(readFileSync(pathOf(dataDir), "utf8")));
    return isAlive(running.pid) && isStillIt(running) ? running : undefined;
  } catch {
    return undefined;
  }
}

/** Where one of the two starts is not known, the number is all there is. */
function isStillIt({ pid, started }: Running): boolean {
  const now = startOf(pid);
  return started === undefined || now === undefined || started === now;
}

/** Of the fields behind the name of the program, which may hold spaces and brackets itself. */
const START_FIELD = 19;
const PS_TIMEOUT_MS = 2_000;

/** When the process of a number began, as far as the system tells it. */
const startOf = (pid: number): string | undefined => startInProc(pid) ?? startByPs(pid);

/** As macOS and the BSDs tell it, to a second. @returns undefined where there is no such process, or no `ps` */
export function startByPs(pid: number): string | undefined {
  try {
    const text = execFileSync("ps", ["-o", "lstart=", "-p", `${pid}`], {
      ...{ encoding: "utf8", timeout: PS_TIMEOUT_MS, stdio: ["ignore", "pipe", "ignore"] },
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
    });
    return text.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Which start of the machine, and how long after it: the same for no two processes of one number. */
function startInProc(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${fields[START_FIELD]}`;
  } catch {
    return undefined; // no Linux
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // another user's
  }
}
