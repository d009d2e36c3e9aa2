/**
 * Taking pruned texts out of the index where they are, a few memories in a turn, while others read and write. Rebuilding
 * the index would do it too, and make them wait for all of it.
 *
 * Plan: of every form, ask whether its text is pruned; of a memory that has such a one, take the forms off the lists,
 * write their rows without the text, and make the intervals again where versions were merged; in the end, rewrite the
 * lists in steps and empty the log. It begins again after a crash, and finds what is left.
 *
 * @module
 */
import { bytesToHex, type ErasureRules, type PartHash } from "@cambium/core";
import { ShortTurns } from "../platform/short-turns.js";
import type { IndexTables } from "./index-tables.js";
import type { Ingester } from "./ingester.js";
import type { RecordFinder } from "./record-finder.js";
import { HASH_BYTES, type SnapshotId } from "./snapshot-columns.js";

export interface PrunedTextsOptions {
  readonly tables: IndexTables;
  readonly ingester: Ingester;
  readonly records: RecordFinder;
  readonly rules: () => ErasureRules;
  /** Keeps what was done so far, if that may be kept now. */
  readonly commit: () => void;
}

/** Forms of a memory, and those of them that lose their text. */
interface PrunedMemory {
  readonly all: SnapshotId[];
  readonly pruned: Set<SnapshotId>;
}

/** Memories in a turn: their forms go on and off the lists together, in the order of their ids. */
const MEMORIES_AT_ONCE = 8;
const FORMS_AT_ONCE = 512;
/** Each look may be followed by writes; so often something else is wrong. */
const MAX_LOOKS = 10;

export class PrunedTexts {
  readonly #options: PrunedTextsOptions;
  readonly #turns = new ShortTurns({ pieces: 1 });

  constructor(options: PrunedTextsOptions) {
    this.#options = options;
  }

  /** When it resolves, the tables hold none of the texts; the log may, until it is emptied. */
  async takeOut(): Promise<void> {
    const { index } = this.#options.tables;
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      const { generation } = index;
      const found = await this.#find();
      if (found.size === 0) break;
      const memories = [...found];
      for (let start = 0; start < memories.length; start += MEMORIES_AT_ONCE) {
        await this.#turns.piece();
        if (index.generation !== generation) break; // what is begun again has none of these forms
        this.#prune(memories.slice(start, start + MEMORIES_AT_ONCE));
      }
    }
    await this.#settle();
    await this.#turns.piece();
    this.#options.tables.dropPassing();
    for (const _ of this.#options.tables.purgeLists()) await this.#turns.piece();
  }

  /** Memories with a form that still has a text which is pruned. */
  async #find(): Promise<ReadonlyMap<number, PrunedMemory>> {
    const { tables, rules } = this.#options;
    const [byMemory, concerned] = [new Map<number, PrunedMemory>(), new Map<number, PrunedMemory>()];
    const { generation } = tables.index;
    const labels = new Map<number, boolean>();
    for (let last = 0; ; ) {
      await this.#turns.piece();
      if (tables.index.generation !== generation) return this.#find();
      const rows = tables.index.prepare(SELECT_FORMS).all(last, FORMS_AT_ONCE) as unknown as FormRow[];
      for (const [id, memory, part, name] of rows) {
        const known = byMemory.get(memory) ?? { all: [], pruned: new Set() };
        byMemory.set(memory, known);
        known.all.push(id);
        if (part === null || !rules().coversPart(bytesToHex(part) as PartHash)) continue;
        const isName = labels.get(name) ?? tables.snapshots.metadata(id).type === "name";
        labels.set(name, isName);
        if (isName || tables.snapshots.metadata(id).erased !== undefined) continue;
        known.pruned.add(id);
        concerned.set(memory, known);
      }
      if (rows.length < FORMS_AT_ONCE) return concerned;
      last = (rows.at(-1) as FormRow)[0];
    }
  }

  /** In one tick, so that nobody sees a part of it. */
  #prune(found: readonly (readonly [number, PrunedMemory])[]): void {
    const { tables, records, commit } = this.#options;
    const { index, snapshots, intervals } = tables;
    tables.bringListsUpToDate();
    index.begin();
    const memories = found.map(([memory, { all, pruned }]) => {
      const newer = index
        .prepare("SELECT id FROM forms WHERE id > ? AND memory = ?")
        .all(all.at(-1) as number, memory);
      return { memory, pruned, all: [...all, ...(newer as unknown as [SnapshotId][]).map(([id]) => id)] };
    });
    const isMerged = index.prepare("SELECT 1 FROM forms WHERE id = ? AND hash IS NULL");
    const listed = memories.flatMap(({ all, pruned }) =>
      all.filter((id) => pruned.has(id) || isMerged.get(id) !== undefined),
    );
    tables.unlist(listed.sort((a, b) => a - b));
    const forgetKey = index.prepare("DELETE FROM text_keys WHERE form = ?");
    for (const { memory, all, pruned } of memories) {
      tables.noteShortened(snapshots.prune(all, pruned).length);
      for (const id of pruned) forgetKey.run(id);
      records.forgetRecent();
      if (!this.#isLine(all)) this.#remakeIntervals(memory);
    }
    tables.relist(listed);
    tables.relist(intervals.takeTouched());
    tables.bringListsUpToDate();
    commit();
  }

  /** Whether each version was written on the one before, so that none was ever merged. */
  #isLine(all: readonly SnapshotId[]): boolean {
    const select = this.#options.tables.index.prepare(
      "SELECT parent, parents IS NULL, hash FROM forms WHERE id = ?",
    );
    return all.every((id, place) => {
      const [parent, isOnly, hash] = select.get(id) as unknown as [number | null, 0 | 1, Uint8Array | null];
      if (hash === null) return false;
      return place === 0 ? parent === null : isOnly === 1 && parent === all[place - 1];
    });
  }

  /** Makes the intervals that a record has to be opened for. */
  async #settle(): Promise<void> {
    const { tables, ingester } = this.#options;
    for (const row of tables.rows.all())
      await ingester.settle(row, () => tables.rows.get(row.branch) === row);
  }

  #remakeIntervals(memory: number): void {
    const { tables, ingester } = this.#options;
    for (const row of tables.rows.all()) {
      const writes = tables.writes.writesOf(row, memory);
      if (writes.writes.length > 0) ingester.updateIntervals(row, memory, 0, writes);
    }
  }
}

type FormRow = [id: SnapshotId, memory: number, part: Uint8Array | null, type: number];

/** The part of the text comes first. */
const SELECT_FORMS = `SELECT id, memory, substr(parts, 1, ${HASH_BYTES}), type FROM forms WHERE id > ? ORDER BY id LIMIT ?`;
