/**
 * One holder at a time across processes, for steps that write shared folders
 * (node_modules, dist): two commands started together must not collide.
 *
 * A lock is a directory, because creating one is atomic everywhere; it names
 * its holder, so that a lock left by a killed process is taken over.
 *
 * @module
 */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const RETRY_MS = 200;
/** A holder writes its id right after taking the lock; without one for this long, it died in between. */
const UNNAMED_GRACE_MS = 5_000;

/**
 * Runs `action` while no other process holds `path`.
 *
 * @template T
 * @param {string} path - the lock's directory; its parent is made if missing
 * @param {() => Promise<T>} action
 * @param {() => void} [onWait] - called once if another process has to be waited for
 * @returns {Promise<T>}
 */
export async function withLock(path, action, onWait = () => {}) {
  await mkdir(dirname(path), { recursive: true });
  await take(path, onWait);
  try {
    return await action();
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

async function take(path, onWait) {
  let unnamedSince = Date.now();
  for (let attempt = 0; ; attempt += 1) {
    if (await tryTake(path)) return;
    const holder = await holderOf(path);
    if (holder !== undefined) unnamedSince = Date.now();
    const isAbandoned =
      holder === undefined ? Date.now() - unnamedSince > UNNAMED_GRACE_MS : !isRunning(holder);
    if (isAbandoned) {
      await removeAbandoned(path);
      continue;
    }
    if (attempt === 0) onWait();
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function tryTake(path) {
  try {
    await mkdir(path);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  await writeFile(join(path, "pid"), String(process.pid));
  return true;
}

async function holderOf(path) {
  const pid = Number(await readFile(join(path, "pid"), "utf8").catch(() => ""));
  return pid > 0 ? pid : undefined;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM"; // it runs, under another user
  }
}

/** Renames before removing: of several waiters only one wins the rename, so none deletes a fresh lock. */
async function removeAbandoned(path) {
  const aside = `${path}.${process.pid}.abandoned`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (error.code === "ENOENT") return; // another waiter was quicker
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}
