/**
 * The token that callers by TCP show: one who may read the home directory is the user.
 *
 * @module
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { writePrivateFile } from "@cambium/client/host";

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[\w-]{43}$/;

/** Kept across starts, so that what a person has set up once goes on working. */
export function readOrMakeToken(path: string): string {
  try {
    const token = readFileSync(path, "utf8").trim();
    if (TOKEN_PATTERN.test(token)) return token;
  } catch {
    // There is none yet.
  }
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  writePrivateFile(path, `${token}\n`);
  return token;
}

/** Takes as long for a nearly right token as for a wrong one. */
export function isSameToken(candidate: string, token: string): boolean {
  const [a, b] = [Buffer.from(candidate), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
