/**
 * The directories of replicas and relays: copied, set back and damaged, while no process has them open.
 *
 * @module
 */
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export interface Home {
  readonly dir: string;
  /** Outside the home; tells copies from originals. */
  readonly stateDir: string;
}

export const homeAt = (root: string, name: string): Home => ({
  dir: join(root, name, "home"),
  stateDir: join(root, name, "state"),
});

export async function copyDirectory(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  await cp(from, to, { recursive: true });
}

export async function copyHome(from: Home, to: Home): Promise<void> {
  await copyDirectory(from.dir, to.dir);
  await copyDirectory(from.stateDir, to.stateDir);
}

/** As a backup that has only these files would; the index is derived, and a backup may or may not have it. */
export async function restoreStoreFiles(copy: Home, home: Home): Promise<void> {
  const isStore = (name: string): boolean => name.startsWith("store.sqlite");
  const [from, to] = [await spaceDir(copy), await spaceDir(home)];
  for (const name of await readdir(to)) if (isStore(name)) await rm(join(to, name));
  for (const name of await readdir(from)) if (isStore(name)) await cp(join(from, name), join(to, name));
}

/** @returns false where there is none */
export async function deleteIndex(home: Home): Promise<boolean> {
  const dir = await spaceDir(home);
  const names = (await readdir(dir)).filter((name) => name.startsWith("index.sqlite"));
  for (const name of names) await rm(join(dir, name));
  return names.length > 0;
}

async function spaceDir({ dir }: Home): Promise<string> {
  const spaces = join(dir, "spaces");
  const [name = ""] = await readdir(spaces);
  return join(spaces, name);
}
