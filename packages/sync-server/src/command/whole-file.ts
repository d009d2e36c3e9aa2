/**
 * Files that have their names once they are whole: what is cut short leaves none, and what was there stays until then.
 *
 * @module
 */
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CambiumError } from "@cambium/core/errors";

/**
 * @param isWhole - asked of the file under another name; one that is not stays there
 * @returns whether it has its name
 * @throws {CambiumError} BAD_INPUT for a file that is there, STORE_FAILED
 */
export async function writeWhole(
  file: string,
  ask: () => Promise<Response>,
  {
    overwrites,
    isWhole = () => true,
  }: { readonly overwrites: boolean; readonly isWhole?: (part: string) => boolean },
): Promise<boolean> {
  refuseToReplace(file, overwrites);
  const part = `${file}.part`;
  const { body } = await ask();
  await download(body, part);
  if (!isWhole(part)) return false;
  refuseToReplace(file, overwrites); // it may be there by now
  renameSync(part, file);
  return true;
}

export async function download(body: Response["body"], file: string): Promise<void> {
  const source = Readable.fromWeb((body ?? new ReadableStream()) as Parameters<typeof Readable.fromWeb>[0]);
  try {
    rmSync(file, { force: true }); // of one that was killed
    await pipeline(source, createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EEXIST") rmSync(file, { force: true });
    const reason = code === undefined ? "" : ` (${code})`;
    throw new CambiumError("STORE_FAILED", `${file} cannot be written to its end${reason}.`, { cause });
  }
}

function refuseToReplace(file: string, overwrites: boolean): void {
  if (overwrites || !existsSync(file)) return;
  throw new CambiumError("BAD_INPUT", `${file} is there already.`, {
    hint: "Name another file, or replace it with --overwrite: it stays until the new one is whole.",
  });
}
