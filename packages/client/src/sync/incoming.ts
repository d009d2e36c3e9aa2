/**
 * What comes: entries of the relay's log, in order, taken into the documents in groups.
 *
 * Plan: check each frame's mark, so that what was garbled shows and is read again; gather the changes of each document;
 * give them to it together; only then count the frame as read. While much is to come, it is gathered: loading a document
 * once with all of its changes costs less than adding them to it.
 *
 * @module
 */
import { type DocumentId, documentIdFromHex } from "@cambium/core";
import {
  type EntriesFrame,
  type EntryItem,
  LOG_KINDS,
  LOG_START,
  type LogPoint,
  nextPoint,
  readEntries,
  samePoint,
} from "@cambium/core/wire";
import type { SetAside } from "../documents/set-aside.js";
import { entryTools } from "../platform/node-platform.js";
import { ShortTurns } from "../platform/short-turns.js";
import type { CancelTimer, Timers } from "../platform/timers.js";
import type { LogCursor } from "./log-cursor.js";
import type { LogDocuments } from "./log-documents.js";
import type { SyncTracker } from "./sync-tracker.js";

/** As much of the documents as is needed to take in what comes. */
export type TakingDocuments = Pick<LogDocuments, keyof LogDocuments>;

export interface IncomingOptions {
  readonly tracker: SyncTracker;
  readonly cursor: LogCursor;
  readonly documents: TakingDocuments;
  readonly setAside: Pick<SetAside, "hashesOf" | "add">;
  readonly timers: Timers;
  /** What a fork that this session sent began with. */
  readonly forkHeadsOf: (document: DocumentId) => readonly string[];
  /** All that the relay has of a document, or of it more than what is here. */
  readonly fetch: (document: DocumentId, have: readonly string[]) => Promise<readonly Uint8Array[]>;
  /** So many bytes more may be sent. */
  readonly grant: (bytes: number) => void;
  /** What was read does not fit what was read before: it has to be read again. */
  readonly onGap: () => void;
  /** What was read is in the documents. */
  readonly onApplied: () => void;
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

interface Entry {
  readonly item: EntryItem;
  readonly hash: string;
  readonly position: number;
}

interface Stretch {
  readonly entries: readonly Entry[];
  readonly upTo: LogPoint;
  readonly sizeBytes: number;
}

/** A relay is told in pieces of this size what was read: each is a message, and few changes are as large. */
const GRANTED_BYTES = 256 * 1024;
/** Gathered while there is more to come. */
const GATHERED_BYTES = 8 * 1024 * 1024;
/** What follows that soon is taken in together: above 100 changes a second each costs less that way. */
const PACE_MS = 8;
/** Of one document: whoever sends more that counts for nothing makes it up. */
const MAX_HELD_PLACES = 4_096;
/** So many entries of a document are noted before others get on. */
const NOTED_AT_ONCE = 256;

export class Incoming {
  readonly #options: IncomingOptions;
  /** How far frames have come. */
  #read: LogPoint = LOG_START;
  /** There is that much to come at least. */
  #upTo: LogPoint = LOG_START;
  #stretches: Stretch[] = [];
  #waitingBytes = 0;
  /** Of those that wait, what the relay may not send again yet. */
  #owedBytes = 0;
  /** What it may send again and was not told. */
  #untoldBytes = 0;
  #isTaking = false;
  /** What is done for a document takes some milliseconds, or some hundred. */
  readonly #turns = new ShortTurns({ pieces: 64 });
  #pace: CancelTimer | undefined;
  /** Counts sessions; what belongs to an earlier one is dropped. */
  #session = 0;
  #isOpen = false;
  /** Some of what was read is in no document: it has to be read again some day. */
  #isLossy = false;
  /** Positions of what came in this session and is held beside its document. */
  readonly #heldPlaces = new Map<DocumentId, Map<string, number>>();
  /** The relay has no bytes of these, and the catalog does not say why. */
  #unexplained = new Map<DocumentId, readonly Entry[]>();
  /** Whether all of the catalog that the relay has was asked for since the entries came that are being taken in. */
  #isCatalogNew = false;

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  /** From here on entries follow. */
  begin(common: LogPoint, upTo: LogPoint): void {
    this.end();
    this.#isLossy = false;
    this.#read = common;
    this.#upTo = upTo;
    this.#isOpen = true;
  }

  end(): void {
    this.#session += 1;
    this.#isOpen = false;
    this.#stretches = [];
    this.#unexplained = new Map();
    this.#waitingBytes = 0;
    this.#owedBytes = 0;
    this.#untoldBytes = 0;
    this.#pace?.();
    this.#pace = undefined;
  }

  entries(frame: EntriesFrame): void {
    if (!this.#isOpen) return;
    const stretch = this.#checked(frame);
    if (stretch === undefined) {
      this.#isOpen = false;
      this.#options.onGap();
      return;
    }
    this.#read = frame.upTo;
    this.#stretches.push(stretch);
    this.#waitingBytes += stretch.sizeBytes;
    for (const { item } of stretch.entries) this.#note(item, 1);
    if (this.#waitingBytes <= GATHERED_BYTES) this.#grant(stretch.sizeBytes);
    else this.#owedBytes += stretch.sizeBytes;
    this.#takeSoon();
  }

  #grant(bytes: number): void {
    this.#untoldBytes += bytes;
    if (this.#untoldBytes < GRANTED_BYTES) return;
    this.#options.grant(this.#untoldBytes);
    this.#untoldBytes = 0;
  }

  #note({ kind, document }: EntryItem, change: number): void {
    const isOne = kind === "change" || kind === "gone";
    if (isOne) this.#options.tracker.noteBehind(documentIdFromHex(document), change);
  }

  /** @returns undefined when it is not what comes next in this log */
  #checked(frame: EntriesFrame): Stretch | undefined {
    if (frame.from !== this.#read.position) return undefined;
    try {
      let point = this.#read;
      const entries = readEntries(frame.items, entryTools).map(({ item, kind, hash }): Entry => {
        point = nextPoint(point, { kind, document: item.document, hash }, entryTools.sha256);
        return { item, hash, position: point.position };
      });
      if (!samePoint(point, frame.upTo)) return undefined;
      return { entries, upTo: frame.upTo, sizeBytes: frame.items.inflatedBytes };
    } catch {
      return undefined; // garbled on its way
    }
  }

  #takeSoon(): void {
    if (this.#isTaking || this.#pace !== undefined || this.#stretches.length === 0) return;
    const isMoreComing = this.#read.position < this.#upTo.position;
    if (isMoreComing && this.#waitingBytes < GATHERED_BYTES) return;
    this.#isTaking = true;
    this.#take()
      .catch((error: unknown) => {
        this.#isLossy = true;
        this.#options.onNotice(messageOf(error));
      })
      .finally(() => {
        this.#isTaking = false;
        this.#pace = this.#options.timers.after(PACE_MS, () => {
          this.#pace = undefined;
          this.#takeSoon();
        });
      });
  }

  async #take(): Promise<void> {
    const session = this.#session;
    const { cursor, tracker, onApplied } = this.#options;
    const stretches = this.#stretches;
    const { upTo } = stretches.at(-1) as Stretch;
    const isOver = (): boolean => session !== this.#session;
    this.#stretches = [];
    this.#isCatalogNew = false;
    this.#turns.begin();
    const isTaken = await this.#apply(
      stretches.flatMap(({ entries }) => entries),
      isOver,
    );
    if (isOver()) return;
    if (!isTaken) {
      this.end();
      return;
    }
    this.#waitingBytes -= stretches.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.#grant(this.#owedBytes);
    this.#owedBytes = 0;
    if (!this.#isLossy) cursor.advance(upTo);
    tracker.reached(upTo.position);
    onApplied();
  }

  /** @returns false when it was not taken in, all of it */
  async #apply(entries: readonly Entry[], isOver: () => boolean): Promise<boolean> {
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
      this.#isLossy = true;
      this.#options.onNotice(messageOf(error));
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
   * The relay does not give what its log says that it has. What it names and has no bytes of is remembered, and asked for
   * in the next session; a change without what it follows, and a fork, have to be read again.
   */
  #await(document: DocumentId, group: readonly Entry[]): void {
    const { documents, onWithheld } = this.#options;
    const gone = this.#goneOf(document, group);
    const missing = documents.missingOf(document);
    const named = gone.filter(({ item }) => !isFork(item)).map(({ hash }) => hash);
    const isRemembered = onWithheld(document, [...missing, ...named], chunksOf(group));
    const isUnsaid = missing.length > 0 || named.length < gone.length;
    if (isUnsaid || !isRemembered) this.#isLossy = true;
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
    if (isCollision && documents.isBeyondRepair(document)) this.#isLossy = true;
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
      this.#isLossy = true;
      this.#options.onNotice(messageOf(error));
    }
  }
}

/** Forks have no bytes that anybody could erase. */
const isFork = (item: EntryItem): boolean => "of" in item && item.of === LOG_KINDS.fork;
const chunksOf = (group: readonly Entry[]): readonly Uint8Array[] =>
  group.flatMap(({ item }) => (item.kind === "change" ? [item.chunk] : []));
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
