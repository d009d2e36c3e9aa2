/**
 * Telling the tokens of a space apart without showing them.
 *
 * @module
 */
import { createHash } from "node:crypto";

const MARK_BYTES = 16;

/** Tells tokens apart, and opens nothing. */
export const accessMark = (token: string): Uint8Array =>
  new Uint8Array(createHash("sha256").update(`cambium access ${token}`).digest().subarray(0, MARK_BYTES));
