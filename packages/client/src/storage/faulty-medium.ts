/**
 * A medium whose disk fills up on demand.
 *
 * @module
 */
import type { Medium, WriteOperation } from "./medium.js";

/** A medium that can be made to fail, and a record of what it was given. */
export interface FaultyMedium {
  /** Passes everything on to the inner medium. */
  readonly medium: Medium;
  /** From now on every commit fails, and changes nothing. */
  fail(): void;
  /** What reached the medium, one entry per commit. */
  readonly commits: readonly (readonly WriteOperation[])[];
}

/** Puts a switch between a guard and a medium, for tests. */
export function withFaults(inner: Medium): FaultyMedium {
  const commits: (readonly WriteOperation[])[] = [];
  let isFull = false;
  const medium: Medium = {
    initial: inner.initial,
    commit: async (operations) => {
      if (isFull) throw Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
      await inner.commit(operations);
      commits.push(operations);
    },
    read: (key) => inner.read(key),
    readRange: (prefix) => inner.readRange(prefix),
    keys: (prefix) => inner.keys(prefix),
    request: (key) => inner.request(key),
    inspect: () => inner.inspect(),
    displaced: () => inner.displaced(),
    close: () => inner.close(),
  };
  const fail = (): void => {
    isFull = true;
  };
  return { medium, fail, commits };
}
