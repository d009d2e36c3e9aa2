/**
 * Taking changes into the index: where each stands on its branch and since when it counts, and the intervals of
 * the memories it wrote.
 *
 * @module
 */
import {
  type BranchId,
  type Catalog,
  type Change,
  type ChangeHash,
  type ClockCorrection,
  concealmentsIn,
  effectiveTimes,
  History,
  memoryIdOfKey,
} from "@cambium/core";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import { lineageOf } from "../documents/lineage.js";
import { ShortTurns } from "../platform/short-turns.js";
import type { BranchRow } from "./branch-rows.js";
import type { IndexTables } from "./index-tables.js";
import { LineageTexts } from "./lineage-texts.js";
import { loadHistory } from "./load-history.js";
import { type Placement, placeByDependencies, placeByHistory } from "./placement.js";
import { NotOpened, type RecordFinder } from "./record-finder.js";
import { SingleLines, type TimedWrite } from "./single-lines.js";

export interface IngesterOptions {
  readonly tables: IndexTables;
  readonly catalog: CatalogKeeper;
  readonly records: RecordFinder;
}

/** So many memories are settled before others get on. */
const SETTLED_AT_ONCE = 64;

export class Ingester {
  readonly #tables: IndexTables;
  readonly #catalog: CatalogKeeper;
  readonly #records: RecordFinder;
  readonly #lineages: LineageTexts;
  readonly #histories = new Map<BranchRow, History>();
  /** Of branches that are being followed from their beginning. */
  readonly #lines = new Map<BranchRow, SingleLines>();
  readonly #turns = new ShortTurns({ pieces: SETTLED_AT_ONCE });
  /** Branches of which no memory waits for a record. */
  readonly #settled = new WeakSet<BranchRow>();
  /** The catalog by which memories were concealed last. */
  #concealedBy: Catalog | undefined;

  constructor({ tables, catalog, records }: IngesterOptions) {
    this.#tables = tables;
    this.#catalog = catalog;
    this.#records = records;
    this.#lineages = new LineageTexts(catalog);
  }

  clear(): void {
    this.#histories.clear();
    this.#lines.clear();
    this.#concealedBy = undefined;
  }

  /** The whole history of a branch in memory, kept in step from now on. */
  historyOf(row: BranchRow): History {
    const known = this.#histories.get(row);
    if (known !== undefined) return known;
    const history = loadHistory(this.#tables.index, row, row.parent && this.historyOf(row.parent));
    this.#histories.set(row, history);
    return history;
  }

  /** Since when the changes that led to these heads count by what they say, clocks as they were. */
  timesAt(row: BranchRow, heads: readonly ChangeHash[]): ReadonlyMap<ChangeHash, number> {
    const [whole, history] = [this.historyOf(row), new History()];
    const set = whole.ancestors(heads);
    history.add(whole.changes.filter((_, position) => set[position] === 1));
    const times = effectiveTimes(history, lineageOf(this.#catalog.current, row.branch));
    return new Map(history.changes.map(({ hash }, position) => [hash, times[position] as number]));
  }

  /** Much is about to come: what follows from it alone is not read again, until `endRun`. */
  beginRun(row: BranchRow): void {
    if (row.size === 0) this.#lines.set(row, new SingleLines(this.#records.recent));
  }

  endRun(row: BranchRow): void {
    this.#lines.delete(row);
  }

  /** Where a branch comes from, as far as its times depend on it. */
  lineageOf(branch: BranchId): string {
    return this.#lineages.of(branch);
  }

  /** Whether the branch was placed by what the catalog says now of where it comes from. */
  isOfItsLineage({ branch, lineage }: BranchRow): boolean {
    return this.#lineages.of(branch) === lineage;
  }

  /** Takes changes in: all of it in this tick. */
  take(row: BranchRow, changes: readonly Change[]): Taken {
    const { index, rows } = this.#tables;
    const fresh = changes.filter(({ hash }) => this.#tables.changes.placeOf(row, hash) === undefined);
    if (fresh.length === 0) return NOTHING_TAKEN;
    index.begin();
    const added = this.#keep(row, this.#place(row, fresh));
    rows.save(row);
    return { placed: fresh.length, added };
  }

  #place(row: BranchRow, changes: readonly Change[]): Placement {
    const lineage = lineageOf(this.#catalog.current, row.branch);
    const request = { row, changes, lineage, corrections: this.#corrections() };
    const simple = changes.length === 0 ? undefined : placeByDependencies(request, this.#tables.changes);
    if (simple !== undefined) {
      this.#histories.get(row)?.add(changes);
      return simple;
    }
    return placeByHistory(request, this.historyOf(row), this.#tables.changes.countings(row));
  }

  /** @returns changes that stood on no branch before */
  #keep(row: BranchRow, { placed, retimed, needsHistory }: Placement): readonly Change[] {
    const { changes, memories } = this.#tables;
    const added: Change[] = [];
    const written = new Map<number, WrittenMemory>();
    const touched = (memory: number, at: number): WrittenMemory => {
      const known = written.get(memory) ?? { from: at, writes: [] };
      known.from = Math.min(at, known.from);
      written.set(memory, known);
      return known;
    };
    if (retimed.size > 0) {
      this.endRun(row);
      this.#dropSharers(row, Math.min(...retimed.keys()));
    }
    for (const [memory, at] of changes.retime(row, retimed)) touched(memory, at);
    for (const { change, place } of placed) {
      const { id, isNew } = changes.add(change);
      changes.place(row, id, place);
      if (isNew) added.push(change);
      for (const dep of change.deps) row.heads.delete(dep);
      row.heads.add(change.hash);
      for (const write of change.writes) {
        const memory = memoryIdOfKey(write.key);
        if (memory !== undefined)
          touched(memories.numberOf(memory), place.at).writes.push({ write, at: place.at });
      }
    }
    row.size += placed.length;
    row.lastAt =
      retimed.size > 0
        ? changes.lastTime(row)
        : placed.reduce((last, { place }) => Math.max(last, place.at), row.lastAt);
    row.needsHistory = needsHistory;
    this.#updateEach(
      row,
      [...written].filter(([memory, { writes }]) => !this.#append(row, memory, writes)),
    );
    this.#tables.relist(this.#tables.intervals.takeTouched());
    return added;
  }

  #append(row: BranchRow, memory: number, writes: readonly TimedWrite[]): boolean {
    const lines = this.#lines.get(row);
    if (lines === undefined || row.parent !== undefined || row.children.size > 0) return false;
    const extension = lines.extend(memory, this.#tables.memories.idOf(memory), writes);
    if (extension === undefined) return false;
    this.#tables.intervals.append(row, memory, extension);
    return true;
  }

  #updateEach(row: BranchRow, written: readonly (readonly [memory: number, WrittenMemory])[]): void {
    const froms = new Map(written.map(([memory, { from }]) => [memory, from]));
    for (const [memory, writes] of this.#tables.writes.writesOfMany(row, [...froms.keys()]))
      this.updateIntervals(row, memory, froms.get(memory) as number, writes);
  }

  /** Makes intervals again. They are left as they were when a record has to be opened first. */
  updateIntervals(
    row: BranchRow,
    memory: number,
    from: number,
    writes = this.#tables.writes.writesOf(row, memory),
  ): NotOpened | undefined {
    try {
      this.#tables.intervals.updateIntervals(row, { memory, from, writes }, this.#records.find);
      return undefined;
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error;
      this.postpone(row, memory, from);
      return error;
    }
  }

  postpone(row: BranchRow, memory: number, from: number): void {
    this.#settled.delete(row);
    this.#tables.index
      .prepare(
        `INSERT INTO pending (branch, memory, from_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET from_at = min(from_at, excluded.from_at)`,
      )
      .run(row.id, memory, from);
  }

  /** Asked before every read. */
  hasPending(row: BranchRow): boolean {
    if (this.#settled.has(row)) return false;
    const sql = "SELECT 1 FROM pending WHERE branch = ? LIMIT 1";
    const isPending = this.#tables.index.prepare(sql).get(row.id) !== undefined;
    if (!isPending) this.#settled.add(row);
    return isPending;
  }

  /**
   * Makes the intervals that waited for a record to be opened.
   *
   * @param isKept - whether the row is still there: it may have gone while a record was opened
   */
  async settle(row: BranchRow, isKept: () => boolean): Promise<void> {
    const { index, intervals } = this.#tables;
    const pending = index.prepare("SELECT memory, from_at FROM pending WHERE branch = ?").all(row.id);
    for (const [memory, from] of pending as unknown as [number, number][]) {
      await this.#turns.piece();
      if (!isKept()) return;
      index.begin();
      for (let asked = this.updateIntervals(row, memory, from); asked !== undefined; ) {
        await this.#records.open(asked.reference, asked.memory);
        if (!isKept()) return;
        asked = this.updateIntervals(row, memory, from);
      }
      // Meanwhile it may have been put off from an earlier time on, which is still to be done.
      index
        .prepare("DELETE FROM pending WHERE branch = ? AND memory = ? AND from_at = ?")
        .run(row.id, memory, from);
      this.#tables.relist(intervals.takeTouched());
    }
  }

  /** Where two speak of one change, the same one counts on every device. */
  #corrections(): readonly ClockCorrection[] {
    const { clocks } = this.#catalog.current;
    return [...clocks.keys()].sort().flatMap((id) => clocks.get(id)?.value ?? []);
  }

  /** Whether every time takes into account what is known of clocks. */
  get isCorrected(): boolean {
    return this.#tables.correctionsNoted === correctionsText(this.#catalog.current.clocks.keys());
  }

  /** A clock was found to have been wrong: since when its changes count is different now. */
  retimeIfCorrected(): void {
    if (this.isCorrected) return;
    this.#tables.index.begin();
    for (const row of this.#tables.rows.all()) {
      if (row.size === 0 || this.#tables.rows.get(row.branch) !== row) continue;
      this.#keep(row, this.#place(row, []));
      this.#tables.rows.save(row);
    }
    this.#tables.correctionsNoted = correctionsText(this.#catalog.current.clocks.keys());
  }

  /** Whether exactly those are left out that the catalog says are concealed. */
  get isConcealed(): boolean {
    return this.#concealedBy === this.#catalog.current;
  }

  /** Takes the intervals of memories away that were concealed, and makes those again of what was revealed. */
  followConcealments(): void {
    const { current } = this.#catalog;
    if (this.#concealedBy === current) return;
    const { concealed, memories, rows, index, writes, intervals } = this.#tables;
    const listed = concealmentsIn(current.settings);
    const isNew = [...listed.keys()].some((id) => !concealed.hasId(id));
    if (isNew) index.begin();
    const wanted = new Set([...listed.keys()].map((id) => memories.numberOf(id)));
    const changed = wanted.symmetricDifference(concealed.numbers);
    if (changed.size > 0) index.begin();
    for (const memory of changed) {
      concealed.set(memory, wanted.has(memory));
      for (const row of rows.all()) {
        const ofMemory = writes.writesOf(row, memory);
        if (ofMemory.writes.length > 0) this.updateIntervals(row, memory, 0, ofMemory);
      }
    }
    this.#tables.relist(intervals.takeTouched());
    this.#concealedBy = current;
  }

  /** Forks that share changes from `position` on are followed on their own again. */
  #dropSharers(row: BranchRow, position: number): void {
    for (const child of [...row.children]) if (child.shared > position) this.drop(child);
  }

  /** Forgets a branch and all that share with it: they are followed from their beginning again. */
  drop(row: BranchRow): void {
    const { index, rows, intervals } = this.#tables;
    for (const child of [...row.children]) this.drop(child);
    index.begin();
    intervals.removeAll(row);
    rows.remove(row);
    this.#tables.relist(intervals.takeTouched());
    this.#histories.delete(row);
    this.#lines.delete(row);
  }
}

export interface Taken {
  /** How many of the changes were new to the branch. */
  readonly placed: number;
  /** Those that stood on no branch before. */
  readonly added: readonly Change[];
}

const NOTHING_TAKEN: Taken = { placed: 0, added: [] };

interface WrittenMemory {
  /** The earliest effective time from which it may show something else. */
  from: number;
  readonly writes: TimedWrite[];
}

/** Says which corrections of clocks are taken into account. */
const correctionsText = (ids: Iterable<string>): string => [...ids].sort().join();
