/**
 * Writing files that others made room for: whole or not at all, and never over something that is there unless told so.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { CambiumError, throwIfAborted } from "@cambium/core";
import { hash } from "../platform/newer-node.js";
import { refuseInHome } from "./outside-home.js";

/** Exports are memories in the clear: only their owner may read them. */
const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
/** Ends the name of a file that is being written. */
const PART = ".part";
/** Fewer and larger writes. */
const PIECE_CHARS = 256 * 1024;

/** What a file is made of, in its order; texts as UTF-8. */
type Pieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * Writes beside the path, and renames when all of it is durable.
 *
 * @returns how many bytes
 * @throws {CambiumError} BAD_INPUT when something is there already, also a link that leads nowhere, when the place is
 *   in the home, or cannot be written
 */
export async function writeNewFile(path: string, pieces: Pieces, place: NewFile): Promise<number> {
  await refuseNewFile(path, place);
  return await writeBeside(path, pieces, place);
}

/** Where a file may be made. */
export interface NewFile {
  /** Nothing is written into it. */
  readonly home: string;
  /** Whether a file that is there goes. */
  readonly overwrite: boolean;
  /** What is stopped before the file has its name leaves none. */
  readonly signal?: AbortSignal | undefined;
  /** Looks at what was written, by its path, before it has its name. */
  readonly check?: ((beside: string) => Promise<void>) | undefined;
}

/** For what has to be refused before there is anything to write. @throws {CambiumError} what `writeNewFile` throws */
export async function refuseNewFile(path: string, { home, overwrite }: NewFile): Promise<void> {
  await refuseInHome(path, home);
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() === true)
    throw new CambiumError("BAD_INPUT", `There is a folder already: ${path}.`, {
      hint: "Name a file in it, or choose another path.",
    });
  if (!overwrite) await refuseTaken(path);
  await refuseNowhere(dirname(path));
}

/** The same for a folder. @throws {CambiumError} what `fillNewFolder` throws */
export async function refuseNewFolder(path: string, home: string): Promise<void> {
  await refuseInHome(path, home);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) await refuseNowhere(dirname(path));
  else if (!found.isDirectory())
    throw new CambiumError("BAD_INPUT", `There is a file already: ${path}.`, {
      hint: "Choose a folder that is new or empty.",
    });
  else if ((await readdir(path).catch(cannotWrite(path))).length > 0) throw notEmpty(path);
}

/** What is in a folder is never written over, whatever `overwrite` says: of some of it nobody would know any more. */
const notEmpty = (path: string): CambiumError =>
  new CambiumError("BAD_INPUT", `The folder ${path} is not empty.`, {
    hint: "Choose a folder that is new or empty.",
  });

async function writeBeside(
  path: string,
  pieces: Pieces,
  { signal, check }: Pick<NewFile, "signal" | "check"> = {},
): Promise<number> {
  await removeLeft(path);
  // A name of its own: another process may be writing the same file.
  const beside = `${path}.${thisWriter()}${randomBytes(2).toString("hex")}${PART}`;
  try {
    await writeAll(await open(beside, "wx", OWNER_ONLY).catch(cannotWrite(path)), pieces);
    const { size } = await stat(beside);
    await check?.(beside);
    throwIfAborted(signal);
    await rename(beside, path).catch(cannotWrite(path));
    return size;
  } catch (error) {
    // A path that cannot be opened cannot be removed either: what went wrong first is told.
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** In a folder that goes as a whole where something fails, so no file of it has to be whole before. */
async function writeInside(path: string, text: string): Promise<number> {
  await writeAll(await open(path, "wx", OWNER_ONLY).catch(cannotWrite(path)), [text]);
  return Buffer.byteLength(text);
}

/** Says which process of which machine writes a file: 4 digits of the machine's name, and 8 of the process. */
const thisWriter = (): string => machine() + process.pid.toString(16).padStart(PID_DIGITS, "0");
const machine = (): string => hash("sha256", Buffer.from(hostname()), "hex").slice(0, MACHINE_DIGITS);
const [MACHINE_DIGITS, PID_DIGITS] = [4, 8];
const LEFT = /^\.([0-9a-f]{4})([0-9a-f]{8})[0-9a-f]{4}\.part$/;

/** What processes of this machine left of this file that were killed. It may be in the clear. */
async function removeLeft(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  for (const file of await readdir(folder).catch(() => [])) {
    if (!file.startsWith(name)) continue;
    const [, where, pid] = LEFT.exec(file.slice(name.length)) ?? [];
    if (where !== machine() || pid === undefined || isRunning(Number.parseInt(pid, 16))) continue;
    await rm(join(folder, file), { force: true }).catch(() => undefined);
  }
}

/** Whether a process of this machine is writing this file, or ending that: it has not its name yet. */
export async function isBeingWritten(path: string): Promise<boolean> {
  const [folder, name] = [dirname(path), basename(path)];
  return (await readdir(folder).catch(() => [])).some((file) => {
    const [, where, pid] = (file.startsWith(name) && LEFT.exec(file.slice(name.length))) || [];
    return where === machine() && pid !== undefined && isRunning(Number.parseInt(pid, 16));
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0); // asks, and does nothing to it
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code !== "ESRCH";
  }
}

async function writeAll(file: FileHandle, pieces: Pieces): Promise<void> {
  try {
    let waiting = "";
    for await (const piece of pieces) {
      if (typeof piece !== "string") await file.writeFile(piece);
      else waiting += piece;
      if (waiting.length < PIECE_CHARS) continue;
      await file.writeFile(waiting);
      waiting = "";
    }
    await file.writeFile(waiting);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Has a folder filled with new files, which may be there if it is empty. Where that fails, it is as it was before.
 *
 * @param fill - writes files by their paths in it, with `/` between the parts
 * @throws {CambiumError} BAD_INPUT when something is in it, it is in the home, or cannot be made; whatever `fill`
 *   throws
 */
export async function fillNewFolder(
  path: string,
  home: string,
  fill: (write: (within: string, text: string) => Promise<number>) => Promise<void>,
): Promise<void> {
  const isNew = await makeNewFolder(path, home);
  const names = await readdir(path).catch(cannotWrite(path));
  if (names.length > 0) throw notEmpty(path);
  const written = new Set<string>();
  try {
    await fill(async (within, text) => {
      const parts = within.split("/");
      const file = join(path, ...parts);
      written.add(join(path, parts[0] as string));
      await refuseTaken(file);
      if (parts.length > 1) await mkdir(dirname(file), INSIDE).catch(cannotWrite(file));
      return await writeInside(file, text);
    });
  } catch (error) {
    for (const one of isNew ? [path] : written) await rm(one, { recursive: true, force: true });
    throw error;
  }
}

const INSIDE = { recursive: true, mode: OWNER_ONLY_FOLDER } as const;

/**
 * Makes a folder for its owner only, in one that is there: with a path that was mistyped, nothing is made.
 *
 * @returns whether it was not there before
 * @throws {CambiumError} BAD_INPUT when the one above is not there, it is in the home, or cannot be made
 */
export async function makeNewFolder(path: string, home: string): Promise<boolean> {
  await refuseInHome(path, home);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return false;
  await refuseNowhere(dirname(path));
  await mkdir(path, { mode: OWNER_ONLY_FOLDER }).catch(cannotWrite(path));
  return true;
}

/** @throws {CambiumError} BAD_INPUT unless the folder is there */
async function refuseNowhere(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  const why = found === undefined ? "There is no folder" : "This is no folder:";
  throw new CambiumError("BAD_INPUT", `${why} ${folder}. Nothing was written.`, {
    hint: "Make it first, or choose a path in one that is there.",
  });
}

async function refuseTaken(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined)
    throw new CambiumError("BAD_INPUT", `There is a file already: ${path}.`, {
      hint: "Choose another path, or say that the file may be overwritten (`--force`).",
    });
}

const cannotWrite =
  (path: string) =>
  (cause: unknown): never => {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
    throw new CambiumError("BAD_INPUT", `${path} cannot be written (${code}).`, {
      hint: "Choose a path in a folder that you may write to.",
      cause,
    });
  };
