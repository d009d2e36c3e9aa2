/**
 * Documents as the relay's log changes them.
 *
 * @module
 */
import { type DocumentId, documentIdFromHex, sameHeads } from "@cambium/core";
import type { SetAsideBytes } from "../documents/careful-receive.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { Documents } from "../documents/documents.js";
import type { ReplicaStore } from "../storage/store.js";
import { type Admission, entryOf } from "./admission.js";

export interface LogDocumentsOptions {
  readonly documents: Documents;
  readonly store: ReplicaStore;
  readonly catalog: CatalogKeeper;
  readonly admission: Admission;
  /** Whether it was tried often enough to put right a document in which numbers were used twice. */
  readonly isBeyondRepair: (document: DocumentId) => boolean;
}

export class LogDocuments {
  readonly #options: LogDocumentsOptions;

  constructor(options: LogDocumentsOptions) {
    this.#options = options;
  }

  /** Whether the catalog says so, as it was last read, or it was dropped here for that. */
  isRetired = (id: DocumentId): boolean =>
    this.#options.store.isRetired(id) || this.#options.catalog.isRetired(id);
  get catalog(): DocumentId {
    return this.#options.catalog.document;
  }
  refreshCatalog = (): Promise<unknown> => this.#options.catalog.refresh();
  isBeyondRepair = (id: DocumentId): boolean => this.#options.isBeyondRepair(id);
  headsOf = (id: DocumentId): readonly string[] => this.#options.documents.headsOf(id);
  depsOf = (id: DocumentId, hash: string): readonly string[] | undefined =>
    this.#options.documents.depsOf(id, hash);
  changeOf = (id: DocumentId, hash: string) => this.#options.documents.changeOf(id, hash);
  missingOf = (id: DocumentId): readonly string[] => this.#options.documents.missingOf(id);
  open = (id: DocumentId): Promise<void> => this.#options.documents.open(id);

  /** What of that which came the document is to be given; the rest is held beside it. */
  admit = (id: DocumentId, chunks: readonly Uint8Array[]): Promise<readonly Uint8Array[]> =>
    this.#options.admission.admit(id, chunks);
  /** Documents that are to be given something of what was held. */
  waiting = (): Promise<readonly DocumentId[]> => this.#options.admission.waiting();

  /** @param pause - lets others get on, before each step of what takes long */
  async receive(
    id: DocumentId,
    chunks: readonly Uint8Array[],
    refusedBefore: ReadonlySet<string>,
    pause: () => Promise<void>,
  ): Promise<{ readonly refused: readonly SetAsideBytes[]; readonly isCollision: boolean }> {
    const { documents } = this.#options;
    await documents.open(id);
    const prepared = await documents.prepareToReceive(id, chunks, refusedBefore, pause);
    await documents.open(id); // it may have been let go of meanwhile
    return documents.receive(id, chunks, refusedBefore, prepared);
  }

  /**
   * Makes a document of what another has up to some heads. Where that is all that is stored of it, they share it.
   *
   * @returns false when the other one is not here up to these heads
   */
  async fork(id: DocumentId, from: DocumentId, heads: readonly string[]): Promise<boolean> {
    const { documents, store } = this.#options;
    await documents.flush();
    const isAsMade = await this.#isMadeFrom(id, from, heads);
    if (isAsMade && !documents.isHere(id) && sameHeads(store.row(from)?.localHeads ?? [], [...heads])) {
      await documents.copy(from, id);
      return true;
    }
    await documents.open(from);
    if (!heads.every((head) => documents.depsOf(from, head) !== undefined)) return false;
    await documents.open(id);
    const changes = (await documents.changesBetween(from, [], heads)) ?? [];
    const chunks = await this.admit(
      id,
      changes.map(({ bytes }) => bytes),
    );
    await documents.open(id);
    return !documents.receive(id, chunks, new Set()).isCollision;
  }

  /** Whether a member has said that the branch begins there: the relay may say anything. */
  async #isMadeFrom(id: DocumentId, from: DocumentId, heads: readonly string[]): Promise<boolean> {
    const { catalog } = this.#options;
    await catalog.refresh();
    const { parent, forkHeads } = entryOf(catalog, id) ?? {};
    if (parent === undefined || forkHeads === undefined) return false;
    const origin = catalog.current.branches.get(parent)?.value.document ?? documentIdFromHex(parent);
    return origin === from && sameHeads(forkHeads, heads);
  }
}
