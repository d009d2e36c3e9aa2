/**
 * Forms of what a state that heads name shows of memories, where no record and no branch at any time says the same.
 * They are there while such a state is searched, and never kept.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import type { SnapshotId } from "./snapshot-columns.js";
import type { SnapshotStore } from "./snapshot-store.js";

export interface PassingShown {
  /** By memory: the record that says all of it, or a passing form. */
  readonly snapshots: ReadonlyMap<number, SnapshotId>;
  /** To be listed. */
  readonly added: readonly (readonly [SnapshotId, Memory])[];
  /** Those of the state before that this one has no use for. */
  readonly left: readonly SnapshotId[];
}

export class PassingSnapshots {
  readonly #snapshots: SnapshotStore;
  /** By everything they show. The same state is often asked about several times. */
  #passing = new Map<string, SnapshotId>();

  constructor(snapshots: SnapshotStore) {
    this.#snapshots = snapshots;
  }

  clear(): void {
    this.#passing.clear();
  }

  show(shown: Iterable<readonly [number, Memory | undefined]>): PassingShown {
    const [snapshots, added, before] = [
      new Map<number, SnapshotId>(),
      [] as [SnapshotId, Memory][],
      this.#passing,
    ];
    this.#passing = new Map();
    for (const [number, memory] of shown) {
      if (memory === undefined || memory.deleted) continue;
      const record = this.#snapshots.recordWithContent(memory);
      const text = record === undefined ? JSON.stringify(memory) : "";
      const snapshot = record ?? before.get(text) ?? this.#snapshots.addMerged(memory);
      if (record === undefined && !before.delete(text)) added.push([snapshot, memory]);
      if (record === undefined) this.#passing.set(text, snapshot);
      snapshots.set(number, snapshot);
    }
    return { snapshots, added, left: [...before.values()] };
  }

  /** All there are; from now on there are none. */
  takeAll(): readonly SnapshotId[] {
    const all = [...this.#passing.values()];
    this.#passing.clear();
    return all;
  }
}
