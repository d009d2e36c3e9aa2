/** What a relay, or whoever writes past our rules, can do to the log: it has no key, and puts what it likes anywhere. */
import * as A from "@automerge/automerge";
import { type DocumentId, documentIdToHex, plainChange } from "@cambium/core";
import {
  decodeEntryItems,
  encodeItems,
  LOG_LIMITS,
  type LogRelayFrame,
  type ReceiptFrame,
  type RefusedFrame,
  unpack,
} from "@cambium/core/wire";
import { chunkTools } from "../../src/platform/node-platform.js";
import { RelayLine } from "../../src/sync/relay-line.js";
import { Inbox } from "../sync/support/inbox.js";

interface LiarOptions {
  readonly url: string;
  readonly token: string;
  readonly space: string;
  /** Told what is about to be put where, by the document's hexadecimal digits. */
  readonly onPut?: (document: string, chunks: readonly Uint8Array[]) => void;
}

export class Liar implements AsyncDisposable {
  readonly #line: RelayLine;
  readonly #answers = new Inbox<ReceiptFrame | RefusedFrame>();
  readonly #fetched = new Map<number, PromiseWithResolvers<readonly Uint8Array[]>>();
  readonly #chunks = new Map<number, Uint8Array[]>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #onPut: NonNullable<LiarOptions["onPut"]>;
  #asked = 0;
  #sent = 0;

  constructor({ onPut = () => {}, ...access }: LiarOptions) {
    this.#onPut = onPut;
    this.#line = new RelayLine({
      ...access,
      onWelcome: () => this.#line.send({ type: "subscribe", marks: [], credit: 2 ** 30 }),
      onFrame: (frame) => this.#hear(frame),
    });
    this.#line.open();
  }

  #hear(frame: LogRelayFrame): void {
    if (frame.type === "state") this.#ready.resolve();
    if (frame.type === "receipt" || frame.type === "refused") this.#answers.put(frame);
    if (frame.type !== "fetched") return;
    const chunks = this.#chunks.get(frame.ask) ?? [];
    for (const item of decodeEntryItems(unpack(frame.items, chunkTools.inflate)))
      if (item.kind === "change") chunks.push(item.chunk);
    this.#chunks.set(frame.ask, chunks);
    if (frame.complete) this.#fetched.get(frame.ask)?.resolve(chunks);
  }

  /** All changes of a document, by its id or its hexadecimal digits. */
  async changesOf(document: string): Promise<readonly Uint8Array[]> {
    await this.#ready.promise;
    this.#asked += 1;
    const answer = Promise.withResolvers<readonly Uint8Array[]>();
    this.#fetched.set(this.#asked, answer);
    this.#line.send({ type: "fetch", ask: this.#asked, document: hexOf(document), have: [] });
    return answer.promise;
  }

  /** Resolves when they are in the log. */
  async put(document: string, chunks: readonly Uint8Array[]): Promise<void> {
    for (let start = 0; start < chunks.length; start += LOG_LIMITS.batchItems)
      await this.#putBatch(document, chunks.slice(start, start + LOG_LIMITS.batchItems));
  }

  async #putBatch(document: string, chunks: readonly Uint8Array[]): Promise<void> {
    await this.#ready.promise;
    this.#sent += 1;
    const n = this.#sent;
    const hex = hexOf(document);
    this.#onPut(hex, chunks);
    const items = chunks.map((chunk) => ({
      ...{ kind: "change" as const, document: hex, chunk: plainChange(chunk, chunkTools) },
    }));
    const bytes = encodeItems(items);
    this.#line.send({
      ...{ type: "batch", n, resume: 0 },
      items: { form: "plain", inflatedBytes: bytes.length, bytes },
    });
    const answer = await this.#answers.until((about) => about.n === n);
    if (answer.type === "refused") throw new Error(`The relay refused the liar: ${answer.message}`);
  }

  /** Puts into one document what another has more. */
  async transplant(from: string, to: string): Promise<number> {
    const known = new Set((await this.changesOf(to)).map(hashOf));
    const moved = (await this.changesOf(from)).filter((chunk) => !known.has(hashOf(chunk)));
    await this.put(to, moved);
    return moved.length;
  }

  /** Adds changes that no member has signed. */
  async addUnsigned(document: string, count: number, message = "{}"): Promise<void> {
    let [doc] = A.applyChanges(A.init<Record<string, unknown>>(), [...(await this.changesOf(document))]);
    const made: Uint8Array[] = [];
    for (let number = 0; number < count; number += 1) {
      doc = A.change(doc, { time: 1, message }, (draft) => {
        draft[`junk${number % 50}`] = `${number} ${A.getHeads(doc)[0]}`;
      });
      made.push(A.getLastLocalChange(doc) as Uint8Array);
    }
    await this.put(document, made);
  }

  /** Uses the number that the writer of the document's last change would use next. */
  async takeNextNumber(document: string): Promise<void> {
    const [doc] = A.applyChanges(A.init(), [...(await this.changesOf(document))]);
    const last = A.decodeChange(A.getBackend(doc).getChanges([]).at(-1) as Uint8Array);
    const { actor, hash } = last;
    const maxOp = last.startOp + last.ops.length - 1;
    const ops = [{ action: "set", obj: "_root", key: "evil", value: "e", pred: [] }];
    const made = { actor, seq: last.seq + 1, startOp: maxOp + 1, time: 1, message: null, deps: [hash], ops };
    await this.put(document, [A.encodeChange(made as never)]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#line.close();
  }
}

const hashOf = (chunk: Uint8Array): string => A.decodeChange(chunk).hash;
const hexOf = (document: string): string =>
  /^[0-9a-f]{32}$/.test(document) ? document : documentIdToHex(document as DocumentId);
