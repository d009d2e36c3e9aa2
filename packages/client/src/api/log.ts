/**
 * The log of a branch: its changes, and what else was done.
 *
 * @module
 */
import type { Author, LabelSelection, LabelValues, LogEntry, MemoryId } from "@cambium/core";
import type { AtRef } from "./memories.js";

/**
 * Which changes and events to list. All given conditions have to match. Labels are those of a memory that the change
 * wrote, as it left it; `agent` is who made the change.
 */
export interface LogOptions extends AtRef, LabelSelection {
  /** What was done, or any of these: `remember`, `merge`, `checkpoint`. */
  readonly type?: LabelValues | undefined;
  /** Only what was done from then on: a date or a period; a day counts from its beginning. */
  readonly since?: string | undefined;
  /** As `since`, until then; a day counts to its end. Not with `at`. */
  readonly until?: string | undefined;
  /** 1 to 10,000. Default: 100. */
  readonly limit?: number | undefined;
  /** `LogPage.cursor` of the page before. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** A page of the log. */
export interface LogPage {
  /** The changes of the branch, newest first. */
  readonly changes: readonly LogEntry[];
  /** What else was done in the time of the page, newest first. Absent if there is nothing, and in a log of a past state. */
  readonly events?: readonly LogEvent[];
  /** Those of several changes of which some are on the page, with what they did in all. Absent when none. */
  readonly operations?: readonly LoggedOperation[];
  /** Sentences on agents that were asked for and have written nothing on the branch. Absent when none. */
  readonly advice?: readonly string[];
  /** Where the next page begins; absent on the last one. */
  readonly cursor?: string;
}

/** What somebody did as one thing and wrote as several changes. */
export interface LoggedOperation {
  /** As its changes name it. */
  readonly operation: string;
  /** How many changes it is. */
  readonly changes: number;
  /** How many memories they wrote, each counted once. */
  readonly memories: number;
}

/** What was done and is no change of a branch. */
export interface LogEvent {
  /** `failed`: a call that rejected, such as a restore; `of` says which. */
  readonly type:
    | "checkpoint"
    | "branch"
    | "rename-branch"
    | "delete-branch"
    | "restore-branch"
    | "delete-checkpoint"
    | "reinforce"
    | "verify"
    | "settings"
    | "retention"
    | "failed";
  /** `space`: every device tells of it. `device`: it stands in the audit log of this one alone. */
  readonly from: "space" | "device";
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Who did it, as far as it is known. */
  readonly by: Partial<Author>;
  /** Its number in the audit log of this device. */
  readonly seq?: number;
  /** Of the checkpoint, branch or setting. */
  readonly name?: string;
  /** Why, if somebody said so. */
  readonly reason?: string;
  /** Ids, or their number when there are more than 16. */
  readonly memories?: readonly MemoryId[] | number;
  /** Of a failure: what failed. Of a checkpoint: why it was made. Of a setting: its value. */
  readonly of?: string;
  /** Of a failure: the code of the error. */
  readonly code?: string;
}
