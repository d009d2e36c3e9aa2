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
  type Reference,
  referencesAt,
} from "@cambium/core";
import type { BranchRow } from "../index-store/branch-rows.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { CatalogKeeper } from "./catalog-keeper.js";
import type { Documents } from "./documents.js";

export class BranchView implements BranchOrigin {
  readonly branch: BranchId;
  readonly document: DocumentId;
  readonly #index: SpaceIndex;
  readonly #catalog: CatalogKeeper;

  constructor(branch: BranchId, document: DocumentId, index: SpaceIndex, catalog: CatalogKeeper) {
    this.branch = branch;
    this.document = document;
    this.#index = index;
    this.#catalog = catalog;
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

export class BranchViews {
  readonly #documents: Documents;
  readonly #catalog: CatalogKeeper;
  readonly #index: SpaceIndex;

  constructor(documents: Documents, catalog: CatalogKeeper, index: SpaceIndex) {
    this.#documents = documents;
    this.#catalog = catalog;
    this.#index = index;
  }

  /** A branch that nobody has written on yet is empty; one that has not arrived is too. */
  async open(branch: BranchId): Promise<BranchView> {
    const view = new BranchView(branch, this.documentOf(branch), this.#index, this.#catalog);
    await view.refresh();
    return view;
  }

  documentOf(branch: BranchId): DocumentId {
    return this.#catalog.current.branches.get(branch)?.value.document ?? documentIdFromHex(branch);
  }

  /** Loads the document itself, to be changed. */
  async load(view: BranchView): Promise<void> {
    await this.#documents.load("branch", view.document);
    await view.refresh();
  }

  /** Of the branches looked at so far: how many changes each has that no member made. They show nowhere. */
  foreignChanges(): ReadonlyMap<BranchId, number> {
    const { rows, changes } = this.#index.tables;
    return new Map(rows.all().map((row) => [row.branch, changes.countForeign(row)]));
  }
}
