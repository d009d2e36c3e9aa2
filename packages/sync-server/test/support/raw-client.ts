/**
 * A client of automerge-repo's protocol that sends exactly what a test
 * tells it to, and keeps every frame it gets.
 *
 * @module
 */
import { once } from "node:events";
import * as A from "@automerge/automerge";
import { decode, encode } from "cborg";
import { WebSocket } from "ws";
import { testDocumentId } from "./document-client.js";

/** Tests look into frames of every type, so the fields are as loose as on the wire. */
export interface Frame {
  readonly type: string;
  readonly documentId?: string;
  readonly data?: Uint8Array;
  readonly [field: string]: unknown;
}

export class RawClient implements AsyncDisposable {
  /** Every frame so far, oldest first. */
  readonly frames: Frame[] = [];
  /** The code with which the socket was closed, once it is. */
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #listeners: ((frame: Frame) => void)[] = [];
  readonly #waiting = new Set<() => void>();
  #closeCode: number | undefined;
  #fences = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => this.#receive(data as Buffer));
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.on("close", (code) => {
        this.#closeCode = code;
        resolve(code);
        this.#check();
      });
    });
  }

  /** Opens the socket without joining. */
  static async open(relayUrl: string, token: string, ca?: string): Promise<RawClient> {
    const socket = new WebSocket(`${relayUrl.replace("http", "ws")}/sync`, {
      headers: { authorization: `Bearer ${token}` },
      ...(ca === undefined ? {} : { ca }),
    });
    const client = new RawClient(socket);
    await once(socket, "open");
    return client;
  }

  static async join(relayUrl: string, token: string, ca?: string): Promise<RawClient> {
    const client = await RawClient.open(relayUrl, token, ca);
    client.send({ type: "join", senderId: "raw", peerMetadata: {}, supportedProtocolVersions: ["1"] });
    await client.next("peer");
    return client;
  }

  onFrame(listener: (frame: Frame) => void): void {
    this.#listeners.push(listener);
  }

  send(frame: Readonly<Record<string, unknown>>): void {
    this.sendBytes(encode(frame));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket.send(bytes);
  }

  sendText(text: string): void {
    this.#socket.send(text);
  }

  /** Stops and resumes reading from the network. */
  setReading(isReading: boolean): void {
    if (isReading) this.#socket.resume();
    else this.#socket.pause();
  }

  /** Waits for a frame of this type, had already or to come, that `matches`. */
  async next(type: string, matches: (frame: Frame) => boolean = () => true): Promise<Frame> {
    const find = (): Frame | undefined => this.frames.find((frame) => frame.type === type && matches(frame));
    await this.until(() => find() !== undefined);
    return find() as Frame;
  }

  /** Waits until a condition over what has been received holds; rejects when the socket closes first. */
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

  /** @returns once the relay has dealt with everything sent before */
  async settled(): Promise<void> {
    this.#fences += 1;
    const documentId = testDocumentId(0xf000 + this.#fences);
    const [, data] = A.generateSyncMessage(A.init(), A.initSyncState());
    this.send({ type: "request", documentId, data });
    await this.next("doc-unavailable", (frame) => frame.documentId === documentId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    await this.closed;
  }

  #receive(data: Buffer): void {
    const frame = decode(data) as Frame;
    this.frames.push(frame);
    for (const listener of this.#listeners) listener(frame);
    this.#check();
  }

  #check(): void {
    for (const check of [...this.#waiting]) check();
  }
}
