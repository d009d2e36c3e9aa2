/**
 * Branches in memory: the history of each document that was loaded, kept in step with it in the same
 * tick, its lineage and effective times.
 *
 * @module
 */
import * as A from "@automerge/automerge";
import {
  type BranchId,
  type BranchOrigin,
  type BranchState,
  type ChangeSet,
  type Codec,
  type DocumentId,
  documentIdFromHex,
  type EffectiveTimes,
  effectiveTimes,
  History,
  type Lineage,
  readChange,
} from "@cambium/core";
import type { CatalogKeeper } from "./catalog-keeper.js";
import type { Documents } from "./documents.js";
import { foreignChangesIn } from "./foreign-changes.js";

/** One loaded branch. */
export class BranchView implements BranchOrigin {
  readonly branch: BranchId;
  readonly document: DocumentId;
  #history = new History();
  readonly #catalog: CatalogKeeper;
  #times: { readonly size: number; readonly catalog: object; readonly values: EffectiveTimes } | undefined;

  constructor(branch: BranchId, document: DocumentId, catalog: CatalogKeeper) {
    this.branch = branch;
    this.document = document;
    this.#catalog = catalog;
  }

  get history(): History {
    return this.#history;
  }

  /** Forgets its history, for one that differs. */
  restart(): void {
    this.#history = new History();
    this.#times = undefined;
  }

  get forkHeads(): BranchOrigin["forkHeads"] {
    return this.#catalog.current.branches.get(this.branch)?.value.forkHeads ?? [];
  }

  /** Computed when asked for: reading a memory without conflicts needs no times. */
  get times(): EffectiveTimes {
    const catalog = this.#catalog.current;
    const { size } = this.history;
    if (this.#times?.size !== size || this.#times.catalog !== catalog) {
      const corrections = [...catalog.clocks.values()].map(({ value }) => value);
      this.#times = { size, catalog, values: effectiveTimes(this.history, this.#lineage(), corrections) };
    }
    return this.#times.values;
  }

  /** The branch at a set of changes, or as it is now. */
  state(set?: ChangeSet): BranchState {
    const view = this;
    return {
      history: this.history,
      get times() {
        return view.times;
      },
      set,
    };
  }

  #lineage(): Lineage {
    const steps: { branch: BranchId; forkedAt?: BranchOrigin["forkHeads"] }[] = [];
    const seen = new Set<BranchId>();
    let branch: BranchId | undefined = this.branch;
    let forkedAt: BranchOrigin["forkHeads"] | undefined;
    while (branch !== undefined && !seen.has(branch)) {
      seen.add(branch);
      steps.unshift(forkedAt === undefined ? { branch } : { branch, forkedAt });
      const entry:
        | {
            readonly parent?: BranchId | undefined;
            readonly forkHeads?: BranchOrigin["forkHeads"] | undefined;
          }
        | undefined = this.#catalog.current.branches.get(branch)?.value;
      forkedAt = entry?.forkHeads ?? [];
      branch = entry?.parent;
    }
    return steps;
  }
}

export class BranchViews {
  readonly #codec: Codec;
  readonly #documents: Documents;
  readonly #catalog: CatalogKeeper;
  readonly #views = new Map<DocumentId, BranchView>();

  constructor(codec: Codec, documents: Documents, catalog: CatalogKeeper) {
    this.#codec = codec;
    this.#documents = documents;
    this.#catalog = catalog;
    documents.onHeads(({ document, doc, change, isReplaced }) => {
      const view = this.#views.get(document);
      if (view === undefined) return;
      if (isReplaced) view.restart();
      if (change === undefined) this.#take(view, doc);
      else view.history.add([change]);
    });
  }

  /** Loads a branch. One that nobody has written on yet is empty; one that has not arrived is too. */
  async open(branch: BranchId): Promise<BranchView> {
    const document = this.#catalog.current.branches.get(branch)?.value.document ?? documentIdFromHex(branch);
    const known = this.#views.get(document);
    if (known !== undefined) return known;
    const doc = await this.#documents.load("branch", document);
    const raced = this.#views.get(document);
    if (raced !== undefined) return raced;
    const view = new BranchView(branch, document, this.#catalog);
    this.#views.set(document, view);
    if (doc !== undefined) this.#take(view, doc);
    return view;
  }

  /** Of the loaded branches: how many changes each has that no member made. They show nowhere. */
  foreignChanges(): ReadonlyMap<BranchId, number> {
    return new Map(
      [...this.#views.values()].map(({ branch, history }) => [branch, foreignChangesIn(history)]),
    );
  }

  #take(view: BranchView, doc: A.Doc<unknown>): void {
    const bytes = A.getChangesSince(doc, [...view.history.heads]);
    view.history.add(bytes.map((change) => readChange("branch", this.#codec.keys.changes, change)));
  }
}
