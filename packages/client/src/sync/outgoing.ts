/**
 * What leaves: changes that are on disk and that the relay lacks, composed into batches. What a branch refers to goes
 * before it: packs, then the catalog, then branches.
 *
 * Plan: take the heads that documents have on disk, at one moment; of each document, in that order, what lies between
 * what the relay has and these heads; as much as a batch holds. So a batch, with those before it, holds whatever its
 * changes rest on. When a batch is refused, forget what was sent since, and compose anew.
 *
 * @module
 */
import { deflateRawSync } from "node:zlib";
import { type CambiumError, type DocumentId, type DocumentKind, documentIdFromHex } from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import { type BatchFrame, encodeItems, pack, type RefusedFrame } from "@cambium/core/wire";
import type { SentChange } from "../documents/sent-changes.js";
import { BatchBuilder, type SentItem } from "./batch-builder.js";
import { BatchLine, type SentBatch } from "./batch-line.js";
import type { Fork } from "./fork-to-ask.js";
import { relayRefusal } from "./relay-refusal.js";
import type { Retirements } from "./retirements.js";
import type { SyncTracker } from "./sync-tracker.js";

export interface OutgoingOptions {
  readonly tracker: SyncTracker;
  readonly kindOf: (document: DocumentId) => DocumentKind;
  /** What the document was forked from, if the relay may have that and has nothing of the document. */
  readonly forkOf: (document: DocumentId) => Fork | undefined;
  readonly changesBetween: (
    document: DocumentId,
    have: readonly string[],
    upTo: readonly string[],
  ) => Promise<readonly SentChange[] | undefined>;
  /** What the relay is to be asked to destroy. */
  readonly retirements: Pick<Retirements, "pending" | "done" | "refused">;
  /** Whether the relay is to let the space have more than it may, because something in it is erased next. */
  readonly makesRoom: () => boolean;
  /** The relay holds records of a retired document that nothing has carried. */
  readonly onNotCarried: (document: DocumentId) => void;
  readonly send: (frame: BatchFrame) => void;
  /** The relay must be asked again what it has of the document. */
  readonly onDoubt: (document: DocumentId) => void;
  /** The relay holds another change under a number of ours. */
  readonly onCollision: (document: DocumentId) => void;
  readonly onReceipt: () => void;
  /** Something may have been garbled on its way, more than once. */
  readonly onBreak: () => void;
  readonly onNotice: (message: string) => void;
  /** Something stays here until the next connection, and to wait for it is of no use. */
  readonly onStuck: (reason: CambiumError) => void;
  readonly after: (delayMs: number, run: () => void) => void;
}

/** What goes first has the lowest. */
const ORDER: Readonly<Record<DocumentKind, number>> = { pack: 0, uses: 0, catalog: 1, branch: 2 };
/** A relay that is busy is asked again after so long. */
const BUSY_MS = 1_000;
/** What is refused so often in a row was not garbled on its way. */
const MAX_ATTEMPTS = 3;
/** After so many a new session is no help either. */
const MAX_BREAKS = 8;

/** Of forks of forks; those beyond it are sent whole. */
const MAX_DEPTH = 64;

const NO_FORK: ReadonlySet<string> = new Set(["HEADS_NOT_HERE", "IN_USE", "TOO_WIDE"]);

export class Outgoing {
  readonly #options: OutgoingOptions;
  #line = new BatchLine<readonly SentItem[]>();
  /** Last changes that were sent and not answered. */
  readonly #sent = new Map<DocumentId, Set<string>>();
  readonly #dirty = new Set<DocumentId>();
  /** What of a document did not fit into the last batch. */
  #rest:
    | { readonly document: DocumentId; readonly key: string; readonly changes: readonly SentChange[] }
    | undefined;
  readonly #unforkable = new Set<DocumentId>();
  /** What the relay refuses for itself. */
  readonly #held = new Set<DocumentId>();
  /** What is damaged here, until it is whole again. */
  readonly #damaged = new Set<DocumentId>();
  /** How often in a row the relay has refused a document. */
  readonly #refusals = new Map<DocumentId, number>();
  #isOpen = false;
  #isComposing = false;
  /** Somebody asked for more while a batch was being made. */
  #isWanted = false;
  /** What documents that were sent as forks began with. */
  readonly #forked = new Map<DocumentId, readonly string[]>();
  /** The relay was asked to destroy it, and has not answered. One at a time: a refusal drops what was sent after it. */
  #asked: DocumentId | undefined;
  /** Counts what makes a batch under way worth nothing. */
  #round = 0;

  constructor(options: OutgoingOptions) {
    this.#options = options;
  }

  /** From now on everything leaves that the relay lacks. */
  open(documents: readonly string[]): void {
    this.#isOpen = true;
    for (const id of documents) this.#dirty.add(id as DocumentId);
    this.#composeSoon();
  }

  /** What a document began with that this session sent as a fork. */
  forkHeadsOf(document: DocumentId): readonly string[] {
    return this.#forked.get(document) ?? [];
  }

  /** The session is over, or nothing may leave for now. */
  close(): void {
    this.#isOpen = false;
    this.#line = new BatchLine();
    this.#round += 1;
    this.#rest = undefined;
    this.#sent.clear();
    this.#dirty.clear();
    this.#held.clear();
    this.#damaged.clear();
    this.#unforkable.clear();
    this.#asked = undefined;
  }

  /** There may be something for the relay to destroy. */
  retire(): void {
    if (this.#isOpen) this.#composeSoon();
  }

  /** What the document holds now is on disk. */
  offer(document: DocumentId): void {
    if (!this.#isOpen) return;
    this.#damaged.delete(document);
    this.#dirty.add(document);
    this.#composeSoon();
  }

  /** @param positions - where the log has what the batch put in */
  receipt(n: number, positions: readonly number[]): void {
    const { tracker } = this.#options;
    const last = Math.max(...positions);
    for (const { document, item, placed } of this.#line.receipt(n) ?? []) {
      this.#refusals.delete(document);
      if (item.kind === "retire") {
        this.#asked = undefined;
        this.#options.retirements.done(document, last);
      }
      for (const change of placed) {
        this.#sent.get(document)?.delete(change.hash);
        // What the log has had for long was read, or passed over: it does not come again.
        if (last <= tracker.position) tracker.known(document, change, last);
        else tracker.receipt(document, change);
      }
    }
    this.#options.onReceipt();
    this.#composeSoon();
  }

  refused({ n, code, document: hex, message }: RefusedFrame): void {
    const dropped = n === undefined ? [] : this.#line.refuse(n);
    if (dropped.length === 0) return;
    const document = hex === undefined ? undefined : documentIdFromHex(hex);
    this.#forget(dropped, document);
    if (document === undefined || code === "ROLE_REFUSED") this.#wait(code, message);
    else this.#decide(document, code, message);
    this.#composeSoon();
  }

  #decide(document: DocumentId, code: string, message: string): void {
    const { onDoubt, onCollision, onNotCarried, retirements } = this.#options;
    if (this.#asked === document) {
      this.#asked = undefined;
      if (code === "RETIRED") retirements.done(document, this.#options.tracker.position);
      else {
        if (code === "NOT_CARRIED") onNotCarried(document);
        retirements.refused(document);
      }
    } else if (code === "NUMBER_TAKEN") {
      onCollision(document);
    } else if (NO_FORK.has(code) && !this.#unforkable.has(document)) {
      this.#unforkable.add(document);
    } else if (code === "BUSY") {
      this.#wait(code, message);
    } else if (code === "QUOTA_EXCEEDED") {
      this.#hold(document, message); // to be heard again does not make room
      this.#options.onStuck(relayRefusal(code, message));
    } else {
      const attempts = (this.#refusals.get(document) ?? 0) + 1;
      this.#refusals.set(document, attempts);
      if (attempts >= MAX_ATTEMPTS) this.#hold(document, message);
      if (attempts >= MAX_ATTEMPTS && attempts < MAX_BREAKS) this.#options.onBreak();
      else if (code === "MISSING") onDoubt(document);
    }
  }

  /** It stays here. So do branches, which may rest on it. */
  #hold(document: DocumentId, message: string): void {
    this.#held.add(document);
    this.#options.onNotice(`Document ${document} is not sent until the next connection: ${message}`);
  }

  #wait(code: string, message: string): void {
    const round = this.#round;
    this.#isOpen = false;
    if (code !== "BUSY") {
      this.#options.onNotice(`Nothing is sent until the next connection. The relay says: ${message}`);
      this.#options.onStuck(relayRefusal(code, message));
      return;
    }
    this.#options.after(BUSY_MS, () => {
      // What was stored meanwhile was offered to nobody.
      if (this.#round === round) this.open(this.#options.tracker.unsettled);
    });
  }

  #forget(dropped: readonly SentBatch<readonly SentItem[]>[], refused: DocumentId | undefined): void {
    this.#round += 1;
    this.#rest = undefined;
    for (const { content } of dropped) {
      for (const { document, item } of content) {
        if (item.kind === "retire") {
          if (document !== refused) this.#asked = undefined;
          continue;
        }
        this.#sent.delete(document);
        this.#dirty.add(document);
      }
    }
    for (const { content } of this.#line.waiting) this.#noteSent(content);
  }

  /** Once for all that is stored in one commit. */
  #composeSoon(): void {
    this.#isWanted = true;
    if (this.#isComposing || !this.#isOpen) return;
    this.#isComposing = true;
    setImmediate(() => void this.#composeWhileWanted());
  }

  async #composeWhileWanted(): Promise<void> {
    try {
      while (this.#isWanted && this.#isOpen) {
        this.#isWanted = false;
        await this.#compose();
      }
    } finally {
      this.#isComposing = false;
    }
  }

  async #compose(): Promise<void> {
    while (this.#isOpen && this.#line.isOpen) {
      const round = this.#round;
      const items = this.#dirty.size > 0 ? await this.#next() : this.#retirements();
      if (round !== this.#round) continue;
      if (items.length === 0) return;
      this.#noteSent(items);
      const packed = pack(encodeItems(items.map(({ item }) => item)), deflateRawSync);
      const numbers = this.#line.send(items, packed.bytes.length);
      const room = this.#options.makesRoom() ? ({ makesRoom: true } as const) : {};
      this.#options.send({ type: "batch", ...numbers, items: packed, ...room });
    }
  }

  /** After everything else: what takes the place of these documents is in the log then. */
  #retirements(): readonly SentItem[] {
    const [first] = this.#asked === undefined ? this.#options.retirements.pending() : [];
    if (first === undefined) return [];
    this.#asked = first.document;
    return [{ ...first, placed: [] }];
  }

  /** As much as one batch holds. */
  async #next(): Promise<readonly SentItem[]> {
    const { tracker } = this.#options;
    const round = this.#round;
    const ids = this.#inOrder([...this.#dirty]);
    const headsById = new Map(ids.map((id) => [id, tracker.headsOf(id)]));
    const batch = new BatchBuilder();
    // What is stored of them from now on is offered anew, while changes are being read.
    for (const id of ids) this.#dirty.delete(id);
    const leave = (rest: readonly DocumentId[]): void => {
      for (const id of rest) this.#dirty.add(id);
    };
    for (const [place, id] of ids.entries()) {
      const heads = headsById.get(id) ?? [];
      const changes = await this.#changesOf(id, heads, batch).catch((error: unknown) => {
        this.#hold(id, messageOf(error));
        return [];
      });
      if (round !== this.#round) {
        leave(ids);
        return [];
      }
      if (this.#isHeldBack(id)) {
        this.#isWanted = true; // for what does not rest on it
        leave(ids.slice(place + 1));
        break;
      }
      const left = batch.add(id, changes);
      if (left.length === 0) continue;
      leave(ids.slice(place));
      this.#rest = { document: id, key: heads.join(), changes: left };
      break;
    }
    return batch.items;
  }

  async #changesOf(
    id: DocumentId,
    heads: readonly string[],
    batch: BatchBuilder,
  ): Promise<readonly SentChange[]> {
    const { tracker, changesBetween } = this.#options;
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest?.document === id && rest.key === heads.join()) return rest.changes;
    const have = [...tracker.heldOf(id), ...(this.#sent.get(id) ?? [])];
    if (heads.every((head) => have.includes(head))) return [];
    const fork = have.length > 0 || this.#unforkable.has(id) ? undefined : this.#options.forkOf(id);
    const changes = await changesBetween(id, fork?.heads ?? have, heads);
    if (changes === undefined) {
      this.#damaged.add(id);
      return [];
    }
    if (fork === undefined) return changes;
    batch.fork(id, fork);
    this.#forked.set(id, fork.heads);
    return changes;
  }

  #inOrder(ids: readonly DocumentId[]): readonly DocumentId[] {
    const { kindOf } = this.#options;
    const held = [...this.#held, ...this.#damaged, ...ids.filter((id) => this.#isHeldBack(id))];
    const last = Math.min(ORDER.branch, ...held.map((id) => ORDER[kindOf(id)]));
    return ids
      .filter((id) => !this.#isHeldBack(id) && ORDER[kindOf(id)] <= last)
      .map((id) => ({ id, rank: this.#rankOf(id) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ id }) => id);
  }

  #isHeldBack(id: DocumentId): boolean {
    return this.#held.has(id) || this.#damaged.has(id) || !this.#options.tracker.isKnown(id);
  }

  /** A branch comes after the one that it was forked from. */
  #rankOf(id: DocumentId): number {
    const rank = ORDER[this.#options.kindOf(id)];
    if (rank < ORDER.branch) return rank;
    let depth = 0;
    for (let from: DocumentId | undefined = id; from !== undefined && depth < MAX_DEPTH; depth += 1)
      from = this.#options.forkOf(from)?.from;
    return rank + depth / MAX_DEPTH / 2;
  }

  #noteSent(items: readonly SentItem[]): void {
    for (const { document, placed } of items) {
      const heads = this.#sent.get(document) ?? new Set();
      this.#sent.set(document, heads);
      for (const { hash, deps } of placed) {
        for (const dep of deps) heads.delete(dep);
        heads.add(hash);
      }
    }
  }
}
