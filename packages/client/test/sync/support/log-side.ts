/** A replica without a network or a disk: what it holds, what of that is stored, and what it says to a relay. */
import * as Automerge from "@automerge/automerge";
import { CambiumError, type DocumentId, type DocumentKind, documentIdFromHex } from "@cambium/core";
import type { LogClientFrame, LogRelayFrame, WelcomeFrame } from "@cambium/core/wire";
import * as A from "../../../src/documents/automerge.js";
import {
  prepareCarefully,
  preparedFor,
  receiveCarefully,
  type SetAsideBytes,
} from "../../../src/documents/careful-receive.js";
import { loadInPieces } from "../../../src/documents/in-pieces.js";
import { changesBetween } from "../../../src/documents/sent-changes.js";
import { manualTimers } from "../../../src/platform/timers.js";
import type { DocumentRow } from "../../../src/storage/store.js";
import { EntryTaker, type TakingDocuments } from "../../../src/sync/entry-taker.js";
import { Incoming } from "../../../src/sync/incoming.js";
import { LogCursor } from "../../../src/sync/log-cursor.js";
import { LogSession } from "../../../src/sync/log-session.js";
import { Outgoing } from "../../../src/sync/outgoing.js";
import { CURSOR_ROW, SyncTracker } from "../../../src/sync/sync-tracker.js";

export const DOCUMENTS: Readonly<Record<DocumentKind, DocumentId>> = {
  pack: documentIdFromHex("0a".repeat(16)),
  catalog: documentIdFromHex("0b".repeat(16)),
  branch: documentIdFromHex("0c".repeat(16)),
  uses: documentIdFromHex("0d".repeat(16)),
};
/** A fork of the branch. */
export const FORK = documentIdFromHex("0e".repeat(16));
/** How all documents begin. */
const GENESIS = (() => {
  const doc = Automerge.change(Automerge.init<object>({ actor: "00" }), { time: 0 }, (draft) => {
    (draft as Record<string, unknown>).keys = {};
  });
  return Automerge.getLastLocalChange(doc) as Uint8Array;
})();

const retiredKey = (id: DocumentId): string => `retired ${id}`;

interface Disk {
  readonly chunks: Map<DocumentId, Uint8Array[]>;
  readonly rows: Map<string, DocumentRow>;
}

const kindOf = (id: DocumentId): DocumentKind =>
  (Object.keys(DOCUMENTS) as DocumentKind[]).find((kind) => DOCUMENTS[kind] === id) ?? "branch";

export class LogSide {
  readonly disk: Disk = { chunks: new Map(), rows: new Map() };
  readonly timers = manualTimers();
  readonly refused: (SetAsideBytes & { readonly document: DocumentId })[] = [];
  readonly notices: string[] = [];
  readonly withheld: { readonly document: DocumentId; readonly hash: string }[] = [];
  /** Whether what the relay names and does not give is remembered. */
  isRemembering = true;
  /** The document of each change that came after the document was retired. */
  readonly ofRetired: DocumentId[] = [];
  readonly collided = new Set<DocumentId>();
  readonly #actor: string;
  #docs = new Map<DocumentId, A.Doc<unknown>>();
  readonly #changed = new Set<DocumentId>();
  readonly #forkHeads: string[] = [];
  #send: ((frame: LogClientFrame) => void) | undefined;
  tracker!: SyncTracker;
  cursor!: LogCursor;
  session!: LogSession;
  outgoing!: Outgoing;

  /** Happens while changes are read from the disk, to be sent. */
  whileReading: () => void = () => {};
  /** Happens when it is decided what of that which came a document is given. */
  whileAdmitting: (document: DocumentId) => void = () => {};

  constructor(actor: string) {
    this.#actor = actor;
    this.#start();
  }

  /** As after a crash: what was not stored is gone. */
  crash(): void {
    this.hangUp();
    this.#docs = new Map([...this.disk.chunks].map(([id, chunks]) => [id, loadInPieces(chunks)]));
    this.#changed.clear();
    this.#start();
  }

  #start(): void {
    this.tracker = new SyncTracker({ rows: this.disk.rows.values(), now: () => 1 });
    this.cursor = new LogCursor(this.disk.rows.get(CURSOR_ROW));
    const { tracker, cursor } = this;
    const send = (frame: LogClientFrame): void => this.#send?.(frame);
    const onNotice = (message: string): void => void this.notices.push(message);
    const taker = new EntryTaker({
      ...{ tracker, documents: this.#documents(), onNotice },
      setAside: {
        hashesOf: (document) =>
          new Set(this.refused.filter((one) => one.document === document).map(({ hash }) => hash)),
        add: ({ document, hash, reason }, bytes) => void this.refused.push({ document, hash, reason, bytes }),
      },
      onOwn: () => {},
      onWithheld: (document, hashes) => {
        this.withheld.push(...hashes.map((hash) => ({ document, hash })));
        return this.isRemembering;
      },
      onRetired: (document, chunks) => void this.ofRetired.push(...chunks.map(() => document)),
      forkHeadsOf: (document) => this.outgoing.forkHeadsOf(document),
      fetch: (document, have) => this.session.fetch(document, have),
    });
    const incoming = new Incoming({
      ...{ tracker, cursor, taker, timers: this.timers },
      grant: (bytes) => send({ type: "credit", bytes }),
      onGap: () => this.session.readAgain(),
      onApplied: () => this.session.applied(),
    });
    this.outgoing = new Outgoing({
      ...{ tracker, kindOf, send, onNotice },
      retirements: { pending: () => [], done: () => {}, refused: () => {} },
      makesRoom: () => false,
      onNotCarried: () => {},
      forkOf: (document) =>
        document === FORK && this.#forkHeads.length > 0
          ? { documentId: FORK, from: DOCUMENTS.branch, heads: this.#forkHeads as never }
          : undefined,
      changesBetween: async (id, have, upTo) => {
        this.whileReading();
        return changesBetween(this.#doc(id), have, upTo);
      },
      onDoubt: (document) => this.session.doubt(document),
      onCollision: (document) => void this.collided.add(document),
      onReceipt: () => {},
      onStuck: () => {},
      onBreak: () => {},
      after: (delayMs, run) => void this.timers.after(delayMs, run),
    });
    this.session = new LogSession({
      ...{ tracker, cursor, incoming, outgoing: this.outgoing, send },
      retirements: { begin: () => {} },
      maySend: () => true,
      onCaughtUp: () => {},
      onBreak: () => {},
    });
  }

  begin(send: (frame: LogClientFrame) => void): void {
    this.#send = send;
    this.session.begin();
  }

  hangUp(): void {
    this.#send = undefined;
    this.session.end(new CambiumError("RELAY_UNREACHABLE", "Cut."));
  }

  hear(frame: Exclude<LogRelayFrame, WelcomeFrame>): void {
    this.session.frame(frame);
  }

  /** Lets everything happen that takes no more frames. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 8; turn += 1) {
      this.timers.advance(10);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** A record in the pack, a word of it in the catalog, and a reference on the branch. */
  write(key: string, branch: DocumentId = DOCUMENTS.branch): void {
    const said = { [DOCUMENTS.pack]: { put: key }, [branch]: { refers: key } };
    for (const [id, message] of Object.entries(said)) this.#change(id as DocumentId, key, message);
  }

  /** Says in the catalog that a document is retired. */
  retire(id: DocumentId): void {
    this.#change(DOCUMENTS.catalog, retiredKey(id), {});
  }

  fork(): void {
    if (this.#docs.has(FORK) || !this.#docs.has(DOCUMENTS.branch)) return;
    const parent = this.#doc(DOCUMENTS.branch);
    this.#forkHeads.push(...A.getHeads(parent));
    this.#docs.set(FORK, loadInPieces([Buffer.concat(A.getBackend(parent).getChanges([]))]));
    this.#changed.add(FORK);
  }

  #change(id: DocumentId, key: string, message: object): void {
    const before = this.#docs.get(id) ?? loadInPieces([GENESIS]);
    const doc = Automerge.clone(before, { actor: this.#actor });
    const after = Automerge.change(
      doc as Automerge.Doc<Record<string, number>>,
      {
        ...{ time: 0, message: JSON.stringify(message) },
      },
      (draft) => {
        draft[key] = 1;
      },
    );
    this.#docs.set(id, loadInPieces([Automerge.save(after)]));
    this.#changed.add(id);
  }

  /** Stores what has changed, with how far was read, and only then tells of it. */
  flush(): void {
    for (const id of this.#changed) {
      const doc = this.#doc(id);
      this.disk.chunks.set(id, A.getBackend(doc).getChanges([]));
      const row = this.disk.rows.get(id);
      const localHeads = A.getHeads(doc);
      this.disk.rows.set(id, {
        ...{ documentId: id, localHeads, receiptedHeads: row?.receiptedHeads ?? [] },
        receiptedAt: row?.receiptedAt,
      });
    }
    const cursor = this.cursor.takeRow();
    for (const row of [...this.tracker.takeRows(), ...(cursor === undefined ? [] : [cursor])]) {
      const localHeads = this.disk.rows.get(row.documentId)?.localHeads ?? [];
      this.disk.rows.set(row.documentId, { ...row, localHeads });
    }
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const id of changed) this.tracker.localHeads(id, A.getHeads(this.#doc(id)));
    for (const id of changed) this.outgoing.offer(id);
  }

  keysOf(id: DocumentId): readonly string[] {
    const doc = this.#docs.get(id);
    if (doc === undefined) return [];
    const content = Automerge.toJS(Automerge.load<Record<string, unknown>>(Automerge.save(doc)));
    return Object.keys(content)
      .filter((key) => key !== "keys")
      .sort();
  }

  hashesOf(id: DocumentId): readonly string[] {
    return A.getBackend(this.#doc(id))
      .getChangesMeta([])
      .map(({ hash }) => hash);
  }

  #doc(id: DocumentId): A.Doc<unknown> {
    return this.#docs.get(id) ?? loadInPieces([]);
  }

  #documents(): TakingDocuments {
    return {
      isRetired: (id) => this.keysOf(DOCUMENTS.catalog).includes(retiredKey(id)),
      catalog: DOCUMENTS.catalog,
      refreshCatalog: async () => {},
      isBeyondRepair: () => false,
      headsOf: (id) => A.getHeads(this.#doc(id)),
      depsOf: (id, hash) => A.getBackend(this.#doc(id)).getChangeMetaByHash(hash)?.deps,
      changeOf: (id, hash) => A.getBackend(this.#doc(id)).getChangeMetaByHash(hash) ?? undefined,
      missingOf: (id) => A.getMissingDeps(this.#doc(id), []),
      open: async () => {},
      admit: async (id, chunks) => {
        this.whileAdmitting(id);
        return chunks;
      },
      waiting: async () => [],
      receive: async (id, chunks, refusedBefore, pause) => {
        const prepared = await prepareCarefully(this.#doc(id), chunks, refusedBefore, pause);
        const now = this.#doc(id);
        const { doc, ...said } = preparedFor(now, prepared) ?? receiveCarefully(now, chunks, refusedBefore);
        this.#docs.set(id, doc);
        this.#changed.add(id);
        return said;
      },
      fork: async (id, from, heads) => {
        const parent = this.#doc(from);
        if (!A.hasHeads(parent, heads)) return false;
        const chunks = changesBetween(parent, [], heads).map(({ bytes }) => bytes);
        this.#docs.set(id, receiveCarefully(this.#doc(id), chunks, new Set()).doc);
        this.#changed.add(id);
        return true;
      },
    };
  }
}
