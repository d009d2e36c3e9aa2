/** Homes whose writer was killed, and whose store then loses or changes bytes; put back as they were for each trial. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { startWriter } from "../../support/processes.js";
import type { Device, Home, World } from "../../support/world.js";

export interface KilledHome {
  readonly home: Home;
  /** Where the space keeps its files. */
  readonly dir: string;
  /** Ids of the memories whose writes were acknowledged, the earlier ones first. */
  readonly acknowledged: readonly string[];
  /** As the store's files were before the session that was killed. */
  readonly olderStore: string;
  /** Puts the home back to where the writer was killed. */
  readonly restore: () => void;
}

/** A home with some writes of a session that was closed, and some of one that was killed. */
export async function killedHome(
  world: World,
  {
    storage,
    closed,
    killed,
  }: { readonly storage: "sqlite" | "fs"; readonly closed: number; readonly killed: number },
): Promise<KilledHome> {
  const { home, space, replica } = await world.found("lossy", { storage });
  const acknowledged: string[] = [];
  for (let count = 0; count < closed; count += 1)
    acknowledged.push((await space.as({ agent: "early" }).remember({ content: `early ${count}` })).id);
  await replica.close();
  const dir = join(home.dir, "spaces", space.id);
  const olderStore = mkdtempSync(join(world.root, "older-"));
  copyStore(dir, olderStore);
  await using writer = startWriter({ ...home, storage, agent: "late", seed: 1 });
  await writer.lines.until((line) => line === "open");
  for (let line = 0; line < killed; line += 1) await writer.lines.next();
  acknowledged.push(...(await writer.kill()).slice(1));
  const kept = mkdtempSync(join(world.root, "kept-"));
  for (const place of ["dir", "stateDir"] as const)
    cpSync(home[place], join(kept, place), { recursive: true });
  const restore = (): void => {
    for (const place of ["dir", "stateDir"] as const) {
      rmSync(home[place], { recursive: true, force: true });
      cpSync(join(kept, place), home[place], { recursive: true });
    }
    asIfNotCopied(home);
  };
  return { home, dir, acknowledged, olderStore, restore };
}

/** A killed session's marker is the file that it wrote, not a copy of it. */
function asIfNotCopied({ dir, stateDir }: Home): void {
  const { birthtimeMs } = statSync(join(dir, "writing"));
  for (const name of readdirSync(stateDir).filter((file) => file.endsWith(".json"))) {
    const place = JSON.parse(readFileSync(join(stateDir, name), "utf8")) as object;
    writeFileSync(join(stateDir, name), JSON.stringify({ ...place, marker: birthtimeMs }));
  }
}

/** The files of the store, of either kind. */
export function copyStore(from: string, to: string): void {
  for (const name of readdirSync(to))
    if (name.startsWith("store")) rmSync(join(to, name), { recursive: true });
  for (const name of readdirSync(from))
    if (name.startsWith("store")) cpSync(join(from, name), join(to, name), { recursive: true });
}

/** What was written last, before it was put where it stays. */
export const tailOf = (dir: string, storage: "sqlite" | "fs"): string =>
  join(dir, storage === "sqlite" ? "store.sqlite-wal" : "store/journal");

/** @param at - from 0 to 1: where in the file */
export type Harm = (path: string, at: number) => void;

export const HARMS: Readonly<Record<"cut" | "flipped" | "removed", Harm>> = {
  cut: (path, at) => truncateSync(path, Math.floor(readFileSync(path).length * at)),
  flipped: (path, at) => {
    const bytes = readFileSync(path);
    const place = Math.floor((bytes.length - 1) * at);
    bytes[place] = (bytes[place] as number) ^ (1 << (Math.floor(at * 7919) % 8));
    writeFileSync(path, bytes);
  },
  removed: (path) => {
    if (existsSync(path)) rmSync(path);
  },
};

/** Acknowledged writes that are neither there nor named by `verify`. */
export async function unaccounted(
  { space }: Device,
  acknowledged: readonly string[],
): Promise<readonly string[]> {
  const { memories } = await space.list({ limit: 10_000 });
  const here = new Set<string>(memories.map(({ id }) => id));
  const parts = (await space.verify()).lost?.parts ?? [];
  const said = parts.map(({ what, reason }) => `${what} ${reason}`).join("\n");
  return acknowledged.filter((id) => !here.has(id) && !said.includes(id));
}
