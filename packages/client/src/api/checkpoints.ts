/**
 * Checkpoints: states with a name.
 *
 * @module
 */
import type { Author, ChangeHash, CheckpointCause, CheckpointId, CheckpointPolicy } from "@cambium/core";
import type { DiffResult } from "./branches.js";
import type { AtRef } from "./memories.js";

export interface CheckpointInput extends AtRef {
  /** Unique among those that are kept. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
  /** Restores only this area, and compares only that. Default: the whole branch. */
  readonly scope?: { readonly area: string } | undefined;
}

export interface Checkpoint {
  readonly id: CheckpointId;
  /** As it is shown: when two bear one name, the later one reads `name~ab12`. */
  readonly name: string;
  readonly description?: string;
  readonly reason?: string;
  readonly branch: string;
  readonly heads: readonly ChangeHash[];
  readonly scope: "full" | { readonly area: string };
  readonly cause: CheckpointCause;
  readonly by: Author;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: "kept" | "deleted";
  /** Whether this replica has the state it names. */
  readonly isHere: boolean;
  readonly schemaVersion: number;
  readonly indexVersion: number;
  /** Of the whole state, in hexadecimal. */
  readonly digest: string;
  /** How many memories its scope holds; only where one checkpoint was asked for, and is here. */
  readonly memories?: number;
  /** What a person should know of it. */
  readonly notice?: string;
}

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
  /** Of the branch as it is now, unless `at` names another state. */
  create(input: CheckpointInput): Promise<Checkpoint>;
  /** Newest first. */
  list(options?: CheckpointListOptions): Promise<readonly Checkpoint[]>;
  /**
   * Returns one checkpoint, by name or id.
   *
   * @throws {CambiumError} CHECKPOINT_NOT_FOUND
   */
  get(checkpoint: string): Promise<Checkpoint>;
  /** What differs between two of them, or one and its branch `"now"`, within their scope. */
  compare(from: string, to?: string): Promise<DiffResult>;
  /** Gives up the name. What it named stays in the history. */
  delete(checkpoint: string): Promise<Checkpoint>;
  /** How many are kept, and for how long. */
  policy(): Promise<CheckpointPolicy>;
  /** Changes how many are kept, and for how long. */
  setPolicy(changes: Partial<CheckpointPolicy>): Promise<CheckpointPolicy>;
}
