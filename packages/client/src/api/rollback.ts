/**
 * Undo and rollback: changes are reverted, and states brought back, by new changes.
 *
 * @module
 */
import type {
  ChangedMemory,
  ChangeHash,
  LabelFilter,
  LabelValues,
  Memory,
  MemoryConflicts,
  MemoryId,
  StateField,
} from "@cambium/core";
import {
  anything,
  date,
  flag,
  list,
  naming,
  number,
  object,
  options,
  partial,
  text,
} from "../arguments/shapes.js";
import { BECAUSE, LABELS, ON_BRANCH, PROGRESS, type Signature, taking } from "../arguments/signature.js";
import type { StateRef } from "./branches.js";
import type { OnBranch } from "./memories.js";
import type { ProgressOptions } from "./upkeep.js";

/** Which changes to revert. Default: the last one of `main`. */
export interface UndoOptions extends OnBranch {
  /**
   * The change to revert, by its hash or a beginning of at least 4 digits; or all changes of an operation, by the id
   * that they carry. Default: what was done last, however many changes it took.
   */
  readonly change?: string | undefined;
  /** Or that many of the last changes of the branch, as one; 1 to 1,000. An operation of several changes counts once. */
  readonly last?: number | undefined;
  /** Shows what it would do, and writes nothing. */
  readonly preview?: boolean | undefined;
  /** Kept with the records that the undo writes, and shown in the history. */
  readonly reason?: string | undefined;
}

/** Fields written by others since; they were left as they are. */
export interface KeptFields {
  /** The memory that keeps them. */
  readonly id: MemoryId;
  /** Never empty. */
  readonly fields: readonly StateField[];
}

/** What an undo did, or would do. */
export interface UndoResult {
  /** Of a preview nothing was written. */
  readonly status: "undone" | "preview";
  /** The change that was written; none by a preview. Undoing this one brings back what the undo reverted. */
  readonly change?: ChangeHash;
  /** The newest of the changes that were reverted. */
  readonly of: ChangeHash;
  /** All of them, newest first. */
  readonly changes: readonly ChangeHash[];
  /** The memories that it changed, as they are now; of a preview, as they would be. */
  readonly memories: readonly Memory[];
  /** Fields that were left as they are, because somebody wrote them later. */
  readonly kept: readonly KeptFields[];
  /** Memories that are left as they are: the text that they had before is not kept any more. Absent when none. */
  readonly textsGone?: readonly MemoryId[];
}

/** Which memories are rolled back. All given conditions have to match. */
export interface RollbackScope {
  /** Labels the memory has now, or had then: any of these. */
  readonly area?: LabelValues | undefined;
  /** As `area`: any of these. */
  readonly category?: LabelValues | undefined;
  /** As `area`: any of these. */
  readonly kind?: LabelValues | undefined;
  /** All of them. */
  readonly tag?: LabelValues | undefined;
  /** Not with any of these. */
  readonly not?: Omit<LabelFilter, "agent"> | undefined;
  /** Only these memories. Unique beginnings of ids will do. */
  readonly ids?: readonly string[] | undefined;
  /** Only memories that speak of this, in any wording they ever had. */
  readonly query?: string | undefined;
  /** Only what this agent wrote; what others wrote since stays. */
  readonly agent?: string | undefined;
  /** Only what was written from then on, by the time it counts on the branch; a day counts from its beginning. */
  readonly since?: number | string | undefined;
  /** As `since`, until then; a day counts to its end. */
  readonly until?: number | string | undefined;
}

/** What to bring back, on which branch. */
export interface RollbackOptions extends OnBranch, ProgressOptions {
  /**
   * The state to go back to, of this branch or another. May be left out where `only` names an agent or a time:
   * then what was written is reverted, change by change.
   */
  readonly to?: string | undefined;
  /** Which memories, and whose writes. Default: all. */
  readonly only?: RollbackScope | undefined;
  /** Shows what it would do, and writes nothing. */
  readonly preview?: boolean | undefined;
  /** Heads of the branch as previewed; refused when it has moved on. */
  readonly expect?: readonly string[] | undefined;
  /** Tries it on a new branch of this name, forked from `branch`. */
  readonly onBranch?: string | undefined;
  /** Kept with the records that the rollback writes, and shown in the history. */
  readonly reason?: string | undefined;
}

/** What a rollback did, or would do. */
export interface RollbackResult {
  /** `up-to-date`: the branch already was as wanted, and nothing was written. */
  readonly status: "rolled-back" | "preview" | "up-to-date";
  /** The branch as it was before. */
  readonly from: StateRef;
  /** The state that was brought back; the branch itself where changes were reverted one by one. */
  readonly to: StateRef;
  /** How many memories each of the four lists below has. `hidden` counts `deleted`. */
  readonly counts: {
    /** Memories that the branch has never had. */
    readonly created: number;
    /** Memories that show something else than before. */
    readonly changed: number;
    /** Memories that were forgotten until now. */
    readonly broughtBack: number;
    /** Memories that the rollback forgets. */
    readonly hidden: number;
  };
  /** Memories that the branch has never had. */
  readonly created: readonly Memory[];
  /** Memories that show something else than before, with the fields that differ. */
  readonly changed: readonly ChangedMemory[];
  /** Forgotten until now. */
  readonly broughtBack: readonly Memory[];
  /** Forgotten by this: as they are before it. They stay in the history. */
  readonly deleted: readonly Memory[];
  /** What stays undecided. */
  readonly conflicts: readonly MemoryConflicts[];
  /** Fields that others decided since or at the same time: they stay. And conflicts that were settled: they are not opened again. */
  readonly kept: readonly KeptFields[];
  /** Memories that are left as they are: the text that they had before is not kept any more. Absent when none. */
  readonly textsGone?: readonly MemoryId[];
  /** Sentences on agents that were asked for and have written nothing on the branch. Absent when none. */
  readonly advice?: readonly string[];
  /** Of a preview: how many changes it undoes, and those since when. Where an agent or a time is named, it counts versions. */
  readonly undoes?: {
    /** How many. */
    readonly changes: number;
    /** Milliseconds since 1970; absent if it goes back to the very beginning. */
    readonly since?: number;
  };
  /** Of a preview by `query`: the memories that speak of it, as they are now; at most 100. */
  readonly matched?: readonly Memory[];
  /** Of a preview: memories that would be hidden although others, which stay, link to them. */
  readonly linked?: readonly {
    /** The memory that would be hidden. */
    readonly id: MemoryId;
    /** Those that link to it. */
    readonly from: readonly MemoryId[];
  }[];
  /** Once written. */
  readonly change?: ChangeHash;
  /** The checkpoint made before it, by name. */
  readonly checkpoint?: string;
  /** The branch it was tried on. */
  readonly triedOn?: string;
}

const undo: Signature = [taking({ ...ON_BRANCH, change: naming, last: number, preview: flag, ...BECAUSE })];
const SCOPE = {
  ...{ ...LABELS, not: partial(LABELS), ids: list(naming), query: naming },
  ...{ agent: text, since: date, until: date },
};
const rollback: Signature = [
  [
    "options",
    (value, at) => {
      object({})(value, at);
      options({
        ...{ ...ON_BRANCH, ...PROGRESS, ...BECAUSE },
        ...{ to: naming, only: options(SCOPE), preview: flag, expect: list(naming), onBranch: anything },
      })(value, at);
    },
  ],
];

export default { undo, rollback };
