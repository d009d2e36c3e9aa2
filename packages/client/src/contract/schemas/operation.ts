/**
 * What is said of an operation besides its route: what it does, what goes in and what comes out.
 *
 * @module
 */
import type * as z from "zod";

export interface RequestSpec {
  /** A few words, in the imperative. */
  readonly summary: string;
  /** Sentences that a person needs to use it. */
  readonly description?: string;
  /** Of the flat input: path, query and body together. Unknown keys are refused. */
  readonly request: z.ZodObject;
}

export interface Operation extends RequestSpec {
  /** The room it stands in. */
  readonly tag: string;
  readonly response: z.ZodType;
}
