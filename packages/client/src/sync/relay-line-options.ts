/**
 * What a line to a relay is given, and whom it notifies.
 *
 * @module
 */
import type { CambiumError } from "@cambium/core";
import type { LogRelayFrame, WelcomeFrame } from "@cambium/core/wire";
import type { Timers } from "../platform/timers.js";

/** `refused` is final: the relay has said no, and only a new token or another relay can help. */
export type RelayLink = "connecting" | "online" | "offline" | "refused";

/** Something worth telling a developer; the line has dealt with it. */
export interface RelayNotice {
  readonly kind: "invalid-frame" | "listener-failed";
  readonly message: string;
  readonly cause?: unknown;
}

export interface RelayLineOptions {
  /** The relay's http(s) address, with its path prefix, if it has one. */
  readonly url: string;
  readonly token: string;
  /** Refuses a relay whose token turns out to be for another space. */
  readonly space?: string | undefined;
  /** A session begins. */
  readonly onWelcome: (welcome: WelcomeFrame) => void;
  /** Everything that the relay says after its welcome. */
  readonly onFrame: (frame: Exclude<LogRelayFrame, WelcomeFrame>) => void;
  readonly onState?: ((state: RelayLink, reason?: CambiumError) => void) | undefined;
  readonly onNotice?: ((notice: RelayNotice) => void) | undefined;
  /** Uniform in [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly timers?: Timers | undefined;
  readonly userAgent?: string | undefined;
}
