/**
 * What a person or an agent names for writing is no place in the home: its files are a space's own keys and history.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { CambiumError } from "@cambium/core";

/** The daemon's own, for its page: `Downloads` makes the folder, under a name that nobody knows, for each of them. */
const OF_THE_DAEMON = /^downloads\/[0-9a-f]{16}\/file(?:-folder)?$/;

/** The home that a space keeps its files in. */
export const homeOf = (spaceDir: string): string => dirname(dirname(spaceDir));

/**
 * Folders are compared as the file system has them, not by their names: by whatever links, letter case or mount a path
 * leads there.
 *
 * @throws {CambiumError} BAD_INPUT when the path leads into the home, or is it; or into the folder of a relay
 */
export async function refuseInHome(path: string, home: string): Promise<void> {
  const own = new Set(foldersOf(home).flatMap(identityOf));
  const place = await realOf(resolve(path));
  // A folder may be filled by a link to it.
  for (const real of [place, await realpath(place).catch(() => place)]) {
    refuseInRelay(path, real);
    const within = pathWithin(own, real);
    if (within === undefined || OF_THE_DAEMON.test(within)) continue;
    throw new CambiumError("BAD_INPUT", `${path} is in the home of Cambium. Nothing was written.`, {
      hint: `What is in ${home} is Cambium's own. Choose a path outside of it.`,
    });
  }
}

/** A relay is known by its database, or by what it writes down while it runs and keeps its log elsewhere. */
function refuseInRelay(path: string, real: string): void {
  for (let at = real; at !== dirname(at); at = dirname(at)) {
    if (!existsSync(join(at, RELAY_LOG)) && !isRelayAt(join(at, RELAY_RUNNING))) continue;
    throw new CambiumError("BAD_INPUT", `${path} is in the folder of a relay. Nothing was written.`, {
      hint: `What is in ${at} is the relay's own. Choose a path outside of it.`,
    });
  }
}

const [RELAY_LOG, RELAY_RUNNING] = ["relay.sqlite", "running.json"];

function isRelayAt(path: string): boolean {
  try {
    const { url, pid } = JSON.parse(readFileSync(path, "utf8")) as { url?: unknown; pid?: unknown };
    return typeof url === "string" && typeof pid === "number";
  } catch {
    return false;
  }
}

/** From the one of these folders that it is in, with `/` between the parts. */
function pathWithin(folders: ReadonlySet<string>, real: string): string | undefined {
  for (let at = real; ; at = dirname(at)) {
    if (identityOf(at).some((identity) => folders.has(identity)))
      return relative(at, real).split(sep).join("/");
    if (at === dirname(at)) return undefined;
  }
}

/** Where the folder above it really is; what is not there yet is under the first one that is. */
async function realOf(path: string): Promise<string> {
  const above = dirname(path);
  if (above === path) return path;
  const real = await realpath(above).catch(() => undefined);
  return join(real ?? (await realOf(above)), basename(path));
}

/** It, and what of it is on another disk by a link. */
const foldersOf = (home: string): readonly string[] => [
  home,
  ...linksIn(home),
  ...linksIn(join(home, "spaces")),
];

function linksIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => join(folder, name));
  } catch {
    return []; // not made yet
  }
}

const identityOf = (path: string): readonly string[] => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found?.isDirectory() === true ? [`${found.dev}:${found.ino}`] : [];
};
