/**
 * A bare client of the log protocol.
 *
 * @module
 */
import {
  decodeRelayFrame,
  encodeClientFrame,
  encodeItems,
  LOG_PROTOCOL,
  pack,
  readEntries,
} from "@cambium/core/wire";
import { BareSocket } from "./bare-socket.ts";
import { chunkTools, type MadeChange, newActor, SharedDocument } from "./shared-document.ts";
import type { ClientOptions, WritingClient } from "./writing-client.ts";

const ENTRIES = 67;
const CREDIT = 4 * 1024 * 1024;
/** Credit is given back in pieces of this size. */
const CREDIT_PIECE = 1024 * 1024;
/** Nobody who writes is further behind. */
const KEPT_POSITIONS = 50_000;

/** The log of a space, as all clients of one process have heard it: read once, whoever of them hears it first. */
export class LogView {
  readonly #document: SharedDocument;
  readonly #headsAt = new Map<number, readonly string[]>([[0, []]]);
  readonly #positions = new Map<string, number>();
  #end = 0;

  constructor(document: SharedDocument) {
    this.#document = document;
  }

  take(frame: Uint8Array, from: number, upTo: number): void {
    if (upTo <= this.#end) return;
    const decoded = decodeRelayFrame(frame);
    if (decoded.type !== "entries") return;
    const items = readEntries(decoded.items, chunkTools).map(({ item }) => item);
    for (const item of items.slice(this.#end - from)) {
      const change =
        item.kind === "change"
          ? this.#document.find(item.chunk)
          : this.#document.byHash("hash" in item ? item.hash : "");
      this.#add(change);
    }
  }

  headsAt(position: number): readonly string[] {
    return this.#headsAt.get(position) ?? [];
  }

  has({ hash }: MadeChange, upTo: number): boolean {
    return (this.#positions.get(hash) ?? Number.POSITIVE_INFINITY) <= upTo;
  }

  #add(change: MadeChange | undefined): void {
    const before = this.headsAt(this.#end);
    this.#end += 1;
    this.#headsAt.delete(this.#end - KEPT_POSITIONS);
    if (change !== undefined) this.#positions.set(change.hash, this.#end);
    const heads = change === undefined ? before : follow(before, change);
    this.#headsAt.set(this.#end, heads);
  }
}

const follow = (heads: readonly string[], { deps, hash }: MadeChange): readonly string[] => [
  ...heads.filter((head) => !deps.includes(head)),
  hash,
];

/** The position after the byte that says the type, and the one after that: seven bits in a byte. */
function rangeOf(frame: Uint8Array): readonly [from: number, upTo: number] {
  let at = 1;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = frame[at++] as number;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  return [next(), next()];
}

export async function openLogClient(
  { url, token, documentId, document, onSeen }: ClientOptions,
  view?: LogView,
): Promise<WritingClient> {
  const address = `${url.replace("http", "ws")}/sync`;
  const socket = await BareSocket.open({ url: address, protocol: LOG_PROTOCOL, ...(token && { token }) });
  const begun = Promise.withResolvers<void>();
  const actor = newActor();
  let [seq, n, position, used] = [0, 0, 0, 0];
  let pending: MadeChange[] = [];
  const awaited = new Map<number, () => void>();
  const hear = (frame: Uint8Array): void => {
    const [from, upTo] = rangeOf(frame);
    view?.take(frame, from, upTo);
    if (onSeen !== undefined) tell(frame, onSeen);
    position = upTo;
    used += frame.length;
    begun.resolve();
    if (used < CREDIT_PIECE) return;
    socket.send(encodeClientFrame({ type: "credit", bytes: used }));
    used = 0;
  };
  socket.onMessage = (bytes) => {
    if (bytes[0] === ENTRIES) return hear(bytes);
    const frame = decodeRelayFrame(bytes);
    if (frame.type === "receipt") awaited.get(frame.n)?.();
    if (frame.type === "refused") throw new Error(`${frame.code}: ${frame.message}`);
  };
  socket.send(encodeClientFrame({ type: "subscribe", marks: [], credit: CREDIT }));
  const sendChange = (id: string, chunk: Uint8Array): void => {
    const items = pack(encodeItems([{ kind: "change", document: id, chunk }]));
    socket.send(encodeClientFrame({ type: "batch", n: ++n, resume: 0, items }));
  };
  return {
    begun: begun.promise,
    close: () => socket.close(),
    write: (text) => {
      pending = pending.filter((change) => view?.has(change, position) === false);
      const heads = pending.reduce(follow, view?.headsAt(position) ?? []);
      const made = document.make(actor, ++seq, heads, text);
      pending.push(made);
      sendChange(documentId, made.chunk);
      return made.chunk;
    },
    addDocument: (text) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      sendChange(newActor(), new SharedDocument().make(newActor(), 1, [], text).chunk);
      awaited.set(n, resolve);
      return promise;
    },
  };
}

function tell(frame: Uint8Array, onSeen: (chunk: Uint8Array) => void): void {
  const decoded = decodeRelayFrame(frame);
  if (decoded.type !== "entries") return;
  for (const { item } of readEntries(decoded.items, chunkTools))
    if (item.kind === "change") onSeen(item.chunk);
}
