/**
 * Which memories of a state are part of a knowledge graph, by the names they speak of.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import type { GraphRole } from "./graph-words.js";
import type { IndexTables } from "./index-tables.js";
import type { IndexedState } from "./state-queries.js";

/** A memory, and its place in the order in which memories came to this index. */
export interface NumberedMemory {
  readonly number: number;
  readonly memory: Memory;
}

export class GraphQueries {
  readonly #tables: IndexTables;

  constructor(tables: IndexTables) {
    this.#tables = tables;
  }

  /** All that the state has, forgotten ones too. */
  all(state: IndexedState): readonly NumberedMemory[] {
    const rows = this.#tables.index.prepare("SELECT DISTINCT memory FROM graph_ends").all() as unknown as [
      number,
    ][];
    return this.#shown(state, rows);
  }

  /** Those that speak of one of these names in one of these roles. */
  about(
    state: IndexedState,
    words: readonly string[],
    roles: readonly GraphRole[],
  ): readonly NumberedMemory[] {
    const rows = this.#tables.index
      .prepare(
        `SELECT DISTINCT e.memory FROM json_each(?) n CROSS JOIN json_each(?) r
         CROSS JOIN graph_ends e ON e.name = n.value AND e.role = r.value`,
      )
      .all(JSON.stringify(words), JSON.stringify(roles)) as unknown as [number][];
    return this.#shown(state, rows);
  }

  #shown(state: IndexedState, rows: readonly (readonly [number])[]): readonly NumberedMemory[] {
    const { intervals, snapshots } = this.#tables;
    const numbers = rows.map(([number]) => number).sort((a, b) => a - b);
    const shown = snapshots.memories(intervals.shownOf(state.levels, numbers));
    return numbers.flatMap((number, place) => {
      const memory = state.exceptions.has(number) ? state.exceptions.get(number) : shown[place];
      return memory === undefined ? [] : [{ number, memory }];
    });
  }
}
