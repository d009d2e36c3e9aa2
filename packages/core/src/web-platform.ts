/**
 * The platform of browsers, and of any runtime with WebCrypto and compression streams.
 *
 * @module
 */
import type { CipherInput, Platform } from "./platform.js";

/**
 * Returns a platform of WebCrypto and compression streams. `overrides` replace parts of it, such as the clock in
 * tests.
 */
export function webPlatform(overrides: Partial<Platform> = {}): Platform {
  return {
    now: () => Date.now(),
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    cipher: { encrypt, decrypt },
    compression: { deflate, inflate },
    ...overrides,
  };
}

async function encrypt({ key, nonce, associated, bytes }: CipherInput): Promise<Uint8Array> {
  const subtleKey = await importKey(key, "encrypt");
  return new Uint8Array(await crypto.subtle.encrypt(parameters(nonce, associated), subtleKey, owned(bytes)));
}

async function decrypt({ key, nonce, associated, bytes }: CipherInput): Promise<Uint8Array> {
  const subtleKey = await importKey(key, "decrypt");
  return new Uint8Array(await crypto.subtle.decrypt(parameters(nonce, associated), subtleKey, owned(bytes)));
}

const importKey = (key: Uint8Array, use: "encrypt" | "decrypt"): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", owned(key), "AES-GCM", false, [use]);

const parameters = (nonce: Uint8Array, associated: Uint8Array): AesGcmParams => ({
  name: "AES-GCM",
  iv: owned(nonce),
  additionalData: owned(associated),
});

async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([owned(bytes)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function inflate(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const stream = new Blob([owned(bytes)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const chunks: BlobPart[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError("The compressed bytes hold more than is allowed.");
    chunks.push(owned(chunk));
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** WebCrypto's types refuse views on shared memory; a copy is never one. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
