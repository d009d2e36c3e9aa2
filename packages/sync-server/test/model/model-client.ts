/**
 * A replica as far as the log protocol goes: what it has on its disk, and the rules that it keeps to.
 *
 * @module
 */
import { readChangeHeader } from "@cambium/core";
import {
  decodeRelayFrame,
  type EntriesFrame,
  encodeClientFrame,
  encodeItems,
  LOG_START,
  type LogClientFrame,
  type LogPoint,
  type LogRelayFrame,
  pack,
  readEntries,
  sparsePoints,
} from "@cambium/core/wire";
import type { Draw } from "../../../core/test/support/random-documents.js";
import { chunkTools } from "../../src/chunk-tools.js";
import { ChangeMaker, documentHex } from "../support/change-maker.js";
import { entryTools } from "../support/entry-tools.js";

/** Rules that a replica can be told to forget, to see the model fail. */
export type ForgottenByClient = "receipts above the common point are void" | "entries before the cursor";

export const [PACK, BRANCH] = [documentHex(1), documentHex(2)] as const;
const CREDIT = 20_000;

interface Change {
  readonly document: string;
  readonly chunk: Uint8Array;
}

/** Where frames go. */
export interface ModelLink {
  send(frame: Uint8Array): void;
}

export class ModelClient {
  /** On its disk: every change it has, each after what it depends on. */
  readonly changes = new Map<string, Change>();
  /** Which pack change a branch change names. */
  readonly names: Map<string, string>;
  #point: LogPoint = LOG_START;
  #points: readonly LogPoint[] = [];
  /** Where the log has a change. */
  readonly #confirmed = new Map<string, number>();
  readonly #makers: Readonly<Record<string, ChangeMaker>>;
  readonly #forgets: ForgottenByClient | undefined;
  readonly #draw: Draw;
  // From here on, in memory only.
  #link: ModelLink | undefined;
  #upTo: number | undefined;
  #n = 0;
  #resume = 0;
  #sent = new Map<number, readonly string[]>();
  #unapplied: EntriesFrame[] = [];

  constructor(name: string, names: Map<string, string>, draw: Draw, forgets?: ForgottenByClient) {
    this.names = names;
    this.#draw = draw;
    this.#forgets = forgets;
    this.#makers = { [PACK]: new ChangeMaker(`a${name}`), [BRANCH]: new ChangeMaker(`b${name}`) };
  }

  get isConnected(): boolean {
    return this.#link !== undefined;
  }

  get isSettled(): boolean {
    return this.#upTo !== undefined && this.#sent.size === 0 && this.#confirmed.size === this.changes.size;
  }

  connect(link: ModelLink): void {
    this.disconnect();
    this.#link = link;
    this.#send({ type: "subscribe", marks: this.#points, credit: CREDIT });
  }

  /** Everything that is not on disk is gone. */
  disconnect(): void {
    this.#link = undefined;
    this.#upTo = undefined;
    this.#sent = new Map();
    this.#unapplied = [];
    [this.#n, this.#resume] = [0, 0];
  }

  /** A record into the pack, and a change of the branch that names it. */
  write(): void {
    const hash = this.#make(PACK, `${this.changes.size}`);
    this.names.set(this.#make(BRANCH, hash), hash);
  }

  #make(document: string, value: string): string {
    const chunk = (this.#makers[document] as ChangeMaker).write(`${this.#draw(4)}`, value);
    return this.#keep({ document, chunk });
  }

  #keep(change: Change): string {
    const { hash } = readChangeHeader(change.chunk, chunkTools);
    this.changes.set(hash, change);
    return hash;
  }

  receive(bytes: Uint8Array): void {
    this.applyEntries();
    const frame = decodeRelayFrame(bytes);
    if (frame.type === "state") this.#begin(frame);
    if (frame.type === "entries") this.#take(frame);
    if (frame.type === "receipt") {
      const hashes = this.#sent.get(frame.n) ?? [];
      for (const [at, hash] of hashes.entries()) this.#confirmed.set(hash, frame.positions[at] as number);
      this.#sent.delete(frame.n);
    }
    if (frame.type === "refused") this.#refused(frame);
  }

  #begin({ common, upTo }: Extract<LogRelayFrame, { type: "state" }>): void {
    this.#upTo = upTo.position;
    this.#point = common;
    this.#points = this.#points.filter(({ position }) => position <= common.position);
    if (this.#forgets === "receipts above the common point are void") return;
    for (const [hash, position] of this.#confirmed)
      if (position > common.position) this.#confirmed.delete(hash);
  }

  #take(frame: EntriesFrame): void {
    this.#point = frame.upTo;
    this.#points = sparsePoints([frame.upTo, ...this.#points]);
    this.#unapplied.push(frame);
    this.#send({ type: "credit", bytes: frame.items.bytes.length + 64 });
    if (this.#forgets !== "entries before the cursor") this.applyEntries();
  }

  /** The rule is to do this in one transaction with the cursor. */
  applyEntries(): void {
    for (const { from, items } of this.#unapplied.splice(0)) {
      for (const [at, { item }] of readEntries(items, entryTools).entries()) {
        const position = from + at + 1;
        if (item.kind === "own") this.#confirmed.set(item.hash, position);
        if (item.kind !== "change") continue;
        const { document, chunk } = item;
        const { hash } = readChangeHeader(chunk, chunkTools);
        if (!this.changes.has(hash)) (this.#makers[document] as ChangeMaker).take([chunk]);
        if (!this.changes.has(hash)) this.#keep({ document, chunk: new Uint8Array(chunk) });
        this.#confirmed.set(hash, position);
      }
    }
  }

  #refused({ n = 0, code, hashes = [] }: Extract<LogRelayFrame, { type: "refused" }>): void {
    this.#sent = new Map();
    this.#resume = n;
    // The log lacks what it once confirmed: it will get it, unless receipts are believed above all.
    if (code === "MISSING" && this.#forgets === undefined)
      for (const hash of hashes) this.#confirmed.delete(hash);
  }

  /** Sends what the log may lack, in several batches at once. */
  flush(): void {
    if (this.#link === undefined || this.#upTo === undefined) return;
    if (this.#point.position < this.#upTo || this.#sent.size > 0) return;
    const left = [...this.changes].filter(([hash]) => !this.#confirmed.has(hash));
    while (left.length > 0) {
      const some = left.splice(0, 1 + this.#draw(3));
      this.#n += 1;
      this.#sent.set(
        this.#n,
        some.map(([hash]) => hash),
      );
      const items = pack(encodeItems(some.map(([, change]) => ({ kind: "change", ...change }))));
      this.#send({ type: "batch", n: this.#n, resume: this.#resume, items });
      this.#resume = 0;
    }
  }

  #send(frame: LogClientFrame): void {
    this.#link?.send(encodeClientFrame(frame));
  }
}
