/**
 * Sockets of someone who has tokens of one space and means harm.
 *
 * @module
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { deflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { plainChange } from "@cambium/core";
import {
  type BatchItem,
  encodeClientFrame,
  encodeItems,
  LOG_LIMITS,
  LOG_PROTOCOL,
  type LogClientFrame,
  pack,
} from "@cambium/core/wire";
import { WebSocket } from "ws";
import { chunkTools } from "../../src/chunk-tools.js";

/** What an attack is given. */
export interface AttackWorld {
  readonly url: string;
  readonly tokens: { readonly read: string; readonly write: string; readonly admin: string };
  /** 1 for as much as one machine can send; small for a look at each mechanism. */
  readonly scale: number;
  readonly isOver: () => boolean;
  /** What has to be there before the attack is there. */
  readonly onBegun: () => void;
}

/** Goes on until it is over. */
export type Attack = (world: AttackWorld) => Promise<void>;

/** How many of something, at least one. */
export const atScale = ({ scale }: AttackWorld, count: number): number =>
  Math.max(1, Math.round(count * scale));

export const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Hostile {
  readonly socket: WebSocket;
  /** Frames that came. */
  heard = 0;
  closeCode: number | undefined;
  #n = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", () => {
      this.heard += 1;
    });
    socket.on("close", (code) => {
      this.closeCode = code;
    });
  }

  /** @returns undefined when the relay lets nobody in */
  static async open({ url }: AttackWorld, token: string): Promise<Hostile | undefined> {
    const headers = { authorization: `Bearer ${token}` };
    const options = { headers, perMessageDeflate: false };
    const socket = new WebSocket(`${url.replace("http", "ws")}/sync`, LOG_PROTOCOL, options);
    socket.on("error", () => {});
    await Promise.race([once(socket, "open").catch(() => {}), once(socket, "close").catch(() => {})]);
    return socket.readyState === socket.OPEN ? new Hostile(socket) : undefined;
  }

  static async openMany(world: AttackWorld, token: string, count: number): Promise<readonly Hostile[]> {
    const opened: Hostile[] = [];
    while (opened.length < count && !world.isOver()) {
      const some = await Promise.all(
        Array.from({ length: Math.min(50, count - opened.length) }, () => Hostile.open(world, token)),
      );
      const found = some.filter((one) => one !== undefined);
      opened.push(...found);
      if (found.length === 0) break;
    }
    return opened;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Waits when so much is unsent that this process would be the one that suffers. */
  async send(bytes: Uint8Array): Promise<void> {
    if (!this.isOpen) return;
    this.socket.send(bytes);
    if (this.socket.bufferedAmount > 4_194_304) await pause(5);
  }

  frame(frame: LogClientFrame): Promise<void> {
    return this.send(encodeClientFrame(frame));
  }

  /** @returns its number */
  async batch(items: readonly BatchItem[], resume = 0): Promise<number> {
    this.#n += 1;
    await this.send(batchFrame(this.#n, items, resume));
    return this.#n;
  }

  get nextN(): number {
    this.#n += 1;
    return this.#n;
  }
}

export const batchFrame = (n: number, items: readonly BatchItem[], resume = 0): Uint8Array =>
  encodeClientFrame({ type: "batch", n, resume, items: pack(encodeItems(items), deflateRawSync) });

/** A socket that speaks no more WebSocket than it has to. */
export async function rawSocket({ url }: AttackWorld, token: string): Promise<Socket | undefined> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  const headers = [
    ...["Host: relay", "Upgrade: websocket", "Connection: Upgrade", `Authorization: Bearer ${token}`],
    ...["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"],
    `Sec-WebSocket-Protocol: ${LOG_PROTOCOL}`,
  ];
  socket.write(`GET /sync HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
  await Promise.race([once(socket, "data"), once(socket, "close")]).catch(() => {});
  return socket.destroyed ? undefined : socket;
}

/** The beginning of a frame that will have so many bytes. */
export function frameHead(opcode: number, bytes: number): Buffer {
  const head = Buffer.alloc(14);
  head[0] = opcode;
  head[1] = 0xff;
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return head;
}

interface RawChange {
  readonly actor: string;
  readonly seq?: number;
  readonly startOp?: number;
  readonly deps?: readonly string[];
  readonly message?: string;
  readonly ops?: readonly object[];
}

export function rawChange(change: RawChange): { readonly chunk: Uint8Array; readonly hash: string } {
  const whole = { seq: 1, startOp: 1, time: 0, message: null, deps: [], ops: [], ...change };
  const chunk = plainChange(A.encodeChange(whole as never), chunkTools);
  return { chunk, hash: Buffer.from(chunkTools.sha256(chunk.subarray(8))).toString("hex") };
}

const chains = new Map<number, readonly { chunk: Uint8Array; hash: string }[]>();

/** A document of so many changes, one after the other. The same each time. */
export function chainOf(length: number): readonly { chunk: Uint8Array; hash: string }[] {
  const found = chains.get(length) ?? makeChain("ab".repeat(16), length);
  chains.set(length, found);
  return found;
}

function makeChain(actor: string, length: number): readonly { chunk: Uint8Array; hash: string }[] {
  const chain: { chunk: Uint8Array; hash: string }[] = [];
  for (let seq = 1; seq <= length; seq += 1) {
    const deps = chain.slice(-1).map(({ hash }) => hash);
    const op = { action: "set", obj: "_root", key: `k${seq % 100}`, value: seq, pred: [] };
    chain.push(rawChange({ actor, seq, startOp: seq, deps, ops: [op] }));
  }
  return chain;
}

/** Stores changes of a document, and waits until the relay has them. */
export async function upload(
  client: Hostile,
  document: string,
  chunks: readonly Uint8Array[],
): Promise<void> {
  const before = client.heard;
  let batches = 0;
  for (let at = 0; at < chunks.length; at += LOG_LIMITS.batchItems) {
    const some = chunks.slice(at, at + LOG_LIMITS.batchItems);
    await client.batch(some.map((chunk) => ({ kind: "change", document, chunk })));
    batches += 1;
    while (batches - (client.heard - before) > 30 && client.isOpen) await pause(2);
  }
  while (client.heard - before < batches && client.isOpen) await pause(2);
}
