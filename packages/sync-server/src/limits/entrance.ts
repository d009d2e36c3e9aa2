/**
 * Who comes in, by token. An address that tries many different wrong ones has to wait. One wrong token that is tried
 * again and again counts once: a device whose token was revoked does not shut out those beside it. In the same way, an
 * address trades so many invitations and no more.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { CambiumError } from "@cambium/core";
import type { Bearer } from "../tokens.js";

const WINDOW_MS = 600_000;
/** Addresses that are remembered; those who guess from more than this many only find more doors of the same kind. */
const MOST_ADDRESSES = 100_000;

export interface EntranceOptions {
  readonly bearerOf: (token: string) => Promise<Bearer | undefined>;
  /** Different wrong tokens from one address in ten minutes. */
  readonly wrongTokens: number;
  readonly now: () => number;
  /** An address has reached the limit. */
  readonly onShut: (address: string) => void;
}

interface Seen {
  readonly since: number;
  readonly texts: Set<string>;
}

/** How many different texts came from an address in the last ten minutes. */
class SeenByAddress {
  readonly #now: () => number;
  readonly #seen = new Map<string, Seen>();

  constructor(now: () => number) {
    this.#now = now;
  }

  count(address: string): number {
    return this.#recent(address)?.texts.size ?? 0;
  }

  note(text: string, address: string): void {
    const seen = this.#recent(address) ?? { since: this.#now(), texts: new Set() };
    seen.texts.add(createHash("sha256").update(text).digest("base64").slice(0, 16));
    this.#seen.set(address, seen);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MOST_ADDRESSES && oldest !== undefined) this.#seen.delete(oldest);
  }

  #recent(address: string): Seen | undefined {
    const seen = this.#seen.get(address);
    const age = seen === undefined ? 0 : this.#now() - seen.since;
    if (age >= 0 && age < WINDOW_MS) return seen;
    this.#seen.delete(address);
    return undefined;
  }
}

export class Entrance {
  readonly #options: EntranceOptions;
  readonly #wrong: SeenByAddress;
  readonly #traded: SeenByAddress;

  constructor(options: EntranceOptions) {
    this.#options = options;
    this.#wrong = new SeenByAddress(options.now);
    this.#traded = new SeenByAddress(options.now);
  }

  /**
   * @returns undefined for a token that is missing, unknown, revoked or expired
   * @throws {CambiumError} RATE_LIMITED for an address that has tried too many
   */
  async bearerOf(token: string, address: string): Promise<Bearer | undefined> {
    if (token === "") return undefined;
    const { wrongTokens, onShut } = this.#options;
    if (this.#wrong.count(address) >= wrongTokens)
      throw tooMany("Too many wrong tokens came from this address.");
    const bearer = await this.#options.bearerOf(token);
    if (bearer !== undefined) return bearer;
    this.#wrong.note(token, address);
    if (this.#wrong.count(address) === wrongTokens) onShut(address);
    return undefined;
  }

  /**
   * Counts the trades from an address. One that is sent again counts once.
   *
   * @throws {CambiumError} RATE_LIMITED
   */
  noteTrade(hash: string, address: string): void {
    if (this.#traded.count(address) >= this.#options.wrongTokens)
      throw tooMany("Too many devices have joined from this address.");
    this.#traded.note(hash, address);
  }
}

const tooMany = (message: string): CambiumError =>
  new CambiumError("RATE_LIMITED", message, { hint: "Try again in ten minutes." });
