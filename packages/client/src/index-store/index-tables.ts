/**
 * The tables of the index, put together.
 *
 * @module
 */
import { type BranchId, type Memory, mainBranchId, type RecordHash, type SpaceId } from "@cambium/core";
import { BranchDistances } from "./branch-distances.js";
import { type BranchRow, BranchRows } from "./branch-rows.js";
import { ChangeStore } from "./change-store.js";
import { ConcealedMemories } from "./concealed-memories.js";
import { IndexDatabase } from "./index-database.js";
import { IntervalStore } from "./interval-store.js";
import { MemoryNumbers } from "./memory-numbers.js";
import { MemoryWritesReader } from "./memory-writes.js";
import { PassingSnapshots } from "./passing-snapshots.js";
import { LISTINGS, type Listing, type SnapshotId } from "./snapshot-columns.js";
import { type Searchable, SnapshotStore } from "./snapshot-store.js";

/** Full text over forms. */
export interface TextLists {
  readonly schema: string;
  attach(index: IndexDatabase): void;
  take(snapshot: SnapshotId, fields: () => Searchable, from: Listing): void;
  put(snapshot: SnapshotId, fields: () => Searchable, to: Listing): void;
  /** Rewrites a list, in one piece and without the words of the forms that were taken out. */
  tidy(list: "now" | "past"): void;
  /** Rewrites both without the words of what was taken out, in short steps. */
  purgeInSteps(): Iterable<undefined>;
  /** Much is about to come: it is put in order at the end. */
  beginRebuild(): void;
  finish(): void;
}

export interface IndexTablesOptions {
  readonly path: string;
  readonly space: SpaceId;
  readonly texts: TextLists;
}

/**
 * Forms that went from one list to the other, as part of what a list holds, until it is rewritten. Till then the one
 * takes their room as well, and the other lies in pieces.
 */
const MAX_PASSED = 1 / 4;
/** Fewer are not worth it. */
const MIN_PASSED = 256;

/** As many as fit into memory with all they say. */
const MOVED_AT_ONCE = 1_024;

/** The note that counts them; with the name of a list, how many they were when that was last rewritten. */
const PASSED = "passed";

/** The note that counts the rows which have lost their text since the pages were last filled. */
const SHORTENED = "shortened";
/** As part of all forms: pages are a third empty when most rows of a memory were shortened and one has grown. */
const MAX_SHORTENED = 1 / 8;

/** A form, where it is listed, and where it belongs. */
interface Move {
  readonly snapshot: SnapshotId;
  readonly from: Listing;
  readonly to: Listing;
  readonly isMerged: boolean;
}

export class IndexTables {
  readonly index: IndexDatabase;
  readonly memories: MemoryNumbers;
  readonly concealed: ConcealedMemories;
  readonly snapshots: SnapshotStore;
  readonly changes: ChangeStore;
  readonly writes: MemoryWritesReader;
  readonly distances: BranchDistances;
  readonly rows: BranchRows;
  readonly intervals: IntervalStore;
  readonly #main: BranchId;
  readonly #texts: TextLists;
  readonly #toRelist = new Set<SnapshotId>();
  readonly #passing: PassingSnapshots;
  /** While a branch is taken in from its beginning, forms go at once on the lists where they will be in the end. */
  #isBulkLoad = false;
  #correctionsNoted: string | undefined;

  constructor({ path, space, texts }: IndexTablesOptions) {
    this.#main = mainBranchId(space);
    this.#texts = texts;
    this.index = new IndexDatabase(path, texts.schema);
    this.memories = new MemoryNumbers(this.index);
    this.concealed = new ConcealedMemories(this.index, this.memories);
    this.snapshots = new SnapshotStore(space, this.index, this.memories);
    this.changes = new ChangeStore(this.index, this.memories);
    this.writes = new MemoryWritesReader(this.index, this.memories);
    this.distances = new BranchDistances(this.index);
    this.rows = this.#attached();
    this.intervals = new IntervalStore(this.index, this.memories, this.snapshots, this.concealed);
    this.#passing = new PassingSnapshots(this.snapshots);
  }

  /** The first look at the file: what is wrong with it may show here. */
  #attached(): BranchRows {
    try {
      this.#texts.attach(this.index);
      return new BranchRows(this.index);
    } catch {
      this.index.clear();
      this.#texts.attach(this.index);
      return new BranchRows(this.index);
    }
  }

  /** Throws everything away. */
  clear(): void {
    this.index.clear();
    this.#texts.attach(this.index);
    this.memories.clear();
    this.concealed.clear();
    this.snapshots.clear();
    this.changes.clear();
    this.rows.reload();
    this.intervals.takeTouched();
    this.#toRelist.clear();
    this.#passing.clear();
    this.#isBulkLoad = false;
    this.#correctionsNoted = undefined;
  }

  /** Which corrections of clocks the times take into account. */
  get correctionsNoted(): string {
    this.#correctionsNoted ??= this.#note("corrections") ?? "";
    return this.#correctionsNoted;
  }

  set correctionsNoted(text: string) {
    this.#correctionsNoted = text;
    this.#setNote("corrections", text);
  }

  /** Notes forms that may have to be on another list of the search; see `bringListsUpToDate`. */
  relist(snapshots: Iterable<SnapshotId>): void {
    if (this.#isBulkLoad) return; // see `#endBulkLoad`
    for (const snapshot of snapshots) this.#toRelist.add(snapshot);
  }

  /**
   * Puts forms on the lists where they belong now; merged ones that show nowhere are removed.
   *
   * Many at once and in the order of their ids: FTS5 writes out what it has gathered whenever one comes
   * that is less than the last.
   */
  bringListsUpToDate(): void {
    if (this.#isBulkLoad) this.#endBulkLoad(); // a search asks for what is shown so far
    const added = this.snapshots.takeAdded();
    this.relist(added.keys());
    if (this.#toRelist.size === 0) return;
    this.index.begin();
    const moves = this.#movesOf(this.#toRelist);
    this.#toRelist.clear();
    for (let start = 0; start < moves.length; start += MOVED_AT_ONCE)
      this.#move(moves.slice(start, start + MOVED_AT_ONCE), added);
  }

  /**
   * Lists what only a state that heads name shows, so that it is found by its words: until the next such state is
   * searched, or everything is kept.
   *
   * @returns the form of each memory that is readable and not forgotten
   */
  listPassing(shown: Iterable<readonly [number, Memory | undefined]>): ReadonlyMap<number, SnapshotId> {
    this.bringListsUpToDate();
    const { snapshots, added, left } = this.#passing.show(shown);
    if (added.length > 0) this.index.begin();
    for (const [snapshot, memory] of added) {
      this.#texts.put(snapshot, () => memory, "past");
      this.#setListing(snapshot, "past");
    }
    this.relist(left);
    return snapshots;
  }

  /**
   * Takes forms off their lists before what they say is changed; `relist` and `bringListsUpToDate` put them back.
   *
   * @param snapshots - in the order of their ids
   */
  unlist(snapshots: readonly SnapshotId[]): void {
    const listed = snapshots
      .map((snapshot) => ({ snapshot, from: this.#listingOf(snapshot)[0] }))
      .filter(({ from }) => from !== "nowhere");
    const read = this.snapshots.memories(
      listed.map(({ snapshot }) => ({ snapshot, version: 0, versions: 0 })),
    );
    for (const [place, { snapshot, from }] of listed.entries()) {
      this.#texts.take(snapshot, () => read[place] as Memory, from);
      this.#setListing(snapshot, "nowhere");
    }
  }

  /** Forms that only a state named by heads showed are shown no more. */
  dropPassing(): void {
    this.relist(this.#passing.takeAll());
    this.bringListsUpToDate();
  }

  /** Leaves nothing of what was taken off the lists, in short steps; to be asked when nothing is about to be listed. */
  purgeLists(): Iterable<undefined> {
    return this.#texts.purgeInSteps();
  }

  #setListing(snapshot: SnapshotId, to: Listing): void {
    this.index.prepare("UPDATE forms SET listed = ? WHERE id = ?").run(LISTINGS.indexOf(to), snapshot);
  }

  /** Where the lists are foreseen: at once, before the texts have grown old in memory. */
  putPredicted(): void {
    if (!this.#isBulkLoad) return;
    for (const [snapshot, fields] of this.snapshots.takeAdded())
      this.#texts.put(snapshot, () => fields, fields.listed);
  }

  /** What the end of the history has not borne out is put right. */
  #endBulkLoad(): void {
    this.putPredicted();
    this.#isBulkLoad = false;
    this.snapshots.endRebuild();
    this.changes.endRebuild();
    this.relist(this.intervals.listedElsewhere(this.rows.get(this.#main)));
  }

  #movesOf(snapshots: Iterable<SnapshotId>): readonly Move[] {
    const main = this.rows.get(this.#main);
    return [...snapshots].sort((a, b) => a - b).map((snapshot) => this.#moveOf(snapshot, main));
  }

  #move(moves: readonly Move[], added: ReadonlyMap<SnapshotId, Searchable>): void {
    const moved = moves.filter(({ from, to }) => from !== to);
    const unread = moved.filter(({ snapshot }) => !added.has(snapshot));
    const read = this.snapshots.memories(
      unread.map(({ snapshot }) => ({ snapshot, version: 0, versions: 0 })),
    );
    const readBySnapshot = new Map(unread.map(({ snapshot }, place) => [snapshot, read[place]]));
    const fieldsOf = (snapshot: SnapshotId) =>
      (added.get(snapshot) ?? readBySnapshot.get(snapshot)) as Searchable;
    for (const { snapshot, from, to } of moved) {
      this.#texts.take(snapshot, () => fieldsOf(snapshot), from);
      this.#texts.put(snapshot, () => fieldsOf(snapshot), to);
    }
    for (const { snapshot, from, to, isMerged } of moves) {
      if (from !== to) this.#setListing(snapshot, to);
      if (to === "nowhere" && isMerged) this.snapshots.removeMerged(snapshot);
    }
    const passed = moved.filter(({ from }) => from === "now").length;
    if (passed > 0) this.#setNote(PASSED, String(this.#counted(PASSED) + passed));
  }

  #counted(note: string): number {
    return Number(this.#note(note) ?? 0);
  }

  /** At a time when nobody waits: it takes a fifth of rebuilding the lists. */
  #tidyLists(): void {
    const { index } = this;
    const [memories] = index.prepare("SELECT count(*) FROM memories").get() as unknown as [number];
    this.#tidyList("now", memories);
    this.#tidyList("past", this.#lastSnapshot());
  }

  #lastSnapshot(): SnapshotId {
    const row = this.index.prepare("SELECT ifnull(max(id), 0) FROM forms").get();
    return (row as unknown as [SnapshotId])[0];
  }

  #tidyList(list: "now" | "past", size: number): void {
    const passed = this.#counted(PASSED);
    const since = passed - this.#counted(`${PASSED} ${list}`);
    if (since < MIN_PASSED || since < size * MAX_PASSED) return;
    this.index.begin();
    this.#texts.tidy(list);
    this.#setNote(`${PASSED} ${list}`, String(passed));
    this.index.commit();
  }

  /** So many rows lost their text, or were written anew because of it. */
  noteShortened(rows: number): void {
    this.#setNote(SHORTENED, String(this.#counted(SHORTENED) + rows));
  }

  /** At a time when nobody waits. */
  #fillPages(): void {
    const shortened = this.#counted(SHORTENED);
    if (shortened < MIN_PASSED || shortened < this.#lastSnapshot() * MAX_SHORTENED) return;
    this.index.begin();
    this.#setNote(SHORTENED, "0");
    this.index.fillPages();
  }

  /** Keeps everything, on the lists where it belongs. What was begun again is whole from now on. */
  commit(): void {
    this.dropPassing();
    if (this.index.isHalfMade) this.#texts.finish();
    this.index.commit();
    this.index.finish();
  }

  /** The same while much is taken in. */
  commitMeanwhile(): void {
    if (this.#isBulkLoad) this.putPredicted();
    else this.dropPassing();
    this.index.commit();
  }

  /**
   * Much is about to be taken in, and nothing is here yet: it is kept once it is whole. See `commit`.
   *
   * @param shown - records that the branch shows in the end, as far as that is known
   */
  beginRebuild({ branch }: BranchRow, shown: ReadonlySet<RecordHash>): void {
    this.index.beginRebuild();
    this.#texts.beginRebuild();
    const isMain = branch === this.#main;
    this.changes.beginRebuild();
    this.snapshots.beginRebuild((record) => (isMain && shown.has(record) ? "now" : "past"));
    this.#isBulkLoad = true;
  }

  get isEmpty(): boolean {
    return this.index.prepare("SELECT 1 FROM changes LIMIT 1").get() === undefined;
  }

  close(): void {
    if (this.index.isOpen) {
      this.commit();
      this.#tidyLists();
      this.#fillPages();
    }
    this.index.close();
  }

  #moveOf(snapshot: SnapshotId, main: BranchRow | undefined): Move {
    const [from, isMerged, memory] = this.#listingOf(snapshot);
    const isNow = this.intervals.showsNow(main, memory, snapshot);
    // Heads may name a state that no date does: what it shows is a record that no branch ever showed.
    const to = isMerged && !isNow && !this.intervals.showsEver(memory, snapshot) ? "nowhere" : "past";
    return { snapshot, from, to: isNow ? "now" : to, isMerged };
  }

  #listingOf(snapshot: SnapshotId): readonly [Listing, isMerged: boolean, memory: number] {
    const row = this.index
      .prepare("SELECT listed, hash IS NULL, memory FROM forms WHERE id = ?")
      .get(snapshot);
    const [listed, isMerged, memory] = row as unknown as [number, number, number];
    return [LISTINGS[listed] ?? "nowhere", isMerged === 1, memory];
  }

  #setNote(key: string, value: string): void {
    this.index.prepare("INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)").run(key, value);
  }

  #note(key: string): string | undefined {
    const row = this.index.prepare("SELECT value FROM notes WHERE key = ?").get(key);
    return (row as unknown as [string] | undefined)?.[0];
  }
}
