/**
 * Vitest's global set-up: one folder for all that the tests write, in memory where there is room. A process
 * that is killed leaves the same there as on a disk, and nothing waits for the disk. Soak runs use the disk.
 */
import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IN_MEMORY = "/dev/shm";
/** Several times what a run ever holds: a full one would fail tests for no reason of theirs. */
const ENOUGH = 4 * 1024 ** 3;
const PREFIX = "cambium-tests-";
/** Nothing was added for so long: the run it belongs to was killed, for it would have removed it. */
const LEFT_BEHIND_MS = 3_600_000;

export function setup() {
  const isInMemory = hasRoom();
  if (isInMemory) removeLeftBehind();
  const dir = mkdtempSync(join(isInMemory ? IN_MEMORY : tmpdir(), PREFIX));
  process.env.CAMBIUM_TESTS_PID = String(process.pid); // what tests share ends with it
  process.env.TMPDIR = dir; // where `tmpdir()` looks, in the processes that tests start too
  // To load and compile the sources takes most of the time of a short process.
  process.env.NODE_COMPILE_CACHE ??= join(dir, "compiled");
  return () => remove(dir);
}

const remove = (dir) => rmSync(dir, { recursive: true, force: true, maxRetries: 5 });

/** What lies in memory is not given back before. */
function removeLeftBehind() {
  for (const name of readdirSync(IN_MEMORY).filter((found) => found.startsWith(PREFIX))) {
    const { mtimeMs, uid } = statSync(join(IN_MEMORY, name), { throwIfNoEntry: false }) ?? {};
    if (uid === process.getuid() && Date.now() - mtimeMs > LEFT_BEHIND_MS) remove(join(IN_MEMORY, name));
  }
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
