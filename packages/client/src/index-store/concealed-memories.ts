/**
 * Memories that the index shows nowhere, though it has all of them: they have no intervals, and no change speaks of
 * them. What the catalog says of them is taken over in one place; see the ingester.
 *
 * @module
 */
import type { MemoryId } from "@cambium/core";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";
import type { SnapshotId } from "./snapshot-columns.js";

export class ConcealedMemories {
  readonly #index: IndexDatabase;
  readonly #memories: MemoryNumbers;
  #numbers: Set<number> | undefined;
  #version = 0;

  constructor(index: IndexDatabase, memories: MemoryNumbers) {
    this.#index = index;
    this.#memories = memories;
  }

  /** Differs whenever others are concealed. */
  get version(): number {
    return this.#version;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  has(memory: number): boolean {
    return this.#all.has(memory);
  }

  hasId(id: MemoryId): boolean {
    if (this.isEmpty) return false;
    const number = this.#memories.find(id);
    return number !== undefined && this.has(number);
  }

  get numbers(): ReadonlySet<number> {
    return this.#all;
  }

  /** Those of the forms that are of concealed memories. */
  formsAmong(snapshots: readonly SnapshotId[]): readonly SnapshotId[] {
    if (this.isEmpty) return [];
    const rows = this.#index
      .prepare(
        `SELECT f.id FROM json_each(?) j CROSS JOIN forms f ON f.id = j.value
         CROSS JOIN concealed c ON c.memory = f.memory`,
      )
      .all(JSON.stringify(snapshots)) as unknown as [SnapshotId][];
    return rows.map(([snapshot]) => snapshot);
  }

  set(memory: number, isConcealed: boolean): void {
    const all = this.#all;
    this.#version += 1;
    if (isConcealed) {
      this.#index.prepare("INSERT OR IGNORE INTO concealed VALUES (?)").run(memory);
      all.add(memory);
    } else {
      this.#index.prepare("DELETE FROM concealed WHERE memory = ?").run(memory);
      all.delete(memory);
    }
  }

  clear(): void {
    this.#numbers = undefined;
    this.#version += 1;
  }

  get #all(): Set<number> {
    if (this.#numbers === undefined) {
      const rows = this.#index.prepare("SELECT memory FROM concealed").all() as unknown as [number][];
      this.#numbers = new Set(rows.map(([memory]) => memory));
    }
    return this.#numbers;
  }
}
