/**
 * The directories of replicas and relays: copied, set back and damaged, while no process has them open.
 *
 * @module
 */
import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
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

export async function emptyHome({ dir, stateDir }: Home): Promise<void> {
  for (const path of new Set([dir, stateDir])) await rm(path, { recursive: true, force: true });
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

export type LogDamage = "cut" | "altered" | "deleted";

/**
 * Damages the store's write-ahead log, as a torn disk or an incomplete backup does.
 *
 * @param where - in [0, 1), how far into the file
 * @returns false where there is nothing in it
 */
export async function damageLog(home: Home, damage: LogDamage, where: number): Promise<boolean> {
  const path = join(await spaceDir(home), "store.sqlite-wal");
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size === 0) return false;
  const place = Math.floor(where * size);
  if (damage === "deleted") await rm(path);
  else if (damage === "cut") await truncate(path, place);
  else await alter(path, () => place);
  return true;
}

/** Flips a bit of the index, where it is not empty. */
export async function alterIndex(home: Home, where: number): Promise<void> {
  const path = join(await spaceDir(home), "index.sqlite");
  await alter(path, (bytes) => {
    let place = Math.floor(where * bytes.length);
    while (place > 0 && bytes[place] === 0) place -= 1;
    return place;
  });
}

async function alter(path: string, placeIn: (bytes: Buffer) => number): Promise<void> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined || bytes.length === 0) return;
  const place = placeIn(bytes);
  bytes[place] = (bytes[place] as number) ^ 1;
  await writeFile(path, bytes);
}

async function spaceDir({ dir }: Home): Promise<string> {
  const spaces = join(dir, "spaces");
  const [name = ""] = await readdir(spaces);
  return join(spaces, name);
}
