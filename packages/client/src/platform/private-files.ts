/**
 * Small private files that must never be half-written: written beside, synced, then renamed into place.
 *
 * @module
 */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CambiumError } from "@cambium/core";
import { hash } from "./newer-node.js";

const PRIVATE_FILE = 0o600;

/**
 * Durable when it returns.
 *
 * @throws {CambiumError} STORE_FAILED when it cannot be written; what was there before is there still
 */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  try {
    replaceFile(path, content);
  } catch (cause) {
    throw new CambiumError("STORE_FAILED", `The file ${path} cannot be written.`, {
      hint: `Free space on the disk, or make ${dirname(path)} writable for you.`,
      cause,
    });
  }
}

function replaceFile(path: string, content: string | Uint8Array): void {
  const beside = `${path}.new`;
  const file = openSync(beside, "w", PRIVATE_FILE);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  syncDirectory(dirname(path));
}

export function removePrivateFile(path: string): void {
  rmSync(path, { force: true });
  syncDirectory(dirname(path));
}

/** Writes an object with a checksum of itself. Durable when it returns. */
export function writeCheckedJson(path: string, value: object): void {
  writePrivateFile(path, checkedText(value));
}

export const checkedText = (value: object): string =>
  JSON.stringify({ ...value, checksum: checksumOf(value) }, null, 2);

/**
 * @param text - as `checkedText` made it
 * @returns undefined when it is anything else
 */
export function checkedValue(text: string): object | undefined {
  try {
    const { checksum, ...value } = JSON.parse(text) as { readonly checksum?: unknown };
    return checksum === checksumOf(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads what `writeCheckedJson` wrote, or an object from before there were checksums.
 *
 * @param remedy - what to do when it is damaged
 * @returns undefined when there is no such file
 * @throws {CambiumError} STORE_DAMAGED when it is not as it was written
 */
export function readCheckedJson(path: string, remedy: string): object | undefined {
  const stored = readPrivateJson(path, remedy);
  if (stored === undefined) return undefined;
  if (typeof stored !== "object" || stored === null) throw damagedFile(path, remedy);
  const { checksum, ...value } = stored as { readonly checksum?: unknown };
  if (checksum === undefined || checksum === checksumOf(value)) return value;
  throw damagedFile(path, `${remedy} If you changed it on purpose, remove its line "checksum".`);
}

export const damagedFile = (path: string, hint?: string, cause?: unknown): CambiumError =>
  new CambiumError("STORE_DAMAGED", `The file ${path} is damaged; restore it from a backup.`, {
    hint,
    cause,
  });

const checksumOf = (value: object): string => hash("sha256", JSON.stringify(value), "hex").slice(0, 32);

/**
 * @param remedy - what to do when it is damaged
 * @returns undefined when there is no such file
 * @throws {CambiumError} STORE_DAMAGED when it is no JSON
 */
export function readPrivateJson(path: string, remedy?: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw unreadableFile(path, error, remedy);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedFile(path, remedy, cause);
  }
}

/** What stands there is no file, or the disk does not give it. */
export function unreadableFile(path: string, cause: unknown, remedy?: string): CambiumError {
  if (["EISDIR", "ENOTDIR", "ELOOP"].some((code) => isErrno(cause, code)))
    return damagedFile(path, remedy ?? "Move away what stands there in its place.", cause);
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CambiumError("STORE_FAILED", `The file ${path} cannot be read: ${why}`, {
    hint: `Make it readable for you, and see that its disk works.`,
    cause,
  });
}

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** A new name, a rename or a removal is durable once its directory is. */
export function syncDirectory(path: string): void {
  if (process.platform === "win32") return; // directories cannot be opened there
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
