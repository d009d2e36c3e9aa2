/**
 * A relay and a replica as plain sets of numbered changes, joined by two queues: the model that the tracker is
 * compared with. Messages arrive in order or, when the connection ends, not at all.
 */

import type { DocumentRow } from "../../../src/storage/store.js";
import { SyncTracker } from "../../../src/sync/sync-tracker.js";

export const DOCUMENT_IDS = ["a", "b", "c"] as const;
export type ModelDocumentId = (typeof DOCUMENT_IDS)[number];

interface ModelChange {
  readonly name: string;
  readonly parents: readonly string[];
}

/** A document: changes by name. */
type ModelDocument = Map<string, ModelChange>;

interface LogEntry {
  readonly documentId: ModelDocumentId;
  readonly changes: readonly ModelChange[];
}

type ToRelay =
  | {
      readonly type: "sync";
      readonly documentId: ModelDocumentId;
      readonly changes: readonly ModelChange[];
      readonly heads: readonly string[];
    }
  | { readonly type: "list"; readonly after: number };
type ToReplica = (tracker: SyncTracker) => void;

export class Model {
  readonly local = new Map<ModelDocumentId, ModelDocument>(DOCUMENT_IDS.map((id) => [id, new Map()]));
  tracker: SyncTracker;
  isConnected = false;
  /** The replica knows which life of the log it speaks to. */
  isWelcomed = false;
  readonly #rows = new Map<string, DocumentRow>();
  #log: LogEntry[] = [];
  #generation = 1;
  #changeCount = 0;
  #clock = 0;
  #isListed = false;
  #toRelay: ToRelay[] = [];
  #toReplica: ToReplica[] = [];

  constructor() {
    this.tracker = this.#newTracker();
  }

  writeHere(documentId: ModelDocumentId): void {
    const document = this.#localDocument(documentId);
    this.#addHere(documentId, [this.#newChange(headsOf(document))]);
  }

  /** Another replica's write, acknowledged to it. */
  writeElsewhere(documentId: ModelDocumentId): void {
    this.#append(documentId, [this.#newChange(headsOf(this.relayDocument(documentId)))]);
  }

  /** The replica sends what it has of a document, as automerge-repo does for one that is loaded. */
  sendFromHere(documentId: ModelDocumentId): void {
    const document = this.#localDocument(documentId);
    if (!this.isConnected) return;
    this.#toRelay.push({
      type: "sync",
      documentId,
      changes: [...document.values()],
      heads: headsOf(document),
    });
  }

  /** The relay sends what it has of a document. */
  sendToHere(documentId: ModelDocumentId): void {
    if (!this.isConnected) return;
    const changes = [...this.relayDocument(documentId).values()];
    this.#toReplica.push(() => this.#addHere(documentId, changes));
  }

  /** The relay takes in one message. Whether receipt or list is sent first is up to it. */
  workRelay(isReceiptFirst: boolean): boolean {
    const message = this.#toRelay.shift();
    if (message === undefined) return false;
    if (message.type === "list") {
      this.#isListed = true;
      this.#sendList(message.after);
      return true;
    }
    const { documentId, changes, heads } = message;
    const held = this.relayDocument(documentId);
    const fresh = changes.filter(({ name }) => !held.has(name));
    const receipt = (): void => {
      const said = { documentId, heads, seq: this.#log.length, generation: `${this.#generation}` };
      this.#toReplica.push((tracker) => tracker.receipt(said));
    };
    const isLate = !isReceiptFirst || fresh.length === 0;
    if (isLate && fresh.length > 0) this.#append(documentId, fresh);
    else if (fresh.length > 0) this.#append(documentId, fresh, receipt);
    if (isLate) receipt();
    return true;
  }

  deliver(): boolean {
    const message = this.#toReplica.shift();
    message?.(this.tracker);
    return message !== undefined;
  }

  connect(): void {
    if (this.isConnected) return;
    this.isConnected = true;
    this.#isListed = false;
    const welcome = { generation: `${this.#generation}`, lastSeq: this.#log.length };
    this.#toReplica.push((tracker) => {
      tracker.welcome(welcome);
      this.isWelcomed = true;
      const cursor = tracker.cursor();
      this.#toRelay.push({ type: "list", after: cursor?.generation === welcome.generation ? cursor.seq : 0 });
    });
  }

  disconnect(): void {
    this.isConnected = false;
    this.isWelcomed = false;
    this.#toRelay = [];
    this.#toReplica = [];
    this.tracker.offline();
  }

  /** @param lost - how many of the newest log entries the restored copy lacks */
  restartRelay(lost: number): void {
    this.disconnect();
    this.#log = this.#log.slice(0, Math.max(0, this.#log.length - lost));
    this.#generation += 1;
  }

  restartReplica(): void {
    this.disconnect();
    this.tracker = this.#newTracker();
  }

  relayDocument(documentId: ModelDocumentId): ModelDocument {
    const entries = this.#log.filter((entry) => entry.documentId === documentId);
    return new Map(entries.flatMap(({ changes }) => changes.map((change) => [change.name, change] as const)));
  }

  localHeads(documentId: ModelDocumentId): readonly string[] {
    return headsOf(this.#localDocument(documentId));
  }

  /** Whether the relay holds these heads of ours and everything before them. */
  relayHolds(documentId: ModelDocumentId, heads: readonly string[]): boolean {
    const here = this.#localDocument(documentId);
    const there = this.relayDocument(documentId);
    const reached = [...heads];
    for (const name of reached) {
      if (!there.has(name)) return false;
      reached.push(...(here.get(name)?.parents ?? []).filter((parent) => !reached.includes(parent)));
    }
    return true;
  }

  #localDocument(documentId: ModelDocumentId): ModelDocument {
    return this.local.get(documentId) as ModelDocument;
  }

  #newChange(parents: readonly string[]): ModelChange {
    this.#changeCount += 1;
    return { name: `${this.#changeCount}`.padStart(4, "0"), parents };
  }

  #addHere(documentId: ModelDocumentId, changes: readonly ModelChange[]): void {
    const document = this.#localDocument(documentId);
    for (const change of changes) document.set(change.name, change);
    const localHeads = headsOf(document);
    const row = this.#rows.get(documentId) ?? {
      documentId,
      localHeads,
      receiptedHeads: [],
      generation: undefined,
    };
    this.#rows.set(documentId, { ...row, localHeads });
    this.tracker.localHeads(documentId, localHeads);
  }

  #append(documentId: ModelDocumentId, changes: readonly ModelChange[], beforeList?: () => void): void {
    this.#log.push({ documentId, changes });
    beforeList?.();
    if (this.isConnected && this.#isListed) this.#sendList(this.#log.length - 1);
  }

  #sendList(after: number): void {
    const generation = `${this.#generation}`;
    const lastSeq = this.#log.length;
    const changed = [...new Set(this.#log.slice(after).map(({ documentId }) => documentId))];
    const entries = changed.map((documentId) => ({
      documentId,
      heads: headsOf(this.relayDocument(documentId)),
      seq: this.#log.findLastIndex((entry) => entry.documentId === documentId) + 1,
    }));
    this.#toReplica.push((tracker) => tracker.heads({ generation, entries, lastSeq, complete: true }));
  }

  #newTracker(): SyncTracker {
    return new SyncTracker({
      rows: [...this.#rows.values()],
      now: () => ++this.#clock,
      onRow: ({ documentId, ...receipt }) => {
        const localHeads = this.localHeads(documentId as ModelDocumentId);
        this.#rows.set(documentId, { documentId, localHeads, ...receipt });
      },
    });
  }
}

function headsOf(document: ModelDocument): readonly string[] {
  const parents = new Set([...document.values()].flatMap((change) => change.parents));
  return [...document.keys()].filter((name) => !parents.has(name)).sort();
}
