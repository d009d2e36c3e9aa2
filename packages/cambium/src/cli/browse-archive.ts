/**
 * `browse`: an archive is imported into a home that lasts as long as the command, and a verb reads that.
 *
 * @module
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { omitUndefined } from "@cambium/core/text";
import type { Answer } from "./answer.js";
import type { Context } from "./context.js";
import { statedPassphrase } from "./passphrase.js";
import { UsageError } from "./usage-error.js";

interface Asked {
  readonly passphraseFile?: string | undefined;
  readonly since?: readonly string[] | undefined;
}

/** Verbs that read. What one of them could write would go with the home. */
const READING: readonly string[] = [
  ...["list", "show", "recall", "history", "log", "diff", "blame", "evolution"],
  ...["branches", "checkpoints", "conflicts", "export"],
];

export async function browseArchive(
  context: Context,
  file: string,
  words: readonly string[],
  asked: Asked,
): Promise<Answer> {
  await context.refuseAgents("read an archive");
  const { passphraseFile, since, verb } = readWords(words, asked);
  const { io } = context;
  const path = resolve(io.cwd, file);
  const [{ openReplica }, { archiveKind }, { withDeviceNames }] = await Promise.all([
    import("@cambium/client"),
    import("@cambium/client/host"),
    import("../operations/device-names.js"),
  ]);
  const isSealed =
    statSync(path, { throwIfNoEntry: false })?.isFile() && (await archiveKind(path)) === "sealed";
  const passphrase = isSealed ? await statedPassphrase(passphraseFile, io) : undefined;
  const folder = newFolder(path);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  using working = context.showWorking();
  try {
    const home = { dir: join(folder, "home"), stateDir: join(folder, "state"), connect: false };
    const { space } = await importedTo(await openReplica(home), path, {
      ...omitUndefined({ passphrase }),
      since: since.map((one) => resolve(io.cwd, one)),
      signal: io.signal,
    });
    working[Symbol.dispose]();
    const env = { ...io.env, CAMBIUM_HOME: home.dir, CAMBIUM_DAEMON: "off", CAMBIUM_SPACE: space.id };
    const exit = await context.runVerb(
      [...verb, ...(context.json ? ["--json"] : [])],
      { ...env, CAMBIUM_BRANCH: "main" },
      { openReplica: async (options) => withDeviceNames(await openReplica({ ...options, ...home })) },
    );
    return { document: undefined, text: "", exit };
  } finally {
    remove();
    process.off("exit", remove);
  }
}

type Opened = Awaited<ReturnType<typeof import("@cambium/client").openReplica>>;

async function importedTo(replica: Opened, ...[path, options]: Parameters<Opened["importArchive"]>) {
  await using opened = replica;
  return await opened.importArchive(path, options);
}

const PASSPHRASE_FILE = "--passphrase-file";

/** Options of the archive may stand between it and the verb. */
function readWords(words: readonly string[], asked: Asked) {
  const rest = [...words];
  let { passphraseFile } = asked;
  const since = [...(asked.since ?? [])];
  for (;;) {
    const [option, value] = rest;
    if (option === PASSPHRASE_FILE && value !== undefined) passphraseFile = value;
    else if (option === "--since" && value !== undefined) since.push(value);
    else break;
    rest.splice(0, 2);
  }
  const [verb = ""] = rest;
  // No verb that reads has this option: behind the verb it means the archive as well.
  const at = rest.findIndex((word) => word.split("=", 1)[0] === PASSPHRASE_FILE);
  const end = rest.indexOf("--");
  if (at > 0 && (end === -1 || at < end)) {
    const [word = "", value] = rest.slice(at, at + 2);
    const isWhole = word.startsWith(`${PASSPHRASE_FILE}=`);
    passphraseFile = isWhole ? word.slice(PASSPHRASE_FILE.length + 1) : value;
    rest.splice(at, isWhole ? 1 : 2);
  }
  if (READING.includes(verb)) return { passphraseFile, since, verb: rest };
  throw new UsageError(
    verb === ""
      ? "Say what to do with the archive."
      : `browse only reads an archive, and cannot run ${verb}.`,
    `It takes ${READING.join(", ")}. For instance: cambium browse notes.cambium list`,
  );
}

const PREFIX = "cambium-browse-";
/** The store, its index and their logs, as a multiple of the archive. */
const ROOM = 6;
const IN_MEMORY = "/dev/shm";

/** For this user alone; in memory where there is room, so that no disk keeps blocks of it. */
function newFolder(archive: string): string {
  const size = statSync(archive, { throwIfNoEntry: false })?.size ?? 0;
  const places = [IN_MEMORY, tmpdir()].filter((place) => existsSync(place));
  for (const place of places) sweep(place);
  const place = places.find((one) => hasRoom(one, size * ROOM)) ?? tmpdir();
  return mkdtempSync(join(place, `${PREFIX}${process.pid}-`));
}

function hasRoom(place: string, bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize > bytes;
  } catch {
    return false;
  }
}

/** What a process left that was killed. */
function sweep(place: string): void {
  for (const name of readdirSync(place)) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split("-", 1)[0] : 0);
    if (pid > 0 && pid !== process.pid && !isAlive(pid))
      rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
