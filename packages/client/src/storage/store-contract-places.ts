/**
 * Where the contract of the stores is tried, and how its checks go about it.
 *
 * @module
 */

import { isCambiumError } from "@cambium/core";
import type { StorageKey } from "./chunk-storage.js";
import { guardMedium } from "./guard.js";
import type { Medium } from "./medium.js";
import type { ReplicaStore } from "./store.js";

/** One place to keep things, fresh for each check. */
export interface StoreHarness {
  /** Opens the place; every earlier store on it has been closed. */
  open(): Promise<Medium>;
  /** Replaces the stored bytes of a chunk behind the store's back, while it is closed. */
  damage(key: StorageKey, change: (bytes: Uint8Array) => Uint8Array): Promise<void>;
}

/** One check of the contract. */
export interface ContractRule {
  /** Of the rule in `docs/spec/client.md`. Several checks may share one. */
  readonly id: string;
  /** What a store has to do, as a sentence. Fit for the title of a test. */
  readonly promise: string;
  /** Rejects with an AssertionError if the store does not keep the promise. */
  check(harness: StoreHarness): Promise<void>;
}

/** Opens a guarded store for `work`, and closes it. */
export async function using<Result>(
  harness: StoreHarness,
  work: (store: ReplicaStore) => Promise<Result>,
): Promise<Result> {
  await using store = guardMedium(await harness.open());
  return await work(store);
}

export const refusedAs = (code: Parameters<typeof isCambiumError>[1]) => (error: unknown) =>
  isCambiumError(error, code);
