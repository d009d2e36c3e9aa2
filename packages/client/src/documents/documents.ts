/**
 * The documents of a space: loaded from the store when needed, changed under this replica's actor, and
 * on disk before anything is acknowledged or sent.
 *
 * @module
 */

import type { Repo } from "@automerge/automerge-repo";
import {
  CambiumError,
  type Change,
  type ChangeHash,
  type ChangeKey,
  type DocumentId,
  type DocumentKind,
} from "@cambium/core";
import type { ReplicaStore, RequestNote } from "../storage/store.js";
import type { AcknowledgedDocument, AcknowledgedNote } from "./acknowledged-note.js";
import * as A from "./automerge.js";
import {
  type Prepared,
  prepareCarefully,
  preparedFor,
  type Received,
  receiveCarefully,
} from "./careful-receive.js";
import { Compaction } from "./compaction.js";
import { DocumentEvents, type HeadsEvent } from "./document-events.js";
import { DocumentHealth, restoreGenesis } from "./document-health.js";
import { Flushing } from "./flushing.js";
import { freeSoon } from "./free-soon.js";
import { merged } from "./handle-updates.js";
import type { Identity } from "./identity.js";
import { loadInPieces } from "./in-pieces.js";
import { LoadedDocuments } from "./loaded-documents.js";
import { type ChangeRequest, OwnChanges } from "./own-changes.js";
import type { StoredDocument } from "./pack-content.js";
import type { PendingRequests } from "./requested-changes.js";
import { changesBetween, type SentChange } from "./sent-changes.js";
import { withActor } from "./signed-change.js";
import { peekDocument, storedDocument } from "./stored-documents.js";
import { kindOf } from "./without-mirror.js";

export interface DocumentsOptions {
  /** Called when the first document is loaded or made: loading automerge-repo takes 100 ms. */
  readonly openRepo: () => Promise<Repo>;
  readonly store: ReplicaStore;
  /** What was acknowledged, beside the store. */
  readonly note: AcknowledgedNote;
  readonly identity: Identity;
  /** The space's key for changes. */
  readonly changeKey: ChangeKey;
  /** Shared with all others who save documents. */
  readonly requests: PendingRequests;
}

export class Documents {
  readonly #options: DocumentsOptions;
  readonly #health: DocumentHealth;
  readonly #own: OwnChanges;
  readonly #loaded: LoadedDocuments;
  readonly #flushing: Flushing;
  readonly #compaction: Compaction;
  readonly #events = new DocumentEvents();
  #replacing: DocumentId | undefined;
  #seenText: ((request: ChangeRequest) => string | undefined) | undefined;
  /** The document being changed here right now, and the change once it is made. */
  #changing:
    | { readonly document: DocumentId; readonly isAlone: boolean; made?: Change | undefined }
    | undefined;

  constructor(options: DocumentsOptions) {
    this.#options = options;
    this.#health = new DocumentHealth(options.store);
    this.#own = new OwnChanges(options.identity, options.changeKey);
    this.#loaded = new LoadedDocuments({
      openRepo: options.openRepo,
      isStored: (id) => this.isHere(id),
      onLoaded: (id, doc) => this.#examine(id, doc),
      onChanged: (id, doc, before) => {
        this.#flushing.noteChanged(id);
        this.#health.reexamine(id, doc);
        if (this.#changing?.document !== id && this.#replacing !== id) this.#own.noteLost(id, doc, before);
      },
      onHeads: (document, doc, heads, isNew) => {
        const local = this.#changing?.document === document ? this.#changing : undefined;
        const isReplaced = this.#replacing === document;
        const isLocal = local !== undefined;
        this.#events.emit({ document, doc, heads, isLocal, isReplaced, change: local?.made });
        if (isNew && this.#health.isDamaged(document)) this.#flushing.tellDurable(document, heads);
      },
    });
    this.#flushing = new Flushing(options, this.#health, {
      isLoaded: (id) => this.isLoaded(id),
      headsOf: (id) => this.headsOf(id),
      save: (ids) => this.#loaded.save(ids),
      describe: (id, heads) => this.#describe(id, heads),
    });
    this.#compaction = new Compaction({
      ...{ store: options.store, requests: options.requests },
      flush: () => this.flush(),
      whole: (id) => {
        const handle = this.#loaded.handleOf(id);
        if (handle === undefined || this.#health.isDamaged(id)) return undefined;
        return () => handle.doc() as A.Doc<unknown>;
      },
    });
  }

  /** Calls back in the same tick as every change of a loaded document. */
  onHeads(listener: (event: HeadsEvent) => void): () => void {
    return this.#events.onHeads(listener);
  }

  /** Calls back when the store holds a document with these heads. */
  onDurable(listener: (document: DocumentId, heads: readonly ChangeHash[]) => void): void {
    this.#flushing.onDurable(listener);
  }

  /** Calls back before documents are written: what is changed then goes to disk with the rest. */
  onFlush(listener: () => void): void {
    this.#flushing.onFlush(listener);
  }

  /** Calls back in the transaction that writes documents: what it queues goes to disk with all of them, or none. */
  onCommit(rider: () => void): void {
    this.#flushing.onCommit(rider);
  }

  /** Calls back when the relay sends changes under numbers that others bear here: see `reissue.ts`. */
  onCollision(listener: (document: DocumentId) => void): void {
    this.#events.onCollision(listener);
  }

  /** Calls back when a document that is loaded turns out to lack what was stored of it. */
  onDamage(listener: (document: DocumentId) => void): void {
    this.#events.onDamage(listener);
  }

  /** Asks, before each change that is made here, what it is to say of what was seen of others. */
  onChange(seenText: (request: ChangeRequest) => string | undefined): void {
    this.#seenText = seenText;
  }

  /** Loads what documents are made and loaded with. Has to be awaited before `create` and `createFrom`. */
  prepare(): Promise<void> {
    return this.#loaded.prepare();
  }

  /** Whether this session has loaded or made a document, or is about to. */
  get isPrepared(): boolean {
    return this.#loaded.isPrepared;
  }

  /** Whether everything changed so far is on disk. */
  get isDurable(): boolean {
    return this.#flushing.isDurable;
  }

  /** Whether this replica has stored something of the document, or made it. One that was only asked for is not here. */
  isHere(id: DocumentId): boolean {
    return this.isLoaded(id) || (this.#options.store.row(id)?.localHeads.length ?? 0) > 0;
  }

  /** Whether stored bytes of the document were found damaged and set aside. */
  isInDoubt(id: DocumentId): boolean {
    return this.#options.store.quarantined().some(({ documentId }) => documentId === id);
  }

  isLoaded(id: DocumentId): boolean {
    return this.#loaded.handleOf(id) !== undefined;
  }

  /** The document as it is in memory; undefined until it has been loaded. */
  loaded(id: DocumentId): A.Doc<unknown> | undefined {
    return this.#loaded.get(id);
  }

  /** Loads what the store has; undefined when this replica has nothing of it. */
  async load(kind: DocumentKind, id: DocumentId): Promise<A.Doc<unknown> | undefined> {
    await this.prepare(); // also when it is not here: its caller may be about to make it
    if (!this.isHere(id)) return undefined;
    const handle = await this.#loaded.find(id);
    if (handle !== undefined && this.#health.isDamaged(id)) restoreGenesis(kind, handle);
    return this.loaded(id);
  }

  /** Brings a stored document into memory, of whatever kind it is, so that it takes part in syncing. */
  async open(id: DocumentId): Promise<void> {
    if (this.isHere(id)) await this.#loaded.find(id);
  }

  /** Of which kind a document in memory is. */
  kindOf(id: DocumentId): DocumentKind | undefined {
    const doc = this.loaded(id);
    return doc && kindOf(doc);
  }

  /**
   * Takes in changes that the relay gives of a document that is in memory, or not here at all. On disk with the next
   * `flush`. One that was dropped takes nothing any more.
   *
   * @param refusedBefore - hashes of changes that must not be taken
   * @param prepared - what `prepareToReceive` made of the same changes
   */
  receive(
    id: DocumentId,
    chunks: readonly Uint8Array[],
    refusedBefore: ReadonlySet<string>,
    prepared?: Prepared,
  ): Omit<Received<unknown>, "doc"> {
    if (this.#options.store.isRetired(id)) {
      if (prepared !== undefined) A.free(prepared.received.doc);
      return { refused: [], isCollision: false };
    }
    let received: Received<unknown> | undefined;
    const take = (doc: A.Doc<unknown>): A.Doc<unknown> => {
      received = preparedFor(doc, prepared) ?? receiveCarefully(doc, chunks, refusedBefore);
      if (A.getBackend(received.doc) !== A.getBackend(doc)) freeSoon(doc);
      return received.doc;
    };
    const handle = this.#loaded.handleOf(id);
    if (handle !== undefined) handle.update((doc) => take(doc as A.Doc<unknown>));
    else if (this.isHere(id)) throw new Error(`The document ${id} is given changes before it was loaded.`);
    else this.#begin(id, take(loadInPieces([])));
    const { refused = [], isCollision = false } = received ?? {};
    if (isCollision) this.#events.collide(id);
    return { refused, isCollision };
  }

  /**
   * Does beside a document what `receive` does, in steps with pauses between them. Nothing shows of it before `receive` was given
   * it, which does without where the document has changed meanwhile.
   */
  async prepareToReceive(
    id: DocumentId,
    chunks: readonly Uint8Array[],
    refusedBefore: ReadonlySet<string>,
    pause: () => Promise<void>,
  ): Promise<Prepared | undefined> {
    if (this.#options.store.isRetired(id)) return undefined;
    return await prepareCarefully(this.loaded(id) ?? loadInPieces([]), chunks, refusedBefore, pause);
  }

  /**
   * What a document has up to some heads and not up to others. Loads nothing for good, unless it is damaged.
   *
   * @returns undefined when it is not here up to these heads
   */
  async changesBetween(
    id: DocumentId,
    have: readonly string[],
    upTo: readonly string[],
  ): Promise<readonly SentChange[] | undefined> {
    const read = (doc: A.Doc<unknown>): readonly SentChange[] | undefined =>
      A.hasHeads(doc, upTo) ? changesBetween(doc, have, upTo) : undefined;
    const peeked = this.isLoaded(id) ? undefined : await this.peek(id, read);
    if (peeked !== undefined) return peeked;
    await this.open(id);
    const loaded = this.loaded(id);
    return loaded && read(loaded);
  }

  /** Hashes of changes that the document waits for, as long as it does not have them. */
  missingOf(id: DocumentId): readonly string[] {
    const doc = this.loaded(id);
    return doc === undefined ? [] : A.getMissingDeps(doc, []);
  }

  /** What a change of a document in memory follows; undefined of one that it does not have. */
  depsOf(id: DocumentId, hash: string): readonly string[] | undefined {
    return this.changeOf(id, hash)?.deps;
  }

  /** What is known of a change of a document in memory; undefined of one that it does not have. */
  changeOf(
    id: DocumentId,
    hash: string,
  ): { readonly deps: readonly string[]; readonly actor: string; readonly seq: number } | undefined {
    const doc = this.loaded(id);
    return doc && (A.getBackend(doc).getChangeMetaByHash(hash) ?? undefined);
  }

  /** Lets `read` see a stored document without keeping it: neither changed nor synced. See `peekDocument`. */
  peek<Result>(id: DocumentId, read: (doc: A.Doc<unknown>) => Result): Promise<Result | undefined> {
    return peekDocument(this.#options.store, id, read);
  }

  /** What is stored of a document, for reading it elsewhere. */
  stored(id: DocumentId): Promise<StoredDocument | undefined> {
    return storedDocument(this.#options.store, id);
  }

  /** Stores a loaded document that is complete as one chunk. */
  async compact(id: DocumentId): Promise<void> {
    await this.#compaction.compact(id);
  }

  /** Stores as one chunk what this session wrote and what by now lies in many. */
  async compactScattered(): Promise<void> {
    await this.#compaction.compactScattered(this.#flushing.written);
  }

  /**
   * Lets go of a document that is finished. What reads or sends it takes it from the store.
   *
   * @param isNeeded - asked in the tick in which it would go
   * @returns whether it is gone from memory
   */
  async release(id: DocumentId, isNeeded: () => boolean): Promise<boolean> {
    await this.flush();
    if (isNeeded()) return false;
    if (!this.isLoaded(id) || this.#flushing.isChanged(id) || this.#health.isDamaged(id))
      return !this.#loaded.has(id);
    await this.#loaded.remove(id);
    return true;
  }

  /** Destroys what is here of a document, for good: it is neither loaded nor stored again. Durable when it resolves. */
  async drop(id: DocumentId): Promise<void> {
    const { store, note } = this.#options;
    await this.flush();
    store.retire(id);
    await this.#loaded.remove(id);
    this.#flushing.forget(id);
    note.forget(id);
    await store.removeDocument(id);
    this.#flushing.tellDurable(id, []);
  }

  /** Makes a document from its genesis, unless it is here. */
  create(kind: DocumentKind, id: DocumentId): void {
    this.createFrom(id, A.genesis(kind));
  }

  /** Makes a document from saved bytes, unless it is here. What comes from the relay joins them. */
  createFrom(id: DocumentId, bytes: Uint8Array = A.genesis("branch")): void {
    if (!this.isHere(id)) this.#begin(id, loadInPieces([bytes]));
  }

  #begin(id: DocumentId, doc: A.Doc<unknown>): void {
    if (A.getHeads(doc).length === 0) return;
    this.#loaded.add(id, doc);
    this.#flushing.noteChanged(id);
  }

  /**
   * Gives what is stored of a document a second id, at a cost that does not grow with its size. Durable with the next
   * `flush`.
   *
   * @returns the heads of the copy
   */
  async copy(from: DocumentId, to: DocumentId): Promise<readonly ChangeHash[]> {
    await this.#options.store.copyDocument(from, to);
    this.#flushing.noteCopied(to);
    return this.headsOf(to);
  }

  /**
   * Makes one change, or one that merges another document in, in one step. What it writes becomes
   * durable with the next `flush`. The document has to be loaded.
   *
   * @param note - what the change carries out, but for its hash: goes to disk in the same commit
   */
  change(asked: ChangeRequest, note?: Omit<RequestNote, "change">): ChangeHash {
    const seen = this.#seenText?.(asked);
    const request = seen === undefined ? asked : { ...asked, statement: { ...asked.statement, seen } };
    const { identity } = this.#options;
    const handle = this.#loaded.handleOf(request.document);
    const other = request.mergeIn && this.#loaded.get(request.mergeIn);
    if (handle === undefined) throw notHereYet(request.document);
    if (request.mergeIn !== undefined && other === undefined) throw notHereYet(request.mergeIn);
    // Before a mark is left in what took the place of this home.
    if (!identity.isWriting) this.#options.store.refuseDisplaced();
    identity.beginWriting();
    const actor = this.#own.actorOf(request.document);
    let hash = "" as ChangeHash;
    let replaced: A.Doc<unknown> | undefined;
    this.#changing = { document: request.document, isAlone: other === undefined };
    try {
      handle.update((doc) => {
        const before = doc as A.Doc<unknown>;
        const mine = other === undefined ? withActor(before, actor) : merged(before, other, actor);
        const { after, change } = this.#own.apply(mine, actor, request);
        if (this.#changing?.isAlone) this.#changing.made = change;
        if (mine !== before) replaced = before;
        hash = A.getHeads(after)[0] as ChangeHash;
        if (note !== undefined) this.#options.requests.add(request.document, { ...note, change: hash });
        return after;
      });
    } finally {
      this.#changing = undefined;
    }
    if (replaced !== undefined) freeSoon(replaced);
    return hash;
  }

  /** Made under this key, whether or not it is on disk yet: see `flush`. */
  requested(key: string): RequestNote | undefined {
    return this.#options.requests.find(key) ?? this.#options.store.request(key);
  }

  /** Under which epoch, and as which of its changes there, this replica last changed a document. */
  lastPlaceOf(document: DocumentId): readonly [epoch: number, seq: number] {
    return this.#own.lastPlaceOf(document);
  }

  /** Puts a document with another history in the place of a loaded one. On disk, in one step, with the next `flush`. */
  replace(id: DocumentId, doc: A.Doc<unknown>): void {
    const { store } = this.#options;
    this.#replacing = id;
    try {
      this.#loaded.handleOf(id)?.update(() => doc);
    } finally {
      this.#replacing = undefined;
    }
    const heads = this.headsOf(id);
    this.#options.note.forget(id);
    store.transact(() => {
      void store.removeRange([id, "snapshot"]);
      void store.removeRange([id, "incremental"]);
      void store.save([id, "snapshot", heads.join("").slice(0, 64)], A.save(doc));
      this.#options.requests.saveReplaced(id, store);
      this.#flushing.putHeads(id, heads);
    });
  }

  /** Resolves when everything changed so far, here or by the relay, is on disk. Rejects when the store failed. */
  flush(): Promise<void> {
    return this.#flushing.flush();
  }

  /** Sorted. Of a loaded document its heads now, of another what the store knows. */
  headsOf(id: DocumentId): readonly ChangeHash[] {
    return this.#loaded.headsOf(id) ?? ((this.#options.store.row(id)?.localHeads ?? []) as ChangeHash[]);
  }

  /** Changes of a loaded document that these heads do not follow; heads that it lacks count for nothing. */
  changesSince(id: DocumentId, heads: readonly string[]): readonly string[] {
    const doc = this.loaded(id);
    if (doc === undefined) return [];
    const changes = A.getChangesMetaSince(
      doc,
      heads.filter((head) => A.hasHeads(doc, [head])),
    );
    return changes.flatMap(({ deps, hash }) => (deps.length > 0 ? [hash] : [])); // the genesis is nobody's change
  }

  #describe(id: DocumentId, heads: readonly ChangeHash[]): AcknowledgedDocument {
    const doc = this.loaded(id);
    const [, seq] = this.#own.lastPlaceOf(id);
    const own = seq === 0 ? undefined : ([this.#own.actorOf(id), seq] as const);
    return { id, heads, kind: doc && kindOf(doc), own };
  }

  /** Stored bytes may be lost: what is left goes on, under an epoch that no lost change was made under. */
  #examine(id: DocumentId, doc: A.Doc<unknown> | undefined): void {
    if (this.#health.isDamaged(id)) return;
    const { identity } = this.#options;
    if (!this.#health.examine(id, doc)) return;
    identity.abandonEpoch(identity.epoch, "Stored bytes are damaged (`cambium verify` names them)");
    this.#events.damaged(id);
  }
}

const notHereYet = (document: DocumentId): CambiumError =>
  new CambiumError(
    "CONTENT_NOT_HERE",
    `The document ${document} has not arrived here, so nothing can be written to it.`,
    { hint: "Run `cambium sync` and try again.", details: { document } },
  );
