/**
 * What a relay tells its operator: a structured log, one plain object per event.
 *
 * @module
 */
import type { RefusedChange } from "@cambium/core";
import type { AdminAct } from "./audit.js";
import type { Role } from "./log/relay-log.js";

/**
 * Something that happened in a relay. New types may come with any version.
 * `warn` and `error` events want a person's attention. Ids and counts are in them, never contents.
 */
export type RelayEvent =
  | {
      readonly level: "info";
      readonly type: "started";
      /** `http://…`, with the port it listens on. */
      readonly url: string;
    }
  | { readonly level: "info"; readonly type: "stopped" }
  /** The certificate was read again. */
  | { readonly level: "info"; readonly type: "tls-renewed" }
  | {
      readonly level: "info";
      readonly type: "session-opened";
      /** Chosen by the client for this session. */
      readonly peerId: string;
      /** The space of the session's token. */
      readonly space: string;
      /** What the session's token allows. */
      readonly role: Role;
    }
  | {
      readonly level: "info";
      readonly type: "session-closed";
      /** As in `session-opened`. */
      readonly peerId: string;
      /** The WebSocket close code. */
      readonly code: number;
    }
  | {
      readonly level: "debug";
      readonly type: "committed";
      /** How many documents the commit wrote to. */
      readonly documents: number;
      /** How many changes it wrote. */
      readonly changes: number;
    }
  | {
      readonly level: "debug";
      readonly type: "evicted";
      /** How many left memory, because nobody used them. */
      readonly documents: number;
    }
  | {
      readonly level: "warn";
      /** What a stock client sent took too much time or memory, or ended the thread that served it. */
      readonly type: "session-cut";
      /** As in `session-opened`. */
      readonly peerId: string;
      /** Why, as it was thrown. */
      readonly error: unknown;
    }
  | {
      readonly level: "debug";
      readonly type: "packed";
      /** Stretches of logs that were packed. */
      readonly segments: number;
    }
  | ({ readonly level: "info"; readonly type: "admin-act" } & AdminAct)
  | {
      readonly level: "warn";
      /** So many wrong tokens came from it that it has to wait. */
      readonly type: "address-shut";
      readonly address: string;
    }
  | {
      readonly level: "warn";
      /** The clock of the machine went back. What has an end is judged by the time that goes on from before. */
      readonly type: "clock-set-back";
      /** By so many seconds. */
      readonly seconds: number;
    }
  | {
      readonly level: "warn";
      /** The place for segments fails and is asked again. Told once a minute. */
      readonly type: "segments-retried";
      /** Why, as it was thrown. */
      readonly error: unknown;
    }
  | {
      readonly level: "warn";
      readonly type: "quota-exceeded";
      /** It stores as much as it may. */
      readonly space: string;
      /** As automerge-repo writes it, in base58. */
      readonly documentId: string;
    }
  | { readonly level: "error"; readonly type: "commit-failed"; readonly error: unknown }
  | {
      readonly level: "error";
      /** It cannot be loaded, or Automerge does not take what was sent for it. */
      readonly type: "document-refused";
      /** As automerge-repo writes it, in base58. */
      readonly documentId: string;
      /** Why, as it was thrown. */
      readonly error: unknown;
    }
  | {
      readonly level: "error";
      /** Sent and not taken; or found in the log, and taken out of the document. */
      readonly type: "changes-refused" | "changes-set-aside";
      /** As automerge-repo writes it, in base58. */
      readonly documentId: string;
      /** Each with its hash and a sentence that says what is wrong with it. */
      readonly changes: readonly RefusedChange[];
    }
  | {
      readonly level: "error";
      readonly type: "failed";
      /** Anything else that went wrong. The relay goes on. */
      readonly error: unknown;
    };

/** Takes events as they happen. It should return quickly and not throw. */
export type OnEvent = (event: RelayEvent) => void;
