/**
 * Checkpoints: states with a name.
 *
 * @module
 */
import type { Author, ChangeHash, CheckpointCause, CheckpointId, CheckpointPolicy } from "@cambium/core";
import { flag, list, naming, object, optional, options, text } from "../arguments/shapes.js";
import { AT_REF, type GuardedMethodsOf, ON_BRANCH, taking } from "../arguments/signature.js";
import type { DiffResult } from "./branches.js";
import type { AtRef } from "./memories.js";

/** The name of a checkpoint, and the state that it names. */
export interface CheckpointInput extends AtRef {
  /** Unique among those that are kept. */
  readonly name: string;
  /** What it is, for people. It can be erased separately from the name. */
  readonly description?: string | undefined;
  /** Why it was made. */
  readonly reason?: string | undefined;
  /** Restores only this area, and compares only that. Default: the whole branch. */
  readonly scope?: { readonly area: string } | undefined;
}

/** A named state. */
export interface Checkpoint {
  /** Stays the same whatever the checkpoint is called. */
  readonly id: CheckpointId;
  /** As it is shown. If two checkpoints have the same name, the later one reads `name~ab12`. */
  readonly name: string;
  /** Absent if none was given, or while its text has not arrived. */
  readonly description?: string;
  /** Why it was made. Absent if no reason was given, or while its text has not arrived. */
  readonly reason?: string;
  /** Name of the branch as it is now. */
  readonly branch: string;
  /** The state it names: hashes of the branch's last changes at that time. */
  readonly heads: readonly ChangeHash[];
  /** `full`: the whole branch; otherwise one area of it. */
  readonly scope: "full" | { readonly area: string };
  /** Whether someone made it, or what it was made before. */
  readonly cause: CheckpointCause;
  /** Who made it. */
  readonly by: Author;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `deleted`: its name is free again. The state stays in the history. */
  readonly state: "kept" | "deleted";
  /** Whether this replica has the state it names. */
  readonly isHere: boolean;
  /** The format of records when it was made. A rollback refuses a newer one with SCHEMA_TOO_NEW. */
  readonly schemaVersion: number;
  /** The layout of the index on the device that made it. Informative. */
  readonly indexVersion: number;
  /** Of the whole state, in hexadecimal. */
  readonly digest: string;
  /** How many memories its scope holds. Only from `get`, and only if the state is here. */
  readonly memories?: number;
  /** What a person should know, such as that another checkpoint has the same name. Absent when there is nothing. */
  readonly notice?: string;
}

/** Which checkpoints to list. */
export interface CheckpointListOptions {
  /** Default: all branches. */
  readonly branch?: string | undefined;
  /** Default: all of them; `["manual"]` are those made by hand. */
  readonly causes?: readonly CheckpointCause[] | undefined;
  /** Also the deleted ones. */
  readonly deleted?: boolean | undefined;
}

/** Names may be given as ids, or as the refs in which they stand. */
export interface Checkpoints {
  /**
   * Names a state: the branch as it is now, unless `at` names another.
   *
   * @throws {CambiumError} CHECKPOINT_EXISTS, CHECKPOINT_LIMIT, BAD_INPUT, BAD_REF
   */
  create(input: CheckpointInput): Promise<Checkpoint>;
  /** Lists checkpoints, newest first. Default: those that are kept, of all branches and causes. */
  list(options?: CheckpointListOptions): Promise<readonly Checkpoint[]>;
  /**
   * Returns one checkpoint, by name or id.
   *
   * @throws {CambiumError} CHECKPOINT_NOT_FOUND
   */
  get(checkpoint: string): Promise<Checkpoint>;
  /**
   * Returns what differs between two checkpoints, within their scope. Default for `to`: `"now"`, the branch of the
   * first.
   *
   * @throws {CambiumError} CHECKPOINT_NOT_FOUND, BAD_INPUT if they are of different areas
   */
  compare(from: string, to?: string): Promise<DiffResult>;
  /**
   * Gives up the name. The state that it named stays in the history, and `restore` gives the name back.
   *
   * @throws {CambiumError} CHECKPOINT_NOT_FOUND, ROLE_REFUSED
   */
  delete(checkpoint: string): Promise<Checkpoint>;
  /**
   * Gives a name back that was deleted, to the state that it named: the one deleted last, if several bore it. One that
   * is kept stays as it is.
   *
   * @throws {CambiumError} CHECKPOINT_NOT_FOUND, CHECKPOINT_EXISTS when the name is in use, CHECKPOINT_LIMIT
   */
  restore(checkpoint: string): Promise<Checkpoint>;
  /** Returns when checkpoints are made automatically, and how long they are kept. */
  policy(): Promise<CheckpointPolicy>;
  /**
   * Changes some of these settings, for all replicas. Returns all of them.
   *
   * @throws {CambiumError} BAD_INPUT
   */
  setPolicy(changes: Partial<CheckpointPolicy>): Promise<CheckpointPolicy>;
}

const checkpoint = ["checkpoint", naming] as const;

export default {
  create: {
    action: "checkpoint",
    takes: [
      [
        "input",
        (value, at) => {
          object({})(value, at);
          options({ ...AT_REF, description: text, reason: text, scope: object({ area: text }) })(value, at);
        },
      ],
    ],
    on: "space",
    isNoted: true,
  },
  list: { action: "none", takes: [taking({ ...ON_BRANCH, causes: list(text), deleted: flag })] },
  get: { action: "none", takes: [checkpoint] },
  compare: {
    action: "none",
    takes: [
      ["from", naming],
      ["to", optional(naming)],
    ],
  },
  delete: { action: "delete-checkpoint", takes: [checkpoint], on: "space", isNoted: true },
  restore: { action: "checkpoint", takes: [checkpoint], on: "space", isNoted: true },
  policy: { action: "none", takes: [] },
  setPolicy: { action: "policy", takes: [["changes", object({})]], on: "space", isNoted: true },
} satisfies GuardedMethodsOf<Checkpoints>;
