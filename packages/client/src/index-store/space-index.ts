/**
 * The index of one space: the one place where the rest of the replica asks it.
 *
 * @module
 */
import {
  type BranchId,
  type BranchPair,
  type BranchState,
  CambiumError,
  type ChangeHash,
  changesUntil,
  type DocumentId,
  decodeReferences,
  type Memory,
  type MemoryId,
  openNow,
  type PlacedWrite,
  type ReadableState,
  type RecordLoader,
  type StateDigest,
  showing,
} from "@cambium/core";
import { ActivityQueries } from "./activity-queries.js";
import type { BranchRow } from "./branch-rows.js";
import { BriefQueries } from "./brief-queries.js";
import { IndexedPair } from "./difference-queries.js";
import { GraphQueries } from "./graph-queries.js";
import { IndexTables, type IndexTablesOptions } from "./index-tables.js";
import { Indexer, type IndexerOptions, type IndexProgress } from "./indexer.js";
import type { FindRecord } from "./interval-store.js";
import { LogQueries } from "./log-queries.js";
import { RecallQueries, type RecallScope } from "./recall-queries.js";
import { INDEX_VERSION } from "./schema.js";
import { METADATA_OF_H } from "./shared-metadata.js";
import { StateDigests } from "./state-digests.js";
import { type IndexedState, StateQueries } from "./state-queries.js";

export type SpaceIndexOptions = Omit<IndexerOptions, "tables"> & IndexTablesOptions;

export class SpaceIndex {
  readonly states: StateQueries;
  readonly log: LogQueries;
  readonly graph: GraphQueries;
  readonly briefs: BriefQueries;
  readonly activity: ActivityQueries;
  readonly #digests: StateDigests;
  readonly #options: SpaceIndexOptions;
  readonly #tables: IndexTables;
  readonly #indexer: Indexer;

  constructor(options: SpaceIndexOptions) {
    this.#options = options;
    this.#tables = new IndexTables(options);
    this.#indexer = new Indexer({ ...options, tables: this.#tables });
    this.states = new StateQueries(this.#tables);
    this.log = new LogQueries(this.#tables);
    this.graph = new GraphQueries(this.#tables);
    this.briefs = new BriefQueries(this.#tables, this.states);
    this.activity = new ActivityQueries(this.#tables);
    this.#digests = new StateDigests(this.#tables);
  }

  /** What recall needs to know of one state. */
  recallState(scope: RecallScope): RecallQueries {
    return new RecallQueries(this.#tables, scope, this.#tables.listPassing(scope.state.exceptions));
  }

  get tables(): IndexTables {
    return this.#tables;
  }

  /** See `IndexDatabase.generation`. */
  get generation(): number {
    return this.#tables.index.generation;
  }

  onProgress(listener: (progress: IndexProgress) => void): () => void {
    return this.#indexer.onProgress(listener);
  }

  /** The branch, in step with its document. */
  prepare(branch: BranchId): Promise<BranchRow> {
    return this.#indexer.prepare(branch);
  }

  /** What there is, without catching up first. */
  status(headsOf: (document: DocumentId) => readonly ChangeHash[]) {
    const { index, rows } = this.#tables;
    const all = rows.all();
    const isInStep = all.every(({ document, heads }) => {
      const now = headsOf(document);
      return now.length === heads.size && now.every((head) => heads.has(head));
    });
    const [records] = index.prepare("SELECT count(*) FROM forms").get() as unknown as [number];
    return {
      state: isInStep ? ("ready" as const) : ("behind" as const),
      ...{ version: INDEX_VERSION, records, branches: all.length, sizeBytes: index.sizeBytes },
    };
  }

  /** The row of a branch that was prepared; undefined when it has to be prepared again. */
  row(branch: BranchId): BranchRow | undefined {
    return this.#tables.rows.get(branch);
  }

  /** Reads its whole file. @returns what is wrong with it; then it is rebuilt at the next read */
  verify(): Promise<string | undefined> {
    return this.#tables.index.verify();
  }

  /** See `Indexer.takeOutPruned`. */
  takeOutPruned(): Promise<void> {
    return this.#indexer.takeOutPruned();
  }

  /** Throws the index away. */
  clear(): void {
    this.#indexer.clear();
  }

  close(): void {
    this.#indexer.close();
    this.#tables.close();
  }

  /** Opens records from the index, and from their packs while they are not in it. */
  readonly load: RecordLoader = (reference, memory) => {
    const record = this.#indexer.kept(reference.record);
    if (record?.memory === memory) return { status: "here", record };
    return this.#options.packs.read(reference, memory);
  };

  /** The same, kept for the next session: for records that stand on no branch, such as the names of branches. */
  readonly loadAndKeep: RecordLoader = async (reference, memory) => {
    this.#tables.index.refuseClosed();
    try {
      const reading = await this.load(reference, memory);
      if (reading.status === "here" && this.#tables.snapshots.idOf(reference.record) === undefined) {
        this.#tables.index.begin();
        this.#tables.snapshots.addRecord(reading.record);
      }
      return reading;
    } catch (error) {
      if (!this.#tables.index.isDamaged) throw error;
      return this.#options.packs.read(reference, memory); // the index is rebuilt when a branch is read
    }
  };

  /** Two branches, as planning a merge of one into the other needs them. Of what differs now, at once. */
  pairOf(source: BranchRow, target: BranchRow, at: number): BranchPair {
    return new IndexedPair(this.#tables, { source, target, at, whole: (row) => this.wholeState(row) });
  }

  /** The whole branch in memory, as undo needs it. */
  wholeState(row: BranchRow): BranchState {
    return { history: this.#indexer.historyOf(row), times: this.#tables.changes.timesOf(row) };
  }

  /** What reading one memory needs, as it is now. */
  memoryState(row: BranchRow, id: MemoryId): ReadableState & { readonly writes: readonly PlacedWrite[] } {
    const { state, writes } = this.#tables.writes.writesOf(row, this.#tables.memories.numberOf(id));
    return { ...state, writes };
  }

  /** What a branch has of a memory, also of a concealed one; undefined where nothing is readable. */
  async whateverOf(row: BranchRow, id: MemoryId): Promise<Memory | undefined> {
    const { state, writes } = this.#tables.writes.writesOf(row, this.#tables.memories.numberOf(id));
    if (writes.length === 0) return undefined;
    return this.#indexer.withRecords((find) =>
      openNow(showing(state, id), (reference) => find(reference, id)),
    );
  }

  /** The state that certain changes led to. */
  stateAtHeads(row: BranchRow, heads: readonly ChangeHash[]): Promise<IndexedState> {
    return this.#indexer.withRecords(this.#stateMaker(row, heads));
  }

  /**
   * The same, in this tick.
   *
   * @returns undefined when a record has to be opened first
   */
  stateAtHeadsNow(row: BranchRow, heads: readonly ChangeHash[]): IndexedState | undefined {
    return this.#indexer.withRecordsAtHand(this.#stateMaker(row, heads));
  }

  #stateMaker(row: BranchRow, heads: readonly ChangeHash[]): (find: FindRecord) => IndexedState {
    const { states } = this;
    const isNow = heads.length === row.heads.size && heads.every((head) => row.heads.has(head));
    const timesThen = (): ReturnType<Indexer["timesAt"]> => this.#indexer.timesAt(row, heads);
    if (isNow) return () => this.#fixed(states.stateAt(row, undefined), timesThen);
    if (heads.length === 0) return () => states.stateAt(row, Number.NEGATIVE_INFINITY); // before everything
    const [head] = heads;
    const place =
      heads.length === 1 && head !== undefined ? this.#tables.changes.placeOf(row, head) : undefined;
    if (place?.isClosed === true)
      return (find) => this.#fixed(states.stateAtClosed(row, place, { find, timesThen }), timesThen);
    const set = this.#indexer.historyOf(row).ancestors(heads);
    return (find) => this.#fixed(states.stateOf(row, set, { find, timesThen }), timesThen);
  }

  /** What is known of clocks by now has no say in a state that heads name. */
  #fixed(state: IndexedState, timesThen: NonNullable<IndexedState["timesThen"]>): IndexedState {
    return this.#tables.correctionsNoted === "" ? state : { ...state, timesThen };
  }

  /** The digest of a state that certain changes led to, in this tick. Default: of the branch as it is now. */
  digestAt(row: BranchRow, heads?: readonly ChangeHash[]): StateDigest {
    const isNow = heads?.length === row.heads.size && heads.every((head) => row.heads.has(head));
    if (heads === undefined || isNow) return this.#digests.now(row);
    const [head] = heads;
    const place =
      heads.length === 1 && head !== undefined ? this.#tables.changes.placeOf(row, head) : undefined;
    if (place?.isClosed === true) return this.#digests.atSize(row, place.position + 1);
    return this.#digests.at(row, this.#indexer.historyOf(row).ancestors(heads));
  }

  /**
   * Of these changes those that none of the others builds on.
   *
   * @throws {CambiumError} HEADS_NOT_HERE when the branch lacks one
   */
  headsAmong(row: BranchRow, hashes: readonly ChangeHash[]): readonly ChangeHash[] {
    if (hashes.length === 0) return [];
    const isHere = hashes.every((hash) => this.#tables.changes.placeOf(row, hash) !== undefined);
    if (isHere && hashes.length === 1) return hashes;
    const history = this.#indexer.historyOf(row);
    return history.headsOf(history.ancestors(hashes));
  }

  /** The newest changes of the branch at a date, or now. */
  headsAt(row: BranchRow, at: number | undefined): readonly ChangeHash[] {
    if (at === undefined) return [...row.heads].sort();
    const last = this.#tables.changes.lastPlaceUntil(row, at);
    if (last === undefined) return [];
    if (last.isClosed) return [last.hash];
    const { history, times } = this.wholeState(row);
    return history.headsOf(changesUntil(times, at));
  }

  /**
   * The newest change that wrote a memory pinned to this commit.
   *
   * @throws {CambiumError} BAD_REF
   */
  changeAtCommit(row: BranchRow, commit: string): ChangeHash {
    const rows = this.#tables.index
      .prepare(
        `SELECT f.memory, lower(hex(f.hash)) FROM forms f CROSS JOIN forms h ON h.id = ifnull(f.about_of, f.id)
         WHERE f.hash IS NOT NULL AND substr(json_extract(${METADATA_OF_H}, '$.git.commit'), 1, ?) = ?`,
      )
      .all(commit.length, commit) as unknown as [number, string][];
    const shown = rows.filter(([number]) => !this.#tables.concealed.has(number));
    const pinned = new Set(shown.map(([, hash]) => hash));
    let newest = -1;
    for (const memory of new Set(shown.map(([number]) => number))) {
      const { writes, positions } = this.#tables.writes.writesOf(row, memory);
      for (const [index, { value }] of writes.entries()) {
        const references = value instanceof Uint8Array ? (decodeReferences(value) ?? []) : [];
        if (references.some(({ record }) => pinned.has(record)))
          newest = Math.max(newest, positions[index] as number);
      }
    }
    const hash = this.#tables.changes.hashAt(row, newest);
    if (hash !== undefined) return hash;
    throw new CambiumError("BAD_REF", `No memory on this branch is pinned to the commit ${commit}.`, {
      hint: "Pin memories to commits when you write them: { git: { commit } }.",
    });
  }
}
