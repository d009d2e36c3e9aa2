/**
 * The whole visit. Looks, and mends nothing: it starts no daemon, and where none runs it opens the replica for
 * a moment, as every verb did before there were daemons.
 *
 * @module
 */
import type { Replica } from "@cambium/client";
import { checkAgents } from "./check-agents.js";
import { checkBackups, checkSetAside } from "./check-backups.js";
import { checkDaemon, checkLock } from "./check-daemon.js";
import { checkHome, isHomeUsable } from "./check-home.js";
import { checkClock, checkDisk, checkNode } from "./check-machine.js";
import { checkProject } from "./check-project.js";
import { checkDefault, checkRelay, checkSpace, checkStore, readSpaces } from "./check-spaces.js";
import { checkWritable } from "./check-writable.js";
import type { DoctorContext } from "./doctor-context.js";
import { type CheckName, type Finding, ok, problemFrom } from "./finding.js";

/** Returns every finding, in the order of the checks. */
export async function examine(context: DoctorContext): Promise<readonly Finding[]> {
  const home = await guarded("home", () => [checkHome(context)]);
  return [
    checkNode(context),
    ...home,
    ...(isHomeUsable(context) ? await guarded("home", () => checkWritable(context)) : []),
    ...(isHomeUsable(context) ? await examineMemory(context) : []),
    ...(await guarded("agent", () => checkAgents(context))),
  ];
}

async function examineMemory(context: DoctorContext): Promise<readonly Finding[]> {
  const { spaces, findings: unreadable } = readSpaces(context);
  using daemon = await context.findDaemon();
  const lock = daemon === undefined ? await guarded("lock", async () => [await checkLock(context)]) : [];
  const isFree = lock.every(({ state }) => state === "ok");
  const stores = daemon === undefined && isFree ? spaces.map((space) => checkStore(space, context)) : [];
  const unread = stores.length > 0 || spaces.length === 0 ? [] : [UNREAD_STORES];
  const relays = await Promise.all(spaces.map((space) => checkRelay(space, context)));
  const inSpaces = async (replica: Replica): Promise<readonly Finding[]> => {
    const found: Finding[] = [];
    for (const [index, space] of spaces.entries()) {
      // What waits for a relay that is away is no matter of its own.
      const isRelayWell = relays[index]?.every(({ state }) => state === "ok") ?? true;
      found.push(...(await checkSpace(space, { replica, isRelayWell, home: context.home })));
    }
    return found;
  };
  const looked = await guarded("space", async () => {
    if (daemon !== undefined) return await inSpaces(daemon.replica);
    if (!isFree || spaces.length === 0) return [];
    await using replica = await context.openReplica();
    return await inSpaces(replica);
  });
  return [
    ...(await guarded("disk", () => [checkDisk(context)])),
    await checkDaemon(daemon, context),
    ...lock,
    ...(await guarded("clock", () => [checkClock(context)])),
    ...unreadable,
    ...(spaces.length + unreadable.length === 0 ? [NO_SPACE] : []),
    ...checkDefault(spaces, context),
    ...stores,
    ...unread,
    ...looked,
    ...relays.flat(),
    ...(await guarded("space", () => checkSetAside(context))),
    ...(await guarded("backup", () => checkBackups(spaces, context))),
    ...checkProject(spaces, context),
  ];
}

const NO_SPACE = ok("space", "There are no spaces here yet.", {
  hint: "Make one with `cambium init <name>`; an agent's first call makes one, too.",
});
const UNREAD_STORES = ok("store", "The stores are in use; `cambium verify` reads every byte of one.");

/** A check that breaks is reported like what it would have found, so that the others still come. */
async function guarded(
  check: CheckName,
  make: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await make();
  } catch (error) {
    return [problemFrom(check, error)];
  }
}
