/**
 * What `core` needs from the machine it runs on. It reaches for nothing itself: clock, randomness,
 * sealing and compression come in through this interface, so that the same code runs in Node and in
 * browsers, and tests are deterministic.
 *
 * @module
 */

/** Clock, randomness, encryption and compression of a machine. `webPlatform` is one for browsers and Node. */
export interface Platform {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Cryptographically strong random bytes. */
  readonly random: (length: number) => Uint8Array;
  /** Seals records and entries of the catalog. */
  readonly cipher: Cipher;
  /** Applied before sealing. */
  readonly compression: Compression;
  /** SHA-256, where the machine has a faster one than we bring along. */
  readonly sha256?: Digest | undefined;
}

/** A hash function for bytes. */
export type Digest = (bytes: Uint8Array) => Uint8Array;

/** AES-256-GCM with a 16-byte tag appended to the ciphertext. */
export interface Cipher {
  /** Returns the ciphertext with its tag. */
  encrypt(input: CipherInput): Promise<Uint8Array>;
  /** Rejects when key, nonce, associated data or bytes do not belong together. */
  decrypt(input: CipherInput): Promise<Uint8Array>;
}

/** What is encrypted or decrypted, and how. */
export interface CipherInput {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 12 bytes, never used twice under one key. */
  readonly nonce: Uint8Array;
  /** Not encrypted, but bound: decryption with other bytes fails. */
  readonly associated: Uint8Array;
  /** The text to encrypt, or the ciphertext with its tag. */
  readonly bytes: Uint8Array;
}

/** Raw DEFLATE (RFC 1951). */
export interface Compression {
  /** Returns bytes that may be longer than the input. */
  deflate(bytes: Uint8Array): Promise<Uint8Array>;
  /** Rejects when the result would exceed `maxBytes`. */
  inflate(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array>;
}
