/**
 * A document of many changes goes up from one device and down to another, both in this process, with Automerge at both
 * ends. Told what to do by its first argument; prints what it took.
 */
import { deflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { plainChange } from "@cambium/core";
import {
  type BatchItem,
  decodeRelayFrame,
  encodeClientFrame,
  encodeItems,
  LOG_LIMITS,
  LOG_PROTOCOL,
  type LogRelayFrame,
  pack,
  readEntries,
} from "@cambium/core/wire";
import { BareSocket } from "./bare-socket.ts";
import type { FirstSyncPlan, Transfer } from "./first-sync.ts";
import { chunkTools, newActor, SharedDocument } from "./shared-document.ts";
import { joinStock } from "./stock-client.ts";

const TEXT = "v".repeat(48);
const CREDIT = 64 * 1024 * 1024;

const plan = JSON.parse(process.argv[2] as string) as FirstSyncPlan;
const { space, url } = plan;
const isLog = plan.protocol === "log";

process.on("message", async (order: "up" | "down") => {
  const before = process.cpuUsage();
  const start = performance.now();
  if (order === "up") await (isLog ? sendToLog() : syncWithStock(document, (theirs) => theirs === heads));
  else await (isLog ? readLog() : syncWithStock(A.init(), (_theirs, ours) => ours === heads));
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  process.send?.({ ms, clientCpuMs: (user + system) / 1_000 } satisfies Transfer);
});
process.on("disconnect", () => process.exit());

const document = makeDocument(plan.changes);
const heads = A.getHeads(document).join();
process.send?.("ready");

function makeDocument(changes: number): A.Doc<unknown> {
  const made = new SharedDocument();
  const actor = newActor();
  let before: readonly string[] = [];
  const chunks = Array.from({ length: changes }, (_, index) => {
    const { chunk, hash } = made.make(actor, index + 1, before, TEXT);
    before = [hash];
    return chunk;
  });
  return A.loadIncremental(A.init(), Buffer.concat(chunks));
}

async function openLog(hear: (frame: LogRelayFrame) => void, onClose: () => void): Promise<BareSocket> {
  const address = `${url.replace("http", "ws")}/sync`;
  const { token } = space;
  const socket = await BareSocket.open({ url: address, protocol: LOG_PROTOCOL, ...(token && { token }) });
  socket.onMessage = (bytes) => hear(decodeRelayFrame(bytes));
  socket.onClose = onClose;
  return socket;
}

const ended =
  ({ reject }: PromiseWithResolvers<void>): (() => void) =>
  () =>
    reject(new Error("The relay closed the connection."));

async function sendToLog(): Promise<void> {
  const done = Promise.withResolvers<void>();
  let [n, receipts] = [0, 0];
  let isSent = false;
  const socket = await openLog((frame) => {
    if (frame.type === "refused") done.reject(new Error(frame.message));
    if (frame.type === "receipt") receipts += 1;
    if (isSent && receipts === n) done.resolve();
  }, ended(done));
  const items = A.getAllChanges(document).map((chunk): BatchItem => {
    return { kind: "change", document: space.documentId, chunk: plainChange(chunk, chunkTools) };
  });
  for (let at = 0; at < items.length; at += LOG_LIMITS.batchItems) {
    const bytes = encodeItems(items.slice(at, at + LOG_LIMITS.batchItems));
    const packed = pack(bytes, (plain) => deflateRawSync(plain, { level: 1 }));
    n += 1;
    socket.send(encodeClientFrame({ type: "batch", n, resume: 0, items: packed }));
  }
  isSent = true;
  await done.promise;
  socket.close();
}

async function readLog(): Promise<void> {
  const done = Promise.withResolvers<void>();
  const chunks: Uint8Array[] = [];
  let end = Number.POSITIVE_INFINITY;
  const socket = await openLog((frame) => {
    if (frame.type === "state") end = frame.upTo.position;
    if (frame.type !== "entries") return;
    for (const { item } of readEntries(frame.items, chunkTools))
      if (item.kind === "change") chunks.push(item.chunk);
    if (frame.upTo.position >= end) done.resolve();
  }, ended(done));
  socket.send(encodeClientFrame({ type: "subscribe", marks: [], credit: CREDIT }));
  await done.promise;
  socket.close();
  const loaded = A.loadIncremental(A.init(), Buffer.concat(chunks));
  if (A.getHeads(loaded).join() !== heads) throw new Error("What came back is another document.");
}

/** Automerge's own sync, message for message. */
async function syncWithStock(
  from: A.Doc<unknown>,
  isDone: (theirs: string, ours: string) => boolean,
): Promise<void> {
  const { socket, send, onSync } = await joinStock(url);
  let doc = A.clone(from);
  let state = A.initSyncState();
  const done = Promise.withResolvers<void>();
  const sendNext = (): void => {
    const [next, message] = A.generateSyncMessage(doc, state);
    state = next;
    if (message !== null) send(space.documentId, message);
  };
  onSync((data) => {
    const theirs = A.decodeSyncMessage(data).heads.join();
    [doc, state] = A.receiveSyncMessage(doc, state, data);
    sendNext();
    if (isDone(theirs, A.getHeads(doc).join())) done.resolve();
  });
  sendNext();
  await done.promise;
  socket.close();
}
