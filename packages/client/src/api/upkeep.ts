/**
 * Progress, imports, strength, and looking after a space.
 *
 * @module
 */
import type { ChangeHash, MemoryId, DecayOptions as Thresholds } from "@cambium/core";
import { filePath, flag, naming, oneOf, text } from "../arguments/shapes.js";
import { AT_REF, FILTER, PART, PROGRESS, type Signature, taking } from "../arguments/signature.js";
import type { AtRef, MemoryFilter, OnBranch } from "./memories.js";

/** For calls that may take long: how to follow and how to stop them. */
export interface ProgressOptions {
  /** Stops the call, which then rejects with ABORTED. What was written before stays written. */
  readonly signal?: AbortSignal | undefined;
  /** Called often, at the latest after each batch. It should return quickly. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** How far a long call has come. */
export interface Progress {
  /** What is being done, for people: `import`, `chunks`, `index of main`, `vectors`. */
  readonly stage: string;
  /** In the unit of the stage, such as memories or documents. Starts again with each stage. */
  readonly done: number;
  /** In the same unit; undefined where it is not known beforehand. */
  readonly total: number | undefined;
}

/** What to import, and where to. */
export interface ImportOptions extends OnBranch, ProgressOptions {
  /** Default: found out from the source. */
  readonly format?: ImportResult["format"] | undefined;
  /** Tells what it would import, and writes nothing. */
  readonly preview?: boolean | undefined;
  /**
   * Names what it writes, such as `import:0f3a5b7c9d1e2f30`, with 16 hexadecimal digits of your choice: whoever stops it
   * can take back what it wrote by then.
   */
  readonly operation?: string | undefined;
}

/** What an import wrote. */
export interface ImportResult {
  /** What the source was read as; `jsonl` is an export of Cambium. */
  readonly format: "jsonl" | "mcp-memory" | "markdown" | "chatgpt" | "claude" | "mem0" | "zep";
  /** Memories that the space did not have before. */
  readonly created: number;
  /** Memories whose source has changed since the last import. */
  readonly changed: number;
  /** Memories of an earlier import that an undo or a rollback had hidden. */
  readonly broughtBack: number;
  /** Memories that were left alone: the same source, or forgotten since. */
  readonly unchanged: number;
  /** The memories created, changed or brought back, in the order of the source. */
  readonly memories: readonly MemoryId[];
  /** What was not imported: a place in the source, and a sentence that says why. */
  readonly skipped: readonly { readonly where: string; readonly reason: string }[];
  /** Takes all of it back as `undo`'s `change`; absent where nothing was written. */
  readonly operation?: string;
  /** How many changes it was written as. */
  readonly changes?: number;
  /** The checkpoint that was made before it. */
  readonly checkpoint?: string;
  /** It was only a preview. */
  readonly preview?: true;
}

/** `jsonl`: every version of every memory. `markdown`: a file for each memory. `mcp-memory`: a knowledge graph. */
export type ExportFormat = "jsonl" | "markdown" | "mcp-memory";

/** What to export, and how. */
export interface ExportOptions extends AtRef, MemoryFilter, ProgressOptions {
  /** Default: `jsonl`. */
  readonly format?: ExportFormat | undefined;
  /** Writes over a file that is there. Default: it is refused. */
  readonly overwrite?: boolean | undefined;
}

/** What an export wrote. */
export interface ExportResult {
  /** In which form. */
  readonly format: ExportFormat;
  /** The file, or the folder of Markdown files. */
  readonly path: string;
  /** How many memories; in `jsonl` forgotten ones count too. */
  readonly memories: number;
  /** How many of them are forgotten. Absent when none. */
  readonly forgotten?: number;
  /** How many versions of them. In `jsonl` only. */
  readonly versions?: number;
  /** Of all files. */
  readonly sizeBytes: number;
  /** Name of the branch. */
  readonly branch: string;
  /** Hashes of the last changes of the state that was written. `branch@heads:…` names it again. */
  readonly heads: readonly ChangeHash[];
  /** Sentences on filters that were read otherwise than they were written. Absent when none. */
  readonly advice?: readonly string[];
  /** How many memories are left out because no record of them is here or readable. Absent when none. */
  readonly unreadable?: number;
}

/** When a memory counts as faded. The thresholds are those of `DecayOptions` in `@cambium/core`. */
export type DecayOptions = OnBranch & Omit<Thresholds, "now">;

/** Which memories count as nearly the same. `threshold` is their least similarity, from 0.6 to 1; default: 0.8. */
export type DuplicateOptions = OnBranch & { readonly threshold?: number | undefined };

/** How well a memory is kept in mind. */
export interface MemoryStrength {
  /** In full, also where a prefix was given. */
  readonly id: MemoryId;
  /** 0 to 1. */
  readonly strength: number;
  /** How often it was recalled or reinforced, on all replicas together. */
  readonly uses: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt?: number;
}

/** The index is derived from the documents, and is rebuilt when it is lost. */
export interface IndexStatus {
  /** `behind`: it catches up with each branch when that is next read. */
  readonly state: "ready" | "behind";
  /** The layout of the index. An index of another layout is rebuilt when the space is opened. */
  readonly version: number;
  /** Snapshots of memories, on all branches and of all times. */
  readonly records: number;
  /** Branches that are in the index, deleted ones included. */
  readonly branches: number;
  /** Size of the database on disk. */
  readonly sizeBytes: number;
  /** Absent without an embedder. */
  readonly vectors?: {
    /** Name of the embedder's model. Vectors of another model are made again. */
    readonly model: string;
    /** Contents that have a vector. */
    readonly done: number;
    /** Contents that are to have one. */
    readonly total: number;
    /** Why no more are made at present, as a sentence. Absent while all is well. */
    readonly problem?: string;
  };
}

/** Acknowledged writes that the store no longer has. */
export interface LostParts {
  /** Acknowledged writes of branches. */
  readonly writes: number;
  /** Each write, as far as its name is known, and each document that holds less than it did. */
  readonly parts: readonly { readonly what: string; readonly reason: string }[];
}

/** What `Agent.acceptLoss` did. */
export interface AcceptedLoss {
  /** Acknowledged writes that are not named any more. */
  readonly writes: number;
}

/** Changes that somebody put into a document of the space, and that count for nothing. */
export interface KeptOut {
  /** A branch, or `the catalog`. */
  readonly place: string;
  /** How many no member made. */
  readonly unsigned: number;
  /** How many a member made on another branch, and no merge brought here. */
  readonly elsewhere: number;
}

/** What `Space.verify` takes. */
export interface VerifyOptions extends ProgressOptions {
  /**
   * Removes the changes that are kept out of what is shown, and does not take them again if the relay brings them again.
   * What counts stays. Default: false.
   */
  readonly clean?: boolean | undefined;
}

/** What `Space.verify` found. */
export interface VerifyResult {
  /** True if nothing is damaged and nothing is lost. */
  readonly ok: boolean;
  /** How many stored chunks were read. */
  readonly chunks: number;
  /** How many records were opened and checked, on all branches. */
  readonly records: number;
  /** What cannot be read as it was written: a chunk, the store, the index or a record, and why. */
  readonly damaged: readonly { readonly what: string; readonly reason: string }[];
  /** What was acknowledged here and is in the store no longer. Absent when nothing is; `acceptLoss` ends it. */
  readonly lost?: LostParts;
  /** What a person should know, and what makes nothing less `ok`. Absent when there is nothing. */
  readonly notes?: readonly string[];
  /**
   * Changes that came in bad shape from the relay and were kept out. What is stored here is whole without them, so
   * they make nothing less `ok`. Absent when none.
   */
  readonly refused?: readonly { readonly what: string; readonly reason: string }[];
  /**
   * Changes that are kept out of what is shown: no member made them, or somebody put them where they do not belong. They
   * make nothing less `ok`. Absent when none.
   */
  readonly keptOut?: readonly KeptOut[];
  /** How many of them `clean` removed. Absent without it. */
  readonly cleaned?: number;
  /** Records that a newer Cambium wrote: sound, and kept, but not to be read by this one. Absent when none. */
  readonly tooNew?: readonly { readonly what: string; readonly reason: string }[];
}

const importing: Signature = [
  ["path", naming],
  taking({ ...PART, ...PROGRESS, format: text, preview: flag }),
];

const exporting: Signature = [
  ["path", filePath],
  taking({
    ...{ ...AT_REF, ...FILTER, ...PROGRESS, overwrite: flag },
    format: oneOf("jsonl", "markdown", "mcp-memory"),
  }),
];

export default { import: importing, export: exporting };
