/**
 * What a client has for reading entries, segments among them.
 *
 * @module
 */
import { zstdDecompressSync } from "node:zlib";
import type { EntryTools } from "@cambium/core/wire";
import { chunkTools } from "../../src/chunk-tools.js";

export const entryTools: EntryTools = {
  ...chunkTools,
  decompress: {
    deflate: chunkTools.inflate,
    zstd: (bytes, maxBytes) => zstdDecompressSync(bytes, { maxOutputLength: maxBytes }),
  },
};
