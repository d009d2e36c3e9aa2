/**
 * A bare client of automerge-repo's protocol. It answers as that one's own client does, at most every 100 ms for a
 * document, but asks for less work of the server: it never sends a Bloom filter, and always says exactly what it has.
 *
 * @module
 */
import { decodeSyncMessage, encodeSyncMessage } from "@automerge/automerge";
import { documentIdFromHex, documentIdToHex } from "@cambium/core";
import { BareSocket } from "./bare-socket.ts";
import { hashOf, newActor, SharedDocument } from "./shared-document.ts";
import { stockCbor } from "./stock-packages.ts";
import type { ClientOptions, WritingClient } from "./writing-client.ts";

/** As `syncDebounceRate` of automerge-repo. */
const WAIT_MS = 100;
const CHANGE_TYPE = 1;

export interface StockFrame {
  readonly type: string;
  readonly senderId: string;
  readonly documentId?: string;
  readonly data?: Uint8Array;
}

/** A socket that has joined, and how to send on it. */
export async function joinStock(url: string): Promise<{
  readonly socket: BareSocket;
  readonly send: (documentId: string, data: Uint8Array, type?: "sync" | "request") => void;
  readonly onSync: (take: (data: Uint8Array, documentId: string) => void) => void;
}> {
  const { encode, decode } = await stockCbor();
  const socket = await BareSocket.open({ url: `${url.replace("http", "ws")}/` });
  const me = newActor();
  const joined = Promise.withResolvers<string>();
  let take: (data: Uint8Array, documentId: string) => void = () => {};
  socket.onMessage = (bytes) => {
    const frame = decode(bytes) as StockFrame;
    if (frame.type === "peer") joined.resolve(frame.senderId);
    const { data, documentId } = frame;
    if (frame.type === "sync" && data && documentId) take(data, documentIdToHex(documentId));
  };
  socket.send(encode({ type: "join", senderId: me, peerMetadata: {}, supportedProtocolVersions: ["1"] }));
  const targetId = await joined.promise;
  return {
    socket,
    send: (documentId, data, type = "sync") =>
      socket.send(encode({ type, senderId: me, targetId, documentId: documentIdFromHex(documentId), data })),
    onSync: (listener) => {
      take = listener;
    },
  };
}

export async function openStockClient(options: ClientOptions): Promise<WritingClient> {
  const { url, documentId, document, onSeen } = options;
  const { socket, send, onSync } = await joinStock(url);
  const begun = Promise.withResolvers<void>();
  const actor = newActor();
  const heads = new Set<string>();
  let seq = 0;
  let unsent: Uint8Array[] = [];
  const awaited = new Map<string, () => void>();
  const sendNow = (): void => {
    send(documentId, messageOf([...heads], unsent));
    unsent = [];
  };
  const sendSoon = throttled(sendNow);
  onSync((data, id) => {
    if (id !== documentId) return awaited.get(id)?.();
    const { heads: theirs, changes } = decodeSyncMessage(data);
    for (const piece of changes)
      for (const chunk of chunksIn(piece)) {
        if (chunk[8] === CHANGE_TYPE) follow(heads, chunk, document);
        else for (const head of theirs) heads.add(head);
        if (chunk[8] === CHANGE_TYPE) onSeen?.(chunk);
      }
    if (changes.length > 0) sendSoon();
    if (theirs.length > 0 && heads.size > 0) begun.resolve();
  });
  sendSoon();
  return {
    begun: begun.promise,
    close: () => socket.close(),
    write: (text) => {
      const made = document.make(actor, ++seq, [...heads], text);
      heads.clear();
      heads.add(made.hash);
      unsent.push(made.chunk);
      sendSoon();
      return made.chunk;
    },
    addDocument: (text) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const id = newActor();
      awaited.set(id, resolve);
      const { chunk, hash } = new SharedDocument().make(newActor(), 1, [], text);
      send(id, messageOf([hash], [chunk]));
      return promise;
    },
  };
}

/** Says that it has these heads, and everything below them. */
function messageOf(heads: readonly string[], changes: readonly Uint8Array[]): Uint8Array {
  const have = [{ lastSync: heads, bloom: new Uint8Array() }];
  const message = { heads, need: [], have, changes, type: "v2" };
  // The types know the first version of messages only.
  return encodeSyncMessage({ ...message, supportedCapabilities: ["supports-sync-reset"] } as never);
}

/** At once, and again at the earliest after a while. */
function throttled(run: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let mustRun = false;
  const start = (): void => {
    run();
    mustRun = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (mustRun) start();
    }, WAIT_MS);
  };
  return () => {
    mustRun = true;
    if (timer === undefined) start();
  };
}

function follow(heads: Set<string>, chunk: Uint8Array, document: SharedDocument): void {
  const made = document.find(chunk);
  for (const dep of made?.deps ?? depsOf(chunk)) heads.delete(dep);
  heads.add(made?.hash ?? hashOf(chunk));
}

/** Several chunks may stand behind each other. */
function* chunksIn(piece: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < piece.length; ) {
    const [length, at] = numberAt(piece, start + 9);
    yield piece.subarray(start, at + length);
    start = at + length;
  }
}

function depsOf(chunk: Uint8Array): readonly string[] {
  const [, body] = numberAt(chunk, 9);
  const [count, first] = numberAt(chunk, body);
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(chunk.subarray(first + index * 32, first + index * 32 + 32)).toString("hex"),
  );
}

function numberAt(bytes: Uint8Array, start: number): readonly [value: number, next: number] {
  let value = 0;
  let at = start;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++] as number;
    value += (byte % 128) * factor;
    if (byte < 128) return [value, at];
  }
}
