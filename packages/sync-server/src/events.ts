/**
 * What a relay tells its operator: a structured log, one plain object per event.
 *
 * @module
 */
import type { RefusedChange } from "@cambium/core";
import type { Role } from "./log/relay-log.js";

export type RelayEvent =
  | { readonly level: "info"; readonly type: "started"; readonly url: string; readonly generation: string }
  | { readonly level: "info"; readonly type: "stopped" }
  | {
      readonly level: "info";
      readonly type: "session-opened";
      readonly peerId: string;
      readonly space: string;
      readonly role: Role;
    }
  | {
      readonly level: "info";
      readonly type: "session-closed";
      readonly peerId: string;
      readonly code: number;
    }
  | {
      readonly level: "debug";
      readonly type: "committed";
      readonly documents: number;
      readonly changes: number;
    }
  | { readonly level: "debug"; readonly type: "evicted"; readonly documents: number }
  | { readonly level: "error"; readonly type: "commit-failed"; readonly error: unknown }
  | {
      readonly level: "error";
      readonly type: "document-refused" | "document-unsound";
      readonly documentId: string;
      readonly error: unknown;
    }
  | {
      readonly level: "error";
      /** Sent and not taken; or found in the log, and taken out of the document. */
      readonly type: "changes-refused" | "changes-set-aside";
      readonly documentId: string;
      readonly changes: readonly RefusedChange[];
    }
  | { readonly level: "error"; readonly type: "failed"; readonly error: unknown };

export type OnEvent = (event: RelayEvent) => void;
