/**
 * Keys of a space. One secret is made with the space and never leaves its members' devices; when a member is removed,
 * another follows it, of the next epoch. Every use has a subkey of its own, so that no two purposes ever share one.
 *
 * @module
 */
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { CambiumError } from "../errors.js";
import { bytesEqual, bytesToBase64Url, utf8ToBytes } from "./bytes.js";
import { type PackId, type SpaceId, uuidToBytes } from "./ids.js";

/** Length of a space's secret. */
export const SPACE_KEY_BYTES = 32;

/** A secret under which a space is written for a while. The first is the space key itself, of epoch 0. */
export interface EpochSecret {
  /** Part of everything that is sealed or signed under it. Two that were begun at once may share a number. */
  readonly epoch: number;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/** One subkey, and the epoch that it belongs to. */
export interface EpochKey {
  /** Counted from 0. */
  readonly epoch: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** For the codes of changes. Plain data, so that it can be given to another thread. */
export interface ChangeKeys {
  /** Signs the next change. */
  readonly sign: EpochKey;
  /** A change may be signed by any of these. */
  readonly known: readonly EpochKey[];
  /** Numbers of epochs that somebody began and whose secret is not here, though that of another may be. */
  readonly lacking?: readonly number[];
}

/** The key for the codes of changes: of a space that has only one, the key itself. */
export type ChangeKey = Uint8Array | ChangeKeys;

/** What is sealed under a subkey of the epoch in which it is written. */
export type SealedPurpose = "catalog" | "devices" | `pack/${PackId}`;

/** What a space keeps of the one that it was made of, so that what is known there by a code is known here. */
export interface InheritedKeys {
  /** Makes the ids of imported memories: a file that was imported there is not new here. */
  readonly imports: Uint8Array;
  /** For the codes of erased texts: what was erased there is noticed here. */
  readonly erasures: Uint8Array;
}

type Purpose = SealedPurpose | "changes" | "imports" | "erasures" | "differences";

/** Subkeys of a space: those of the epoch that is written under, and of all others that are known, for reading. */
export interface SpaceKeys {
  /** The space that they belong to. */
  readonly space: SpaceId;
  /** That new things are written under. 0 for the first key. Part of everything that is sealed. */
  readonly epoch: number;
  /** Seals the entries of the catalog. */
  readonly catalog: Uint8Array;
  /** For the codes that show that a member made a change. */
  readonly changes: Uint8Array;
  /** The same, with those of the other epochs. */
  readonly codes: ChangeKeys;
  /** For the codes of documents that every device makes alike. The same in each epoch. */
  readonly alike: Uint8Array;
  /** Those of the first epoch alone: everybody who ever was a member has them. */
  readonly forAll: SpaceKeys;
  /** Makes the ids of imported memories. The same in each epoch. */
  readonly imports: Uint8Array;
  /** For the codes of the audit log. The same in each epoch. */
  readonly audit: Uint8Array;
  /** Makes the ids of weekly checkpoints. The same in each epoch. */
  readonly checkpoints: Uint8Array;
  /** For the codes of calls that may be sent again. They stay on the device. */
  readonly requests: Uint8Array;
  /** Returns the key that seals what devices tell the relay of themselves. */
  readonly devices: () => Uint8Array;
  /** Returns the key for the codes of erased texts. The same in each epoch. */
  readonly erasures: () => Uint8Array;
  /** Returns the key that seals what pruned texts differ by. The same in each epoch: that stays on the device. */
  readonly differences: () => Uint8Array;
  /** Returns the key that seals one pack. */
  readonly pack: (pack: PackId) => Uint8Array;
  /** Returns the keys by which something may open that says to be sealed in an epoch. Nearly always one. */
  readonly opening: (purpose: SealedPurpose, epoch: number) => readonly Uint8Array[];
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
  return new KeyRing(space, { epoch, secret });
}

/** The subkeys of a space of which more secrets may become known. */
export class KeyRing implements SpaceKeys {
  /** The space that they belong to. */
  readonly space: SpaceId;
  /** For the codes of the audit log. */
  readonly audit: Uint8Array;
  /** Makes the ids of weekly checkpoints. */
  readonly checkpoints: Uint8Array;
  /** For the codes of calls that may be sent again. */
  readonly requests: Uint8Array;
  /** For the codes of changes. One object, which changes. */
  readonly codes: { sign: EpochKey; readonly known: EpochKey[]; lacking: readonly number[] };
  /** For the codes of documents that every device makes alike. */
  readonly alike: Uint8Array;
  readonly #root: EpochSecret;
  readonly #secrets: EpochSecret[] = [];
  readonly #subkeys = new Map<EpochSecret, Map<string, Uint8Array>>();
  #current: EpochSecret;
  #inherited: InheritedKeys | undefined;

  /** @param root - of the first epoch */
  constructor(space: SpaceId, root: EpochSecret) {
    this.space = space;
    this.#root = root;
    this.#current = root;
    checkSecret(root);
    this.audit = this.#derive(root, "audit");
    this.checkpoints = this.#derive(root, "checkpoints");
    this.requests = this.#derive(root, "requests");
    const sign = { epoch: root.epoch, key: this.#subkey(root, "changes") };
    this.codes = { sign, known: [], lacking: [] };
    this.alike = sign.key;
    this.learn(root);
  }

  /** Lets what was written under a secret be read. */
  learn(secret: EpochSecret): void {
    checkSecret(secret);
    if (this.#find(secret) !== undefined) return;
    this.#secrets.push(secret);
    this.codes.known.push({ epoch: secret.epoch, key: this.#subkey(secret, "changes") });
  }

  /** From now on, what says to be signed in one of these epochs, and by no key that is here, may be yet. */
  lack(epochs: readonly number[]): void {
    this.codes.lacking = epochs;
  }

  /** From now on, ids and codes are made as in the space that this one was made of. */
  inherit(keys: InheritedKeys): void {
    this.#inherited = keys;
  }

  /** Makes the ids of imported memories. */
  get imports(): Uint8Array {
    return this.#inherited?.imports ?? this.#subkey(this.#root, "imports");
  }

  /** From now on, what is written is sealed and signed under this secret. */
  writeUnder(secret: EpochSecret): void {
    this.learn(secret);
    this.#current = this.#find(secret) ?? secret;
    this.codes.sign = { epoch: secret.epoch, key: this.#subkey(this.#current, "changes") };
  }

  /** Those of the first epoch alone. */
  get forAll(): SpaceKeys {
    return this.#secrets.length === 1 ? this : new KeyRing(this.space, this.#root);
  }

  /** That is written under. */
  get epoch(): number {
    return this.#current.epoch;
  }

  /** Seals the entries of the catalog. */
  get catalog(): Uint8Array {
    return this.#subkey(this.#current, "catalog");
  }

  /** Signs the next change. */
  get changes(): Uint8Array {
    return this.codes.sign.key;
  }

  /** Seals what devices tell the relay of themselves. */
  readonly devices = (): Uint8Array => this.#subkey(this.#current, "devices");

  /** For the codes of erased texts. */
  readonly erasures = (): Uint8Array => this.#inherited?.erasures ?? this.#subkey(this.#root, "erasures");

  /** Seals what pruned texts differ by. */
  readonly differences = (): Uint8Array => this.#subkey(this.#root, "differences");

  /** Seals one pack. */
  readonly pack = (pack: PackId): Uint8Array => this.#subkey(this.#current, `pack/${pack}`);

  /** The keys by which something of an epoch may open. */
  readonly opening = (purpose: SealedPurpose, epoch: number): readonly Uint8Array[] =>
    this.#secrets.filter((secret) => secret.epoch === epoch).map((secret) => this.#subkey(secret, purpose));

  #find({ epoch, secret }: EpochSecret): EpochSecret | undefined {
    return this.#secrets.find((known) => known.epoch === epoch && bytesEqual(known.secret, secret));
  }

  #subkey(secret: EpochSecret, purpose: Purpose): Uint8Array {
    const known = this.#subkeys.get(secret) ?? new Map<string, Uint8Array>();
    this.#subkeys.set(secret, known);
    const key = known.get(purpose) ?? this.#derive(secret, purpose);
    known.set(purpose, key);
    return key;
  }

  #derive({ epoch, secret }: EpochSecret, purpose: string): Uint8Array {
    const info = utf8ToBytes(`cambium/1/${epoch}/${purpose}`);
    return hkdf(sha256, secret, uuidToBytes(this.space), info, 32);
  }
}

function checkSecret({ secret }: EpochSecret): void {
  if (secret.length !== SPACE_KEY_BYTES) throw new CambiumError("BAD_INPUT", "A space key has 32 bytes.");
}
