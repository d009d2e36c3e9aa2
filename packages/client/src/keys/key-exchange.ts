/**
 * Giving a secret to one other device: X25519 between the key of the giver and that of the taker, so that only these
 * two can have made it. Each pair of keys, space and epoch gives a key of its own, which seals once.
 *
 * @module
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  timingSafeEqual,
} from "node:crypto";

/** Of a device, an invitation or a recovery kit. */
export interface KeyPair {
  /** X25519, raw. */
  readonly publicKey: Uint8Array;
  /** What both sides know, and nobody else. Undefined for what is no key. */
  agree(publicKey: Uint8Array): Uint8Array | undefined;
}

const KEY_BYTES = 32;
const TAG_BYTES = 16;
/** Of PKCS #8 (RFC 8410), before the 32 bytes of an X25519 key. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b656e04220420", "hex");
/** Each key seals once. */
const NONCE = new Uint8Array(12);

/** @param secret - of any length that nobody can guess; the same gives the same keys */
export function keyPairOf(secret: Uint8Array, purpose: string): KeyPair {
  return keyPairFrom(derive(secret, new Uint8Array(), purpose));
}

/** @param privateKey - X25519, raw */
export function keyPairFrom(privateKey: Uint8Array): KeyPair {
  const der = Buffer.concat([PKCS8_HEAD, privateKey]);
  const own = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x } = createPublicKey(own).export({ format: "jwk" }) as { readonly x: string };
  return {
    publicKey: new Uint8Array(Buffer.from(x, "base64url")),
    agree: (publicKey) => {
      try {
        const jwk = { kty: "OKP", crv: "X25519", x: Buffer.from(publicKey).toString("base64url") };
        const theirs = createPublicKey({ key: jwk, format: "jwk" });
        return new Uint8Array(diffieHellman({ privateKey: own, publicKey: theirs }));
      } catch {
        return undefined;
      }
    },
  };
}

/** @param context - differs for everything that is sealed under this secret */
export function wrap(secret: Uint8Array, context: Uint8Array, bytes: Uint8Array): Uint8Array {
  const cipher = createCipheriv("aes-256-gcm", derive(secret, context, "wrap"), NONCE);
  return new Uint8Array(Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]));
}

/** @returns undefined for what was not wrapped so */
export function unwrap(secret: Uint8Array, context: Uint8Array, wrapped: Uint8Array): Uint8Array | undefined {
  if (wrapped.length < TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", derive(secret, context, "wrap"), NONCE);
    decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
    return new Uint8Array(
      Buffer.concat([decipher.update(wrapped.subarray(0, -TAG_BYTES)), decipher.final()]),
    );
  } catch {
    return undefined;
  }
}

/** A code that only somebody who has the secret can make. */
export function proofOf(secret: Uint8Array, bytes: Uint8Array): Uint8Array {
  const key = derive(secret, new Uint8Array(), "proof");
  return new Uint8Array(createHmac("sha256", key).update(bytes).digest());
}

/** Whether a code was made so. */
export function isProof(secret: Uint8Array, bytes: Uint8Array, proof: Uint8Array): boolean {
  const expected = proofOf(secret, bytes);
  return proof.length === expected.length && timingSafeEqual(proof, expected);
}

const derive = (secret: Uint8Array, salt: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secret, salt, `cambium/1/keys/${purpose}`, KEY_BYTES));
