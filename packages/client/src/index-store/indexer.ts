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
  type DocumentId,
  documentIdFromHex,
  type History,
  type MemoryRecord,
  type RecordHash,
} from "@cambium/core";
import * as A from "../documents/automerge.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { HeadsEvent } from "../documents/document-events.js";
import type { VerifiedChanges } from "../documents/verified-changes.js";
import type { BranchRow } from "./branch-rows.js";
import { enterBranch } from "./fork-sharing.js";
import { HistoryReader, type HistoryReaderOptions, recordsOf } from "./history-reader.js";
import { IndexCommits, type IndexCommitsOptions } from "./index-commits.js";
import type { IndexTables } from "./index-tables.js";
import { Ingester } from "./ingester.js";
import type { FindRecord } from "./interval-store.js";
import { knownChanges } from "./load-history.js";
import { ChangeList, listChanges } from "./packed-changes.js";
import { PrunedTexts } from "./pruned-texts.js";
import { NotOpened, RecordFinder } from "./record-finder.js";

export interface IndexerOptions extends HistoryReaderOptions, IndexCommitsOptions {
  readonly catalog: CatalogKeeper;
  /** What was read when it came. */
  readonly verified?: VerifiedChanges | undefined;
  /** An empty index that so many changes are to come to keeps nothing before it has them all. */
  readonly rebuildFrom?: number | undefined;
}

export interface IndexProgress {
  readonly branch: BranchId;
  readonly done: number;
  readonly total: number;
}

const REBUILD_FROM = 2_000;
/** More writes than this are not taken in within the tick in which they come, but in short turns, before the next read. */
const MOST_IN_STEP = 512;
const NO_CHANGES = new ChangeList({ pieces: [] });
/** Changes may keep coming while the index catches up; so often something else is wrong. */
const MAX_ATTEMPTS = 1_000;

export class Indexer {
  readonly #options: IndexerOptions;
  readonly #tables: IndexTables;
  readonly #records: RecordFinder;
  readonly #ingester: Ingester;
  readonly #reader: HistoryReader;
  readonly #prunedTexts: PrunedTexts;
  readonly #commits: IndexCommits;
  readonly #following = new Map<BranchId, Promise<void>>();
  /** Branches whose documents lack what their entries say they began with. */
  readonly #alone = new Set<BranchId>();
  /** Branches that were begun again because it came; once is enough. */
  readonly #begunAgain = new Set<BranchId>();
  /** More has come than is taken in at once. */
  readonly #behind = new WeakSet<BranchRow>();
  readonly #changedPacks = new Set<DocumentId>();
  readonly #progressListeners = new Set<(progress: IndexProgress) => void>();
  #hasRetried = false;
  #failure: unknown;

  constructor(options: IndexerOptions) {
    const { tables, documents, packs } = options;
    this.#options = options;
    this.#tables = tables;
    this.#records = new RecordFinder(tables, packs, (memory) => this.#postponeEverywhere(memory));
    tables.changes.formOf = this.#records.formOf;
    this.#reader = new HistoryReader(options);
    this.#ingester = new Ingester({ tables, catalog: options.catalog, records: this.#records });
    this.#prunedTexts = new PrunedTexts({
      ...{ tables, ingester: this.#ingester, records: this.#records, rules: () => packs.erasures },
      commit: () => this.#commits.commit(),
    });
    documents.onHeads((event) => this.#onHeads(event));
    this.#commits = new IndexCommits(options, (error) => {
      this.#failure = error; // the next read rebuilds the index, or says why it cannot
    });
  }

  close(): void {
    this.#commits.close();
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
    this.#ingester.clear();
    this.#alone.clear();
    this.#begunAgain.clear();
    this.#records.clear();
    this.#tables.clear();
  }

  /** Leaves nothing of the texts that retention has pruned: in no row, list, free page or log. Others go on meanwhile. */
  async takeOutPruned(): Promise<void> {
    for (const { branch } of this.#tables.rows.all()) await this.prepare(branch);
    await this.#prunedTexts.takeOut();
    do {
      await this.#options.documents.flush();
      this.#commits.commit();
    } while (!this.#tables.index.emptyLog());
  }

  /** The whole history of a branch in memory, kept in step from now on. */
  historyOf(row: BranchRow): History {
    return this.#ingester.historyOf(row);
  }

  /** Since when the changes that led to these heads count by what they say, clocks as they were. */
  timesAt(row: BranchRow, heads: readonly ChangeHash[]): ReadonlyMap<ChangeHash, number> {
    return this.#ingester.timesAt(row, heads);
  }

  /** A record of the index. */
  kept(hash: RecordHash): MemoryRecord | undefined {
    return this.#records.kept(hash);
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

  /** The same from records that are at hand; undefined when one has to be opened first. */
  withRecordsAtHand<Result>(compute: (find: FindRecord) => Result): Result | undefined {
    try {
      return compute(this.#records.find);
    } catch (error) {
      if (error instanceof NotOpened) return undefined;
      throw error;
    }
  }

  #isInStep(row: BranchRow): boolean {
    if (!this.#hasSameHeads(row.document, row.heads)) return false;
    if (!this.#hasRetried || this.#changedPacks.size > 0 || this.#records.isExpecting) return false;
    if (!this.#ingester.isOfItsLineage(row)) return false;
    return this.#ingester.isCorrected && this.#ingester.isConcealed && !this.#ingester.hasPending(row);
  }

  #hasSameHeads(document: DocumentId, known: ReadonlySet<ChangeHash>): boolean {
    const heads = this.#options.documents.headsOf(document);
    return heads.length === known.size && heads.every((head) => known.has(head));
  }

  #onHeads(event: HeadsEvent): void {
    const { document, isReplaced, isLocal } = event;
    if (!isLocal) this.#changedPacks.add(document);
    const row = this.#tables.rows.byDocument(document);
    if (row === undefined || this.#failure !== undefined) return;
    try {
      if (isReplaced) this.#ingester.drop(row);
      else if (!this.#following.has(row.branch) && !this.#behind.has(row)) this.#takeFrom(row, event);
    } catch (error) {
      this.#failure = error; // a write must not fail because of what can be made again
    }
  }

  #takeFrom(row: BranchRow, { doc, change, isLocal }: HeadsEvent): void {
    if (change?.deps.every((dep) => row.heads.has(dep)) === true) this.#takeInStep(row, [change]);
    else if (A.hasHeads(doc, [...row.heads])) {
      const since = A.getChangesMetaSince(doc, [...row.heads]);
      if (isLocal || isLittle(since)) this.#takeInStep(row, this.#changesSince(doc, since, row.heads));
      else this.#behind.add(row);
    }
  }

  /**
   * Takes changes in before their records were opened: those that no interval has asked for are opened at the next
   * read.
   */
  #takeInStep(row: BranchRow, changes: readonly Change[]): void {
    this.#tables.index.begin();
    for (const { reference, memory } of recordsOf(changes)) this.#records.keepAtHand(reference, memory);
    const { placed, added } = this.#ingester.take(row, changes);
    this.#commits.add(placed);
    for (const { reference, memory } of recordsOf(added)) this.#records.expect(reference, memory);
  }

  /** A merge brings what another branch has: the index keeps those changes, read and verified. */
  #changesSince(
    doc: A.Doc<unknown>,
    since: readonly Written[],
    heads: Iterable<ChangeHash>,
  ): readonly Change[] {
    const hashes = since.map(({ hash }) => hash as ChangeHash);
    const changes = this.#knownChanges(hashes);
    const last = A.getLastLocalChange(doc);
    if (changes.size === hashes.length - 1 && last !== undefined) {
      for (const change of this.#reader.decode([last])) changes.set(change.hash, change);
    }
    if (hashes.every((hash) => changes.has(hash))) return hashes.flatMap((hash) => changes.get(hash) ?? []);
    const chunks = A.getChangesSince(doc, [...heads]);
    return chunks.flatMap((bytes, index) => {
      const known = changes.get(hashes[index] ?? ("" as ChangeHash));
      return known === undefined ? this.#reader.decode([bytes]) : [known];
    });
  }

  #knownChanges(hashes: readonly ChangeHash[]): Map<ChangeHash, Change> {
    const verified = hashes.flatMap((hash) => this.#options.verified?.take(hash) ?? []);
    const changes = new Map(verified.map((change) => [change.hash, change]));
    const others = hashes.filter((hash) => !changes.has(hash));
    if (others.length > 0)
      for (const [hash, change] of knownChanges(this.#tables.index, others)) changes.set(hash, change);
    return changes;
  }

  /** Follows a document to where it is now. */
  async #follow(branch: BranchId): Promise<void> {
    await this.#retryAwaited();
    await this.#records.openExpected();
    const row = await this.#rowOf(branch);
    this.#behind.delete(row);
    this.#ingester.retimeIfCorrected();
    this.#ingester.followConcealments();
    const missing = await this.#changesMissing(row);
    if (!this.#isKept(row)) return;
    if (missing === undefined) {
      this.#ingester.drop(row);
      this.#alone.add(branch);
      return;
    }
    this.#beginRun(row, missing);
    try {
      if (!(await this.#takeAll(row, missing))) return;
    } finally {
      this.#ingester.endRun(row);
    }
    await this.#ingester.settle(row, () => this.#isKept(row));
    if (this.#isKept(row) && this.#isAloneNoMore(row)) this.#beginAgain(row);
    this.#commits.commit();
  }

  /** What a branch began with has come: by itself, it gave that other times than its parent does. */
  #beginAgain(row: BranchRow): void {
    this.#alone.delete(row.branch);
    this.#begunAgain.add(row.branch);
    this.#ingester.drop(row);
  }

  /** Whether a branch that was followed alone now has what its entry says, in its document and in its parent's. */
  #isAloneNoMore(row: BranchRow): boolean {
    if (!this.#alone.has(row.branch) || this.#begunAgain.has(row.branch)) return false;
    const entry = this.#options.catalog.current.branches.get(row.branch)?.value;
    const parent = entry?.parent === undefined ? undefined : this.#tables.rows.get(entry.parent);
    if (parent === undefined || parent === row || entry?.forkHeads === undefined) return false;
    const { changes } = this.#tables;
    return entry.forkHeads.every(
      (head) => changes.placeOf(row, head) !== undefined && changes.placeOf(parent, head) !== undefined,
    );
  }

  #beginRun(row: BranchRow, missing: ChangeList): void {
    const { documents, rebuildFrom = REBUILD_FROM } = this.#options;
    if (missing.length >= rebuildFrom && documents.isDurable && this.#tables.isEmpty)
      this.#tables.beginRebuild(row, missing.shown());
    this.#ingester.beginRun(row);
  }

  /** @returns false when the row was forgotten meanwhile */
  async #takeAll(row: BranchRow, missing: ChangeList): Promise<boolean> {
    const { branch } = row;
    let done = 0;
    for await (const { changes, opened } of this.#reader.read(missing)) {
      await this.#openRecords(changes, opened);
      if (!this.#isKept(row)) return false;
      this.#commits.add(this.#ingester.take(row, changes).placed);
      this.#tables.putPredicted();
      this.#records.forgetRecent();
      this.#commits.commitMeanwhile();
      done += changes.length;
      for (const listener of this.#progressListeners) listener({ branch, done, total: missing.length });
      await new Promise((resolve) => setImmediate(resolve)); // others want to get on too
    }
    return true;
  }

  /** While something was awaited, the row may have been forgotten, to be followed from its beginning again. */
  #isKept(row: BranchRow): boolean {
    return this.#tables.rows.get(row.branch) === row;
  }

  async #rowOf(branch: BranchId): Promise<BranchRow> {
    const row = this.#tables.rows.get(branch);
    const isBegun = row !== undefined && (row.size > 0 || !this.#hasArrived(row.document));
    if (isBegun && this.#ingester.isOfItsLineage(row)) return row;
    if (row !== undefined) this.#ingester.drop(row); // it was asked for before it, or word of it, had arrived
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
    const { row, late } = enterBranch(this.#tables, {
      ...{ branch, document, lineage: this.#ingester.lineageOf(branch), parent: parentRow, forkHeads },
      parentForkHeads: (parent && catalog.current.branches.get(parent)?.value.forkHeads) ?? [],
    });
    for (const memory of late) this.#ingester.updateIntervals(row, memory, 0);
    this.#tables.relist(this.#tables.intervals.takeTouched());
    return row;
  }

  /** @returns undefined when the index knows what the document does not */
  async #changesMissing({ document, heads }: BranchRow): Promise<ChangeList | undefined> {
    const { documents } = this.#options;
    if (this.#hasSameHeads(document, heads)) return NO_CHANGES;
    if (!this.#hasArrived(document)) return heads.size === 0 ? NO_CHANGES : undefined;
    const since = (doc: A.Doc<unknown>): ChangeList | undefined => {
      const pieces = listChanges(doc, [...heads]);
      return pieces && new ChangeList({ pieces });
    };
    const loaded = documents.loaded(document);
    if (loaded !== undefined) return since(loaded);
    const listed = await this.#reader.list(() => documents.stored(document), [...heads]);
    if (listed !== undefined) return listed;
    const whole = await documents.load("branch", document); // damaged: what is left of it
    return whole === undefined ? NO_CHANGES : since(whole);
  }

  async #openRecords(
    changes: readonly Change[],
    opened: ReadonlyMap<RecordHash, MemoryRecord>,
  ): Promise<void> {
    for (const { reference, memory } of recordsOf(changes)) {
      const ahead = opened.get(reference.record);
      if (ahead?.memory === memory) this.#records.keep(reference, ahead);
      else if (!this.#records.isSettled(reference, memory)) await this.#records.open(reference, memory);
    }
  }

  /** Looks for awaited records: all of them once, and then where packs have changed. */
  async #retryAwaited(): Promise<void> {
    const changed = this.#hasRetried ? new Set(this.#changedPacks) : undefined;
    if (changed?.size === 0) return;
    this.#changedPacks.clear();
    this.#hasRetried = true;
    await this.#records.retry(changed);
  }

  #postponeEverywhere(memory: number): void {
    for (const row of this.#tables.rows.all()) {
      if (this.#tables.writes.writesOf(row, memory).writes.length > 0)
        this.#ingester.postpone(row, memory, 0);
    }
  }
}

/** How many operations a change has. */
type Written = ReturnType<typeof A.getChangesMetaSince>[number];

const isLittle = (changes: readonly Written[]): boolean =>
  changes.reduce((sum, { startOp, maxOp }) => sum + maxOp - startOp + 1, 0) <= MOST_IN_STEP;
