/**
 * The relay's admin token, in a file of its own beside the log, which keeps no more than its hash.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CambiumError } from "@cambium/core";
import { giveToOwnerOf } from "./platform/owner.js";
import { tokenRule } from "./settings/setting.js";

/** The admin token of a data directory. */
export interface KeptToken {
  /** In clear: it is shown to the owner of the directory only. */
  readonly token: string;
  /** The file that holds it, which only its owner can read. */
  readonly path: string;
  /** It was made just now. */
  readonly isNew: boolean;
}

export const adminTokenPath = (dataDir: string): string => join(dataDir, "admin-token");

/**
 * Returns the token of the file. Where there is none, it makes one: it then survives a start that is killed.
 *
 * @throws {CambiumError} STORE_FAILED; BAD_INPUT when it holds a token that is too easy to guess
 */
export function keptAdminToken(dataDir: string): KeptToken {
  const path = adminTokenPath(dataDir);
  checkAdminToken(dataDir);
  try {
    return readOrMake(dataDir, path);
  } catch (cause) {
    throw new CambiumError("STORE_FAILED", `The file ${path} cannot be read or written.`, {
      hint: "See that it and its directory are yours, or name another directory with --data.",
      cause,
    });
  }
}

/**
 * Puts another token in the place of that of the file, whole or not at all.
 *
 * @throws {CambiumError} STORE_FAILED
 */
export function keepAdminToken(dataDir: string, token: string): void {
  const path = adminTokenPath(dataDir);
  const beside = `${path}.new`;
  try {
    rmSync(beside, { force: true });
    writeFileSync(beside, token, { mode: 0o600, flag: "wx", flush: true });
    giveToOwnerOf(dataDir, beside);
    renameSync(beside, path);
  } catch (cause) {
    throw new CambiumError("STORE_FAILED", `The file ${path} cannot be written.`, { cause });
  }
}

/**
 * Looks at what somebody may have written into the file: it is as good as a token that is set.
 *
 * @throws {CambiumError} BAD_INPUT, which does not repeat it
 */
export function checkAdminToken(dataDir: string): void {
  const token = readAdminToken(dataDir);
  const broken = token === undefined ? undefined : tokenRule(token);
  if (broken === undefined) return;
  throw new CambiumError("BAD_INPUT", `The token in ${adminTokenPath(dataDir)} ${broken}.`, {
    hint: "`cambium-relay rotate` with the same data directory puts a good one in its place.",
  });
}

/** @returns undefined where no file keeps one that can be read */
export function readAdminToken(dataDir: string): string | undefined {
  try {
    const token = readFileSync(adminTokenPath(dataDir), "utf8").trim();
    return token === "" ? undefined : token;
  } catch {
    return undefined;
  }
}

function readOrMake(dataDir: string, path: string): KeptToken {
  const kept = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  if (kept !== "") return { token: kept, path, isNew: false };
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  rmSync(path, { force: true }); // empty: power failed while it was written
  const token = newAdminToken();
  writeFileSync(path, token, { mode: 0o600, flag: "wx", flush: true });
  giveToOwnerOf(dataDir, path);
  return { token, path, isNew: true };
}

/** The prefix lets people and secret scanners tell what they have found. */
export const newAdminToken = (): string => `cambium_relay_${randomBytes(32).toString("base64url")}`;
