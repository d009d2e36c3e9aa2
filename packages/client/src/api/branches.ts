/**
 * Branches, merges and what differs between states.
 *
 * @module
 */
import type {
  BranchId,
  ChangedMemory,
  ChangeHash,
  Memory,
  MemoryConflicts,
  MemoryResolution,
  MergeStrategy,
  Resolver,
} from "@cambium/core";
import type { ProgressOptions } from "./upkeep.js";

export interface StateRef {
  readonly ref: string;
  readonly branch: string;
  readonly heads: readonly ChangeHash[];
}

export interface DiffResult {
  readonly from: StateRef;
  readonly to: StateRef;
  readonly created: readonly Memory[];
  readonly changed: readonly ChangedMemory[];
  readonly deleted: readonly Memory[];
  readonly conflicts: readonly MemoryConflicts[];
}

export interface MergeOptions extends ProgressOptions {
  readonly from: string;
  /** Default: `main`. */
  readonly into?: string | undefined;
  /** For fields in conflict. Default: `manual`. */
  readonly strategy?: MergeStrategy | undefined;
  readonly resolutions?: Readonly<Record<string, MemoryResolution>> | undefined;
  readonly resolver?: Resolver | undefined;
  /** Asked for when an earlier merge of this source was undone: bring all of it back, or only what is new? */
  readonly again?: boolean | undefined;
  readonly preview?: boolean | undefined;
  /** Heads of both branches as previewed; refused when either has moved. */
  readonly expect?: { readonly from: readonly string[]; readonly into: readonly string[] } | undefined;
}

export interface MergeResult {
  readonly status: "merged" | "up-to-date" | "preview" | "conflict";
  readonly from: StateRef;
  readonly to: StateRef;
  readonly created: readonly Memory[];
  readonly changed: readonly ChangedMemory[];
  readonly deleted: readonly Memory[];
  /** Open ones; with base and every value. */
  readonly conflicts: readonly MemoryConflicts[];
  /** The merge change, once written. */
  readonly change?: ChangeHash;
  /** An earlier merge of this source that was taken back: `again` has to say what becomes of it. */
  readonly undone?: readonly {
    readonly merge: ChangeHash;
    readonly mergedAt: number;
    readonly undo: ChangeHash;
    readonly undoneAt: number;
  }[];
}

export interface BranchInfo {
  readonly id: BranchId;
  /** If two branches have the same name, the later one is shown as `work~ab12`. */
  readonly name: string;
  readonly status: "open" | "merged" | "deleted";
  /** False of a branch that others made and that has not come, or not what it began with: it may hold anything. */
  readonly isHere: boolean;
  /** Absent while the branch is not here. */
  readonly memories?: number;
  readonly head: readonly ChangeHash[];
  readonly parent?: string;
  readonly forkedAt?: number;
  /** Changes it has that its parent lacks, and the other way round. Not told while one of the two is not here. */
  readonly ahead?: number;
  readonly behind?: number;
  /** Of a branch that is not here: the device that made it. */
  readonly madeBy?: string;
  readonly merged?: number;
  /** Another branch bears the same name. */
  readonly notice?: string;
}

export type NewBranch = Pick<BranchInfo, "id" | "name" | "status" | "head" | "parent" | "forkedAt">;

/** Branches of a space. A branch may be named by its name or its id. */
export interface Branches {
  /** Costs the same at any size, so what would have to be counted is left out. */
  create(name: string, options?: { readonly from?: string }): Promise<NewBranch>;
  /** Lists branches: how many memories each has, and how far it is ahead of its parent and behind it. */
  list(options?: { readonly deleted?: boolean }): Promise<readonly BranchInfo[]>;
  /** @throws {CambiumError} STALE_EXPECTATION when it is given another name elsewhere at the same moment */
  rename(branch: string, name: string): Promise<BranchInfo>;
  /**
   * Hides a branch. Its history stays.
   *
   * @throws {CambiumError} BRANCH_NOT_FOUND
   */
  delete(branch: string): Promise<void>;
}
