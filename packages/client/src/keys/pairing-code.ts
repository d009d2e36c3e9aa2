/**
 * The code of a pairing: 70 random bits and 10 that check it, as 16 letters and digits that are told apart by eye and
 * ear. What it opens is sealed under a key that is made of it slowly, so that nobody can try all of them.
 *
 * @module
 */
import { createHash, scrypt } from "node:crypto";
import {
  bytesToBase64Url,
  CambiumError,
  decodeCanonical,
  encodeCanonical,
  isCambiumError,
} from "@cambium/core";
import { isText, readShape } from "../platform/plain-shape.js";
import { proofOf, unwrap, wrap } from "./key-exchange.js";

/** Crockford's: without I, L, O and U. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LETTERS = 14;
const CHECK_LETTERS = 2;
const GROUP = 4;

/** 128 MiB and a third of a second for each guess. Only tests take less. */
export const stretching = { cost: { N: 131_072, r: 8, p: 1 } };
/** There is nothing that both sides know and others do not: the code alone has to be hard to guess. */
const SALT = "cambium pairing code, version 1";
const KEY_BYTES = 32;

const lettersOf = (bytes: Uint8Array, count: number): string =>
  [...bytes.subarray(0, count)].map((byte) => LETTERS[byte % LETTERS.length]).join("");

const checkOf = (letters: string): string =>
  lettersOf(createHash("sha256").update(SALT).update(letters).digest(), CHECK_LETTERS);

/** @returns a new code, in groups of four */
export function newPairingCode(random: (bytes: number) => Uint8Array): string {
  const letters = lettersOf(random(CODE_LETTERS), CODE_LETTERS);
  return (letters + checkOf(letters)).match(new RegExp(`.{${GROUP}}`, "g"))?.join("-") ?? "";
}

/**
 * Reads a code as a person types it: small letters, spaces, O for 0, I and L for 1.
 *
 * @throws {CambiumError} BAD_INPUT
 */
function lettersIn(typed: string): string {
  const plain = typed
    .toUpperCase()
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1")
    .replace(/[\s.-]/g, "");
  const letters = plain.slice(0, CODE_LETTERS);
  const isWhole = plain.length === CODE_LETTERS + CHECK_LETTERS;
  if (isWhole && [...plain].every((one) => LETTERS.includes(one)) && plain.endsWith(checkOf(letters)))
    return letters;
  throw new CambiumError(
    "BAD_INPUT",
    isWhole ? "A character of this pairing code is wrong." : "A pairing code has 16 letters and digits.",
    { hint: "Compare it with the other device, and type it again." },
  );
}

/** What both sides make of the code. */
export interface PairingSecret {
  /** By which the relay finds the parcel. */
  readonly token: string;
  readonly seal: (parcel: PairingParcel) => Uint8Array;
  /** @returns undefined for what the other device has not sealed */
  readonly open: (bytes: Uint8Array) => PairingParcel | undefined;
}

/** What is left at the relay for the new device. */
export interface PairingParcel {
  /** A link that one device can join by. */
  readonly invitation: string;
}

const CONTEXT = encodeCanonical(["pairing"]);

/** @throws {CambiumError} BAD_INPUT */
export async function pairingSecretOf(code: string): Promise<PairingSecret> {
  const key = await stretched(lettersIn(code));
  return {
    token: `cambium_space_${bytesToBase64Url(proofOf(key, new TextEncoder().encode("pairing token")))}`,
    seal: ({ invitation }) => wrap(key, CONTEXT, encodeCanonical({ invitation })),
    open: (sealed) => {
      const bytes = unwrap(key, CONTEXT, sealed);
      return bytes && parcelIn(bytes);
    },
  };
}

function parcelIn(bytes: Uint8Array): PairingParcel | undefined {
  try {
    return readShape<PairingParcel>(decodeCanonical(bytes), { invitation: isText });
  } catch (error) {
    if (isCambiumError(error)) return undefined;
    throw error;
  }
}

function stretched(letters: string): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const { N, r, p } = stretching.cost;
  const maxmem = 128 * N * r + 128 * r * p + 1024 * 1024;
  scrypt(letters, SALT, KEY_BYTES, { N, r, p, maxmem }, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}
