/**
 * A client of the log protocol that sends what a test tells it to, and keeps every frame that it gets.
 *
 * @module
 */
import { once } from "node:events";
import {
  type BatchItem,
  decodeRelayFrame,
  type EntryItem,
  encodeClientFrame,
  encodeItems,
  LOG_PROTOCOL,
  LOG_START,
  type LogClientFrame,
  type LogPoint,
  type LogRelayFrame,
  pack,
  type ReceiptFrame,
  type RefusedFrame,
  readEntries,
} from "@cambium/core/wire";
import { WebSocket } from "ws";
import { entryTools } from "./entry-tools.js";

type FrameOf<Type extends LogRelayFrame["type"]> = Extract<LogRelayFrame, { readonly type: Type }>;

export class LogClient implements AsyncDisposable {
  readonly frames: LogRelayFrame[] = [];
  /** Every entry so far. */
  readonly items: EntryItem[] = [];
  /** The end of the last stretch. */
  point: LogPoint = LOG_START;
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #listeners: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();
  #closeCode: number | undefined;
  #n = 0;
  #asks = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(data as Buffer));
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.on("close", (code) => {
        this.#closeCode = code;
        resolve(code);
        for (const check of [...this.#waiting]) check();
      });
    });
  }

  static async open(relayUrl: string, token: string, ca?: string): Promise<LogClient> {
    const headers = { authorization: `Bearer ${token}` };
    const url = `${relayUrl.replace("http", "ws")}/sync`;
    const socket = new WebSocket(url, LOG_PROTOCOL, { headers, ...(ca === undefined ? {} : { ca }) });
    const client = new LogClient(socket);
    await once(socket, "open");
    return client;
  }

  static async subscribe(
    relayUrl: string,
    token: string,
    marks: readonly LogPoint[] = [],
    { ca, reads }: { readonly ca?: string | undefined; readonly reads?: readonly string[] } = {},
  ): Promise<LogClient> {
    const client = await LogClient.open(relayUrl, token, ca);
    client.send({ type: "subscribe", marks, credit: 1_048_576, ...(reads && { reads }) });
    await client.next("state");
    return client;
  }

  /** Calls back when entries have come. */
  onEntries(listener: () => void): void {
    this.#listeners.push(listener);
  }

  send(frame: LogClientFrame): void {
    this.sendBytes(encodeClientFrame(frame));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket.send(bytes);
  }

  get hasClosed(): boolean {
    return this.#closeCode !== undefined;
  }

  setReading(isReading: boolean): void {
    if (isReading) this.#socket.resume();
    else this.#socket.pause();
  }

  /** @returns its number */
  batch(items: readonly BatchItem[], resume = 0, makesRoom?: true): number {
    this.#n += 1;
    const room = makesRoom === undefined ? {} : { makesRoom };
    this.send({ type: "batch", n: this.#n, resume, items: pack(encodeItems(items)), ...room });
    return this.#n;
  }

  write(document: string, ...chunks: readonly Uint8Array[]): Promise<ReceiptFrame | RefusedFrame> {
    return this.answer(this.batch(chunks.map((chunk) => ({ kind: "change", document, chunk }))));
  }

  async answer(n: number): Promise<ReceiptFrame | RefusedFrame> {
    const find = () =>
      this.frames.find(
        (frame): frame is ReceiptFrame | RefusedFrame =>
          (frame.type === "receipt" || frame.type === "refused") && frame.n === n,
      );
    await this.until(() => find() !== undefined);
    return find() as ReceiptFrame | RefusedFrame;
  }

  async next<Type extends LogRelayFrame["type"]>(
    type: Type,
    matches: (frame: FrameOf<Type>) => boolean = () => true,
  ): Promise<FrameOf<Type>> {
    const find = () =>
      this.frames.find(
        (frame): frame is FrameOf<Type> => frame.type === type && matches(frame as FrameOf<Type>),
      );
    await this.until(() => find() !== undefined);
    return find() as FrameOf<Type>;
  }

  /** @returns once the relay has dealt with everything sent before */
  async settled(): Promise<void> {
    this.#asks += 1;
    const ask = 0xffff + this.#asks;
    this.send({ type: "heads", ask, of: { documents: [] } });
    await this.next("heads", (frame) => frame.ask === ask);
  }

  /** Waits until the log has been read up to a position. */
  reached(position: number): Promise<void> {
    return this.until(() => this.point.position >= position);
  }

  /** The chunks of changes of a document, as they came. */
  chunksOf(document: string): readonly Uint8Array[] {
    return this.items.flatMap((item) =>
      item.kind === "change" && item.document === document ? [item.chunk] : [],
    );
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const holds = condition();
        if (!holds && this.#closeCode === undefined) return;
        this.#waiting.delete(check);
        if (holds) resolve();
        else reject(new Error(`The relay closed the socket with ${this.#closeCode}.`));
      };
      this.#waiting.add(check);
      check();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    await this.closed;
  }

  #receive(data: Buffer): void {
    const frame = decodeRelayFrame(data);
    this.frames.push(frame);
    if (frame.type === "entries") {
      if (frame.from !== this.point.position)
        throw new Error(`Entries from ${frame.from} after ${this.point.position}.`);
      this.items.push(...readEntries(frame.items, entryTools).map(({ item }) => item));
      this.point = frame.upTo;
      for (const listener of this.#listeners) listener();
    }
    if (frame.type === "state") this.point = frame.common;
    for (const check of [...this.#waiting]) check();
  }
}
