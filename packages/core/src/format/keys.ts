/**
 * Keys of a space. One secret is made with the space and never leaves its members' devices; every use
 * has a subkey of its own, so that no two purposes ever share one.
 *
 * @module
 */
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { CambiumError } from "../errors.js";
import { bytesToBase64Url, utf8ToBytes } from "./bytes.js";
import { type PackId, type SpaceId, uuidToBytes } from "./ids.js";

/** Length of a space's secret. */
export const SPACE_KEY_BYTES = 32;

/** Subkeys of one epoch of a space key. Later epochs are made when a member leaves. */
export interface SpaceKeys {
  /** The space that they belong to. */
  readonly space: SpaceId;
  /** 0 for the first key. Part of everything that is sealed. */
  readonly epoch: number;
  /** Seals the entries of the catalog. */
  readonly catalog: Uint8Array;
  /** For the codes that show that a member made a change. */
  readonly changes: Uint8Array;
  /** Makes the ids of imported memories. */
  readonly imports: Uint8Array;
  /** For the codes of the audit log. */
  readonly audit: Uint8Array;
  /** Makes the ids of weekly checkpoints. */
  readonly checkpoints: Uint8Array;
  /** For the codes of calls that may be sent again. They stay on the device. */
  readonly requests: Uint8Array;
  /** Returns the key that seals what devices tell the relay of themselves. */
  readonly devices: () => Uint8Array;
  /** Returns the key for the codes of erased texts. */
  readonly erasures: () => Uint8Array;
  /** Returns the key that seals one pack. */
  readonly pack: (pack: PackId) => Uint8Array;
}

const CHECK_BYTES = 16;

/** A code by which an altered key is recognized. It gives nothing of the key away, and no other use has it. */
export function spaceKeyCheck(space: SpaceId, secret: Uint8Array): string {
  return bytesToBase64Url(
    hkdf(sha256, secret, uuidToBytes(space), utf8ToBytes("cambium/1/check"), CHECK_BYTES),
  );
}

/** @param secret - the space key, 32 bytes */
export function deriveSpaceKeys(space: SpaceId, secret: Uint8Array, epoch = 0): SpaceKeys {
  if (secret.length !== SPACE_KEY_BYTES) throw new CambiumError("BAD_INPUT", "A space key has 32 bytes.");
  const salt = uuidToBytes(space);
  const derive = (purpose: string) =>
    hkdf(sha256, secret, salt, utf8ToBytes(`cambium/1/${epoch}/${purpose}`), 32);
  const packKeys = new Map<PackId, Uint8Array>();
  return {
    space,
    epoch,
    catalog: derive("catalog"),
    changes: derive("changes"),
    imports: derive("imports"),
    audit: derive("audit"),
    checkpoints: derive("checkpoints"),
    requests: derive("requests"),
    devices: () => derive("devices"),
    erasures: () => derive("erasures"),
    pack: (pack) => {
      const known = packKeys.get(pack) ?? derive(`pack/${pack}`);
      packKeys.set(pack, known);
      return known;
    },
  };
}
