/**
 * A bare client of the log protocol that goes on whatever happens to the relay: it connects again, reads on from where
 * it was, and sends again what has no receipt.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  type BatchItem,
  decodeRelayFrame,
  type EntriesFrame,
  encodeClientFrame,
  encodeItems,
  LOG_PROTOCOL,
  LOG_START,
  type LogPoint,
  nextPoint,
  pack,
  type ReceiptFrame,
  readEntries,
  samePoint,
} from "@cambium/core/wire";
import { BareSocket } from "../../bench/relay/bare-socket.ts";
import { chunkTools, newActor } from "../../bench/relay/shared-document.ts";
import type { SpaceView } from "./space-view.ts";

const CREDIT = 16 * 1024 * 1024;
const MOST_UNCONFIRMED = 50;
const RETRY_MS = 500;

interface Sent {
  readonly item: BatchItem;
  readonly hash: string | undefined;
}

export class SoakClient {
  /** Where it has read to, by its own reckoning. */
  point: LogPoint = LOG_START;
  /** What it found wrong. */
  readonly faults: string[] = [];
  readonly #url: string;
  readonly #view: SpaceView;
  readonly #random: () => number;
  /** One for each document that it writes. */
  readonly #actors = new Map<string, { readonly actor: string; seq: number; last: string | undefined }>();
  #socket: BareSocket | undefined;
  #isSubscribed = false;
  /** Not confirmed yet, in order; the first `#sent` of them were sent in this session. */
  readonly #unconfirmed: Sent[] = [];
  #sent = 0;
  #n = 0;
  #isEnded = false;

  constructor(url: string, view: SpaceView, random: () => number) {
    this.#url = url;
    this.#view = view;
    this.#random = random;
    void this.#stayConnected();
  }

  get unconfirmed(): number {
    return this.#unconfirmed.length;
  }

  /** A change of one of the documents, after all of its heads; now and then a fork. */
  write(): void {
    if (this.#unconfirmed.length >= MOST_UNCONFIRMED) return;
    const { documents } = this.#view;
    const document = documents[Math.floor(this.#random() * documents.length)] as string;
    const heads = this.#view.headsOf(document);
    if (this.#random() < 0.002 && heads.length > 0) this.#fork(document, heads);
    else this.#change(document, heads);
    this.#send();
  }

  end(): void {
    this.#isEnded = true;
    this.#socket?.close();
  }

  #fork(from: string, heads: readonly string[]): void {
    const item: BatchItem = { kind: "fork", document: newActor(), from, heads };
    this.#unconfirmed.push({ item, hash: undefined });
  }

  #change(document: string, heads: readonly string[]): void {
    const own = this.#actors.get(document) ?? { actor: newActor(), seq: 0, last: undefined };
    this.#actors.set(document, own);
    const { last } = own;
    const unseen = last === undefined || this.#view.confirmed.has(last) ? [] : [last];
    // What its own last change follows is below that one.
    const below = new Set(unseen.flatMap((hash) => this.#view.changes.byHash(hash)?.deps ?? []));
    const deps = [
      ...new Set([...heads.filter((head) => !below.has(head)), ...(last === undefined ? [] : [last])]),
    ];
    const made = this.#view.changes.make(own.actor, own.seq + 1, deps, "v".repeat(40));
    own.seq += 1;
    own.last = made.hash;
    this.#unconfirmed.push({ item: { kind: "change", document, chunk: made.chunk }, hash: made.hash });
  }

  #send(): void {
    if (!this.#isSubscribed || this.#socket === undefined) return;
    for (; this.#sent < this.#unconfirmed.length; this.#sent += 1) {
      const { item } = this.#unconfirmed[this.#sent] as Sent;
      this.#n += 1;
      const items = pack(encodeItems([item]));
      this.#socket.send(encodeClientFrame({ type: "batch", n: this.#n, resume: 0, items }));
    }
  }

  async #stayConnected(): Promise<void> {
    while (!this.#isEnded) {
      try {
        await this.#session();
      } catch {
        // The relay is away.
      }
      await delay(RETRY_MS * (0.5 + this.#random()));
    }
  }

  async #session(): Promise<void> {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const url = `${this.#url.replace("http", "ws")}/sync`;
    const socket = await BareSocket.open({ url, token: this.#view.token, protocol: LOG_PROTOCOL });
    [this.#socket, this.#n, this.#sent, this.#isSubscribed] = [socket, 0, 0, false];
    socket.onMessage = (bytes) => this.#receive(socket, bytes);
    socket.onClose = resolve;
    const marks = this.point.position === 0 ? [] : [this.point];
    socket.send(encodeClientFrame({ type: "subscribe", marks, credit: CREDIT }));
    await closed;
    this.#isSubscribed = false;
  }

  #receive(socket: BareSocket, bytes: Uint8Array): void {
    const frame = decodeRelayFrame(bytes);
    if (frame.type === "state") {
      if (!samePoint(frame.common, this.point)) this.faults.push(`The log has lost ${this.point.position}.`);
      this.#isSubscribed = true;
      this.#send();
    }
    if (frame.type === "entries") {
      this.#read(frame);
      socket.send(encodeClientFrame({ type: "credit", bytes: bytes.length }));
    }
    if (frame.type === "receipt") this.#confirm(frame);
    if (frame.type === "refused") this.faults.push(`${frame.code}: ${frame.message}`);
  }

  #read({ items, upTo }: EntriesFrame): void {
    for (const { item } of readEntries(items, chunkTools)) {
      const entry = this.#view.take(this.point.position + 1, item);
      this.point = nextPoint(this.point, entry, chunkTools.sha256);
    }
    if (!samePoint(this.point, upTo)) this.faults.push(`The log diverges at ${upTo.position}.`);
  }

  /** Receipts come in the order of the batches. */
  #confirm({ positions }: ReceiptFrame): void {
    const confirmed = this.#unconfirmed.shift();
    this.#sent -= 1;
    const [position] = positions;
    if (confirmed?.hash === undefined || position === undefined) return;
    this.#view.confirmed.set(confirmed.hash, position);
  }
}
