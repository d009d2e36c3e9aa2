/**
 * What is known of each document of a space, here and on the relay: what still has to be sent, fetched, or
 * acknowledged. Pure: no network, storage or timers.
 *
 * A document only grows, so heads that it has had here can be counted: a receipt for its heads number n covers
 * every earlier number. A receipt counts in the generation (life of the relay's log) it was given in; a relay
 * that was restored has a new one, and its list of documents says what it still holds.
 *
 * @module
 */
import { compareText } from "@cambium/core";
import { Waiters } from "../platform/waiters.js";
import type { DocumentRow } from "../storage/store.js";
import type { HeadsUpdate, Receipt, Welcome } from "./relay-frames.js";

/** What a receipt changes in a document's row; `localHeads` belong to the store. */
export type ReceiptRow = Omit<DocumentRow, "localHeads">;

export interface TrackedHeads {
  readonly documentId: string;
  /** The document's heads at some time. Default: its heads now. */
  readonly heads?: readonly string[] | undefined;
}

export interface DocumentProgress {
  readonly documentId: string;
  /** There are changes here that the relay has not acknowledged. */
  readonly pending: boolean;
  /** Heads that the relay lists and that have not been heads here. */
  readonly behind: number;
  /** Milliseconds since 1970, as the tracker's clock has it. */
  readonly lastReceiptAt: number | null;
}

export interface SyncTrackerOptions {
  readonly rows: Iterable<DocumentRow>;
  readonly now: () => number;
  /** Asked to store what a receipt has changed. */
  readonly onRow: (row: ReceiptRow) => void;
}

interface RelayEntry {
  readonly heads: readonly string[];
  readonly key: HeadsKey;
  readonly seq: number;
}

/** Sorted heads as one text. */
type HeadsKey = string;

interface TrackedDocument {
  readonly id: string;
  key: HeadsKey;
  /** Counts the heads this document has had here. */
  number: number;
  readonly numberByKey: Map<HeadsKey, number>;
  /** Every head it has had here. */
  readonly ownHeads: Set<string>;
  receiptedNumber: number;
  /** The generation of the stored receipt. */
  storedGeneration: string | undefined;
  /** Receipts of this generation for heads that we have not heard of yet. */
  readonly foreignReceipts: Set<HeadsKey>;
  relay: RelayEntry | undefined;
  lastReceiptAt: number | null;
  /** Changes that must never come in, though the relay may hold them. */
  refused: ReadonlySet<string>;
}

/** Beyond this, the oldest are forgotten: then a receipt may be missed, and the next one makes up for it. */
const MAX_REMEMBERED = 10_000;

export class SyncTracker {
  readonly #options: SyncTrackerOptions;
  readonly #documents = new Map<string, TrackedDocument>();
  /** Documents for which local heads, relay heads and receipt do not agree. */
  readonly #unsettledIds = new Set<string>();
  readonly #waiters = new Waiters();
  #generation: string | undefined;
  /** No position above it has been heard of in this generation. */
  #horizon = 0;
  /** How far the list has been received. */
  #notifiedSeq: number | undefined;
  #isListComplete = false;
  /** How often the relay was asked what it holds now, and which of these questions it has answered. */
  #asked = 0;
  #answered = 0;
  /** Receipts above the horizon: void unless the list catches up with them. */
  #earlyReceipts: Receipt[] = [];

  constructor(options: SyncTrackerOptions) {
    this.#options = options;
    for (const { documentId, localHeads, receiptedHeads, generation } of options.rows) {
      const document = this.#document(documentId);
      document.storedGeneration = generation;
      if (generation !== undefined) {
        noteHeads(document, receiptedHeads);
        document.receiptedNumber = document.number;
      }
      noteHeads(document, localHeads);
      this.#settle(document);
    }
  }

  /** The document has these heads now, stored durably. */
  localHeads(documentId: string, heads: readonly string[]): void {
    const document = this.#document(documentId);
    if (!noteHeads(document, heads)) return;
    const isHeld = document.relay?.key === document.key || document.foreignReceipts.has(document.key);
    if (isHeld) this.#acknowledge(document, document.key);
    this.#settle(document);
    this.#waiters.check();
  }

  /** These changes are kept out of the document: that the relay holds them does not keep the two apart. */
  refuse(documentId: string, hashes: ReadonlySet<string>): void {
    const document = this.#document(documentId);
    document.refused = hashes;
    this.#settle(document);
    this.#waiters.check();
  }

  /** A session begins. In another generation, and when the log has shrunk, nothing said before counts. */
  welcome({ generation, lastSeq }: Pick<Welcome, "generation" | "lastSeq">): void {
    if (generation !== this.#generation || lastSeq < this.#horizon) {
      const isFirst = this.#generation === undefined;
      for (const document of this.#documents.values()) {
        const isStillValid = isFirst && document.storedGeneration === generation;
        if (!isStillValid) document.receiptedNumber = 0;
        document.foreignReceipts.clear();
        document.relay = undefined;
        this.#settle(document);
      }
      this.#notifiedSeq = undefined;
    }
    this.#generation = generation;
    this.#horizon = lastSeq;
    this.#earlyReceipts = [];
    this.#isListComplete = false;
  }

  /** Another relay from now on: nothing that was said or acknowledged counts. */
  forgetRelay(): void {
    this.welcome({ generation: "", lastSeq: 0 });
    for (const document of this.#documents.values()) document.lastReceiptAt = null;
    this.#storeVoidReceipts();
    this.#generation = undefined;
  }

  heads({ generation, entries, lastSeq, complete, ask = 0 }: Omit<HeadsUpdate, "type">): void {
    if (generation !== this.#generation) return;
    this.#answered = Math.max(this.#answered, ask);
    for (const { documentId, heads, seq } of entries) {
      const document = this.#document(documentId);
      if (document.relay !== undefined && document.relay.seq > seq) continue;
      document.relay = { heads, key: headsKey(heads), seq };
      if (document.numberByKey.has(document.relay.key)) this.#acknowledge(document, document.relay.key);
      this.#settle(document);
    }
    this.#notifiedSeq = Math.max(this.#notifiedSeq ?? 0, lastSeq);
    this.#horizon = Math.max(this.#horizon, lastSeq);
    if (complete && !this.#isListComplete) this.#storeVoidReceipts();
    this.#isListComplete = complete;
    const early = this.#earlyReceipts;
    this.#earlyReceipts = [];
    for (const receipt of early) this.#take(receipt);
    this.#waiters.check();
  }

  receipt(receipt: Omit<Receipt, "type">): void {
    this.#take({ type: "receipt", ...receipt });
    this.#waiters.check();
  }

  /** The session is over. What was acknowledged stays so until a later one says otherwise. */
  offline(): void {
    this.#isListComplete = false;
    this.#earlyReceipts = [];
  }

  /** The newest question to the relay: it goes with every request for the list until it is answered. */
  get ask(): number {
    return this.#asked;
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

  /** From where to ask for the list; undefined when it has to come from the start. */
  cursor(): { readonly generation: string; readonly seq: number } | undefined {
    if (this.#generation === undefined || this.#notifiedSeq === undefined) return undefined;
    return { generation: this.#generation, seq: this.#notifiedSeq };
  }

  /** Whether the relay has acknowledged these heads, or heads that the document has had here after them. */
  isReceipted(documentId: string, heads?: readonly string[]): boolean {
    const document = this.#documents.get(documentId);
    if (document === undefined) return false;
    const key = heads === undefined ? document.key : headsKey(heads);
    return key === "" || this.#covers(document, key);
  }

  /**
   * Resolves when the relay has acknowledged all of it, as it is now. Documents and heads that the tracker has not
   * been told of wait until it is.
   *
   * @throws {CambiumError} ABORTED
   */
  whenReceipted(documents: readonly TrackedHeads[], signal?: AbortSignal): Promise<void> {
    const wanted = documents.map(({ documentId, heads }) => ({
      documentId,
      heads: heads ?? this.#headsOf(documentId),
    }));
    return this.#waiters.until(
      () => wanted.every(({ documentId, heads }) => this.isReceipted(documentId, heads)),
      signal,
    );
  }

  /** Documents that have to be in memory so that they can be sent or fetched. Unlisted ones show once the list is complete. */
  toLoad(): readonly string[] {
    return [...this.#unsettledIds].filter(
      (id) => this.#isListComplete || this.#documents.get(id)?.relay !== undefined,
    );
  }

  /** Whether the relay has said in this session all that it holds, and what it said of this document has been here. */
  isCaughtUp(documentId: string): boolean {
    const { relay, ownHeads } = this.#documents.get(documentId) ?? {};
    return this.#isListComplete && (relay?.heads.every((head) => ownHeads?.has(head)) ?? true);
  }

  /**
   * Whether, as far as the relay has said in this session, both sides hold the same, and durably.
   *
   * @param ask - the relay has to have said it since this question
   */
  isSynced(ask = 0): boolean {
    return this.#isListComplete && this.#unsettledIds.size === 0 && this.#answered >= ask;
  }

  /** @throws {CambiumError} ABORTED */
  whenSynced(signal?: AbortSignal, ask = 0): Promise<void> {
    return this.#waiters.until(() => this.isSynced(ask), signal);
  }

  progress(documentId: string): DocumentProgress | undefined {
    const document = this.#documents.get(documentId);
    return document && this.#progressOf(document);
  }

  allProgress(): readonly DocumentProgress[] {
    return [...this.#documents.values()].map((document) => this.#progressOf(document));
  }

  #progressOf(document: TrackedDocument): DocumentProgress {
    const { id: documentId, relay, lastReceiptAt, ownHeads, refused } = document;
    const behind = relay?.heads.filter((head) => !ownHeads.has(head) && !refused.has(head)).length ?? 0;
    return { documentId, pending: !this.isReceipted(documentId), behind, lastReceiptAt };
  }

  #headsOf(documentId: string): readonly string[] | undefined {
    const document = this.#documents.get(documentId);
    return document && keyToHeads(document.key);
  }

  #document(id: string): TrackedDocument {
    const known = this.#documents.get(id);
    if (known !== undefined) return known;
    const document: TrackedDocument = {
      id,
      key: "",
      number: 0,
      numberByKey: new Map(),
      ownHeads: new Set(),
      receiptedNumber: 0,
      storedGeneration: undefined,
      foreignReceipts: new Set(),
      relay: undefined,
      lastReceiptAt: null,
      refused: new Set(),
    };
    this.#documents.set(id, document);
    return document;
  }

  #take(receipt: Receipt): void {
    if (receipt.generation !== this.#generation) return;
    if (receipt.seq > this.#horizon) {
      remember(this.#earlyReceipts, receipt);
      return;
    }
    const document = this.#document(receipt.documentId);
    this.#acknowledge(document, headsKey(receipt.heads));
    this.#settle(document);
  }

  #acknowledge(document: TrackedDocument, key: HeadsKey): void {
    document.lastReceiptAt = this.#options.now();
    const number = document.numberByKey.get(key);
    if (number === undefined) {
      document.foreignReceipts.add(key);
      forgetOldest(document.foreignReceipts);
      return;
    }
    if (number <= document.receiptedNumber) return;
    document.receiptedNumber = number;
    document.storedGeneration = this.#generation;
    this.#options.onRow({
      documentId: document.id,
      receiptedHeads: keyToHeads(key),
      generation: this.#generation,
    });
  }

  #covers(document: TrackedDocument, key: HeadsKey): boolean {
    const number = document.numberByKey.get(key);
    if (number === undefined) return document.foreignReceipts.has(key);
    return number <= document.receiptedNumber;
  }

  #settle(document: TrackedDocument): void {
    const { id } = document;
    const isSettled = isLevel(document) && this.isReceipted(id);
    if (isSettled) this.#unsettledIds.delete(id);
    else this.#unsettledIds.add(id);
  }

  /** Once the list has said all it holds, a stored receipt of an earlier generation is known to be worth nothing. */
  #storeVoidReceipts(): void {
    for (const document of this.#documents.values()) {
      if (document.storedGeneration === undefined || document.receiptedNumber > 0) continue;
      document.storedGeneration = undefined;
      this.#options.onRow({ documentId: document.id, receiptedHeads: [], generation: undefined });
    }
  }
}

/** Whether both sides have the same heads, but for what is refused here and what rests on it there. */
function isLevel({ key, relay, refused, ownHeads }: TrackedDocument): boolean {
  if ((relay?.key ?? "") === key) return true;
  const isRefused = relay?.heads.some((head) => refused.has(head)) ?? false;
  return isRefused && (relay?.heads.every((head) => refused.has(head) || ownHeads.has(head)) ?? false);
}

const headsKey = (heads: readonly string[]): HeadsKey => [...heads].sort(compareText).join(",");
const keyToHeads = (key: HeadsKey): readonly string[] => (key === "" ? [] : key.split(","));

/** Returns whether these heads are new. */
function noteHeads(document: TrackedDocument, heads: readonly string[]): boolean {
  const key = headsKey(heads);
  if (key === document.key) return false;
  if (document.numberByKey.has(key)) {
    // The document has lost what came after, as a damaged store does: numbers before mean nothing now.
    document.numberByKey.clear();
    document.ownHeads.clear();
    document.receiptedNumber = 0;
  }
  document.key = key;
  document.number += 1;
  document.numberByKey.set(key, document.number);
  forgetOldest(document.numberByKey);
  for (const head of heads) {
    document.ownHeads.add(head);
    forgetOldest(document.ownHeads);
  }
  return true;
}

function forgetOldest(memory: Map<string, unknown> | Set<string>): void {
  if (memory.size <= MAX_REMEMBERED) return;
  const [oldest] = memory.keys();
  if (oldest !== undefined) memory.delete(oldest);
}

function remember<Item>(memory: Item[], item: Item): void {
  memory.push(item);
  if (memory.length > MAX_REMEMBERED) memory.shift();
}
