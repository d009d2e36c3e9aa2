/**
 * Branches as the rest of the replica sees them: what each holds is asked of the index, and only a write
 * or a sync loads the document itself.
 *
 * @module
 */
import {
  type BranchId,
  type BranchOrigin,
  type BranchState,
  type ChangeHash,
  type DocumentId,
  documentIdFromHex,
  type MemoryId,
  memoryKey,
  type ReadableState,
  type RecordHash,
  type Reference,
  referencesAt,
} from "@cambium/core";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { Documents } from "../documents/documents.js";
import type { BranchRow } from "../index-store/branch-rows.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import { idleTimers } from "../platform/idle-timers.js";
import { type BranchAbsence, BranchAbsences, branchNotHere } from "./branch-absence.js";
import type { BranchDirectory } from "./branch-directory.js";

interface ViewServices {
  readonly index: SpaceIndex;
  readonly catalog: CatalogKeeper;
  readonly absences: BranchAbsences;
}

interface OneWrite {
  readonly change: ChangeHash;
  readonly record: RecordHash;
}

export class BranchView implements BranchOrigin {
  readonly branch: BranchId;
  readonly document: DocumentId;
  readonly #index: SpaceIndex;
  readonly #catalog: CatalogKeeper;
  readonly #absences: BranchAbsences;

  constructor(branch: BranchId, document: DocumentId, services: ViewServices) {
    this.branch = branch;
    this.document = document;
    this.#index = services.index;
    this.#catalog = services.catalog;
    this.#absences = services.absences;
  }

  /** What is known of the branch while it is not here; undefined when it is. */
  get absence(): BranchAbsence | undefined {
    return this.#absences.of(this.branch, this.document, this.row);
  }

  /** Where the index keeps the branch. It has to be in step: see `refresh`. */
  get row(): BranchRow {
    const row = this.#index.row(this.branch);
    if (row === undefined) throw new Error(`The branch ${this.branch} is read before it was prepared.`);
    return row;
  }

  /** Brings the index in step with the document. */
  async refresh(): Promise<void> {
    await this.#index.prepare(this.branch);
  }

  get heads(): readonly ChangeHash[] {
    return [...this.row.heads].sort();
  }

  get forkHeads(): BranchOrigin["forkHeads"] {
    return this.#catalog.current.branches.get(this.branch)?.value.forkHeads ?? [];
  }

  /** Everything that ever happened on the branch, in memory. Costs more the longer it is. */
  whole(): BranchState {
    return this.#index.wholeState(this.row);
  }

  /** What reading this one memory needs. */
  stateOf(id: MemoryId): ReadableState {
    return this.#index.memoryState(this.row, id);
  }

  referencesOf(id: MemoryId): readonly Reference[] {
    return referencesAt(this.stateOf(id), id);
  }

  fingerprintOf(id: MemoryId): string {
    return fingerprintIn(this.stateOf(id), id);
  }

  /** Whether a memory is as the change that wrote this record left it: nobody has written to it since, or beside it. */
  isAsLeftBy({ change, record }: OneWrite, id: MemoryId): boolean {
    if (this.isBehind) return false;
    const { heads } = this.row;
    if (heads.size === 1 && heads.has(change)) return true;
    const state = this.stateOf(id);
    return (
      state.history.valuesAt(memoryKey(id)).length === 1 && referencesAt(state, id)[0]?.record === record
    );
  }

  /** Whether it has to be prepared again before it can be asked: the index was thrown away. */
  get isBehind(): boolean {
    return this.#index.row(this.branch) === undefined;
  }
}

/** Differs whenever the memory has been written to. */
export const fingerprintIn = ({ history }: ReadableState, id: MemoryId): string =>
  history
    .valuesAt(memoryKey(id))
    .map((write) => write.id)
    .join();

export interface BranchViewsOptions {
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  readonly index: SpaceIndex;
  readonly directory: BranchDirectory;
  /** Whether this device has joined the space and has not yet heard what main holds. */
  readonly isUnheard: () => boolean;
  /** Whether there is a line to the relay, or one is being tried: what is not here may come any moment. */
  readonly mayArrive: () => boolean;
  /** Whether what the relay holds is being read. */
  readonly isArriving: () => boolean;
}

/** A document comes a round trip or two after the entry that names it. */
const ARRIVAL_MS = 2_000;

/** The one place to ask what branches hold. */
export class BranchViews {
  readonly #options: BranchViewsOptions;
  readonly #services: ViewServices;
  #news = Promise.withResolvers<void>();

  constructor(options: BranchViewsOptions) {
    const { index, catalog, directory } = options;
    this.#options = options;
    this.#services = { index, catalog, absences: new BranchAbsences({ ...options, main: directory.main }) };
  }

  /**
   * A branch to read, merge, fork or go back on. One that is on its way is waited for, a moment.
   *
   * @throws {CambiumError} HEADS_NOT_HERE when the branch is not here: it may hold anything
   */
  async open(branch: BranchId): Promise<BranchView> {
    const view = await this.look(branch);
    if (view.absence === undefined) return view;
    await this.#arrival(view, () => view.absence === undefined);
    return this.#refuseAbsent(view);
  }

  /**
   * A branch to write something new on: any device may at once on main, where what comes later joins it.
   *
   * @throws {CambiumError} HEADS_NOT_HERE for any other branch that is not here
   */
  async openToAdd(branch: BranchId): Promise<BranchView> {
    if (branch !== this.#options.directory.main) return this.open(branch);
    const { documents, isArriving } = this.#options;
    const view = await this.look(branch);
    const isDue = (): boolean => isArriving() && !documents.isHere(view.document);
    if (isDue()) await this.#arrival(view, () => !isDue());
    return view;
  }

  /** Another one after the index was thrown away: what was planned from it before may rest on half of it. */
  get generation(): number {
    return this.#options.index.generation;
  }

  /** A branch for those who describe branches as such; it may not be here: see `BranchView.absence`. */
  async look(branch: BranchId): Promise<BranchView> {
    const view = new BranchView(branch, this.documentOf(branch), this.#services);
    await view.refresh();
    return view;
  }

  /**
   * What is known of a branch while it is not here; undefined when it is. No branch is followed only to be counted:
   * of one that nobody has looked at yet, it may take a look to find that a part is missing.
   */
  async absenceOf(branch: BranchId): Promise<BranchAbsence | undefined> {
    const { documents, index } = this.#options;
    const document = this.documentOf(branch);
    if (this.#services.absences.isSurelyHere(branch, document)) return undefined;
    const isUnread = documents.headsOf(document).length > 0 && index.row(branch) === undefined;
    return isUnread ? undefined : (await this.look(branch)).absence;
  }

  /** Something came, or cannot come now: those who wait look again. */
  rouse(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }

  async #arrival(view: BranchView, hasCome: () => boolean): Promise<void> {
    let isOver = false;
    const cancel = idleTimers.after(ARRIVAL_MS, () => {
      isOver = true;
      this.rouse();
    });
    try {
      while (!isOver && this.#options.mayArrive() && !hasCome()) {
        await this.#news.promise;
        await view.refresh();
      }
    } finally {
      cancel();
    }
  }

  async #refuseAbsent(view: BranchView): Promise<BranchView> {
    if (view.absence === undefined) return view;
    const branches = await this.#options.directory.all();
    await view.refresh();
    const { absence } = view;
    if (absence === undefined) return view;
    throw branchNotHere(
      branches.find(({ id }) => id === view.branch)?.name ?? view.branch.slice(0, 8),
      absence,
    );
  }

  documentOf(branch: BranchId): DocumentId {
    return this.#options.catalog.current.branches.get(branch)?.value.document ?? documentIdFromHex(branch);
  }

  /** Loads the document itself, to be changed. */
  async load(view: BranchView): Promise<void> {
    await this.#options.documents.load("branch", view.document);
    await view.refresh();
  }

  /** Of the branches looked at so far: how many changes each has that no member made. They show nowhere. */
  foreignChanges(): ReadonlyMap<BranchId, number> {
    const { rows, distances } = this.#options.index.tables;
    return new Map(rows.all().map((row) => [row.branch, distances.countForeign(row)]));
  }
}
