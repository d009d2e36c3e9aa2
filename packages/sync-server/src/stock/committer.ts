/**
 * The relay's one loop: apply, store, tell.
 *
 * 1. Take every message that has arrived, and apply them to the documents in memory.
 * 2. Append what is new to the log of its space, and wait until it is durable.
 * 3. Only then give receipts. What the log has new, from whomever, then goes to every session that syncs the document.
 *
 * Messages that arrive meanwhile are the next batch, so a sync message never tells what is not durable.
 *
 * @module
 */
import { type CambiumError, isCambiumError, type SyncMessage } from "@cambium/core";
import type { OnEvent } from "../events.js";
import type { Quotas } from "../limits/quotas.js";
import type { DocumentState, Refusal } from "../log/space-log.js";
import { CLOSE_CODES } from "../sessions/close-codes.js";
import type { SessionHub } from "../sessions/session-hub.js";
import type { DocumentSet } from "./documents.js";
import type { ForkFrame, HeadsEntry, SyncFrame } from "./frames.js";
import type { Session, WorkFrame } from "./session.js";
import { type SharedDocument, UnsoundChanges } from "./shared-document.js";
import { type StockLog, toEntry } from "./stock-log.js";
import { wasm } from "./wasm.js";

/** Bounds how long others wait for one batch. */
const MAX_BATCH = 512;

interface Work {
  readonly session: Session;
  readonly frame: WorkFrame;
  readonly sizeBytes: number;
}

/** What one round has touched. */
interface Batch {
  /** Documents that were applied to, and by whom. */
  readonly touched: Map<SharedDocument, Set<Session>>;
  /** Answers that are true once the batch is durable. */
  readonly answers: { readonly document: SharedDocument; readonly give: (seq: number) => void }[];
  readonly flush: Set<Session>;
}

export interface CommitterOptions {
  readonly log: StockLog;
  readonly documents: DocumentSet;
  readonly hub: SessionHub<Session>;
  readonly quotas: Quotas;
  readonly generation: string;
  readonly onEvent: OnEvent;
}

export class Committer {
  readonly #log: StockLog;
  readonly #documents: DocumentSet;
  readonly #hub: SessionHub<Session>;
  readonly #quotas: Quotas;
  readonly #generation: string;
  readonly #onEvent: OnEvent;
  /** What the log has new, of documents of which sessions may want to hear. */
  #news: { readonly space: string; readonly documents: readonly DocumentState[] }[] = [];
  #works: Work[] = [];
  #tasks: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  constructor({ log, documents, hub, quotas, generation, onEvent }: CommitterOptions) {
    this.#log = log;
    this.#documents = documents;
    this.#hub = hub;
    this.#quotas = quotas;
    this.#generation = generation;
    this.#onEvent = onEvent;
  }

  submit(session: Session, frame: WorkFrame, sizeBytes: number): void {
    this.#works.push({ session, frame, sizeBytes });
    this.#start();
  }

  /** Runs `task` between two batches, when everything in memory is durable. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#tasks.push(() => task().then(resolve, reject));
    this.#start();
    return promise;
  }

  /** Lets a session send what it was too slow for. */
  flush(session: Session): void {
    void this.run(() => this.#flush(session));
  }

  /** The log has new entries, whoever wrote them. */
  appended(space: string, documents: readonly DocumentState[]): void {
    this.#news.push({ space, documents });
    this.#start();
  }

  /** @returns once everything submitted so far has been dealt with */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #start(): void {
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined;
    });
  }

  async #drain(): Promise<void> {
    while (this.#works.length + this.#tasks.length + this.#news.length > 0) {
      // One turn of the event loop, so that messages that arrived together are stored together.
      await new Promise((resolve) => setImmediate(resolve));
      for (const { space, documents } of this.#news.splice(0)) await this.#tell(space, documents);
      for (const task of this.#tasks.splice(0)) await task();
      await this.#runBatch(this.#works.splice(0, MAX_BATCH));
    }
  }

  async #runBatch(works: readonly Work[]): Promise<void> {
    const batch: Batch = { touched: new Map(), answers: [], flush: new Set() };
    try {
      for (const work of works) await this.#apply(work, batch);
      await this.#commit(batch);
    } catch (error) {
      this.#fail(batch, error);
    }
    for (const { session, sizeBytes } of works) session.processed(sizeBytes);
    for (const session of batch.flush) await this.#flush(session);
  }

  async #apply({ session, frame }: Work, batch: Batch): Promise<void> {
    if (session.isBarred) return;
    batch.flush.add(session);
    switch (frame.type) {
      case "join":
        return session.welcome(frame, await this.#log.lastSeq(session.member.space));
      case "list":
        return session.startList(frame, await this.#log.lastSeq(session.member.space));
      case "sync":
      case "request":
        return this.#applySync(session, frame, batch);
      case "fork":
        return this.#applyFork(session, frame, batch);
    }
  }

  async #applySync(session: Session, frame: SyncFrame, batch: Batch): Promise<void> {
    const { documentId, data } = frame;
    const message = decodeSyncMessage(data);
    if (message === undefined) return session.end(CLOSE_CODES.protocol);
    if (session.mayWrite && message.changes.length > 0) {
      const isFull = await this.#isFull(session, documentId, data.length);
      if (isFull) return session.leave(documentId);
    }
    const document = await this.#open(session, documentId);
    if (document === undefined) return;
    const state = session.stateOf(documentId);
    if (state === undefined) return session.end(CLOSE_CODES.protocol);
    touch(batch, document, session);
    try {
      session.keepState(documentId, document.receive(state, data, message));
    } catch (error) {
      if (error instanceof UnsoundChanges) return this.#refuseUnsound(session, document, message, error);
      return this.#refuseChanges(session, document, error);
    }
    const mayFillIt = session.mayWrite && frame.type === "sync";
    if (document.isEmpty && !mayFillIt) return session.replyUnavailable(documentId);
    session.owe(documentId);
    const { heads } = message;
    if (heads.length === 0) return;
    const give = (seq: number): void => {
      if (!document.holds(heads)) return;
      session.reply({ type: "receipt", documentId, heads, seq, generation: this.#generation });
    };
    batch.answers.push({ document, give });
  }

  async #applyFork(session: Session, { documentId, from, heads }: ForkFrame, batch: Batch): Promise<void> {
    if (!session.mayWrite) {
      return refuse(session, documentId, "ROLE_REFUSED", "A token with the role read cannot make a fork.");
    }
    const source = await this.#open(session, from);
    if (source === undefined) return;
    if (source.isEmpty || !source.holds(heads)) {
      return refuse(
        session,
        documentId,
        "HEADS_NOT_HERE",
        "The relay lacks changes that the fork would start from; send them first.",
      );
    }
    if (await this.#isFull(session, documentId, 0)) return;
    const target = await this.#open(session, documentId);
    if (target === undefined) return;
    if (target.isEmpty && !source.isPending && !target.isPending) {
      const outcome = await this.#log.fork(session.member.space, { documentId, from, heads });
      if (outcome.kind === "appended") {
        this.#documents.forget(target);
        return session.reply({ type: "forked", documentId, from, heads });
      }
    }
    touch(batch, target, session);
    const fork = source.forkAt(heads);
    try {
      target.merge(fork);
    } catch (error) {
      return this.#refuseChanges(session, target, error);
    } finally {
      fork.free();
    }
    batch.answers.push({
      document: target,
      give: () => session.reply({ type: "forked", documentId, from, heads }),
    });
  }

  /** Whether the space may store no more, which the session is then told. */
  async #isFull(session: Session, documentId: string, sizeBytes: number): Promise<boolean> {
    const refusal = await this.#quotas.refusal(session.member.space, documentId, sizeBytes);
    if (refusal === undefined) return false;
    this.#onEvent({ level: "warn", type: "quota-exceeded", space: session.member.space, documentId });
    refuse(session, documentId, refusal.code, refusal.message);
    return true;
  }

  /** Opens a document for a session, telling it when that cannot be. */
  async #open(session: Session, documentId: string): Promise<SharedDocument | undefined> {
    try {
      return await this.#documents.open(session.member.space, documentId);
    } catch (error) {
      if (!isCambiumError(error, "STORE_DAMAGED")) throw error;
      this.#onEvent({ level: "error", type: "document-refused", documentId, error });
      session.leave(documentId);
      refuse(session, documentId, "STORE_DAMAGED", error.message);
      return undefined;
    }
  }

  /** The document would not load again with some of the changes; the others are taken. */
  async #refuseUnsound(
    session: Session,
    document: SharedDocument,
    message: SyncMessage,
    unsound: UnsoundChanges,
  ): Promise<void> {
    const { documentId } = document;
    session.leave(documentId);
    const refused = new Map(unsound.refused.map((change) => [change.hash, change]));
    try {
      if (unsound.isTakenIn) await this.#documents.restore(document);
      for (const change of document.takeSound(message)) refused.set(change.hash, change);
    } catch (error) {
      return this.#refuseChanges(session, document, error);
    }
    const changes = [...refused.values()].map(({ hash, reason }) => ({ hash, reason }));
    this.#onEvent({ level: "error", type: "changes-refused", documentId, changes });
    const hashes = changes.map(({ hash }) => hash);
    const reason = `Change ${hashes[0]} cannot be kept: ${changes[0]?.reason}`;
    session.reply({ type: "refused", documentId, code: "BAD_CHUNK", message: reason, hashes });
  }

  /** Automerge does not take the changes; one such case is an actor that wrote twice under one number. */
  async #refuseChanges(session: Session, document: SharedDocument, error: unknown): Promise<void> {
    const { documentId } = document;
    this.#onEvent({ level: "error", type: "document-refused", documentId, error });
    session.leave(documentId);
    await this.#documents.restore(document);
    if (isCambiumError(error, "BAD_CHUNK")) return refuse(session, documentId, "BAD_CHUNK", error.message);
    const reason = error instanceof Error ? error.message : String(error);
    refuse(session, documentId, "BAD_INPUT", `The relay cannot apply these changes: ${reason.slice(0, 200)}`);
  }

  async #commit(batch: Batch): Promise<void> {
    const changed = [...batch.touched.keys()].filter(({ isPending }) => isPending);
    const stored = await Promise.allSettled(changed.map((document) => this.#store(document, batch)));
    for (const { document, give } of batch.answers) if (!document.isPending) give(document.seq);
    const failed = stored.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  async #store(document: SharedDocument, batch: Batch): Promise<void> {
    const { space, documentId } = document;
    const outcome = await this.#log.append(space, documentId, document.pending);
    if (outcome.kind === "appended") document.stored(outcome.documents.map(toEntry));
    else if (outcome.kind === "refused") this.#refuseStored(document, outcome.refusal, batch);
  }

  /** Another session, of either protocol, was first to use a number. */
  #refuseStored(document: SharedDocument, { message }: Refusal, batch: Batch): void {
    const { documentId } = document;
    for (const session of batch.touched.get(document) ?? []) {
      session.leave(documentId);
      refuse(session, documentId, "BAD_INPUT", `The relay cannot apply these changes: ${message}`);
    }
    this.#documents.drop(document);
  }

  async #tell(space: string, documents: readonly DocumentState[]): Promise<void> {
    const entries: readonly HeadsEntry[] = documents.map(toEntry);
    for (const { documentId, seq } of entries) await this.#documents.catchUp(space, documentId, seq);
    const lastSeq = entries.at(-1)?.seq ?? 0;
    for (const session of [...this.#hub.inSpace(space)]) {
      session.announce(entries, lastSeq);
      for (const { documentId } of entries) if (session.syncs(documentId)) session.owe(documentId);
      await this.#flush(session);
    }
  }

  /** Nothing of the batch counts: memory is set back to the log, and those who sent it must connect again. */
  #fail(batch: Batch, error: unknown): void {
    this.#onEvent({ level: "error", type: "failed", error });
    for (const [document, sessions] of batch.touched) {
      if (!document.isPending) continue;
      this.#documents.drop(document);
      for (const session of sessions) {
        session.end(CLOSE_CODES.failed);
        batch.flush.delete(session);
      }
    }
  }

  async #flush(session: Session): Promise<void> {
    try {
      await session.flush({
        log: this.#log,
        open: (asking, documentId) => this.#open(asking, documentId),
      });
    } catch (error) {
      this.#onEvent({ level: "error", type: "failed", error });
      session.end(CLOSE_CODES.failed);
      // Whatever went wrong may have left a document unusable; what is stored is not.
      this.#documents.clear();
    }
  }
}

function touch(batch: Batch, document: SharedDocument, session: Session): void {
  const sessions = batch.touched.get(document) ?? new Set();
  batch.touched.set(document, sessions.add(session));
}

function refuse(session: Session, documentId: string, code: CambiumError["code"], message: string): void {
  session.reply({ type: "refused", documentId, code, message });
}

/** @returns undefined when the bytes are no sync message */
function decodeSyncMessage(data: Uint8Array): SyncMessage | undefined {
  try {
    const message = wasm.decodeSyncMessage(data);
    return message.have.every(({ bloom }) => isUsableFilter(bloom)) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** A Bloom filter begins with three numbers: entries, bits for each, probes. Automerge panics at one without bits. */
function isUsableFilter(bloom: Uint8Array): boolean {
  if (bloom.length === 0) return true;
  let numbers = 0;
  const start = bloom.findIndex((byte) => {
    if (byte < 128) numbers += 1;
    return numbers === 3;
  });
  return start >= 0 && start + 1 < bloom.length;
}
