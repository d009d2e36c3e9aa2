/** A relay's log in memory, for tests that want to see inside: too simple to be wrong, and to be fast. */

import { type DecodedChange, decodeChange } from "@automerge/automerge";
import {
  type BatchFrame,
  type BatchItem,
  decodeBatchItems,
  type EntryItem,
  encodeItems,
  LOG_START,
  type LogClientFrame,
  type LogPoint,
  type LogRelayFrame,
  markedEntry,
  nextPoint,
  pack,
  type SubscribeFrame,
  samePoint,
  unpack,
} from "@cambium/core/wire";
import { chunkTools } from "../../../src/platform/node-platform.js";

interface LogEntry {
  readonly item: BatchItem;
  readonly hash: string;
  readonly author: object;
  readonly point: LogPoint;
}

/** Why a batch is refused. */
class Refusal extends Error {
  readonly code: string;
  readonly document: string;
  readonly hashes: readonly string[];

  constructor(code: string, document: string, hashes: readonly string[] = []) {
    super(`Refused: ${code}.`);
    this.code = code;
    this.document = document;
    this.hashes = hashes;
  }
}

interface HeldDocument {
  readonly headers: Map<string, DecodedChange>;
  readonly chunks: Map<string, Uint8Array>;
  readonly positions: Map<string, number>;
}

export class LogRelay {
  entries: LogEntry[] = [];
  readonly sessions = new Set<LogRelaySession>();
  /** Of these the bytes of changes are not given, as of documents that were retired. */
  readonly gone = new Set<string>();
  /** Refuses these batches, in the order in which they come. */
  readonly now: () => number;
  readonly refusals: ((items: readonly BatchItem[]) => { code: string; document: string } | undefined)[] = [];

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  get end(): LogPoint {
    return this.entries.at(-1)?.point ?? LOG_START;
  }

  join(send: (frame: LogRelayFrame) => void, role = "write", space = "space"): LogRelaySession {
    const session = new LogRelaySession(this, send);
    this.sessions.add(session);
    send({ type: "welcome", space, role, time: this.now(), limits: {} });
    return session;
  }

  /** As a restored backup has it. */
  cutTo(position: number): void {
    this.entries = this.entries.slice(0, position);
  }

  document(id: string): HeldDocument {
    const document: HeldDocument = { headers: new Map(), chunks: new Map(), positions: new Map() };
    for (const { item, hash, point } of this.entries) {
      if (item.document !== id) continue;
      if (item.kind === "fork") this.#copy(item.from, item.heads, point.position, document);
      if (item.kind === "change") place(document, item.chunk, hash, point.position);
    }
    return document;
  }

  #copy(from: string, heads: readonly string[], position: number, to: HeldDocument): void {
    const parent = this.document(from);
    const wanted = [...heads];
    const reached = new Set(wanted);
    for (const hash of wanted) {
      for (const dep of parent.headers.get(hash)?.deps ?? []) {
        if (reached.has(dep)) continue;
        reached.add(dep);
        wanted.push(dep);
      }
    }
    for (const [hash, chunk] of parent.chunks) if (reached.has(hash)) place(to, chunk, hash, position);
  }

  append(items: readonly BatchItem[], author: object): readonly number[] {
    const before = this.entries;
    this.entries = [...before];
    try {
      return items.map((item) => this.#appendOne(item, author));
    } catch (error) {
      this.entries = before;
      throw error;
    }
  }

  #appendOne(item: BatchItem, author: object): number {
    const entry = markedEntry(item, chunkTools);
    const { document: id } = item;
    const held = this.document(id);
    if (item.kind === "change") {
      const known = held.positions.get(entry.hash);
      if (known !== undefined) return known;
      const { deps, actor, seq } = headerOf(item.chunk);
      const missing = deps.filter((dep) => !held.headers.has(dep));
      if (missing.length > 0) throw new Refusal("MISSING", id, missing);
      const isTaken = [...held.headers.values()].some((other) => other.actor === actor && other.seq === seq);
      if (isTaken) throw new Refusal("NUMBER_TAKEN", id, [entry.hash]);
    } else if (item.kind === "fork") {
      const parent = this.document(item.from);
      if (!item.heads.every((head) => parent.headers.has(head))) throw new Refusal("HEADS_NOT_HERE", id);
      if (held.headers.size > 0) throw new Refusal("IN_USE", id);
    }
    const point = nextPoint(this.end, entry, chunkTools.sha256);
    this.entries.push({ item, hash: entry.hash, author, point });
    return point.position;
  }

  heads(id: string): { readonly heads: readonly string[]; readonly position: number } | undefined {
    const { headers, positions } = this.document(id);
    if (headers.size === 0 || this.gone.has(id)) return undefined;
    const followed = new Set([...headers.values()].flatMap(({ deps }) => deps));
    const heads = [...headers.keys()].filter((hash) => !followed.has(hash));
    return { heads, position: Math.max(...positions.values()) };
  }
}

const headers = new WeakMap<Uint8Array, DecodedChange>();

function headerOf(chunk: Uint8Array): DecodedChange {
  const header = headers.get(chunk) ?? decodeChange(chunk);
  headers.set(chunk, header);
  return header;
}

function place(document: HeldDocument, chunk: Uint8Array, hash: string, position: number): void {
  document.headers.set(hash, headerOf(chunk));
  document.chunks.set(hash, chunk);
  document.positions.set(hash, position);
}

export class LogRelaySession {
  readonly #log: LogRelay;
  readonly #send: (frame: LogRelayFrame) => void;
  #sentTo: number | undefined;
  #next = 1;
  #refused = 0;

  constructor(log: LogRelay, send: (frame: LogRelayFrame) => void) {
    this.#log = log;
    this.#send = send;
  }

  end(): void {
    this.#log.sessions.delete(this);
    this.#sentTo = undefined;
  }

  receive(frame: LogClientFrame): void {
    switch (frame.type) {
      case "subscribe":
        this.#subscribe(frame);
        return;
      case "batch":
        this.#batch(frame);
        return;
      case "heads": {
        const { of, ask } = frame;
        const ids = "documents" in of ? of.documents : this.#touchedAfter(of.after);
        const documents = ids.flatMap((document) => {
          const held = this.#log.heads(document);
          return held === undefined ? [] : [{ document, ...held }];
        });
        this.#send({ type: "heads", ask, complete: true, documents });
        return;
      }
      case "fetch": {
        const { chunks, headers } = this.#log.document(frame.document);
        const have = new Set(frame.have);
        for (const hash of have) for (const dep of headers.get(hash)?.deps ?? []) have.add(dep);
        const items = [...chunks]
          .filter(([hash]) => !have.has(hash) && !this.#log.gone.has(frame.document))
          .map(([, chunk]) => ({ kind: "change", document: frame.document, chunk }) as const);
        this.#send({ type: "fetched", ask: frame.ask, complete: true, items: pack(encodeItems(items)) });
      }
    }
  }

  #touchedAfter(position: number): readonly string[] {
    const later = this.#log.entries.filter(({ point }) => point.position > position);
    return [...new Set(later.map(({ item }) => item.document))];
  }

  #subscribe({ marks }: SubscribeFrame): void {
    const has = (point: LogPoint): boolean => {
      const entry = this.#log.entries[point.position - 1];
      return entry !== undefined && samePoint(entry.point, point);
    };
    const common = marks.find(has) ?? LOG_START;
    this.#sentTo = common.position;
    this.#send({ type: "state", common, upTo: this.#log.end });
    this.pump();
  }

  /** Sends what it has not sent yet. */
  pump(): void {
    if (this.#sentTo === undefined || this.#sentTo >= this.#log.end.position) return;
    const entries = this.#log.entries.slice(this.#sentTo);
    const items = entries.map(({ item, hash, author }): EntryItem => {
      if (author !== this && !(item.kind === "change" && this.#log.gone.has(item.document))) return item;
      if (author !== this) return { kind: "gone", of: 1, document: item.document, hash };
      return { kind: "own", of: item.kind === "change" ? 1 : 2, document: item.document, hash };
    });
    const from = this.#sentTo;
    this.#sentTo = this.#log.end.position;
    this.#send({ type: "entries", from, upTo: this.#log.end, items: pack(encodeItems(items)) });
  }

  #batch({ n, resume, items: packed }: BatchFrame): void {
    if (n !== this.#next) throw new Error(`Batch ${n} comes in the place of ${this.#next}.`);
    this.#next += 1;
    if (this.#refused !== 0 && resume !== this.#refused) return;
    this.#refused = 0;
    const items = decodeBatchItems(unpack(packed, chunkTools.inflate));
    try {
      const refusal = this.#log.refusals[0]?.(items);
      if (refusal !== undefined) {
        this.#log.refusals.shift();
        throw new Refusal(refusal.code, refusal.document);
      }
      const positions = this.#log.append(items, this);
      this.#send({ type: "receipt", n, positions });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#refused = n;
      const { code, document, hashes, message } = error;
      this.#send({ type: "refused", n, code, document, hashes, message });
      return;
    }
    for (const session of this.#log.sessions) session.pump();
  }
}
