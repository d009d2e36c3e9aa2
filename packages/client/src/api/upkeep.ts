/**
 * Progress, imports, strength, and looking after a space.
 *
 * @module
 */
import type { MemoryId, DecayOptions as Thresholds } from "@cambium/core";
import type { OnBranch } from "./memories.js";

export interface ProgressOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number | undefined;
}

export interface ImportOptions extends OnBranch, ProgressOptions {
  /** Default: found out from the source. */
  readonly format?: ImportResult["format"] | undefined;
}

export interface ImportResult {
  readonly format: "mcp-memory" | "markdown";
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly memories: readonly MemoryId[];
  readonly skipped: readonly { readonly where: string; readonly reason: string }[];
}

export type DecayOptions = OnBranch & Omit<Thresholds, "now">;

export type DuplicateOptions = OnBranch & { readonly threshold?: number | undefined };

export interface MemoryStrength {
  readonly id: MemoryId;
  /** 0 to 1. */
  readonly strength: number;
  readonly uses: number;
  /** Milliseconds since 1970. */
  readonly lastUsedAt?: number;
}

/** The index is derived: it follows the documents, and is made anew when it is lost. */
export interface IndexStatus {
  /** `behind`: it catches up with each branch when that is next read. */
  readonly state: "ready" | "behind";
  readonly version: number;
  /** Snapshots of memories, on all branches and of all times. */
  readonly records: number;
  readonly branches: number;
  readonly sizeBytes: number;
  /** Absent without an embedder. */
  readonly vectors?: {
    readonly model: string;
    readonly done: number;
    readonly total: number;
    readonly problem?: string;
  };
}

export interface LostParts {
  /** Acknowledged writes of branches. */
  readonly writes: number;
  /** Each write, as far as its name is known, and each document that holds less than it did. */
  readonly parts: readonly { readonly what: string; readonly reason: string }[];
}

export interface VerifyResult {
  readonly ok: boolean;
  readonly chunks: number;
  readonly records: number;
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
  /** Records that a newer Cambium wrote: sound, and kept, but not to be read by this one. Absent when none. */
  readonly tooNew?: readonly { readonly what: string; readonly reason: string }[];
}
