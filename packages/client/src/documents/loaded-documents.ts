/**
 * The documents in memory, as automerge-repo holds them: how they come there from the store, and how they go.
 *
 * @module
 */
import type { DocHandle, Repo } from "@automerge/automerge-repo";
import { CambiumError, type ChangeHash, type DocumentId } from "@cambium/core";
import * as A from "./automerge.js";
import { freeSoon } from "./free-soon.js";
import { prepareUpdates } from "./handle-updates.js";

export interface LoadedDocumentsOptions {
  /** Called when the first document is loaded or made: loading automerge-repo takes 100 ms. */
  readonly openRepo: () => Promise<Repo>;
  /** Whether the store has something of a document that is not in memory. */
  readonly isStored: (id: DocumentId) => boolean;
  /** A stored document was loaded, with what is left of it, and nothing has seen it yet. */
  readonly onLoaded: (id: DocumentId, doc: A.Doc<unknown> | undefined) => void;
  /** A document has changed, and had these heads before. */
  readonly onChanged: (id: DocumentId, doc: A.Doc<unknown>, before: A.Heads) => void;
  /** A document has these heads now, after a change or because it is new in memory. */
  readonly onHeads: (
    id: DocumentId,
    doc: A.Doc<unknown>,
    heads: readonly ChangeHash[],
    isNew: boolean,
  ) => void;
}

const NOTHING = new Uint8Array();

export class LoadedDocuments {
  readonly #options: LoadedDocumentsOptions;
  #openedRepo: Repo | undefined;
  readonly #handles = new Map<DocumentId, DocHandle<unknown>>();
  readonly #loading = new Map<DocumentId, Promise<DocHandle<unknown> | undefined>>();
  readonly #releasing = new Map<DocumentId, Promise<void>>();
  /** Sorted. */
  readonly #headsById = new Map<DocumentId, readonly ChangeHash[]>();

  constructor(options: LoadedDocumentsOptions) {
    this.#options = options;
  }

  /** Loads what documents are made and loaded with. */
  async prepare(): Promise<void> {
    if (this.#openedRepo !== undefined) return;
    const [repo] = await Promise.all([this.#options.openRepo(), A.loadAutomerge()]);
    this.#openedRepo = repo;
  }

  get #repo(): Repo {
    if (this.#openedRepo === undefined) throw new Error("A document is made before `prepare`.");
    return this.#openedRepo;
  }

  get isPrepared(): boolean {
    return this.#openedRepo !== undefined;
  }

  /** Whether it was asked for, though there may be nothing of it. */
  has(id: DocumentId): boolean {
    return this.#handles.has(id);
  }

  /** Undefined until it has been loaded or made. */
  handleOf(id: DocumentId): DocHandle<unknown> | undefined {
    const handle = this.#handles.get(id);
    return handle?.isReady() ? handle : undefined;
  }

  get(id: DocumentId): A.Doc<unknown> | undefined {
    return this.handleOf(id)?.doc() as A.Doc<unknown> | undefined;
  }

  /** Sorted. */
  headsOf(id: DocumentId): readonly ChangeHash[] | undefined {
    return this.handleOf(id) && this.#headsById.get(id);
  }

  /** Makes a document. */
  add(id: DocumentId, doc: A.Doc<unknown>): void {
    const handle = this.#repo.import<unknown>(NOTHING, { docId: id as never });
    this.#attach(id, handle);
    handle.update(() => doc);
    handle.doneLoading();
  }

  /** Hands documents to the store, in this tick. */
  save(ids: readonly DocumentId[]): Promise<void> {
    return this.#repo.flush(ids as never[]);
  }

  /** Lets go of a document. Whoever asks for it meanwhile gets it once it has gone. */
  async remove(id: DocumentId): Promise<void> {
    const doc = this.get(id);
    if (doc === undefined) return;
    this.#handles.delete(id);
    this.#headsById.delete(id);
    const releasing = this.#repo.removeFromCache(id as never).finally(() => this.#releasing.delete(id));
    this.#releasing.set(id, releasing);
    await releasing;
    freeSoon(doc);
  }

  /** @throws {CambiumError} STORE_DAMAGED */
  async find(id: DocumentId): Promise<DocHandle<unknown> | undefined> {
    const handle = this.handleOf(id);
    if (handle !== undefined) return handle;
    const loading = this.#loading.get(id) ?? this.#findOnce(id);
    this.#loading.set(id, loading);
    return loading;
  }

  async #findOnce(id: DocumentId): Promise<DocHandle<unknown> | undefined> {
    const isStored = this.#options.isStored(id);
    try {
      await this.prepare();
      await this.#releasing.get(id);
      const handle = await this.#repo.find<unknown>(id as never, {
        allowableStates: ["ready", "unavailable", "requesting"],
      });
      if (isStored)
        this.#options.onLoaded(id, handle.isReady() ? (handle.doc() as A.Doc<unknown>) : undefined);
      this.#attach(id, handle);
      return handle;
    } catch (cause) {
      if (!isStored) return undefined;
      // Never as if it were empty: what is stored and does not load must not be written over.
      throw new CambiumError("STORE_DAMAGED", `The stored document ${id} cannot be loaded.`, { cause });
    } finally {
      this.#loading.delete(id);
    }
  }

  #attach(id: DocumentId, handle: DocHandle<unknown>): void {
    if (this.#handles.get(id) === handle) return;
    this.#handles.set(id, handle);
    prepareUpdates(handle);
    const doc = handle.isReady() ? (handle.doc() as A.Doc<unknown>) : undefined;
    let known = doc === undefined ? [] : A.getHeads(doc);
    handle.on("heads-changed", ({ doc: changed }) => {
      this.#options.onChanged(id, changed, known);
      known = A.getHeads(changed);
      this.#options.onHeads(id, changed, this.#noteHeads(id, known), false);
    });
    if (doc !== undefined) this.#options.onHeads(id, doc, this.#noteHeads(id, known), true);
  }

  /** Kept, because every read asks for them: Automerge takes 10 µs to tell. */
  #noteHeads(id: DocumentId, heads: A.Heads): readonly ChangeHash[] {
    const sorted = (heads as ChangeHash[]).toSorted();
    this.#headsById.set(id, sorted);
    return sorted;
  }
}
