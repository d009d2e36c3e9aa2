/**
 * The file that a memory names as its source, as the web page shows it: read and never run, only where the memory says
 * so, and only as text.
 *
 * @module
 */
import { constants, existsSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import type { AtRef, Space } from "@cambium/client";
import { refuseInHome } from "@cambium/client/host";
import type { Memory } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { SourceFile } from "../../operations/described.js";

/** Who looks for one line of a longer file has a program for that. */
const MOST_BYTES = 2 * 1_048_576;
const LINES_BEFORE = 100;
const LINES_AFTER = 300;
/** A longer line is cut. */
const MOST_LETTERS = 2_000;
/** A shorter beginning of a memory stands in many files. */
const LEAST_SOUGHT = 12;

type Source = NonNullable<Memory["source"]>;
type Problem = Exclude<SourceFile["status"], "shown">;

interface Asked extends AtRef {
  readonly id: string;
}

/** @throws {CambiumError} MEMORY_NOT_FOUND, BAD_REF */
export async function readSourceFile(space: Space, home: string, { id, ...at }: Asked): Promise<SourceFile> {
  const memory = await space.get(id, omitUndefined(at));
  const { source } = memory;
  if (source === undefined) return { status: "none" };
  const written = await whereWritten(space, memory, at);
  const path = pathIn(source);
  if (path === undefined) return { status: "partial", ...written.device };
  const found = await readText(path, home);
  const shown = { path: found.path ?? path, ...written.device };
  if (typeof found.text !== "string")
    return { status: found.problem, ...shown, ...omitUndefined({ sizeBytes: found.sizeBytes }) };
  const isChanged = found.changedAt > written.at;
  return {
    ...{ status: "shown", ...shown, sizeBytes: found.sizeBytes },
    ...(isChanged ? { changedAt: found.changedAt } : {}),
    ...linesAround(found.text, memory),
  };
}

/** Changes of other fields keep a source: it is of the version that wrote it first. */
async function whereWritten(space: Space, { id, record, source, by, at }: Memory, ref: AtRef) {
  const versions = await space.history(id, omitUndefined(ref));
  const shown = versions.findIndex((version) => version.record === record);
  const written = JSON.stringify(source);
  let first: Pick<Memory, "by" | "at"> = { by, at };
  for (let index = shown; index >= 0; index -= 1) {
    const version = versions[index];
    if (version === undefined || JSON.stringify(version.source) !== written) break;
    first = version;
  }
  const { replica, device } = first.by;
  const isElsewhere = replica !== space.replica;
  return { at: first.at, device: isElsewhere ? { device: device ?? replica } : {} };
}

/** Absolute paths only: of any other, nobody knows where it begins. Shares of a network are no files of this device. */
function pathIn({ path, file, name, url }: Source): string | undefined {
  for (const named of [path, file, url, name]) {
    if (typeof named !== "string" || /^[/\\]{2}/.test(named)) continue;
    const local = /^file:\/\/(localhost)?\//i.test(named) ? localPath(named) : named;
    if (local === undefined || local.includes("\0")) continue;
    if (/^~[/\\]/.test(local)) return join(homedir(), local.slice(2));
    if (isAbsolute(local)) return normalize(local);
  }
  return undefined;
}

function localPath(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

type Read =
  | { readonly path: string; readonly text: string; readonly changedAt: number; readonly sizeBytes: number }
  | { readonly path?: string; readonly text?: never; readonly problem: Problem; readonly sizeBytes?: number };

const PROBLEMS: Readonly<Record<string, Problem>> = {
  ENOENT: "missing",
  ENOTDIR: "missing",
  ELOOP: "link",
  EISDIR: "folder",
};

/** No link is followed at the end of a path, and what is no file is not waited for. */
async function readText(path: string, home: string): Promise<Read> {
  try {
    const real = join(await realpath(dirname(path)), basename(path));
    if (isSecret(path) || isSecret(real)) return { problem: "secret" };
    if (!(await isOutside(real, home))) return { problem: "private" };
    if ((await lstat(real)).isSymbolicLink()) return { problem: "link", path: real };
    // Windows has neither flag, and no files that would need them.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const file = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return { path: real, ...(await textOf(file)) };
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return { problem: PROBLEMS[code] ?? "unreadable" };
  }
}

/** Outside of the home of this daemon, and of any other: such as one that was copied, or is of another space. */
async function isOutside(path: string, home: string): Promise<boolean> {
  if (OF_HOMES.has(basename(path))) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (HOMES.some((files) => files.every((name) => existsSync(join(folder, name))))) return false;
    if (folder === dirname(folder)) break;
  }
  return await refuseInHome(path, home).then(
    () => true,
    () => false,
  );
}

/** What a home, or the folder of a space in it, has beside each other. A program may have a `space.json`, too. */
const HOMES: readonly (readonly string[])[] = [
  ["daemon.token"],
  ["replica.json", "spaces"],
  ["space.json", "store.sqlite"],
];
/** What holds a key or a token in a home, also where it was copied to another place. */
const OF_HOMES = new Set(["daemon.token", "replica.json", "space.json"]);

/** Where people and machines keep keys and passwords, whatever a memory says: folders and files. */
const SECRET_PARTS =
  /^\.(?:ssh|gnupg|aws|azure|kube|docker|password-store|netrc|pgpass|npmrc|pypirc|my\.cnf|git-credentials|htpasswd|env(?:\..*)?)$/i;
/** Files alone: a project may be called so, too. */
const SECRET_FILES = [
  /^_netrc$|^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$|^g?shadow-?$/i,
  /\.(?:pem|key|p8|p12|pfx|ppk|jks|keystore|kdbx?|gpg|ovpn)$/i,
  /^credentials(?:\.json)?$/i,
];
const isSecret = (path: string): boolean =>
  path.split(/[/\\]/).some((part) => SECRET_PARTS.test(part)) ||
  SECRET_FILES.some((pattern) => pattern.test(basename(path)));

/** Whatever a key is called. */
const PRIVATE_KEY = /^-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----\r?$/m;

/** The system lets root read what another user of this machine keeps to themselves. */
const isAnothers = ({ uid, mode }: Pick<Stats, "uid" | "mode">): boolean =>
  process.getuid?.() === 0 && uid !== 0 && (mode & constants.S_IROTH) === 0;

async function textOf(file: FileHandle): Promise<DistributiveOmit<Read, "path">> {
  const stat = await file.stat();
  if (stat.isDirectory()) return { problem: "folder" };
  if (!stat.isFile()) return { problem: "unreadable" };
  if (isAnothers(stat)) return { problem: "secret" };
  const sizeBytes = stat.size;
  if (sizeBytes > MOST_BYTES) return { problem: "large", sizeBytes };
  const bytes = Buffer.alloc(sizeBytes);
  let length = 0;
  while (length < sizeBytes) {
    const { bytesRead } = await file.read(bytes, length, sizeBytes - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const text = decoded(bytes.subarray(0, length));
  if (text === undefined) return { problem: "binary", sizeBytes };
  if (PRIVATE_KEY.test(text)) return { problem: "secret" };
  return { text, changedAt: Math.floor(stat.mtimeMs), sizeBytes };
}

type DistributiveOmit<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never;

function decoded(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The line that the source names, or the heading, or where the memory stands in the file. */
function linesAround(text: string, memory: Memory) {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "" && lines.length > 1) lines.pop();
  const line = lineIn(lines, memory);
  const first = Math.max(1, (line ?? 1) - LINES_BEFORE);
  const shown = lines.slice(first - 1, first - 1 + LINES_BEFORE + LINES_AFTER);
  return {
    ...{ first, total: lines.length, lines: shown.map(cut) },
    ...(line === undefined ? {} : { line }),
  };
}

function lineIn(lines: readonly string[], { source, content }: Memory): number | undefined {
  const [named = ""] = /\d+/.exec(String(source?.line ?? "")) ?? [];
  const number = Number(named);
  if (number >= 1 && number <= lines.length) return number;
  const title = String(source?.heading ?? "")
    .split(" > ")
    .at(-1)
    ?.trim();
  const atHeading = title ? lines.findIndex((each) => /^#{1,6}\s/.test(each) && bare(each) === title) : -1;
  if (atHeading >= 0) return atHeading + 1;
  const sought =
    content
      .split("\n")
      .find((each) => each.trim() !== "")
      ?.trim() ?? "";
  const atText = sought.length < LEAST_SOUGHT ? -1 : lines.findIndex((each) => each.includes(sought));
  return atText >= 0 ? atText + 1 : undefined;
}

/** Cut from its ends by hand: a pattern that looks for both takes very long over a run of spaces. */
function bare(heading: string): string {
  let [from, to] = [0, heading.length];
  while (heading[from] === "#") from += 1;
  while (to > from && heading[to - 1]?.trim() === "") to -= 1;
  while (to > from && heading[to - 1] === "#") to -= 1;
  return heading.slice(from, to).trim();
}

const cut = (line: string): string =>
  line.length <= MOST_LETTERS ? line : `${line.slice(0, MOST_LETTERS).toWellFormed()}…`;
