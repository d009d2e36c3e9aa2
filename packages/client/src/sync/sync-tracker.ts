/**
 * What is known of each document of a space, here and in the relay's log: what still has to be sent, read, or
 * acknowledged. Pure: no network, storage or timers.
 *
 * Of a document it is kept which changes the log holds, by the last ones of those that are here too. What an entry said
 * that has been read is stored with it, and counts for as long as the log is the one that was read: a relay that lost
 * its tail has another mark there. A receipt is ahead of what was read. It counts until the session ends, and by then
 * the entry itself has been read, or is not there.
 *
 * @module
 */
import type { LogPoint } from "@cambium/core/wire";
import { Waiters } from "../platform/waiters.js";
import type { DocumentRow } from "../storage/store.js";
import { RETIRED_ROW } from "./retirements.js";

/** Where it is stored how far the log has been read. No document has this id. */
export const CURSOR_ROW = "relay-log";

/** What the log is known to hold, as it is stored; `localHeads` belong to the store. */
export type HeldRow = Omit<DocumentRow, "localHeads">;

export interface DocumentProgress {
  readonly documentId: string;
  /** There are changes here that the relay has not acknowledged. */
  readonly pending: boolean;
  /** Changes that have been read from the relay and are not in the document yet. */
  readonly behind: number;
  /** Milliseconds since 1970, as the tracker's clock has it. */
  readonly lastReceiptAt: number | null;
}

/** A change, and what it follows, as far as that is known. */
export interface PlacedChange {
  readonly hash: string;
  readonly deps: readonly string[];
}

interface TrackedDocument {
  readonly id: string;
  /** As they are on disk. */
  localHeads: readonly string[];
  /** Of the log as far as it was read. */
  held: Set<string>;
  /** Those of `held` that others of it follow. They go when those others are on disk here. */
  readonly followed: Set<string>;
  /** Where in the log that was read. Undefined: nothing was. */
  heldAt: number | undefined;
  /** What the log held cannot be told any more, and has to be asked. */
  isVoid: boolean;
  /** Receipts of this session. */
  readonly acknowledged: Set<string>;
  behind: number;
  lastReceiptAt: number | null;
}

export interface SyncTrackerOptions {
  readonly rows: Iterable<DocumentRow>;
  readonly now: () => number;
}

export class SyncTracker {
  readonly #now: () => number;
  readonly #documents = new Map<string, TrackedDocument>();
  /** Documents of which not everything that is here is known to be in the log. */
  readonly #unsettled = new Set<string>();
  readonly #changedRows = new Set<string>();
  readonly #waiters = new Waiters();
  #isInSession = false;
  /** How far the log has been read. */
  #position = 0;
  /** How far it has to be read before anything can be told. */
  #upTo = 0;
  /** How often the relay was asked what it holds now, and which of these questions it has answered. */
  #asked = 0;
  #answered = 0;
  /** Documents of which more is to come than the log gives. */
  readonly #awaited = new Set<string>();

  constructor({ rows, now }: SyncTrackerOptions) {
    this.#now = now;
    for (const { documentId, localHeads, receiptedHeads, receiptedAt } of rows) {
      if (documentId === CURSOR_ROW || documentId.startsWith(RETIRED_ROW)) continue;
      const document = this.#document(documentId);
      document.held = new Set(receiptedAt === undefined ? [] : receiptedHeads);
      document.heldAt = receiptedAt;
      document.localHeads = localHeads;
      this.#settle(document);
    }
  }

  /** The document has these heads now, stored durably. */
  localHeads(documentId: string, heads: readonly string[]): void {
    const document = this.#document(documentId);
    document.localHeads = heads;
    for (const hash of document.followed) document.held.delete(hash);
    document.followed.clear();
    this.#settle(document);
    this.#waiters.check();
  }

  /** The heads that the document has on disk, as far as the tracker was told. */
  headsOf(documentId: string): readonly string[] {
    return this.#documents.get(documentId)?.localHeads ?? [];
  }

  /**
   * A session reads the log from a point that both have.
   *
   * @returns documents of which has to be asked what the log holds
   */
  begin(common: LogPoint, upTo: LogPoint): readonly string[] {
    for (const document of this.#documents.values()) {
      document.acknowledged.clear();
      document.behind = 0;
      if ((document.heldAt ?? 0) > common.position) {
        document.held = new Set();
        document.followed.clear();
        document.isVoid = common.position > 0;
        document.heldAt = undefined;
        this.#changedRows.add(document.id);
      }
      this.#settle(document);
    }
    this.#awaited.clear();
    this.#isInSession = true;
    this.#position = common.position;
    this.#upTo = upTo.position;
    this.#waiters.check(); // what was missing may have come before, or while there was no session
    return [...this.#documents.values()].flatMap(({ id, isVoid }) => (isVoid ? [id] : []));
  }

  /** The session is over. What was acknowledged stays so until a later one says otherwise. */
  offline(): void {
    this.#isInSession = false;
    this.#awaited.clear();
  }

  /** Another relay from now on: nothing that was said or acknowledged counts. */
  forgetRelay(): void {
    for (const document of this.#documents.values()) {
      Object.assign(document, { held: new Set(), heldAt: undefined, isVoid: false, lastReceiptAt: null });
      document.acknowledged.clear();
      document.followed.clear();
      this.#changedRows.add(document.id);
      this.#settle(document);
    }
  }

  /** The log has this change, which is in the document here. */
  entry(documentId: string, { hash, deps }: PlacedChange, position: number): void {
    const document = this.#document(documentId);
    document.held.add(hash);
    for (const dep of deps) if (document.held.has(dep)) document.followed.add(dep);
    document.acknowledged.delete(hash);
    document.lastReceiptAt = this.#now();
    this.#noteHeld(document, position);
  }

  /** The log holds the document up to these changes, which are here. */
  holds(documentId: string, heads: readonly string[], position: number): void {
    const document = this.#document(documentId);
    for (const head of heads) document.held.add(head);
    document.isVoid = false;
    this.#noteHeld(document, position);
    this.#waiters.check();
  }

  /** What was said of a document turns out to be wrong: it is asked again. */
  doubt(documentId: string): void {
    const document = this.#document(documentId);
    Object.assign(document, { held: new Set(), heldAt: undefined, isVoid: true });
    document.followed.clear();
    document.acknowledged.clear();
    this.#changedRows.add(documentId);
    this.#settle(document);
  }

  /** The relay has taken a change. Its entry is still to be read: who waits hears of it then. */
  receipt(documentId: string, { hash, deps }: PlacedChange): void {
    const document = this.#document(documentId);
    document.lastReceiptAt = this.#now();
    for (const dep of deps) document.acknowledged.delete(dep);
    if (!document.held.has(hash)) document.acknowledged.add(hash);
    this.#settle(document);
  }

  /** Changes of a document were read, or have come in. */
  noteBehind(documentId: string, change: number): void {
    const document = this.#document(documentId);
    document.behind = Math.max(0, document.behind + change);
  }

  /** The relay has taken nothing of it, for the log has had it since this position, which was read. */
  known(documentId: string, change: PlacedChange, position: number): void {
    this.entry(documentId, change, position);
    this.#waiters.check();
  }

  /** More of a document is to come, or has. */
  await(documentId: string, isAwaited: boolean): void {
    if (isAwaited) this.#awaited.add(documentId);
    else this.#awaited.delete(documentId);
    this.#waiters.check();
  }

  /** How far the log has been read into the documents, in this session or before. */
  get position(): number {
    return this.#position;
  }

  /** Everything up to here is in the documents. */
  reached(position: number): void {
    this.#position = position;
    this.#waiters.check();
  }

  /** What has changed since this was last asked, to be stored with what was read. */
  takeRows(): readonly HeldRow[] {
    const rows = [...this.#changedRows].flatMap((id) => {
      const document = this.#documents.get(id);
      // What lies above is stored with the cursor that reaches it.
      if (document === undefined || (document.heldAt ?? 0) > this.#position) return [];
      this.#changedRows.delete(id);
      return [rowOf(document)];
    });
    return rows;
  }

  /** Last changes of what the relay is known to have of a document. */
  heldOf(documentId: string): readonly string[] {
    const document = this.#documents.get(documentId);
    return document === undefined ? [] : [...document.held, ...document.acknowledged];
  }

  /** Whether it can be told what the relay lacks of the document. */
  isKnown(documentId: string): boolean {
    return this.#documents.get(documentId)?.isVoid !== true;
  }

  /** The newest question to the relay: it goes with every session until it is answered. */
  get ask(): number | undefined {
    return this.#asked > this.#answered ? this.#asked : undefined;
  }

  /**
   * Begins a question: what the relay holds at the time of its answer, not what it last said. The caller sends it.
   *
   * @returns its number, for `whenSynced`
   */
  newAsk(): number {
    this.#asked += 1;
    return this.#asked;
  }

  /** @param upTo - the log ended there, or later, when the question was answered */
  answer(ask: number, upTo: number): void {
    this.#answered = Math.max(this.#answered, ask);
    this.#upTo = Math.max(this.#upTo, upTo);
    this.#waiters.check();
  }

  /** Whether the relay has acknowledged all of it. */
  isReceipted(documentId: string): boolean {
    return !this.#unsettled.has(documentId);
  }

  /** Documents with changes that the relay has not acknowledged. */
  get unsettled(): readonly string[] {
    return [...this.#unsettled];
  }

  /** Whether everything that the log held when the session began, or was last asked, is here. */
  get isCaughtUp(): boolean {
    return this.#isInSession && this.#position >= this.#upTo;
  }

  /** Whether what the log held of a document then is in it. */
  isHeard(documentId: string): boolean {
    return this.isCaughtUp && !this.#awaited.has(documentId);
  }

  /**
   * Whether, as far as the relay has said in this session, both sides hold the same, and durably.
   *
   * @param ask - the relay has to have said it since this question
   */
  isSynced(ask = 0): boolean {
    return this.isCaughtUp && this.#unsettled.size === 0 && this.#awaited.size === 0 && this.#answered >= ask;
  }

  /** Whether nothing is to be expected of the relay: all is synced, and every question answered. */
  get isAtRest(): boolean {
    return this.isSynced(this.#asked);
  }

  /** @throws {CambiumError} ABORTED */
  whenSynced(signal?: AbortSignal, ask = 0): Promise<void> {
    return this.#waiters.until(() => this.isSynced(ask), signal);
  }

  allProgress(): readonly DocumentProgress[] {
    return [...this.#documents.values()].map(({ id, behind, lastReceiptAt }) => ({
      ...{ documentId: id, pending: !this.isReceipted(id), behind, lastReceiptAt },
    }));
  }

  #document(id: string): TrackedDocument {
    const known = this.#documents.get(id);
    if (known !== undefined) return known;
    const document: TrackedDocument = {
      ...{ id, localHeads: [], held: new Set(), followed: new Set(), heldAt: undefined, isVoid: false },
      ...{ acknowledged: new Set(), behind: 0, lastReceiptAt: null },
    };
    this.#documents.set(id, document);
    return document;
  }

  #noteHeld(document: TrackedDocument, position: number): void {
    document.heldAt = Math.max(document.heldAt ?? 0, position);
    this.#changedRows.add(document.id);
    this.#settle(document);
  }

  #settle({ id, localHeads, held, acknowledged }: TrackedDocument): void {
    if (localHeads.every((head) => held.has(head) || acknowledged.has(head))) this.#unsettled.delete(id);
    else this.#unsettled.add(id);
  }
}

const rowOf = ({ id, held, followed, heldAt }: TrackedDocument): HeldRow => ({
  documentId: id,
  receiptedHeads: [...held].filter((hash) => !followed.has(hash)).sort(),
  receiptedAt: heldAt,
});
