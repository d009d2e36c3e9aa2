/**
 * Who comes in, by token. An address that tries many different wrong ones has to wait. One wrong token that is tried
 * again and again counts once: a device whose token was revoked does not shut out those beside it.
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

interface Guesses {
  readonly since: number;
  readonly tokens: Set<string>;
}

export class Entrance {
  readonly #options: EntranceOptions;
  readonly #guesses = new Map<string, Guesses>();

  constructor(options: EntranceOptions) {
    this.#options = options;
  }

  /**
   * @returns undefined for a token that is missing, unknown, revoked or expired
   * @throws {CambiumError} RATE_LIMITED for an address that has tried too many
   */
  async bearerOf(token: string, address: string): Promise<Bearer | undefined> {
    if (token === "") return undefined;
    const { wrongTokens } = this.#options;
    if ((this.#recent(address)?.tokens.size ?? 0) >= wrongTokens) {
      throw new CambiumError("RATE_LIMITED", "Too many wrong tokens came from this address.", {
        hint: "Try again in ten minutes.",
      });
    }
    const bearer = await this.#options.bearerOf(token);
    if (bearer === undefined) this.#note(token, address);
    return bearer;
  }

  #recent(address: string): Guesses | undefined {
    const guesses = this.#guesses.get(address);
    const age = guesses === undefined ? 0 : this.#options.now() - guesses.since;
    if (age >= 0 && age < WINDOW_MS) return guesses;
    this.#guesses.delete(address);
    return undefined;
  }

  #note(token: string, address: string): void {
    const { now, wrongTokens, onShut } = this.#options;
    const guesses = this.#recent(address) ?? { since: now(), tokens: new Set() };
    guesses.tokens.add(createHash("sha256").update(token).digest("base64").slice(0, 16));
    this.#guesses.set(address, guesses);
    if (guesses.tokens.size === wrongTokens) onShut(address);
    const [oldest] = this.#guesses.keys();
    if (this.#guesses.size > MOST_ADDRESSES && oldest !== undefined) this.#guesses.delete(oldest);
  }
}
