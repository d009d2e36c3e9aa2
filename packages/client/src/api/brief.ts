/**
 * The beginning of an agent's session: what is new since its last one, and what matters.
 *
 * @module
 */
import type { Author, ChangeHash, MemoryId } from "@cambium/core";

/** For whom the brief is, and how long it may be. */
export interface BriefOptions {
  /** What this agent wrote itself is not news. The time of its last brief is kept. */
  readonly agent?: string | undefined;
  /** Default: `main`. */
  readonly branch?: string | undefined;
  /** Of `text`, in UTF-8: 500 to 1,000,000. Default: 4,000. */
  readonly maxBytes?: number | undefined;
  /** A ref or a date from when on memories count as news. Default: this agent's last brief. */
  readonly since?: string | undefined;
  /** Does not count as a brief: the next one has the same news. Default: false. */
  readonly peek?: boolean | undefined;
}

/** Some of what there is, the foremost first. */
export interface BriefPart<Item> {
  /** Of which `items` are those that found room. */
  readonly total: number;
  /** As many as had room in `maxBytes`. */
  readonly items: readonly Item[];
}

/** A memory that somebody else has written since. */
export interface BriefNews {
  /** `Space.get` returns all of it. */
  readonly id: MemoryId;
  /** Compared with the state at `Brief.since`. */
  readonly what: "created" | "changed" | "forgotten";
  /** What it says now, or said last, on one line; cut where it ends in `…`. */
  readonly text: string;
  /** Who wrote the version that is shown. */
  readonly by: Author;
  /** When, in milliseconds since 1970. */
  readonly at: number;
}

/** A memory with fields that two sides set differently. */
export interface BriefConflict {
  /** `Agent.resolve` takes it. */
  readonly id: MemoryId;
  /** The fields in conflict. */
  readonly fields: readonly string[];
  /** What it shows meanwhile, on one line; cut where it ends in `…`. */
  readonly text: string;
}

/** A request that waits for the owner. */
export interface BriefRequest {
  /** `Requests.approve` and `decline` take it. */
  readonly id: string;
  /** An action of the policy, such as `delete-branch`. */
  readonly operation: string;
  /** The branch that it is about, by name. */
  readonly branch?: string;
  /** Such as `laptop · claude-code (agent)`. */
  readonly by: string;
  /** When it was asked for, in milliseconds since 1970. */
  readonly at: number;
}

/** A memory that matters, whether or not it is new. */
export interface BriefMemory {
  /** `Space.get` returns all of it. */
  readonly id: MemoryId;
  /** What it says, on one line; cut where it ends in `…`. */
  readonly text: string;
  /** Absent if it has none. */
  readonly category?: string;
  /** When the version shown was written, in milliseconds since 1970. */
  readonly at: number;
  /** 0 to 1; see `Space.strength`. */
  readonly strength: number;
}

/** What an agent should know at the start of a session. */
export interface Brief {
  /** Name of the branch it is about. */
  readonly branch: string;
  /** For whom it is. Absent if no agent was named. */
  readonly agent?: string;
  /** The state it describes, as a ref. */
  readonly at: string;
  /** From when on memories count as news, as a ref. Absent at an agent's first brief, when all would be new. */
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
  /** The exact state it describes: hashes of the branch's last changes. */
  readonly heads: readonly ChangeHash[];
  /** All of this for a person or model to read, within `maxBytes`. */
  readonly text: string;
}
