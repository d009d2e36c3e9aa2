/**
 * Memories that say nearly the same as a text: asked at once when something is written, so that nobody learns of
 * a double, or of a contradiction, months later.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import type { OnBranch } from "./memories.js";

/** A text, or a memory, which then is not among the answers. */
export type SimilarTo = string | { readonly id: string };

/** How similar memories have to be, and how many to return. */
export interface SimilarOptions extends OnBranch {
  /** 1 to 100. Default: 3. */
  readonly limit?: number | undefined;
  /** Minimum share of common word pairs, from 0.1 to 1. Default: 0.5. */
  readonly threshold?: number | undefined;
  /** After them, also memories on the same subject, which may say something else of it. Default: false. */
  readonly related?: boolean | undefined;
}

/** A memory that is similar to what was asked about. */
export interface SimilarMemory extends Memory {
  /** Up to 1, which means the same words in the same order. */
  readonly similarity: number;
  /** `text`: it says nearly the same. `subject`: it is about the same, and is given only if asked for. */
  readonly likeness: "text" | "subject";
}
