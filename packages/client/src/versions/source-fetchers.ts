/**
 * What reads a text again where it once came from. Each is asked only when the caller allows it.
 *
 * @module
 */
import { open } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { SourceFetcher } from "../api.js";

/** A text that is longer was no memory. */
const MAX_BYTES = 8 * 1_048_576;
const TIMEOUT_MS = 2_000;

/** Reads files of this device, by the absolute path that a source names. */
export const fileFetcher: SourceFetcher = {
  async fetch({ kind, path }) {
    if (kind !== "file" || typeof path !== "string" || !isAbsolute(path)) return undefined;
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      return size > MAX_BYTES ? undefined : await file.readFile("utf8");
    } finally {
      await file.close();
    }
  },
};

/** Asks the address that a source names, for two seconds at most. */
export const urlFetcher: SourceFetcher = {
  async fetch({ kind, url }, { signal } = {}) {
    if (kind !== "url" || typeof url !== "string" || !/^https?:/.test(url)) return undefined;
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > MAX_BYTES) return undefined;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > MAX_BYTES) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  },
};
