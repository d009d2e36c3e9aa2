/**
 * Vitest's global set-up: one folder for all that the tests write, in memory where there is room. A process
 * that is killed leaves the same there as on a disk, and nothing waits for the disk. Soak runs use the disk.
 */
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";
/** Several times what a run ever holds: a full one would fail tests for no reason of theirs. */
const ENOUGH = 4 * 1024 ** 3;

export function setup() {
  const dir = mkdtempSync(join(hasRoom() ? IN_MEMORY : tmpdir(), "cambium-"));
  process.env.TMPDIR = dir; // where `tmpdir()` looks, in the processes that tests start too
  return () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

function hasRoom() {
  if (process.env.CAMBIUM_SOAK === "1") return false;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH;
  } catch {
    return false; // there is none on macOS and Windows
  }
}
