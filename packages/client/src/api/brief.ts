/**
 * The beginning of an agent's session: what is new since its last one, and what matters.
 *
 * @module
 */
import type { Author, ChangeHash, MemoryId } from "@cambium/core";

export interface BriefOptions {
  /** For whom: what they wrote themselves is not new to them. */
  readonly agent?: string | undefined;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** Of `text`, in UTF-8: 500 to 1,000,000. Default: 4,000. */
  readonly maxBytes?: number | undefined;
  /** A ref or a date from when on all is new, in place of this agent's last time. */
  readonly since?: string | undefined;
  /** Leaves it open when this agent was last briefed, so that the next brief tells the same again. */
  readonly peek?: boolean | undefined;
}

/** Some of what there is, the foremost first. */
export interface BriefPart<Item> {
  /** Of which `items` are those that found room. */
  readonly total: number;
  readonly items: readonly Item[];
}

export interface BriefNews {
  readonly id: MemoryId;
  readonly what: "created" | "changed" | "forgotten";
  /** What it says now, or said last, on one line; cut where it ends in `…`. */
  readonly text: string;
  /** Who wrote the version that is shown. */
  readonly by: Author;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

export interface BriefConflict {
  readonly id: MemoryId;
  readonly fields: readonly string[];
  readonly text: string;
}

export interface BriefRequest {
  readonly id: string;
  readonly operation: string;
  /** Such as `agent claude-code`. */
  readonly by: string;
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number;
}

export interface BriefMemory {
  readonly id: MemoryId;
  readonly text: string;
  readonly category?: string;
  readonly at: number;
  /** 0 to 1; see `Space.strength`. */
  readonly strength: number;
}

export interface Brief {
  readonly branch: string;
  readonly agent?: string;
  /** The state it tells of, as a ref. */
  readonly at: string;
  /** From when on all is new, as a ref; absent the first time, when all would be new. */
  readonly since?: string;
  /** Written by others since, newest first. */
  readonly news: BriefPart<BriefNews>;
  /** Open ones on the branch. */
  readonly conflicts: BriefPart<BriefConflict>;
  /** Those that wait for the owner. */
  readonly requests: BriefPart<BriefRequest>;
  /** What a person should know. */
  readonly notices: BriefPart<string>;
  /** The strongest memories that are not among the news. */
  readonly matters: BriefPart<BriefMemory>;
  readonly heads: readonly ChangeHash[];
  /** All of this for a person or model to read, within `maxBytes`. */
  readonly text: string;
}
