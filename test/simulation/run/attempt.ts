/**
 * Trying something that may fail: an error that a caller can act on is an outcome like others.
 *
 * @module
 */
import { isCambiumError } from "../checks/coded-error.ts";
import { isKnownCrash } from "../checks/known.ts";
import { ProcessEndedError } from "../in-process.ts";
import type { WriteBook } from "../steps/write-book.ts";

/** Codes that say that Cambium is at fault, or that data is: no step brings them about. */
const NEVER = new Set(["INTERNAL"]);

/** @throws {CheckFailure} for an error that no caller could act on */
export async function attempt(run: () => Promise<string>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ProcessEndedError) return "ended first";
    if (isKnownCrash(error)) return "disk full, said without a code";
    if (isCambiumError(error) && !NEVER.has(error.code)) return `${error.code} ${error.message}`;
    throw error;
  }
}

/** What a process acknowledges after its end, nobody has heard. */
export function heardBook(book: WriteBook, isAlive: () => boolean): WriteBook {
  return Object.assign(Object.create(book) as WriteBook, {
    acknowledge: (...values: Parameters<WriteBook["acknowledge"]>) => {
      if (isAlive()) book.acknowledge(...values);
    },
    beginBranchDecision: (...values: Parameters<WriteBook["beginBranchDecision"]>) => {
      const acknowledge = book.beginBranchDecision(...values);
      return () => {
        if (isAlive()) acknowledge();
      };
    },
    answer: (...values: Parameters<WriteBook["answer"]>) => {
      if (isAlive()) book.answer(...values);
    },
    saidSynced: (...values: Parameters<WriteBook["saidSynced"]>) => {
      if (isAlive()) book.saidSynced(...values);
    },
    saidNonePending: (...values: Parameters<WriteBook["saidNonePending"]>) => {
      if (isAlive()) book.saidNonePending(...values);
    },
  });
}
