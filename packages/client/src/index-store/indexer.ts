/**
 * Keeping the index in step with the documents: each change of a loaded branch in the tick in which it is
 * made, and whatever happened meanwhile before anything is read.
 *
 * @module
 */
import {
  type BranchId,
  CambiumError,
  type Change,
  type ChangeHash,
  type ClockCorrection,
  type DocumentId,
  decodeReferences,
  documentIdFromHex,
  type History,
  memoryIdOfKey,
} from "@cambium/core";
import type { CancelTimer, Timers } from "../network/timers.js";
import * as A from "../replica/automerge.js";
import type { CatalogKeeper } from "../replica/catalog-keeper.js";
import type { Documents, HeadsEvent } from "../replica/documents.js";
import { lineageOf } from "../replica/lineage.js";
import type { Packs } from "../replica/packs.js";
import { idleTimers } from "../uses/idle-timers.js";
import type { BranchRow } from "./branch-rows.js";
import { enterBranch } from "./fork-sharing.js";
import type { IndexTables } from "./index-tables.js";
import { loadHistory } from "./load-history.js";
import { type Placement, placeByDependencies, placeByHistory } from "./placement.js";
import { NotOpened, RecordFinder } from "./record-finder.js";
import type { FindRecord } from "./span-store.js";

export interface IndexerOptions {
  readonly tables: IndexTables;
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  readonly packs: Packs;
  /** The space's key for changes. */
  readonly changeKey: Uint8Array;
  readonly timers?: Timers | undefined;
}

export interface IndexProgress {
  readonly branch: BranchId;
  readonly done: number;
  readonly total: number;
}

const BATCH = 512;
/** Changes, or milliseconds, until what was taken in is committed. */
const COMMIT_AFTER = 4_096;
const COMMIT_AFTER_MS = 1_000;
/** Changes may keep coming while the index catches up; so often something else is wrong. */
const MAX_ATTEMPTS = 1_000;

export class Indexer {
  readonly #options: IndexerOptions;
  readonly #tables: IndexTables;
  readonly #records: RecordFinder;
  readonly #histories = new Map<BranchRow, History>();
  readonly #following = new Map<BranchId, Promise<void>>();
  /** Branches whose documents lack what their entries say they began with. */
  readonly #alone = new Set<BranchId>();
  readonly #changedPacks = new Set<DocumentId>();
  readonly #progressListeners = new Set<(progress: IndexProgress) => void>();
  #uncommitted = 0;
  #cancelCommit: CancelTimer | undefined;
  #isClosed = false;
  #hasRetried = false;
  #failure: unknown;

  constructor(options: IndexerOptions) {
    const { tables, documents, packs } = options;
    this.#options = options;
    this.#tables = tables;
    this.#records = new RecordFinder(tables.index, tables.memories, tables.forms, packs);
    documents.onHeads((event) => this.#onHeads(event));
    documents.onDurable(() => this.#commitSoon());
  }

  /** No commit comes after this but the last one, by whoever closes the tables. */
  close(): void {
    this.#cancelCommit?.();
    this.#isClosed = true;
  }

  /** What is not committed is caught up with after a crash; so commits wait for each other. */
  #commitSoon(): void {
    if (this.#uncommitted >= COMMIT_AFTER) this.#commitIfDurable();
    if (this.#uncommitted === 0 || this.#isClosed || this.#cancelCommit !== undefined) return;
    const { timers = idleTimers } = this.#options;
    this.#cancelCommit = timers.after(COMMIT_AFTER_MS, () => {
      this.#cancelCommit = undefined;
      this.#commitIfDurable();
      this.#commitSoon();
    });
  }

  /** The index never keeps what a crash may take from its documents. */
  #commitIfDurable(): void {
    if (!this.#options.documents.isDurable || this.#isClosed) return;
    this.#tables.commit();
    this.#uncommitted = 0;
  }

  onProgress(listener: (progress: IndexProgress) => void): () => void {
    this.#progressListeners.add(listener);
    return () => this.#progressListeners.delete(listener);
  }

  /** The branch, in step with its document. */
  async prepare(branch: BranchId): Promise<BranchRow> {
    this.#tables.index.refuseClosed();
    if (this.#failure !== undefined || this.#tables.index.isDamaged) this.clear();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const row = this.#tables.rows.get(branch);
      if (row !== undefined && this.#isInStep(row)) return row;
      const following = this.#following.get(branch) ?? this.#follow(branch);
      this.#following.set(branch, following);
      await following.finally(() => this.#following.delete(branch));
    }
    throw new CambiumError("INTERNAL", `The index cannot catch up with the branch ${branch}.`);
  }

  /** Throws everything away; it is made again when it is needed. */
  clear(): void {
    this.#failure = undefined;
    this.#histories.clear();
    this.#alone.clear();
    this.#records.clear();
    this.#tables.clear();
  }

  /** The whole history of a branch in memory, kept in step from now on. */
  historyOf(row: BranchRow): History {
    const known = this.#histories.get(row);
    if (known !== undefined) return known;
    const history = loadHistory(this.#tables.index, row, row.parent && this.historyOf(row.parent));
    this.#histories.set(row, history);
    return history;
  }

  /** Computes something from records that may have to be opened first. */
  async withRecords<Result>(compute: (find: FindRecord) => Result): Promise<Result> {
    for (;;) {
      try {
        return compute(this.#records.find);
      } catch (error) {
        if (!(error instanceof NotOpened)) throw error;
        await this.#records.open(error.reference, error.memory);
      }
    }
  }

  #isInStep(row: BranchRow): boolean {
    if (!this.#hasSameHeads(row.document, row.heads)) return false;
    if (!this.#hasRetried || this.#changedPacks.size > 0) return false;
    return this.#isCorrected() && !this.#hasPending(row);
  }

  #hasSameHeads(document: DocumentId, known: ReadonlySet<ChangeHash>): boolean {
    const heads = this.#options.documents.headsOf(document);
    return heads.length === known.size && heads.every((head) => known.has(head));
  }

  #hasPending(row: BranchRow): boolean {
    const sql = "SELECT 1 FROM pending WHERE branch = ? LIMIT 1";
    return this.#tables.index.prepare(sql).get(row.id) !== undefined;
  }

  #onHeads({ document, doc, change, isReplaced, isLocal }: HeadsEvent): void {
    if (!isLocal) this.#changedPacks.add(document);
    const row = this.#tables.rows.byDocument(document);
    if (row === undefined || this.#failure !== undefined) return;
    try {
      if (isReplaced) this.#drop(row);
      else if (!this.#following.has(row.branch)) this.#takeFrom(row, doc, change);
    } catch (error) {
      this.#failure = error; // a write must not fail because of what can be made anew
    }
  }

  #takeFrom(row: BranchRow, doc: A.Doc<unknown>, change: Change | undefined): void {
    if (change?.deps.every((dep) => row.heads.has(dep)) === true) {
      this.#take(row, [change]);
    } else if (A.hasHeads(doc, [...row.heads])) {
      this.#take(row, this.#decode(A.getChangesSince(doc, [...row.heads])));
    }
  }

  #decode(bytes: readonly Uint8Array[]): readonly Change[] {
    return bytes.map((change) => A.readChange("branch", this.#options.changeKey, change));
  }

  /** Follows a document to where it is now. */
  async #follow(branch: BranchId): Promise<void> {
    await this.#retryAwaited();
    const row = await this.#rowOf(branch);
    this.#retimeIfCorrected();
    const missing = await this.#changesMissing(row);
    if (!this.#isKept(row)) return;
    if (missing === undefined) {
      this.#drop(row);
      this.#alone.add(branch);
      return;
    }
    for (let start = 0; start < missing.length; start += BATCH) {
      const changes = this.#decode(missing.slice(start, start + BATCH));
      await this.#openRecords(changes);
      if (!this.#isKept(row)) return;
      this.#take(row, changes);
      if (this.#uncommitted >= COMMIT_AFTER && this.#options.documents.isDurable) {
        this.#tables.commitWithoutLists();
        this.#uncommitted = 0;
      }
      const done = Math.min(start + BATCH, missing.length);
      for (const listener of this.#progressListeners) listener({ branch, done, total: missing.length });
      await new Promise((resolve) => setImmediate(resolve)); // others want to get on too
    }
    await this.#settle(row);
    this.#commitIfDurable();
  }

  /** While something was awaited, the row may have been forgotten, to be followed from its beginning again. */
  #isKept(row: BranchRow): boolean {
    return this.#tables.rows.get(row.branch) === row;
  }

  async #rowOf(branch: BranchId): Promise<BranchRow> {
    const row = this.#tables.rows.get(branch);
    if (row !== undefined && (row.size > 0 || !this.#hasArrived(row.document))) return row;
    if (row !== undefined) this.#drop(row); // it was asked for before it had arrived
    return this.#begin(branch);
  }

  /** Documents are asked of the relay before anything of them is here. */
  #hasArrived(document: DocumentId): boolean {
    return this.#options.documents.headsOf(document).length > 0;
  }

  /** Enters a branch, sharing what its parent has when that is its beginning. */
  async #begin(branch: BranchId): Promise<BranchRow> {
    const { catalog } = this.#options;
    const entry = catalog.current.branches.get(branch)?.value;
    const document = entry?.document ?? documentIdFromHex(branch);
    const isShareable = this.#hasArrived(document) && !this.#alone.has(branch);
    const parent = isShareable && entry?.parent !== branch ? entry?.parent : undefined;
    let parentRow = parent && (await this.prepare(parent));
    // In this very tick: a fork would keep for good what its parent shows only for now.
    while (parentRow !== undefined && !(this.#isKept(parentRow) && this.#isInStep(parentRow))) {
      parentRow = await this.prepare(parentRow.branch);
    }
    const known = this.#tables.rows.get(branch);
    if (known !== undefined) return known;
    this.#tables.index.begin();
    const forkHeads = entry?.forkHeads ?? [];
    const { row, late } = enterBranch(this.#tables, { branch, document, parent: parentRow, forkHeads });
    for (const memory of late) this.#respan(row, memory, 0);
    this.#tables.relist(this.#tables.spans.takeTouched());
    return row;
  }

  /** @returns undefined when the index knows what the document does not */
  async #changesMissing({ document, heads }: BranchRow): Promise<readonly Uint8Array[] | undefined> {
    const { documents } = this.#options;
    if (this.#hasSameHeads(document, heads)) return [];
    if (!this.#hasArrived(document)) return heads.size === 0 ? [] : undefined;
    const since = (doc: A.Doc<unknown>): readonly Uint8Array[] | null =>
      A.hasHeads(doc, [...heads]) ? A.getChangesSince(doc, [...heads]) : null;
    const loaded = documents.loaded("branch", document);
    const found = loaded === undefined ? await documents.peek("branch", document, since) : since(loaded);
    if (found !== undefined) return found ?? undefined;
    const whole = await documents.load("branch", document); // damaged: what is left of it
    return whole === undefined ? [] : (since(whole) ?? undefined);
  }

  async #openRecords(changes: readonly Change[]): Promise<void> {
    for (const { writes } of changes) {
      for (const { key, value } of writes) {
        const memory = memoryIdOfKey(key);
        if (memory === undefined || !(value instanceof Uint8Array)) continue;
        for (const reference of decodeReferences(value) ?? []) {
          if (!this.#records.isSettled(reference, memory)) await this.#records.open(reference, memory);
        }
      }
    }
  }

  /** Takes changes in: all of it in this tick. */
  #take(row: BranchRow, changes: readonly Change[]): void {
    const { index, rows } = this.#tables;
    const fresh = changes.filter(({ hash }) => this.#tables.changes.placeOf(row, hash) === undefined);
    if (fresh.length === 0) return;
    index.begin();
    this.#uncommitted += fresh.length;
    const placement = this.#place(row, fresh);
    this.#keep(row, placement);
    rows.save(row);
  }

  #place(row: BranchRow, changes: readonly Change[]): Placement {
    const { catalog } = this.#options;
    const lineage = lineageOf(catalog.current, row.branch);
    const request = { row, changes, lineage, corrections: this.#corrections() };
    const simple = changes.length === 0 ? undefined : placeByDependencies(request, this.#tables.changes);
    if (simple !== undefined) {
      this.#histories.get(row)?.add(changes);
      return simple;
    }
    return placeByHistory(request, this.historyOf(row), this.#tables.changes.ownTimes(row));
  }

  #keep(row: BranchRow, { placed, retimed, needsHistory }: Placement): void {
    const { changes, memories, spans } = this.#tables;
    const from = new Map<number, number>();
    const touch = (memory: number, at: number): void => {
      from.set(memory, Math.min(at, from.get(memory) ?? at));
    };
    if (retimed.size > 0) this.#dropSharers(row, Math.min(...retimed.keys()));
    for (const [memory, at] of changes.retime(row, retimed)) touch(memory, at);
    for (const { change, place } of placed) {
      changes.place(row, changes.add(change), place);
      for (const dep of change.deps) row.heads.delete(dep);
      row.heads.add(change.hash);
      for (const { key } of change.writes) {
        const memory = memoryIdOfKey(key);
        if (memory !== undefined) touch(memories.numberOf(memory), place.at);
      }
    }
    row.size += placed.length;
    row.lastAt = Math.max(row.lastAt, ...placed.map(({ place }) => place.at), ...retimed.values());
    row.needsHistory = needsHistory;
    for (const [memory, at] of from) this.#respan(row, memory, at);
    this.#tables.relist(spans.takeTouched());
  }

  /** Spans are left as they were when a record has to be opened first. */
  #respan(row: BranchRow, memory: number, from: number): NotOpened | undefined {
    try {
      this.#tables.spans.respan(row, memory, from, this.#records.find);
      return undefined;
    } catch (error) {
      if (!(error instanceof NotOpened)) throw error;
      this.#postpone(row, memory, from);
      return error;
    }
  }

  #postpone(row: BranchRow, memory: number, from: number): void {
    this.#tables.index
      .prepare(
        `INSERT INTO pending (branch, memory, from_at) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET from_at = min(from_at, excluded.from_at)`,
      )
      .run(row.id, memory, from);
  }

  /** Makes the spans that waited for a record to be opened. */
  async #settle(row: BranchRow): Promise<void> {
    const { index, spans } = this.#tables;
    const pending = index.prepare("SELECT memory, from_at FROM pending WHERE branch = ?").all(row.id);
    for (const [memory, from] of pending as unknown as [number, number][]) {
      index.begin();
      for (let asked = this.#respan(row, memory, from); asked !== undefined; ) {
        await this.#records.open(asked.reference, asked.memory);
        if (!this.#isKept(row)) return;
        asked = this.#respan(row, memory, from);
      }
      // Meanwhile it may have been put off from an earlier time on, which is still to be done.
      index
        .prepare("DELETE FROM pending WHERE branch = ? AND memory = ? AND from_at = ?")
        .run(row.id, memory, from);
      this.#tables.relist(spans.takeTouched());
    }
  }

  /** Looks for awaited records: all of them once, and then where packs have changed. */
  async #retryAwaited(): Promise<void> {
    const changed = this.#hasRetried ? new Set(this.#changedPacks) : undefined;
    if (changed?.size === 0) return;
    this.#changedPacks.clear();
    this.#hasRetried = true;
    const come = await this.#records.retry(changed);
    for (const memory of come) {
      for (const row of this.#tables.rows.all()) {
        if (this.#tables.changes.writesOf(row, memory).writes.length > 0) this.#postpone(row, memory, 0);
      }
    }
  }

  #corrections(): readonly ClockCorrection[] {
    return [...this.#options.catalog.current.clocks.values()].map(({ value }) => value);
  }

  /** Whether every time takes into account what is known of clocks. */
  #isCorrected(): boolean {
    return this.#tables.correctionsNoted === correctionsText(this.#options.catalog.current.clocks.keys());
  }

  /** A clock was found to have been wrong: since when its changes count is different now. */
  #retimeIfCorrected(): void {
    if (this.#isCorrected()) return;
    this.#tables.index.begin();
    for (const row of this.#tables.rows.all()) {
      if (row.size === 0) continue;
      this.#keep(row, this.#place(row, []));
      this.#tables.rows.save(row);
    }
    this.#tables.correctionsNoted = correctionsText(this.#options.catalog.current.clocks.keys());
  }

  /** Forks that share changes from `position` on are followed on their own again. */
  #dropSharers(row: BranchRow, position: number): void {
    for (const child of [...row.children]) if (child.shared > position) this.#drop(child);
  }

  /** Forgets a branch and all that share with it: they are followed from their beginning again. */
  #drop(row: BranchRow): void {
    const { index, rows, spans } = this.#tables;
    for (const child of [...row.children]) this.#drop(child);
    index.begin();
    spans.removeAll(row);
    rows.remove(row);
    this.#tables.relist(spans.takeTouched());
    this.#histories.delete(row);
  }
}

/** Says which corrections of clocks are taken into account. */
const correctionsText = (ids: Iterable<string>): string => [...ids].sort().join();
