/**
 * The name under which a text's vector is kept. Equal texts share one vector, on every branch and in every version.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** The first 16 bytes of the text's SHA-256, in lower-case hex. */
export type ContentKey = string & { readonly __brand: "ContentKey" };

const KEY_BYTES = 16;

export const contentKeyOf = (text: string): ContentKey =>
  bytesToContentKey(createHash("sha256").update(text, "utf8").digest().subarray(0, KEY_BYTES));

export const contentKeyToBytes = (key: ContentKey): Uint8Array => Buffer.from(key, "hex");

export const bytesToContentKey = (bytes: Uint8Array): ContentKey =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex") as ContentKey;
