/**
 * Which models and which mailbox a program was told to use. The daemon has those of the environment it was started in;
 * a caller that names others makes it hand over.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** A digest of the caller's model settings; absent when it names none. */
export const MODELS_HEADER = "cambium-models";

const SETTINGS = /^CAMBIUM_(?:EMBEDDINGS|SUMMARIES|IMAP)_/;
const DIGEST_DIGITS = 32;

/** @returns undefined when the environment names none of them */
export function modelsDigest(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const settings = Object.entries(env)
    .filter(([name, value]) => SETTINGS.test(name) && value !== undefined && value !== "")
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (settings.length === 0) return undefined;
  return createHash("sha256").update(JSON.stringify(settings)).digest("hex").slice(0, DIGEST_DIGITS);
}
