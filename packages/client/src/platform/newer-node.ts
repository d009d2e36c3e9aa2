/**
 * What Node has got only lately. A named import of it would be refused by an older Node before any line of ours ran, in
 * words that help nobody; taken from the whole module, it is only missing there.
 *
 * @module
 */
import crypto from "node:crypto";
import zlib from "node:zlib";

export const { hash } = crypto;
export const { crc32, zstdDecompressSync } = zlib;
