/**
 * How the line to the relay stands, for those who ask and for those who wait.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { RelayLink } from "./relay-line-options.js";

export class LineState {
  #link: RelayLink = "offline";
  #reason: CambiumError | undefined;
  #lastFailure: CambiumError | undefined;
  #stuck: CambiumError | undefined;
  #refusal = unheardRefusal();

  get link(): RelayLink {
    return this.#link;
  }

  /** Why there is no line, or why nothing goes on with it. */
  get reason(): CambiumError | undefined {
    return this.#reason ?? this.#stuck;
  }

  /** What came of the last attempt, while another one is under way. */
  get lastFailure(): CambiumError | undefined {
    return this.#link === "connecting" ? this.#lastFailure : undefined;
  }

  /** Whether the relay does not take something in this session. */
  get isStuck(): boolean {
    return this.#stuck !== undefined;
  }

  /** Rejects when the relay refuses this replica or what it is sent: what it said before does not count. */
  get refused(): Promise<never> {
    return this.#refusal.promise;
  }

  begin(): void {
    this.#refusal = unheardRefusal();
    this.#link = "connecting";
  }

  /** A process that stays must not answer with what the relay said hours ago. */
  askAgain(): void {
    if (this.#link === "refused") this.#refusal = unheardRefusal();
  }

  turn(link: RelayLink, reason: CambiumError | undefined): void {
    this.#link = link;
    this.#reason = reason;
    if (link !== "connecting") this.#lastFailure = reason;
    if (this.#stuck !== undefined) this.#refusal = unheardRefusal();
    this.#stuck = undefined;
    if (link === "refused")
      this.#refusal.reject(reason ?? new CambiumError("TOKEN_REFUSED", "The relay refused this replica."));
  }

  stick(reason: CambiumError): void {
    this.#stuck = reason;
    this.#refusal.reject(reason);
  }
}

/** Nobody may be waiting when the relay refuses. */
function unheardRefusal(): PromiseWithResolvers<never> {
  const refusal = Promise.withResolvers<never>();
  refusal.promise.catch(() => {});
  return refusal;
}
