/**
 * The owner's code: what a program has to know, besides leaving its name off, to do what the policy keeps from agents.
 * Only a slow hash of it is kept, in the catalog, so that it holds on every device. It does not stop a program that
 * reads the key of the space: that one can write by itself.
 *
 * @module
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { CambiumError, type Encodable } from "@cambium/core";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import { isNumber, isWholeUpTo, readShape } from "../platform/plain-shape.js";
import { readPrivateJson, removePrivateFile, writePrivateFile } from "../platform/private-files.js";
import { Turns } from "../platform/turns.js";

const KEY = "ownerCode";
const FEWEST_CHARACTERS = 6;
const MOST_CHARACTERS = 200;
const HASH_BYTES = 32;
const COST = 32_768;
const HIGHEST_COST = 131_072;
const BLOCKS = 8;
/** So many may be wrong before one has to wait. */
const FREE_ATTEMPTS = 5;
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;

interface Attempts {
  readonly failures: number;
  /** When the last one was made, in milliseconds since 1970. */
  readonly at: number;
}

export interface OwnerCodeOptions {
  readonly catalog: CatalogKeeper;
  /** Counts wrong codes on this device. */
  readonly path: string;
  readonly now: () => number;
}

export class OwnerCode {
  readonly #options: OwnerCodeOptions;
  /** Attempts at once would count as one. */
  readonly #turns = new Turns();

  constructor(options: OwnerCodeOptions) {
    this.#options = options;
  }

  get isSet(): boolean {
    return this.#stored.length > 0;
  }

  /** Of two that were set at once on two devices, each counts; and one that was set counts over a removal. */
  get #stored(): readonly Encodable[] {
    const entry = this.#options.catalog.current.settings.get(KEY);
    const values = entry === undefined ? [] : [entry.value, ...entry.others].map(({ value }) => value);
    return values.filter((value) => value !== null);
  }

  /** @throws {CambiumError} OWNER_CODE_WRONG */
  prove(code: string): Promise<void> {
    return this.#turns.take(async () => {
      const { path, now } = this.#options;
      const before = this.#attempts();
      refuseHasty(before, now());
      // Counted before it is known: a program that is stopped meanwhile has tried, too.
      writePrivateFile(path, JSON.stringify({ failures: before.failures + 1, at: now() } satisfies Attempts));
      for (const stored of this.#stored) {
        if (!(await isCode(code, stored))) continue;
        removePrivateFile(path);
        return;
      }
      throw new CambiumError("OWNER_CODE_WRONG", "This is not the owner's code.", {
        hint: "After 5 wrong codes each further one has to wait, longer each time.",
      });
    });
  }

  /** @param code - undefined: none is needed any more */
  async set(code: string | undefined): Promise<void> {
    const value = code === undefined ? null : await hashOf(checked(code));
    await this.#options.catalog.put(() => [{ map: "settings", key: KEY, entry: { value } }]);
  }

  #attempts(): Attempts {
    const stored = readPrivateJson(this.#options.path);
    const shape = { failures: isWholeUpTo(Number.MAX_SAFE_INTEGER), at: isNumber };
    return readShape<Attempts>(stored, shape) ?? { failures: 0, at: 0 };
  }
}

function refuseHasty({ failures, at }: Attempts, now: number): void {
  if (failures < FREE_ATTEMPTS) return;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - FREE_ATTEMPTS, 30), LONGEST_WAIT_MS);
  // A clock that was put back does not make it longer than that.
  const left = Math.min(wait, at + wait - now);
  if (left <= 0) return;
  const seconds = Math.ceil(left / 1000);
  throw new CambiumError(
    "OWNER_CODE_WRONG",
    `There were ${failures} wrong codes. This one was not looked at.`,
    {
      hint: `Try again in ${seconds} seconds.`,
      details: { retryAfterMs: left },
    },
  );
}

function checked(code: unknown): string {
  if (typeof code === "string" && code.length >= FEWEST_CHARACTERS && code.length <= MOST_CHARACTERS)
    return code;
  throw new CambiumError(
    "BAD_INPUT",
    `The owner's code needs ${FEWEST_CHARACTERS} to ${MOST_CHARACTERS} characters.`,
  );
}

async function hashOf(code: string): Promise<Encodable> {
  const salt = new Uint8Array(randomBytes(16));
  return { v: 1, kdf: "scrypt", n: COST, r: BLOCKS, salt, hash: await derive(code, salt, COST, BLOCKS) };
}

/** False too for what a newer version wrote: it is not passed by. */
async function isCode(code: string, stored: Encodable): Promise<boolean> {
  const { kdf, n, r, salt, hash } = (stored ?? {}) as Readonly<Record<string, unknown>>;
  if (kdf !== "scrypt" || !(salt instanceof Uint8Array) || !(hash instanceof Uint8Array)) return false;
  if (typeof n !== "number" || typeof r !== "number" || n > HIGHEST_COST || r > BLOCKS) return false;
  if (code.length > MOST_CHARACTERS || hash.length !== HASH_BYTES) return false;
  return timingSafeEqual(await derive(code, salt, n, r), hash);
}

/** The same code, however its letters are composed. */
const derive = (code: string, salt: Uint8Array, cost: number, blockSize: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const options = { N: cost, r: blockSize, p: 1, maxmem: 256 * cost * blockSize };
    scrypt(code.normalize("NFKC"), salt, HASH_BYTES, options, (error, derived) =>
      error === null ? resolve(new Uint8Array(derived)) : reject(error),
    );
  });
