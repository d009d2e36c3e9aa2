/**
 * Sealing: what the relay stores is ciphertext bound to its place. Bytes moved to another entry,
 * pack or space do not open.
 *
 *     sealed = format[1] ‖ key epoch[2] ‖ compression[1] ‖ nonce[12] ‖ AES-256-GCM(bytes)
 *     associated data = space[16] ‖ first 4 bytes of sealed ‖ place (UTF-8)
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import type { Platform } from "../platform.js";
import { concatBytes, utf8ToBytes } from "./bytes.js";
import type { SpaceId } from "./ids.js";
import { uuidToBytes } from "./ids.js";

/** Encrypted bytes. Only the head that the format above describes can be read without a key. */
export type Sealed = Uint8Array;

/** As much of a platform as opening takes. */
export type OpeningPlatform = Pick<Platform, "cipher" | "compression" | "sha256">;

const FORMAT = 1;
const HEADER_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Deflate makes short texts longer. */
const WORTH_COMPRESSING_BYTES = 96;

const COMPRESSION = { none: 0, deflateRaw: 1 } as const;

/** For which place bytes are sealed. They open nowhere else. */
export interface SealPlace {
  /** The space that they belong to. */
  readonly space: SpaceId;
  /** Where the bytes stand, such as `branches/<id>` or `pack/<id>/parts/<hash>`. */
  readonly place: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** The same, for opening what may be sealed in several epochs. */
export interface OpenPlace extends Omit<SealPlace, "key"> {
  /** 32 bytes; or those that are known of an epoch, of which one may open it. */
  readonly key: Uint8Array | ((epoch: number) => readonly Uint8Array[]);
}

/**
 * Compresses bytes where that makes them shorter, and encrypts them for one place.
 *
 * @param epoch - of the space key; default: 0
 */
export async function seal(platform: Platform, at: SealPlace, bytes: Uint8Array, epoch = 0): Promise<Sealed> {
  const deflated = bytes.length < WORTH_COMPRESSING_BYTES ? bytes : await platform.compression.deflate(bytes);
  const compressed = deflated.length < bytes.length;
  const header = Uint8Array.of(
    FORMAT,
    epoch >> 8,
    epoch & 0xff,
    compressed ? COMPRESSION.deflateRaw : COMPRESSION.none,
  );
  const nonce = platform.random(NONCE_BYTES);
  const ciphertext = await platform.cipher.encrypt({
    key: at.key,
    nonce,
    associated: associatedData(at, header),
    bytes: compressed ? deflated : bytes,
  });
  return concatBytes(header, nonce, ciphertext);
}

/**
 * Opens what `seal` made at the same place.
 *
 * @param maxBytes - bound of the inflated size, so that a small forgery cannot fill the memory
 * @throws {CambiumError} STORE_DAMAGED when the bytes were made elsewhere, altered, in a newer format, or in an epoch
 *   whose key is not here
 */
export async function open(
  platform: OpeningPlatform,
  at: OpenPlace,
  sealed: Sealed,
  maxBytes: number,
): Promise<Uint8Array> {
  const parts = splitSealed(sealed);
  const compression = parts[0][3];
  if (compression !== COMPRESSION.none && compression !== COMPRESSION.deflateRaw)
    throw unreadable(at, "its compression is unknown");
  const epoch = sealedEpoch(sealed) ?? 0;
  const keys = at.key instanceof Uint8Array ? [at.key] : at.key(epoch);
  if (keys.length === 0) throw unreadable(at, `the key of epoch ${epoch} is not here`);
  try {
    const bytes = await decryptByAny(platform, at, keys, parts);
    if (compression === COMPRESSION.deflateRaw) return await platform.compression.inflate(bytes, maxBytes);
    if (bytes.length <= maxBytes) return bytes;
  } catch (cause) {
    throw unreadable(at, "it was not sealed here, or was altered", cause);
  }
  throw unreadable(at, "it is larger than allowed");
}

async function decryptByAny(
  platform: OpeningPlatform,
  at: OpenPlace,
  keys: readonly Uint8Array[],
  [header, nonce, bytes]: SealedParts,
): Promise<Uint8Array> {
  const [key = new Uint8Array(), ...others] = keys;
  try {
    return await platform.cipher.decrypt({ key, nonce, associated: associatedData(at, header), bytes });
  } catch (error) {
    if (others.length === 0) throw error;
    return decryptByAny(platform, at, others, [header, nonce, bytes]);
  }
}

/** The key epoch, readable without a key. Undefined when these are no sealed bytes of a known format. */
export function sealedEpoch(sealed: Sealed): number | undefined {
  if (sealed.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES || sealed[0] !== FORMAT) return undefined;
  return ((sealed[1] as number) << 8) | (sealed[2] as number);
}

type SealedParts = readonly [header: Uint8Array, nonce: Uint8Array, ciphertext: Uint8Array];

function splitSealed(sealed: Sealed): SealedParts {
  if (sealedEpoch(sealed) === undefined) {
    throw new CambiumError("STORE_DAMAGED", "Sealed bytes are too short or of an unknown format.");
  }
  const bodyStart = HEADER_BYTES + NONCE_BYTES;
  return [
    sealed.subarray(0, HEADER_BYTES),
    sealed.subarray(HEADER_BYTES, bodyStart),
    sealed.subarray(bodyStart),
  ];
}

function associatedData(at: Pick<SealPlace, "space" | "place">, header: Uint8Array): Uint8Array {
  return concatBytes(uuidToBytes(at.space), header, utf8ToBytes(at.place));
}

const unreadable = (at: OpenPlace, why: string, cause?: unknown): CambiumError =>
  new CambiumError("STORE_DAMAGED", `The sealed entry ${at.place} cannot be opened: ${why}.`, { cause });
