/**
 * Entries of the relay's log become changes of documents: those of one document are given to it together, and a fork
 * waits for what comes before it.
 *
 * @module
 */
import { type DocumentId, documentIdFromHex } from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import { type EntryItem, LOG_KINDS } from "@cambium/core/wire";
import type { SetAside } from "../documents/set-aside.js";
import { ShortTurns } from "../platform/short-turns.js";
import type { LogDocuments } from "./log-documents.js";
import type { SyncTracker } from "./sync-tracker.js";

/** As much of the documents as is needed to take in what comes. */
export type TakingDocuments = Pick<LogDocuments, keyof LogDocuments>;

export interface EntryTakerOptions {
  readonly tracker: SyncTracker;
  readonly documents: TakingDocuments;
  readonly setAside: Pick<SetAside, "hashesOf" | "add">;
  /** What a fork that this session sent began with. */
  readonly forkHeadsOf: (document: DocumentId) => readonly string[];
  /** All that the relay has of a document, or of it more than what is here. */
  readonly fetch: (document: DocumentId, have: readonly string[]) => Promise<readonly Uint8Array[]>;
  /** A change of this session is in the log. */
  readonly onOwn: (document: DocumentId, change: { readonly actor: string; readonly seq: number }) => void;
  /**
   * The relay does not give these changes, which others of the same document follow, or which it names itself.
   *
   * @returns whether it is remembered, before the next place in the log is
   */
  readonly onWithheld: (
    document: DocumentId,
    hashes: readonly string[],
    chunks: readonly Uint8Array[],
  ) => boolean;
  /** Changes have come of a document that the catalog calls retired. */
  readonly onRetired: (document: DocumentId, chunks: readonly Uint8Array[]) => void;
  readonly onNotice: (message: string) => void;
}

/** An entry as it stands in the log. */
export interface Entry {
  readonly item: EntryItem;
  readonly hash: string;
  readonly position: number;
}

/** Of one document: whoever sends more that counts for nothing makes it up. */
const MAX_HELD_PLACES = 4_096;
/** So many entries of a document are noted before others get on. */
const NOTED_AT_ONCE = 256;

export class EntryTaker {
  readonly #options: EntryTakerOptions;
  /** Some of what was read is in no document: it has to be read again some day. */
  isLossy = false;
  /** What is done for a document takes some milliseconds, or some hundred. */
  readonly #turns = new ShortTurns({ pieces: 64 });
  /** Positions of what came in this session and is held beside its document. */
  readonly #heldPlaces = new Map<DocumentId, Map<string, number>>();
  /** The relay has no bytes of these, and the catalog does not say why. */
  #unexplained = new Map<DocumentId, readonly Entry[]>();
  /** Whether all of the catalog that the relay has was asked for since the entries came that are being taken in. */
  #isCatalogNew = false;

  constructor(options: EntryTakerOptions) {
    this.#options = options;
  }

  /** A session begins: what is read in it counts as read. */
  begin(): void {
    this.isLossy = false;
  }

  end(): void {
    this.#unexplained = new Map();
  }

  /** Something was not taken in. */
  lose(error: unknown): void {
    this.isLossy = true;
    this.#options.onNotice(messageOf(error));
  }

  /** They have been read: what they change is behind until they are taken. */
  expect(entries: readonly Entry[]): void {
    for (const { item } of entries) this.#note(item, 1);
  }

  #note({ kind, document }: EntryItem, change: number): void {
    const isOne = kind === "change" || kind === "gone";
    if (isOne) this.#options.tracker.noteBehind(documentIdFromHex(document), change);
  }

  /** @returns false when it was not taken in, all of it */
  async take(entries: readonly Entry[], isOver: () => boolean): Promise<boolean> {
    this.#isCatalogNew = false;
    this.#turns.begin();
    let groups = new Map<DocumentId, Entry[]>();
    const takeGroups = async (): Promise<boolean> => {
      for (const [document, group] of groups) {
        await this.#turns.piece();
        if (isOver()) return false;
        const isTaken = await this.#receive(document, group, isOver);
        if (isOver() || !isTaken) return false;
      }
      groups = new Map();
      return true;
    };
    for (const entry of entries) {
      const document = documentIdFromHex(entry.item.document);
      if (entry.item.kind === "change" || entry.item.kind === "gone") {
        const group = groups.get(document);
        if (group === undefined) groups.set(document, [entry]);
        else group.push(entry);
      } else if (entry.item.kind === "own") {
        this.#noteOwn(document, entry);
      } else if (entry.item.kind === "fork") {
        if (!(await takeGroups())) return false;
        await this.#turns.piece();
        if (isOver()) return false;
        await this.#fork(document, entry, isOver);
        if (isOver()) return false;
      }
    }
    if (!(await takeGroups()) || !(await this.#admitWaiting(isOver))) return false;
    this.explain((document) => {
      const group = this.#unexplained.get(document) ?? [];
      return group.length === 0 || this.#goneOf(document, group).length > 0;
    });
    return true;
  }

  /** The relay does not give what it names of a document: that is waited for until it is here, or explained. */
  waitFor(document: DocumentId): void {
    if (!this.#unexplained.has(document)) this.#unexplained.set(document, []);
    this.#options.tracker.await(document, true);
  }

  /**
   * The catalog may say by now that a document was retired, or it was given in another way.
   *
   * @param isNamed - whether the relay names something of it that is not here
   */
  explain(isNamed: (document: DocumentId) => boolean): void {
    const { documents, tracker } = this.#options;
    for (const [document, group] of this.#unexplained) {
      const isLacking = documents.missingOf(document).length > 0 || isNamed(document);
      if (isLacking && !documents.isRetired(document)) continue;
      this.#unexplained.delete(document);
      tracker.await(document, false);
      for (const { item } of group) this.#note(item, -1);
    }
  }

  #noteOwn(document: DocumentId, { item, hash, position }: Entry): void {
    const { tracker, documents, forkHeadsOf, onOwn } = this.#options;
    if (item.kind !== "own") return;
    if (item.of === LOG_KINDS.change) {
      const change = documents.changeOf(document, hash);
      tracker.entry(document, { hash, deps: change?.deps ?? [] }, position);
      if (change !== undefined) onOwn(document, change);
    } else if (item.of === LOG_KINDS.fork) {
      tracker.holds(document, forkHeadsOf(document), position);
    }
  }

  /** @returns false when the relay and this replica have each used a number for another change */
  async #receive(document: DocumentId, group: readonly Entry[], isOver: () => boolean): Promise<boolean> {
    const { documents, tracker } = this.#options;
    try {
      if (await this.#isRetired(document, group, isOver)) return this.#passRetired(document, group);
      if (isOver()) return false;
      await documents.open(document);
      if (isOver()) return false;
      if (!(await this.#admit(document, chunksOf(group), isOver)))
        return !isOver() && documents.isBeyondRepair(document);
      if (this.#lacks(document, group)) {
        const fetched = await this.#options.fetch(document, documents.headsOf(document));
        if (isOver()) return false;
        if (!(await this.#admit(document, fetched, isOver)))
          return !isOver() && documents.isBeyondRepair(document);
        if (this.#lacks(document, group)) this.#await(document, group);
      }
    } catch (error) {
      if (isOver()) return false;
      // One document that does not load must not hold up the others.
      this.lose(error);
      return true;
    }
    // It may have been retired, and destroyed here, since it was asked above.
    if (documents.isRetired(document)) return this.#passRetired(document, group);
    for (const [place, { item, hash, position }] of group.entries()) {
      if (place % NOTED_AT_ONCE === 0) await this.#turns.piece();
      if (isOver()) return false;
      const deps = documents.depsOf(document, hash);
      if (deps !== undefined) tracker.entry(document, { hash, deps }, position);
      else if (item.kind === "change") this.#noteHeld(document, hash, position);
      if (deps !== undefined || item.kind === "change") this.#note(item, -1);
    }
    this.#tellReleased(document);
    return true;
  }

  /** What is held beside a document may come into it later: then the relay has it, too. */
  #noteHeld(document: DocumentId, hash: string, position: number): void {
    const held = this.#heldPlaces.get(document) ?? new Map<string, number>();
    if (held.size < MAX_HELD_PLACES) this.#heldPlaces.set(document, held.set(hash, position));
  }

  #tellReleased(document: DocumentId): void {
    const { documents, tracker } = this.#options;
    for (const [hash, position] of this.#heldPlaces.get(document) ?? []) {
      const deps = documents.depsOf(document, hash);
      if (deps === undefined) continue;
      tracker.entry(document, { hash, deps }, position);
      this.#heldPlaces.get(document)?.delete(hash);
    }
  }

  /**
   * What has no bytes was erased, if the catalog says so. It was told before the relay was, so it is here when it has
   * been asked for, though the log may come to it much later.
   */
  async #isRetired(document: DocumentId, group: readonly Entry[], isOver: () => boolean): Promise<boolean> {
    const { documents } = this.#options;
    if (documents.isRetired(document) || !group.some(({ item }) => item.kind === "gone"))
      return documents.isRetired(document);
    if (this.#isCatalogNew) return false;
    this.#isCatalogNew = true;
    const { catalog } = documents;
    await documents.open(catalog);
    if (isOver()) return false;
    await this.#admit(catalog, await this.#options.fetch(catalog, documents.headsOf(catalog)), isOver);
    if (!isOver()) await documents.refreshCatalog();
    return documents.isRetired(document);
  }

  #passRetired(document: DocumentId, group: readonly Entry[]): true {
    const chunks = chunksOf(group);
    if (chunks.length > 0) this.#options.onRetired(document, chunks);
    for (const { item } of group) this.#note(item, -1);
    return true;
  }

  /** A change without what it follows, or one without bytes: the log has been another one, or something is lost. */
  #lacks(document: DocumentId, group: readonly Entry[]): boolean {
    return this.#goneOf(document, group).length > 0 || this.#options.documents.missingOf(document).length > 0;
  }

  /** Those that the relay has no bytes of, and that are not here. */
  #goneOf(document: DocumentId, group: readonly Entry[]): readonly Entry[] {
    const { documents } = this.#options;
    return group.filter(({ item, hash }) => {
      if (item.kind !== "gone") return false;
      if (isFork(item)) return documents.headsOf(document).length === 0;
      return documents.depsOf(document, hash) === undefined;
    });
  }

  /**
   * The relay does not give what its log says that it has. What it names and has no bytes of is remembered, and asked
   * for in the next session; a change without what it follows, and a fork, have to be read again.
   */
  #await(document: DocumentId, group: readonly Entry[]): void {
    const { documents, onWithheld } = this.#options;
    const gone = this.#goneOf(document, group);
    const missing = documents.missingOf(document);
    const named = gone.filter(({ item }) => !isFork(item)).map(({ hash }) => hash);
    const isRemembered = onWithheld(document, [...missing, ...named], chunksOf(group));
    const isUnsaid = missing.length > 0 || named.length < gone.length;
    if (isUnsaid || !isRemembered) this.isLossy = true;
    this.#unexplained.set(document, [...(this.#unexplained.get(document) ?? []), ...gone]);
    this.waitFor(document);
  }

  /** Gives a document what counts of what came. @returns false when it was not taken in */
  async #admit(document: DocumentId, chunks: readonly Uint8Array[], isOver: () => boolean): Promise<boolean> {
    const { documents } = this.#options;
    const admitted = await documents.admit(document, chunks);
    // What was admitted is held beside the document no more: it is given to it even if the session has ended.
    return (await this.#give(document, admitted)) && !isOver();
  }

  /** What was held back may count by what has come now. */
  async #admitWaiting(isOver: () => boolean): Promise<boolean> {
    const { documents } = this.#options;
    for (const document of await documents.waiting()) {
      await documents.open(document);
      if (!(await this.#admit(document, [], isOver))) return false;
      this.#tellReleased(document);
    }
    return true;
  }

  async #give(document: DocumentId, chunks: readonly Uint8Array[]): Promise<boolean> {
    const { documents, setAside } = this.#options;
    const pause = (): Promise<void> => this.#turns.piece();
    await pause();
    const refusedBefore = setAside.hashesOf(document);
    const { refused, isCollision } = await documents.receive(document, chunks, refusedBefore, pause);
    for (const { hash, reason, bytes } of refused) setAside.add({ document, hash, reason }, bytes);
    if (isCollision && documents.isBeyondRepair(document)) this.isLossy = true;
    return !isCollision;
  }

  /** A document begins with what another has: taken from that, if it is here. */
  async #fork(document: DocumentId, { item, position }: Entry, isOver: () => boolean): Promise<void> {
    if (item.kind !== "fork") return;
    const { documents, tracker } = this.#options;
    const heads = item.heads;
    try {
      const isMade = await documents.fork(document, documentIdFromHex(item.from), heads);
      if (!isMade) await this.#admit(document, await this.#options.fetch(document, []), isOver);
      if (isOver()) return;
      tracker.holds(document, heads, position);
    } catch (error) {
      this.lose(error);
    }
  }
}

/** Forks have no bytes that anybody could erase. */
const isFork = (item: EntryItem): boolean => "of" in item && item.of === LOG_KINDS.fork;
const chunksOf = (group: readonly Entry[]): readonly Uint8Array[] =>
  group.flatMap(({ item }) => (item.kind === "change" ? [item.chunk] : []));
