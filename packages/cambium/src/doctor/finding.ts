/**
 * What the doctor found, each in one sentence with what to do about it.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";
import { messageOf } from "@cambium/core/text";

export type FindingState = "ok" | "warn" | "problem";

export type CheckName =
  | "node"
  | "home"
  | "disk"
  | "daemon"
  | "lock"
  | "clock"
  | "store"
  | "space"
  | "relay"
  | "backup"
  | "project"
  | "agent";

export interface Finding {
  readonly check: CheckName;
  readonly state: FindingState;
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
  /** The space or agent it is about. */
  readonly subject?: string;
}

type Extras = Pick<Finding, "hint" | "subject">;

export const ok = (check: CheckName, message: string, extras: Extras = {}): Finding => ({
  ...{ check, state: "ok", message },
  ...extras,
});

export const warn = (check: CheckName, message: string, hint: string, extras: Extras = {}): Finding => ({
  ...{ check, state: "warn", message, hint },
  ...extras,
});

export const problem = (check: CheckName, message: string, hint: string, extras: Extras = {}): Finding => ({
  ...{ check, state: "problem", message, hint },
  ...extras,
});

/** What kept a check from being made is itself a finding. */
export function problemFrom(check: CheckName, error: unknown, extras: Extras = {}): Finding {
  const message = messageOf(error);
  const hint = isCambiumError(error) ? error.hint : undefined;
  return problem(
    check,
    message,
    hint ?? "See docs/errors.md, or set CAMBIUM_DEBUG=1 and try `cambium status`.",
    extras,
  );
}
