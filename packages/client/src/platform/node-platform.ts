/**
 * The platform of Node: its synchronous ciphers are several times faster for small inputs than
 * WebCrypto, and most of our inputs are small.
 *
 * @module
 */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { deflateRawSync, inflateRawSync, constants as zlibConstants } from "node:zlib";
import type { ChunkTools, CipherInput, Platform } from "@cambium/core";
import { CambiumError } from "@cambium/core/errors";
import type { EntryTools } from "@cambium/core/wire";
import { hash, zstdDecompressSync } from "./newer-node.js";

const ALGORITHM = "aes-256-gcm";
const TAG_BYTES = 16;

/** Most of what is deflated; zlib clears a window and tables for 32 KB before each, which takes longer than the work. */
const SMALL_BYTES = 3_800;
const SMALL = { windowBits: 12, memLevel: 7 };
/** Room for most of what is inflated: zlib's own 16 KiB take longer to be had and given back than the work. */
const INFLATED_AT_ONCE = 4_096;

export function nodePlatform(overrides: Partial<Platform> = {}): Platform {
  return {
    now: () => Date.now(),
    random: (length) => new Uint8Array(randomBytes(length)),
    cipher: { encrypt: async (input) => encrypt(input), decrypt: async (input) => decrypt(input) },
    compression: {
      deflate: async (bytes) =>
        new Uint8Array(deflateRawSync(bytes, bytes.length > SMALL_BYTES ? {} : SMALL)),
      inflate: async (bytes, maxBytes) =>
        new Uint8Array(
          inflateRawSync(bytes, { maxOutputLength: Math.max(1, maxBytes), chunkSize: chunkFor(bytes) }),
        ),
    },
    sha256: (bytes) => hash("sha256", bytes, "buffer"),
    ...overrides,
  };
}

/** As far as JavaScript's dates go. */
const LATEST_MS = 8.64e15;

/**
 * A clock of the caller, judged each time it is read: a time that is none would be written into what nobody can change.
 *
 * @throws {CambiumError} BAD_INPUT
 */
export function checkedClock(clock: () => unknown): () => number {
  return () => {
    const now = clock();
    if (Number.isInteger(now) && Math.abs(now as number) <= LATEST_MS) return now as number;
    const received = typeof now === "number" ? String(now) : `a value of type ${typeof now}`;
    throw new CambiumError(
      "BAD_INPUT",
      `The clock gave ${received}; it has to give whole milliseconds since 1970.`,
      {
        hint: "Give `openReplica` a clock such as () => Date.now(), or none.",
        details: { field: "clock" },
      },
    );
  };
}

/** What reading changes needs. */
export const chunkTools: ChunkTools = {
  // A text costs half of what a buffer does here.
  sha256: (bytes) => Buffer.from(hash("sha256", bytes, "binary"), "binary"),
  inflate: (bytes, maxBytes) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
};

/** What reading the log of a relay needs. */
export const entryTools: Required<EntryTools> = {
  ...chunkTools,
  decompress: {
    deflate: chunkTools.inflate,
    zstd: (bytes, maxBytes) => zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, maxBytes) }),
  },
};

const chunkFor = (deflated: Uint8Array): number =>
  deflated.length < INFLATED_AT_ONCE ? INFLATED_AT_ONCE : zlibConstants.Z_DEFAULT_CHUNK;

function encrypt({ key, nonce, associated, bytes }: CipherInput): Uint8Array {
  const cipher = createCipheriv(ALGORITHM, keyObject(key), nonce, { authTagLength: TAG_BYTES }).setAAD(
    associated,
  );
  return new Uint8Array(Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]));
}

function decrypt({ key, nonce, associated, bytes }: CipherInput): Uint8Array {
  if (bytes.length < TAG_BYTES) throw new RangeError("The sealed bytes are shorter than their tag.");
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, keyObject(key), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associated).setAuthTag(bytes.subarray(end));
  const opened = decipher.update(bytes.subarray(0, end));
  decipher.final(); // in this mode it has no bytes left, and throws when the tag does not fit
  return new Uint8Array(opened);
}

/** Keys live as long as their space is open; preparing one costs more than opening a small entry with it. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function keyObject(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, known);
  return known;
}
