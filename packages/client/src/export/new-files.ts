/**
 * Writing files that others made room for: whole or not at all, and never over something that is there unless told so.
 *
 * @module
 */
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CambiumError } from "@cambium/core";

/** Exports are memories in the clear: only their owner may read them. */
const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
/** Fewer and larger writes. */
const PIECE_CHARS = 256 * 1024;

type Pieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * Writes beside the path, and renames when all of it is durable.
 *
 * @returns how many bytes
 * @throws {CambiumError} BAD_INPUT when something is there already, or the place cannot be written
 */
export async function writeNewFile(
  path: string,
  pieces: Pieces,
  { overwrite }: { readonly overwrite: boolean },
): Promise<number> {
  if (!overwrite) await refuseTaken(path);
  const beside = `${path}.part`;
  await makeFolder(dirname(path));
  try {
    await writeAll(await open(beside, "w", OWNER_ONLY).catch(cannotWrite(path)), pieces);
    const { size } = await stat(beside);
    await rename(beside, path).catch(cannotWrite(path));
    return size;
  } catch (error) {
    // A path that cannot be opened cannot be removed either: what went wrong first is told.
    await rm(beside, { force: true }).catch(() => undefined);
    throw error;
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
 * @throws {CambiumError} BAD_INPUT when something is in it, or it cannot be made; whatever `fill` throws
 */
export async function fillNewFolder(
  path: string,
  fill: (write: (within: string, text: string) => Promise<number>) => Promise<void>,
): Promise<void> {
  const made = await makeFolder(path);
  const names = await readdir(path).catch(cannotWrite(path));
  if (names.length > 0) throw taken(`The folder ${path} is not empty.`);
  const written = new Set<string>();
  try {
    await fill(async (within, text) => {
      written.add(join(path, within.split("/", 1)[0] as string));
      return await writeNewFile(join(path, ...within.split("/")), [text], { overwrite: false });
    });
  } catch (error) {
    for (const one of made === undefined ? written : [made]) await rm(one, { recursive: true, force: true });
    throw error;
  }
}

/** @returns the topmost folder that was not there before */
const makeFolder = async (path: string): Promise<string | undefined> =>
  await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER }).catch(cannotWrite(path));

async function refuseTaken(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined)
    throw taken(`There is a ${found.isDirectory() ? "folder" : "file"} already: ${path}.`);
}

const taken = (message: string): CambiumError =>
  new CambiumError("BAD_INPUT", message, {
    hint: "Choose another path, or say that the file may be overwritten (`--force`).",
  });

const cannotWrite =
  (path: string) =>
  (cause: unknown): never => {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
    throw new CambiumError("BAD_INPUT", `${path} cannot be written (${code}).`, {
      hint: "Choose a path in a folder that you may write to.",
      cause,
    });
  };
