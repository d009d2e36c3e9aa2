/**
 * What reading changes needs of Node.
 *
 * @module
 */

import { inflateRawSync } from "node:zlib";
import type { ChunkTools } from "@cambium/core";
import { hash } from "./platform/newer-node.js";

export const chunkTools: ChunkTools = {
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  inflate: (bytes, maxBytes) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
};
