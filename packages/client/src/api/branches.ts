/**
 * Branches, merges and what differs between states.
 *
 * @module
 */
import type {
  Author,
  BranchId,
  ChangedMemory,
  ChangeHash,
  LabelFilter,
  LabelValues,
  Memory,
  MemoryConflicts,
  MemoryResolution,
  MergeStrategy,
  Resolver,
} from "@cambium/core";
import {
  abortSignal,
  callable,
  either,
  flag,
  list,
  naming,
  object,
  oneOf,
  optional,
  options,
  partial,
  type Shape,
  text,
} from "../arguments/shapes.js";
import {
  branch,
  type GuardedMethodsOf,
  LABELS,
  newName,
  type Signature,
  taking,
} from "../arguments/signature.js";
import type { ProgressOptions } from "./upkeep.js";

/** A state of a branch: how it was asked for, and what it is exactly. */
export interface StateRef {
  /** As given, such as `main@2026-08-01`. */
  readonly ref: string;
  /** Name of the branch as it is shown. */
  readonly branch: string;
  /** Hashes of its last changes, sorted. `branch@heads:…` names the same state again. */
  readonly heads: readonly ChangeHash[];
}

/** How much of a difference is told. */
export interface DiffOptions {
  /** Only of this memory, or of any of these, by their whole ids. Default: all. */
  readonly ids?: LabelValues | undefined;
  /** Only how many there are: the lists are empty. */
  readonly onlyCounts?: boolean | undefined;
}

/** What has to happen to one state so that it becomes another. */
export interface DiffResult {
  /** The earlier state, or the one compared with. */
  readonly from: StateRef;
  /** The state that `created`, `changed` and `deleted` lead to. */
  readonly to: StateRef;
  /** Memories that only `to` shows, as they are there. */
  readonly created: readonly Memory[];
  /** Memories that both show differently, with the fields that differ. */
  readonly changed: readonly ChangedMemory[];
  /** Memories that only `from` shows, as they are there. */
  readonly deleted: readonly Memory[];
  /** Conflicts that are open in `to`. */
  readonly conflicts: readonly MemoryConflicts[];
  /** How many are created, changed and deleted. Only with `onlyCounts`. */
  readonly counts?: { readonly created: number; readonly changed: number; readonly deleted: number };
}

/** Which memories are merged. All given conditions have to match. */
export interface MergeScope extends Omit<LabelFilter, "agent"> {
  /** Labels are those that a memory has on either branch. Nothing with any of these. */
  readonly not?: Omit<LabelFilter, "agent"> | undefined;
  /** Only these memories. Unique beginnings of ids will do. */
  readonly ids?: readonly string[] | undefined;
  /** What `recall` finds on the branch that is merged. */
  readonly query?: string | undefined;
}

/** What to merge into what, and who decides fields that both sides changed. */
export interface MergeOptions extends ProgressOptions {
  /** Name or id of the branch to merge. It stays as it is. */
  readonly from: string;
  /** Default: `main`. */
  readonly into?: string | undefined;
  /** Only these memories, by what they are on either branch; the rest can be merged later. Default: all. */
  readonly only?: MergeScope | undefined;
  /** For fields in conflict. Default: `manual`. */
  readonly strategy?: MergeStrategy | undefined;
  /** Decisions by memory id. They take precedence over `strategy` and `resolver`. */
  readonly resolutions?: Readonly<Record<string, MemoryResolution>> | undefined;
  /**
   * Asked about each memory in conflict that `resolutions` does not decide. Makes `resolver` the default strategy.
   */
  readonly resolver?: Resolver | undefined;
  /**
   * Needed when an earlier merge of this source was undone: true brings back all of it, false merges only what is
   * new.
   */
  readonly again?: boolean | undefined;
  /** Why. The log shows it. */
  readonly reason?: string | undefined;
  /** Returns what the merge would do, with `status: "preview"`, and writes nothing. Default: false. */
  readonly preview?: boolean | undefined;
  /** Heads of both branches as previewed; refused when either has moved. */
  readonly expect?: { readonly from: readonly string[]; readonly into: readonly string[] } | undefined;
}

/** What a merge did, or would do. */
export interface MergeResult {
  /**
   * `conflict`: nothing was written, because fields in `conflicts` are undecided. `up-to-date`: there was nothing to
   * merge.
   */
  readonly status: "merged" | "up-to-date" | "preview" | "conflict";
  /** The source as it was merged. */
  readonly from: StateRef;
  /** The target as it was before. */
  readonly to: StateRef;
  /** Memories that are new in the target. */
  readonly created: readonly Memory[];
  /** Memories of the target that the merge changes, with the fields that differ. */
  readonly changed: readonly ChangedMemory[];
  /** Memories that the merge forgets in the target, because the source did. */
  readonly deleted: readonly Memory[];
  /** Open ones; with base and every value. */
  readonly conflicts: readonly MemoryConflicts[];
  /** The merge change, once written. */
  readonly change?: ChangeHash;
  /** An earlier merge of this source that was undone: `again` has to say what becomes of it. */
  readonly undone?: readonly {
    /** The merge change that was reverted. */
    readonly merge: ChangeHash;
    /** Milliseconds since 1970. */
    readonly mergedAt: number;
    /** The change that reverted it. */
    readonly undo: ChangeHash;
    /** Milliseconds since 1970. */
    readonly undoneAt: number;
  }[];
}

/** A branch as `Branches.list` shows it. */
export interface BranchInfo {
  /** Stays the same when the branch is renamed. */
  readonly id: BranchId;
  /** If two branches have the same name, the later one is shown as `work~ab12`. */
  readonly name: string;
  /** `deleted`: hidden; its name is free again. `merged` is part of the format, and this version never sets it. */
  readonly status: "open" | "merged" | "deleted";
  /**
   * False for a branch made elsewhere that has not arrived, or not what it began with. What it holds is not known
   * then.
   */
  readonly isHere: boolean;
  /** Absent while the branch is not here. */
  readonly memories?: number;
  /** Hashes of its last changes, sorted. Several after writes on two devices at once. */
  readonly head: readonly ChangeHash[];
  /** Name of the branch it was forked from. Absent for `main`. */
  readonly parent?: string;
  /** When it was made, in milliseconds since 1970. Absent for `main`. */
  readonly forkedAt?: number;
  /**
   * The moment of its parent that it starts from, in milliseconds since 1970: `forkedAt`, or for a branch that was made
   * of the past, that of the newest change that it began with, or of the first of all if it began with none. The same
   * on every device. Absent for `main`.
   */
  readonly startsAt?: number;
  /**
   * Changes that it has and its parent lacks. Like `behind`, absent while one of the two is not here, and 0 for
   * `main`.
   */
  readonly ahead?: number;
  /** Changes that its parent has and it lacks. */
  readonly behind?: number;
  /** Of a branch that is not here: the device that made it. */
  readonly madeBy?: string;
  /** When it was last merged into its parent, in milliseconds since 1970. Absent if it never was. */
  readonly merged?: number;
  /** Its newest change: when it counts from, and who made it on which device. */
  readonly last?: { readonly at: number; readonly by: Partial<Author>; readonly device?: string };
  /** What a person should know, such as that another branch has the same name. Absent when there is nothing. */
  readonly notice?: string;
}

/** A branch that was just made, without what would have to be counted. */
export type NewBranch = Pick<
  BranchInfo,
  "id" | "name" | "status" | "head" | "parent" | "forkedAt" | "startsAt"
>;

/** Branches of a space. A branch may be named by its name or its id. */
export interface Branches {
  /**
   * Makes a branch of a state. Costs the same at any size. Default for `from`: `main` as it is now.
   *
   * @throws {CambiumError} BRANCH_EXISTS, BAD_INPUT for a name that cannot be one, BAD_REF, HEADS_NOT_HERE
   */
  create(name: string, options?: { readonly from?: string }): Promise<NewBranch>;
  /**
   * Lists branches: how many memories each has, and how far it is ahead of its parent and behind it. With
   * `deleted: true`, also the deleted ones.
   */
  list(options?: { readonly deleted?: boolean }): Promise<readonly BranchInfo[]>;
  /**
   * Gives a branch another name. Its id and history stay. `main` cannot be renamed.
   *
   * @throws {CambiumError} BRANCH_NOT_FOUND, BRANCH_EXISTS, BAD_INPUT, STALE_EXPECTATION when it is given another
   * name elsewhere at the same moment
   */
  rename(branch: string, name: string): Promise<BranchInfo>;
  /**
   * Hides a branch. Its history stays, and `restore` brings it back. `main` cannot be deleted.
   *
   * @throws {CambiumError} BRANCH_NOT_FOUND, BAD_INPUT, ROLE_REFUSED
   */
  delete(branch: string): Promise<void>;
  /**
   * Brings a deleted branch back, under its name and with all that was written on it. One that is open already stays
   * as it is. Old texts that were pruned while it was deleted stay gone.
   *
   * @throws {CambiumError} BRANCH_NOT_FOUND, AMBIGUOUS_BRANCH, BRANCH_EXISTS when its name is in use, BRANCH_LIMIT,
   * BAD_INPUT when its name was erased
   */
  restore(branch: string): Promise<BranchInfo>;
}

const take = oneOf("source", "target", "newest");
const fieldResolution: Shape = (value, at) => {
  object({})(value, at);
  if (!Object.hasOwn(value as object, "value")) object({ take })(value, at);
};
const resolution = either({
  ofText: oneOf("source", "target", "newest", "both"),
  ofObject: (value, at) => {
    object({})(value, at);
    for (const [field, one] of Object.entries(value as object)) fieldResolution(one, `${at}.${field}`);
  },
});
const resolutions: Shape = (value, at) => {
  object({})(value, at);
  for (const [memory, one] of Object.entries(value as object)) resolution(one, `${at}.${memory}`);
};

const MERGE_SCOPE = {
  ...{ ...LABELS, not: partial(LABELS), ids: list(naming), query: text },
};
const merge: Signature = [
  [
    "options",
    object({
      from: naming,
      into: optional(naming),
      only: optional(options(MERGE_SCOPE)),
      strategy: optional(oneOf("source", "target", "newest", "both", "manual", "resolver")),
      resolutions: optional(resolutions),
      resolver: optional(callable),
      again: optional(flag),
      reason: optional(text),
      preview: optional(flag),
      expect: optional(object({ from: list(naming), into: list(naming) })),
      signal: optional(abortSignal),
      onProgress: optional(callable),
    }),
  ],
];

export default {
  merge,
  branches: {
    create: { action: "fork", takes: [newName, taking({ from: naming })], on: "space", isNoted: true },
    list: { action: "none", takes: [taking({ deleted: flag })] },
    rename: { action: "rename-branch", takes: [branch, newName], on: "branch", isNoted: true },
    delete: {
      ...{ action: "delete-branch", whenMergedOwn: "delete-merged-branch", takes: [branch] },
      ...{ on: "branch", needsHeads: true, isNoted: true },
    },
    restore: {
      ...{ action: "fork", notedAs: "restore-branch", takes: [branch], on: "space", isNoted: true },
    },
  } satisfies GuardedMethodsOf<Branches>,
};
