/**
 * Settings files of other programs: read as text with its byte order mark and line ends, and replaced in one step,
 * with a copy beside it of what stood there before Cambium.
 *
 * @module
 */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { CambiumError } from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import { isErrno } from "../workspace/errno.js";

const BACKUP_SUFFIX = ".before-cambium";
const ORDINARY_FILE = 0o644;

/** Where the copy of what stood there before lies. */
export const backupPath = (path: string): string => `${targetOf(path)}${BACKUP_SUFFIX}`;

/**
 * @returns undefined when there is no such file
 * @throws {CambiumError} SETTINGS_REFUSED when it cannot be read, or is no UTF-8 text
 */
export function readSettings(path: string): string | undefined {
  let bytes: Uint8Array;
  try {
    const target = targetOf(path);
    // Reading a pipe would wait for somebody who writes to it.
    if (statSync(target, { throwIfNoEntry: false })?.isFIFO()) throw new Error("it is a pipe");
    bytes = readFileSync(target);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw refused(path, `cannot be read: ${messageOf(error)}`, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw refused(path, "is not text in UTF-8, so it is left alone", error);
  }
}

export interface Replacement {
  readonly path: string;
  /** What was read when the replacement was planned; undefined: no file. */
  readonly before: string | undefined;
  /** Undefined: the file goes. */
  readonly after: string | undefined;
  /** Keep a copy of `before`. */
  readonly keepsBackup: boolean;
  /** The copy has served, and goes. */
  readonly dropsBackup: boolean;
  /** With the file goes its directory, if nothing else is in it. */
  readonly dropsDirectory?: boolean;
}

/** @throws {CambiumError} SETTINGS_REFUSED when it cannot be written, or was changed since it was read */
export function replaceSettings(replacement: Replacement): void {
  const { path, before, after, keepsBackup, dropsBackup } = replacement;
  if (readSettings(path) !== before) {
    throw refused(
      path,
      "was changed by another program just now; nothing was written",
      undefined,
      "Run this again.",
    );
  }
  const target = targetOf(path);
  try {
    if (keepsBackup && before !== undefined) writeInOneStep(backupPath(path), before, modeOf(target));
    if (after === undefined) removeFile(target, replacement.dropsDirectory === true);
    else {
      mkdirSync(dirname(target), { recursive: true });
      writeInOneStep(target, after, modeOf(target));
    }
    if (dropsBackup) rmSync(backupPath(path), { force: true });
  } catch (error) {
    throw refused(path, `cannot be written: ${messageOf(error)}`, error);
  }
}

/** What stood in the file before Cambium, if a copy was kept. */
export function readBackup(path: string): string | undefined {
  return existsSync(backupPath(path)) ? readSettings(backupPath(path)) : undefined;
}

export function refused(path: string, what: string, cause?: unknown, hint?: string): CambiumError {
  return new CambiumError("SETTINGS_REFUSED", `${path} ${what}.`, {
    hint: hint ?? "Correct it, or add Cambium by hand as docs/setup.md shows.",
    details: { file: path },
    cause,
  });
}

/** People link their settings from elsewhere: the link stays, and what it leads to is edited. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR"))
      throw refused(path, `cannot be reached: ${messageOf(error)}`, error);
    if (isLink(path)) throw refused(path, "is a link to a file that is not there");
    return path;
  }
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

function writeInOneStep(path: string, text: string, mode: number): void {
  const beside = `${path}.cambium-${process.pid}`;
  const file = openSync(beside, "w", mode);
  try {
    fchmodSync(file, mode); // the umask does not count for a file that had these rights
    writeSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function removeFile(target: string, withDirectory: boolean): void {
  rmSync(target, { force: true });
  if (!withDirectory) return;
  try {
    rmdirSync(dirname(target));
  } catch {
    // somebody keeps something there
  }
}

const modeOf = (path: string): number =>
  (statSync(path, { throwIfNoEntry: false })?.mode ?? ORDINARY_FILE) & 0o777;
