/**
 * A replica as far as the log protocol goes: what it says to a relay, and the rules that it keeps to.
 *
 * @module
 */
import { readChangeHeader } from "@cambium/core";
import {
  type BatchItem,
  decodeEntryItems,
  decodeRelayFrame,
  type EntriesFrame,
  encodeClientFrame,
  encodeItems,
  LOG_KINDS,
  LOG_START,
  type LogClientFrame,
  type LogPoint,
  type LogRelayFrame,
  pack,
  readEntries,
  sparsePoints,
  unpack,
} from "@cambium/core/wire";
import type { Draw } from "../../../core/test/support/random-documents.js";
import { chunkTools } from "../../src/chunk-tools.js";
import { entryTools } from "../support/entry-tools.js";
import { BRANCH, CATALOG, changeKey, type ForgottenByEraser, ModelDisk, type Said } from "./model-disk.js";

/** Rules that a replica can be told to forget, to see the model fail. */
export type ForgottenByClient =
  | ForgottenByEraser
  | "receipts above the common point are void"
  | "retirements above the common point are void"
  | "a change without what it follows is fetched"
  | "entries before the cursor";

const CREDIT = 20_000;
/** A change, by its key, or the retirement of a document. */
type Sent = { readonly key: string } | { readonly retired: string };

/** Where frames go. */
export interface ModelLink {
  send(frame: Uint8Array): void;
}

export class ModelClient {
  readonly disk: ModelDisk;
  #point: LogPoint = LOG_START;
  #points: readonly LogPoint[] = [];
  /** Where the log has a change, or the retirement of a document. */
  readonly #confirmed = new Map<string, number>();
  readonly #retirements = new Map<string, number>();
  /** Documents of which something has come without bytes, and that the catalog did not call retired then. */
  readonly #unexplained = new Set<string>();
  readonly #forgets: ForgottenByClient | undefined;
  readonly #draw: Draw;
  // From here on, in memory only.
  #link: ModelLink | undefined;
  #upTo: number | undefined;
  #n = 0;
  #resume = 0;
  #sent = new Map<number, readonly Sent[]>();
  #asked = 0;
  #fetches = new Map<number, string>();
  #unapplied: EntriesFrame[] = [];

  constructor(name: string, said: Said, draw: Draw, forgets?: ForgottenByClient) {
    this.disk = new ModelDisk(name, said, draw, forgets as ForgottenByEraser | undefined);
    this.#draw = draw;
    this.#forgets = forgets;
  }

  get isConnected(): boolean {
    return this.#link !== undefined;
  }

  get isSettled(): boolean {
    if (this.#upTo === undefined || this.#sent.size + this.#fetches.size + this.#unexplained.size > 0)
      return false;
    return this.#unconfirmed().length === 0;
  }

  connect(link: ModelLink): void {
    this.disconnect();
    this.#link = link;
    const reads = this.#draw(2) === 0 ? ["zstd"] : [];
    this.#send({ type: "subscribe", marks: this.#points, credit: CREDIT, reads });
  }

  /** Everything that is not on disk is gone. */
  disconnect(): void {
    this.#link = undefined;
    this.#upTo = undefined;
    this.#sent = new Map();
    this.#fetches = new Map();
    this.#unapplied = [];
    [this.#n, this.#resume, this.#asked] = [0, 0, 0];
  }

  receive(bytes: Uint8Array): void {
    this.applyEntries();
    const frame = decodeRelayFrame(bytes);
    if (frame.type === "state") this.#begin(frame);
    if (frame.type === "entries") this.#take(frame);
    if (frame.type === "receipt") {
      for (const [at, sent] of (this.#sent.get(frame.n) ?? []).entries())
        this.#confirm(sent, frame.positions[at] as number);
      this.#sent.delete(frame.n);
    }
    if (frame.type === "refused") this.#refused(frame);
    if (frame.type === "fetched") this.#fetched(frame);
  }

  #confirm(sent: Sent, position: number): void {
    if ("key" in sent) this.#confirmed.set(sent.key, position);
    else this.#retirements.set(sent.retired, position);
  }

  #begin({ common, upTo }: Extract<LogRelayFrame, { type: "state" }>): void {
    this.#upTo = upTo.position;
    this.#point = common;
    this.#points = this.#points.filter(({ position }) => position <= common.position);
    const keepAbove = (forgotten: ForgottenByClient, heard: Map<string, number>): void => {
      if (this.#forgets === forgotten) return;
      for (const [what, position] of heard) if (position > common.position) heard.delete(what);
    };
    keepAbove("receipts above the common point are void", this.#confirmed);
    keepAbove("retirements above the common point are void", this.#retirements);
    for (const document of this.#unexplained) this.#fetch(document);
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
      for (const [at, { item, hash }] of readEntries(items, entryTools).entries()) {
        const position = from + at + 1;
        const { document } = item;
        const isOf = (kind: number): boolean => "of" in item && item.of === kind;
        if (item.kind === "retire" || isOf(LOG_KINDS.retire)) this.#retirements.set(document, position);
        if (item.kind === "own" && isOf(LOG_KINDS.change))
          this.#confirmed.set(changeKey(document, hash), position);
        if (item.kind === "change") this.#takeChange(document, item.chunk, position);
        if (item.kind !== "gone") continue;
        if (this.disk.has(document, hash)) this.#confirmed.set(changeKey(document, hash), position);
        else this.#unexplained.add(document);
      }
    }
    if (this.#upTo === undefined || this.#point.position < this.#upTo) return;
    for (const document of this.#unexplained) {
      if (this.disk.retired.has(document)) this.#unexplained.delete(document);
      else this.#fetch(document);
    }
  }

  #takeChange(document: string, chunk: Uint8Array, position: number): void {
    if (!this.disk.take(document, chunk)) {
      if (this.#forgets !== "a change without what it follows is fetched") this.#fetch(document);
      return;
    }
    const { hash } = readChangeHeader(chunk, chunkTools);
    this.#confirmed.set(changeKey(document, hash), position);
  }

  #fetch(document: string): void {
    if ([...this.#fetches.values()].includes(document)) return;
    this.#asked += 1;
    this.#fetches.set(this.#asked, document);
    this.#send({ type: "fetch", ask: this.#asked, document, have: [] });
  }

  #fetched({ ask, items, complete }: Extract<LogRelayFrame, { type: "fetched" }>): void {
    const document = this.#fetches.get(ask);
    if (document === undefined) return;
    for (const item of decodeEntryItems(unpack(items, chunkTools.inflate))) {
      if (item.kind !== "change") continue;
      this.disk.take(document, item.chunk);
      this.#unexplained.delete(document); // an honest relay has all of it, or nothing
    }
    if (complete) this.#fetches.delete(ask);
  }

  #refused({ n = 0, code, document, hashes = [] }: Extract<LogRelayFrame, { type: "refused" }>): void {
    this.#sent = new Map();
    this.#resume = n;
    if (document === undefined) return;
    // The log lacks what it once confirmed: it will get it, unless receipts are believed above all.
    if (code === "MISSING" && this.#forgets !== "receipts above the common point are void")
      for (const hash of hashes) this.#confirmed.delete(changeKey(document, hash));
    if (code === "NOT_CARRIED") this.#fetch(document);
  }

  #unconfirmed(): readonly Sent[] {
    const rank = ({ document }: { readonly document: string }): number => [CATALOG, BRANCH].indexOf(document);
    const changes = [...this.disk.changes].filter(([key]) => !this.#confirmed.has(key));
    const retired = [...this.disk.retired].filter((document) => !this.#retirements.has(document));
    return [
      ...changes.sort(([, a], [, b]) => rank(a) - rank(b)).map(([key]) => ({ key })),
      ...retired.map((document) => ({ retired: document })),
    ];
  }

  /** Sends what the log may lack, in several batches at once. */
  flush(): void {
    if (this.#link === undefined || this.#upTo === undefined) return;
    if (this.#point.position < this.#upTo || this.#sent.size + this.#fetches.size > 0) return;
    this.disk.tend();
    const left = [...this.#unconfirmed()];
    while (left.length > 0) {
      const some = left.splice(0, 1 + this.#draw(4));
      this.#n += 1;
      this.#sent.set(this.#n, some);
      const items = pack(encodeItems(some.map((sent) => this.#itemOf(sent))));
      this.#send({ type: "batch", n: this.#n, resume: this.#resume, items });
      this.#resume = 0;
    }
  }

  #itemOf(sent: Sent): BatchItem {
    if ("retired" in sent) return this.disk.retirement(sent.retired);
    const { document, chunk } = this.disk.changes.get(sent.key) as { document: string; chunk: Uint8Array };
    return { kind: "change", document, chunk };
  }

  #send(frame: LogClientFrame): void {
    this.#link?.send(encodeClientFrame(frame));
  }
}
