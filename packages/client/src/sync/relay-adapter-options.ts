/**
 * What a relay adapter is given, and whom it notifies.
 *
 * @module
 */
import type { CambiumError } from "@cambium/core";
import type { Timers } from "../platform/timers.js";
import type { SendCheck } from "./outbox.js";
import type { Forked, HeadsUpdate, Receipt, Refused, Welcome } from "./relay-frames.js";

/** `refused` is final: the relay has said no, and only a new token or another relay can help. */
export type RelayLink = "connecting" | "online" | "offline" | "refused";

/** Something worth telling a developer; the adapter has dealt with it. */
export interface RelayNotice {
  readonly kind: "invalid-frame" | "relay-error" | "document-held" | "listener-failed";
  readonly message: string;
  readonly cause?: unknown;
}

export interface RelayAdapterOptions {
  /** The relay's http(s) address, with its path prefix, if it has one. */
  readonly url: string;
  readonly token: string;
  /** Refuses a relay whose token turns out to be for another space. */
  readonly space?: string | undefined;
  readonly sendCheck: SendCheck;
  /** Called before the relay becomes a peer, so that everything it says later finds its generation known. */
  readonly onWelcome: (welcome: Welcome) => void;
  readonly onHeads: (update: HeadsUpdate) => void;
  readonly onReceipt: (receipt: Receipt) => void;
  readonly onForked?: ((forked: Forked) => void) | undefined;
  readonly onRefused?: ((refused: Refused) => void) | undefined;
  readonly onState?: ((state: RelayLink, reason?: CambiumError) => void) | undefined;
  readonly onNotice?: ((notice: RelayNotice) => void) | undefined;
  /** Uniform in [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly timers?: Timers | undefined;
  readonly userAgent?: string | undefined;
}
