/**
 * Node, the disk, and the clock as far as this device alone can tell.
 *
 * @module
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { runsCambium } from "@cambium/core/node-version";
import type { DoctorContext } from "./doctor-context.js";
import { type Finding, ok, problem, warn } from "./finding.js";

const MIB = 1_048_576;
const LITTLE_BYTES = 1_024 * MIB;
const TOO_LITTLE_BYTES = 100 * MIB;
/** File systems round; a clock that was set back is further off. */
const CLOCK_TOLERANCE_MS = 120_000;

export function checkNode({ nodeVersion }: DoctorContext): Finding {
  return runsCambium(nodeVersion)
    ? ok("node", `Node ${nodeVersion} runs Cambium.`)
    : problem(
        "node",
        `Node ${nodeVersion} is too old to run Cambium.`,
        "Install a newer one from https://nodejs.org.",
      );
}

export function checkDisk({ home, freeBytes }: DoctorContext): Finding {
  const free = freeBytes(home);
  const amount =
    free >= LITTLE_BYTES ? `${Math.floor(free / LITTLE_BYTES)} GiB` : `${Math.floor(free / MIB)} MiB`;
  const message = `The disk has ${amount} free.`;
  const hint = "Free some space. A write that does not fit is refused, and nothing is lost.";
  if (free < TOO_LITTLE_BYTES) return problem("disk", message, hint);
  return free < LITTLE_BYTES ? warn("disk", message, hint) : ok("disk", message);
}

/** A file from the future was written before the clock went back. */
export function checkClock({ home, now }: DoctorContext): Finding {
  const newest = Math.max(
    0,
    ...filesOf(home).map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
  const aheadMs = newest - now();
  if (aheadMs <= CLOCK_TOLERANCE_MS) return ok("clock", "The clock has not gone back since the last write.");
  return warn(
    "clock",
    `The last write is ${inWords(aheadMs)} ahead of the clock, which may have gone back.`,
    "Set the clock right; until then, times in the history may be wrong on a space without a relay.",
  );
}

/** "3 min", "5 h", "2 days". */
export function inWords(durationMs: number): string {
  const minutes = Math.round(Math.abs(durationMs) / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

function filesOf(home: string): readonly string[] {
  const inHome = readdirSync(home, { withFileTypes: true });
  const spaces = inHome
    .filter((entry) => entry.isDirectory() && entry.name === "spaces")
    .flatMap((entry) => {
      const dir = join(home, entry.name);
      return readdirSync(dir, { recursive: true, encoding: "utf8" }).map((name) => join(dir, name));
    });
  return [...inHome.filter((entry) => entry.isFile()).map(({ name }) => join(home, name)), ...spaces];
}
