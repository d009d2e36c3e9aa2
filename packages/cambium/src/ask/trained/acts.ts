/**
 * What a sentence may ask for, and the parts that it may name.
 *
 * @module
 */

export const ACTS = [
  "recall",
  "at-past",
  "list",
  "history",
  "blame",
  "changes",
  "forgotten",
  "conflicts",
  "status",
  "branches",
  "difference",
  "checkpoints",
  "export",
  "count",
  "remember",
  "correct",
  "settle",
  "file",
  "checkpoint",
  "forget",
  "restore",
  "undo",
  "take-back",
  "rollback",
  "branch",
  "use-branch",
  "delete-branch",
  "merge",
  "none",
] as const;

/** `none`: nothing that a memory does. */
export type Act = (typeof ACTS)[number];

export const SLOT_NAMES = [
  "topic",
  "content",
  "new",
  "old",
  "branch",
  "into",
  "name",
  "state",
  "period",
  "agent",
  "device",
  "category",
  "tag",
  "except",
  "left",
] as const;

/** `left` is what is no part of the request. */
export type SlotName = (typeof SLOT_NAMES)[number];

/** The names of a space. */
export interface KnownNames {
  readonly branches?: readonly string[];
  readonly checkpoints?: readonly string[];
  readonly tags?: readonly string[];
  readonly categories?: readonly string[];
  readonly agents?: readonly string[];
  readonly devices?: readonly string[];
}
