/**
 * What a peer is to this benchmark: something that stores memories, and its ways of doing each operation.
 *
 * @module
 */
import type { BranchMerge, Period, Write } from "./plan.ts";

export const PEER_NAMES = ["cambium", "event-log", "git", "memory-server", "automerge"] as const;
export type PeerName = (typeof PEER_NAMES)[number];

/** One way of doing an operation. */
export interface Way<Task, Answer> {
  readonly name: string;
  /** What its answer lacks. Such a way stands beside the tables, not in them. */
  readonly partial?: string;
  /**
   * Resolves when the whole answer is there, and a write on disk. Calling what it gives puts the answer
   * into the common form; that is not timed.
   */
  readonly run: (task: Task) => Promise<() => Answer | Promise<Answer>>;
}

export interface Unsupported {
  readonly reason: string;
}

/** The quickest whole one counts. */
export type Ways<Task, Answer> = readonly Way<Task, Answer>[] | Unsupported;

/** Texts by memory id; `undefined` where the answer names the memory without its text. */
export type Texts = ReadonlyMap<string, string | undefined>;

export interface Found {
  /** The ten best by rank; all with any of the words; or those a narrower search gives. */
  readonly kind: "ten best" | "all" | "some";
  readonly ids: readonly string[];
}

/** `null`: it was not there; `undefined`: the answer does not say. */
export type Differences = ReadonlyMap<
  string,
  { readonly before: string | null | undefined; readonly after: string | null | undefined }
>;

export interface Merged {
  /** Memories the merge left in conflict, with the text of every side. */
  readonly conflicts: ReadonlyMap<string, readonly string[]>;
}

export interface Operations {
  readonly remember: Ways<Write, void>;
  readonly revise: Ways<Write, void>;
  /** The text of one memory as it is now. */
  readonly read: Ways<string, string>;
  /** Memories in which any of three words stands. */
  readonly search: Ways<readonly string[], Found>;
  /** Every memory with its text, as of a time. */
  readonly stateAt: Ways<number, Texts>;
  /** Every text a memory had, the oldest first. */
  readonly history: Ways<string, readonly string[]>;
  /** Every memory that differs between two times, with both texts. */
  readonly diff: Ways<Period, Differences>;
  readonly branch: Ways<string, void>;
  readonly merge: Ways<BranchMerge, Merged>;
}

export interface DiskUse {
  readonly name: string;
  readonly bytes: number;
  readonly partial?: string;
}

export interface Peer extends AsyncDisposable {
  readonly name: PeerName;
  /** With the settings that matter. */
  readonly version: string;
  /** How `load` gets everything in. */
  readonly loading: string;
  /** At most so many samples of an operation, where each takes long. */
  readonly maxSamples?: number;
  load(writes: readonly Write[], onProgress: (done: number) => void): Promise<void>;
  /** Asked right after loading. */
  disk(): Promise<readonly DiskUse[]>;
  /** Makes the branch and writes both sides. Not timed; only where `merge` is supported. */
  prepareMerge(task: BranchMerge): Promise<void>;
  readonly operations: Operations;
}

/** Makes a peer in an empty directory. */
export type MakePeer = (dir: string, seed: number) => Promise<Peer>;

export const OPERATION_TITLES: Readonly<Record<keyof Operations, string>> = {
  remember: "durable write, new memory",
  revise: "durable write, revision",
  read: "read one memory",
  search: "search, three words",
  stateAt: "state at a date, all texts",
  history: "history of one memory",
  diff: "diff of two dates",
  branch: "branch",
  merge: "merge, 500 + 500",
};
