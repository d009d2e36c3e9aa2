/**
 * A stream sealed with a passphrase: a line that says how, a checksum of that line, and chunks of AES-256-GCM. The
 * nonce of a chunk is its number and whether it is the last, so that none can be moved, left out or added; the line is
 * bound to each of them.
 *
 * @module
 */
import { createCipheriv, createDecipheriv, createHmac, scrypt, timingSafeEqual } from "node:crypto";
import { CambiumError, encodeCanonical } from "@cambium/core";
import { type KeyPair, keyPairFrom, unwrap, wrap } from "../keys/key-exchange.js";
import { hash } from "../platform/newer-node.js";
import {
  isAbsentOr,
  isOne,
  isOneOf,
  isText,
  isTextList,
  isWholeUpTo,
  readShape,
} from "../platform/plain-shape.js";
import type { ByteReader } from "./byte-reader.js";
import { damaged } from "./tar.js";

/** How the key is made of the passphrase. */
interface KeyCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** 128 MiB and a third of a second: the highest that OWASP names for scrypt. Only tests take less. */
export const sealing: { cost: KeyCost } = { cost: { N: 131_072, r: 8, p: 1 } };

/** What opens a sealed archive. */
export interface Opener {
  /** What it is called where it does not fit. */
  readonly what: string;
  /** @returns undefined where it cannot be the right one */
  keyOf(line: SealLine): Promise<Uint8Array | undefined>;
}

/** A passphrase, and the keys that were made of it: each takes a while. */
export class Passphrase implements Opener {
  readonly what = "the passphrase";
  readonly #text: string;
  readonly #keys = new Map<string, Promise<Uint8Array>>();

  constructor(text: string) {
    this.#text = text.normalize("NFKC");
  }

  keyOf(line: SealLine): Promise<Uint8Array> {
    return this.keyFor(Buffer.from(line.salt, "base64url"), line);
  }

  keyFor(salt: Uint8Array, cost: KeyCost): Promise<Uint8Array> {
    const name = [base64(salt), cost.N, cost.r, cost.p].join();
    const key = this.#keys.get(name) ?? keyOf(this.#text, salt, cost);
    this.#keys.set(name, key);
    return key;
  }
}

/** A recovery kit of the space, for which the key of the archive was sealed as well. */
export class KitOpener implements Opener {
  readonly what = "a recovery kit";
  readonly #keys: KeyPair;

  constructor(keys: KeyPair) {
    this.#keys = keys;
  }

  async keyOf({ salt, kits }: SealLine): Promise<Uint8Array | undefined> {
    const shared = kits && this.#keys.agree(Buffer.from(kits.from, "base64url"));
    if (kits === undefined || shared === undefined) return undefined;
    return kits.boxes
      .map((box) => unwrap(shared, boxContext(salt), Buffer.from(box, "base64url")))
      .find((key) => key !== undefined);
  }
}

interface SealLine extends KeyCost {
  readonly format: "cambium-archive";
  readonly version: 1;
  readonly kdf: "scrypt";
  readonly cipher: "aes-256-gcm";
  /** base64url, 16 bytes. */
  readonly salt: string;
  /** base64url, 16 bytes: tells a wrong passphrase from damage. */
  readonly check: string;
  /** The key, sealed for recovery kits. Absent: there were none. */
  readonly kits?: SealedForKits | undefined;
}

interface SealedForKits {
  /** base64url: an X25519 key that was made for this archive. */
  readonly from: string;
  /** base64url, one for each. */
  readonly boxes: readonly string[];
}

const boxContext = (salt: string): Uint8Array => encodeCanonical(["archive", salt]);

function sealedForKits(
  kits: readonly Uint8Array[],
  {
    key,
    salt,
    random,
  }: { readonly key: Uint8Array; readonly salt: string; readonly random: SealOptions["random"] },
): Pick<SealLine, "kits"> {
  if (kits.length === 0) return {};
  const own = keyPairFrom(random(KEY_BYTES));
  const boxes = kits.flatMap((kit) => {
    const shared = own.agree(kit);
    return shared === undefined ? [] : [base64(wrap(shared, boxContext(salt), key))];
  });
  return { kits: { from: base64(own.publicKey), boxes } };
}

/** How a sealed archive begins; no tar does. */
export const SEALED_START = '{"format":"cambium-archive"';
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
const CHECK_BYTES = 16;
const KEY_BYTES = 32;
/** Room for two hundred recovery kits. */
const MAX_LINE_BYTES = 16 * 1024;
/** Whoever made the file may not make its reader take more than 1 GiB. */
const MAX_N = 1_048_576;
const MAX_R = 8;
const MAX_P = 16;

export interface SealOptions {
  readonly passphrase: Passphrase;
  readonly random: (length: number) => Uint8Array;
  /** The keys of recovery kits that open it, too. */
  readonly kits?: readonly Uint8Array[];
}

export async function* sealed(
  pieces: AsyncIterable<Uint8Array>,
  { passphrase, random, kits = [] }: SealOptions,
): AsyncIterable<Uint8Array> {
  const { N, r, p } = sealing.cost;
  const salt = random(SALT_BYTES);
  const key = await passphrase.keyFor(salt, sealing.cost);
  const line: SealLine = {
    ...{ format: "cambium-archive", version: 1, kdf: "scrypt", N, r, p },
    ...{ salt: base64(salt), cipher: "aes-256-gcm", check: base64(checkOf(key)) },
    ...sealedForKits(kits, { key, salt: base64(salt), random }),
  };
  const text = JSON.stringify(line);
  yield Buffer.from(`${text}\n${hash("sha256", text, "hex")}\n`);
  const chunks = new Chunks(key, text);
  let waiting: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    let rest: Uint8Array = Buffer.concat([waiting, piece]);
    // The last one is known to be that only when nothing follows.
    for (; rest.length > CHUNK_BYTES; rest = rest.subarray(CHUNK_BYTES))
      yield chunks.seal(rest.subarray(0, CHUNK_BYTES), false);
    waiting = rest;
  }
  yield chunks.seal(waiting, true);
}

/** @throws {CambiumError} ARCHIVE_DAMAGED, WRONG_PASSPHRASE, SCHEMA_TOO_NEW */
export async function* unsealed(reader: ByteReader, opener: Opener): AsyncIterable<Uint8Array> {
  const text = await readLine(reader, MAX_LINE_BYTES);
  const sum = await readLine(reader, 64);
  if (hash("sha256", text, "hex") !== sum) throw damaged("its first line is not as it was written");
  const line = lineOf(text);
  const key = await opener.keyOf(line);
  const check = Buffer.from(line.check, "base64url");
  if (key === undefined || check.length !== CHECK_BYTES || !timingSafeEqual(check, checkOf(key)))
    throw new CambiumError("WRONG_PASSPHRASE", `This is not ${opener.what} of the archive.`, {
      hint: "The archive is not damaged as far as it was read. Try the one that you used when it was made.",
    });
  const chunks = new Chunks(key, text);
  for (let isLast = false; !isLast; ) {
    const bytes = await reader.takeUpTo(CHUNK_BYTES + TAG_BYTES);
    isLast = await reader.isAtEnd();
    yield chunks.open(bytes, isLast);
  }
}

class Chunks {
  readonly #key: Uint8Array;
  readonly #bound: Uint8Array;
  #count = 0;

  constructor(key: Uint8Array, line: string) {
    this.#key = key;
    this.#bound = Buffer.from(hash("sha256", line, "hex"), "hex");
  }

  seal(bytes: Uint8Array, isLast: boolean): Uint8Array {
    const cipher = createCipheriv("aes-256-gcm", this.#key, this.#nonce(isLast)).setAAD(this.#bound);
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  open(sealedBytes: Uint8Array, isLast: boolean): Uint8Array {
    const number = this.#count;
    const nonce = this.#nonce(isLast);
    if (sealedBytes.length < TAG_BYTES) throw damaged("its end is missing");
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, nonce).setAAD(this.#bound);
      decipher.setAuthTag(sealedBytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealedBytes.subarray(0, -TAG_BYTES)), decipher.final()]);
    } catch (cause) {
      const where = `the ${CHUNK_BYTES / 1024} kB from byte ${number * (CHUNK_BYTES + TAG_BYTES)} on`;
      throw damaged(
        isLast ? "its end is missing, or not as it was written" : `${where} are not as they were written`,
        cause,
      );
    }
  }

  #nonce(isLast: boolean): Uint8Array {
    const nonce = Buffer.alloc(12);
    nonce.writeUIntBE(this.#count, 5, 6);
    nonce[11] = isLast ? 1 : 0;
    this.#count += 1;
    return nonce;
  }
}

function keyOf(passphrase: string, salt: Uint8Array, { N, r, p }: KeyCost): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const maxmem = 128 * N * r + 128 * r * p + 1024 * 1024;
  scrypt(passphrase, salt, KEY_BYTES, { N, r, p, maxmem }, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}

const checkOf = (key: Uint8Array): Uint8Array =>
  createHmac("sha256", key).update("cambium archive passphrase").digest().subarray(0, CHECK_BYTES);

function lineOf(text: string): SealLine {
  const value = JSON.parse(text) as { readonly version?: unknown };
  if (typeof value.version === "number" && value.version > 1)
    throw new CambiumError("SCHEMA_TOO_NEW", "A newer Cambium made this archive.", {
      hint: "Update Cambium on this device.",
    });
  const line = readShape<SealLine>(value, {
    ...{ format: isOneOf("cambium-archive"), version: isOne, kdf: isOneOf("scrypt") },
    ...{ cipher: isOneOf("aes-256-gcm"), salt: isText, check: isText, kits: isAbsentOr(isForKits) },
    ...{ N: isWholeUpTo(MAX_N), r: isWholeUpTo(MAX_R), p: isWholeUpTo(MAX_P) },
  });
  if (line === undefined || line.N < 2 || (line.N & (line.N - 1)) !== 0 || line.r < 1 || line.p < 1)
    throw damaged("its first line does not say how it was sealed");
  return line;
}

const isForKits = (value: unknown): value is SealedForKits =>
  readShape<SealedForKits>(value, { from: isText, boxes: isTextList }) !== undefined;

async function readLine(reader: ByteReader, maxBytes: number): Promise<string> {
  const bytes: number[] = [];
  while (bytes.length <= maxBytes) {
    const [byte] = await reader.take(1);
    if (byte === 0x0a) return Buffer.from(bytes).toString("utf8");
    bytes.push(byte as number);
  }
  throw damaged("its first line is not as it was written");
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
