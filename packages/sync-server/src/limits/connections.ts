/**
 * The connections that are open, by token and by address.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { RelayLimits } from "./limits.js";

export class Connections {
  readonly #limits: RelayLimits;
  readonly #byToken = new Map<string, number>();
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(limits: RelayLimits) {
    this.#limits = limits;
  }

  get open(): number {
    return this.#open;
  }

  /**
   * Counts one more.
   *
   * @returns gives its place back; more than once is as once
   * @throws {CambiumError} RATE_LIMITED where there is no place
   */
  take(tokenId: string, address: string): () => void {
    const { connections, connectionsPerToken, connectionsPerAddress } = this.#limits;
    if (this.#open >= connections) throw tooMany("The relay has", connections);
    if ((this.#byToken.get(tokenId) ?? 0) >= connectionsPerToken)
      throw tooMany("This token has", connectionsPerToken);
    if ((this.#byAddress.get(address) ?? 0) >= connectionsPerAddress)
      throw tooMany("This address has", connectionsPerAddress);
    this.#open += 1;
    add(this.#byToken, tokenId, 1);
    add(this.#byAddress, address, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#open -= 1;
      add(this.#byToken, tokenId, -1);
      add(this.#byAddress, address, -1);
    };
  }

  ofToken(tokenId: string): number {
    return this.#byToken.get(tokenId) ?? 0;
  }
}

const tooMany = (who: string, most: number): CambiumError =>
  new CambiumError("RATE_LIMITED", `${who} ${most} connections already.`, { hint: "Close one, or wait." });

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
