/**
 * One stock client: what it may do, which documents it syncs, what it is owed.
 *
 * Automerge runs in a thread of the session's own. What a client sends goes through it into the log, and whatever the
 * client is told is in the log.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";
import type { OnEvent } from "../events.js";
import type { DocumentState, SpaceLog } from "../log/space-log.js";
import type { Broadcast } from "../sessions/broadcasts.js";
import type { Channel } from "../sessions/channel.js";
import { CLOSE_CODES } from "../sessions/close-codes.js";
import type { AnyAppender } from "../sessions/space-appenders.js";
import { allows, isOver, type Member } from "../tokens.js";
import { DocumentSteps } from "./document-steps.js";
import type { Outcome } from "./stock-documents.js";
import {
  decodeClientFrame,
  type EphemeralFrame,
  encodeFrame,
  type JoinFrame,
  type SyncFrame,
} from "./stock-frames.js";
import { type StockThread, type StockThreads, ThreadEnded } from "./stock-threads.js";
import { type Synced, SyncedDocuments, TooLarge } from "./synced-documents.js";

/** So long a client waits for a document that another one has announced, before it is looked whether it still comes. */
const COMING_MS = 3_000;
/** So often is looked: who announces a document may never send it. */
const MOST_LOOKS = 5;

/** What the sessions of a relay share. */
export interface StockSessionShared {
  readonly log: SpaceLog;
  readonly appender: AnyAppender;
  readonly threads: StockThreads;
  /** To the sessions of a space at other relays. */
  readonly broadcast: (space: string, words: Broadcast) => void;
  /** The sessions of a space. */
  readonly inSpace: (space: string) => Iterable<StockSession>;
  readonly now: () => number;
  /** A sentence, if a space may not store so many bytes more in a document. */
  readonly quotaRefusal: (space: string, document: string, sizeBytes: number) => Promise<string | undefined>;
  readonly onEvent: OnEvent;
}

export class StockSession {
  readonly peerId: string;
  readonly member: Member;
  /** When its thread was last used. */
  usedAt = 0;
  isEnded = false;
  readonly #shared: StockSessionShared;
  #channel: Channel | undefined;
  #clientId: string | undefined;
  #wasAsked = false;
  #knowsItsRole = false;
  readonly #documents: SyncedDocuments;
  readonly #steps: DocumentSteps;
  readonly #frames: { readonly frame: SyncFrame; readonly sizeBytes: number }[] = [];
  /** Documents of which the client may want to hear, and up to where in the log. */
  readonly #due = new Map<string, number>();
  #working: Promise<void> | undefined;

  constructor(peerId: string, member: Member, shared: StockSessionShared) {
    this.peerId = peerId;
    this.member = member;
    this.#shared = shared;
    const documents = new SyncedDocuments(shared.log, member.space);
    this.#documents = documents;
    this.#steps = new DocumentSteps({
      ...{ ...shared, member, documents, line: this },
      explain: (message) => this.#explain(message),
      spend: (costBytes) => this.#channel?.spend(costBytes),
      leave: (thread, document) => this.#leave(thread, document),
      isEnded: () => this.isEnded,
    });
  }

  /** Called once, before anything else. */
  attach(channel: Channel): void {
    this.#channel = channel;
  }

  get hasJoined(): boolean {
    return this.#clientId !== undefined;
  }

  get hasExpired(): boolean {
    return isOver(this.member, this.#shared.now());
  }

  get #mayWrite(): boolean {
    return allows(this.member.role, "write");
  }

  /** How automerge-repo addresses a message: the relay goes by its own id, the client by the one it gave. */
  get #route(): { readonly senderId: string; readonly targetId: string } {
    return { senderId: this.peerId, targetId: this.#clientId ?? "" };
  }

  /** Takes one frame. Anything that is not a message of the protocol ends the session. */
  receive(bytes: Uint8Array): void {
    const isLater = this.#accept(bytes);
    if (!isLater) this.#channel?.processed(bytes.length);
  }

  /** @returns whether it is dealt with later */
  #accept(bytes: Uint8Array): boolean {
    if (this.isEnded) return false;
    if (this.hasExpired) this.end(CLOSE_CODES.token);
    else
      try {
        const frame = decodeClientFrame(bytes);
        if ((frame.type === "join") === this.hasJoined) this.end(CLOSE_CODES.protocol);
        else if (frame.type === "join") this.#join(frame);
        else if (frame.type === "ephemeral") this.#passOn(frame);
        else if (frame.type !== "ignored") {
          this.#frames.push({ frame, sizeBytes: bytes.length });
          this.#work();
          return true;
        }
      } catch (error) {
        if (isCambiumError(error, "RELAY_PROTOCOL")) this.end(CLOSE_CODES.protocol, error.message);
        else this.#fail(error);
      }
    return false;
  }

  /** @param message - what the client is told; default: the reason */
  end({ code, reason }: { readonly code: number; readonly reason: string }, message = reason): void {
    if (this.isEnded) return;
    this.#explain(message);
    this.isEnded = true;
    this.#channel?.close(code, reason);
  }

  /** Called at a steady pace: ends a session that is dead, or has not joined since the last time. */
  heartbeat(): void {
    if (!this.hasJoined && this.#wasAsked) this.end(CLOSE_CODES.protocol);
    this.#wasAsked = true;
    this.#channel?.heartbeat();
  }

  terminate(): void {
    this.#channel?.terminate();
  }

  /** The socket is gone. */
  release(): void {
    this.isEnded = true;
    this.#frames.length = 0;
    this.#due.clear();
    this.#documents.clear();
    this.#shared.threads.stop(this, { evenAtWork: true });
  }

  /** What was unsent is sent. */
  drained(): void {
    this.#work();
  }

  /** The log has new entries, whoever wrote them. */
  appended(documents: readonly DocumentState[]): void {
    for (const { document, position } of documents)
      if (this.#documents.has(document)) this.#due.set(document, position);
    if (this.#due.size > 0) this.#work();
  }

  /** Its thread is gone, with all that it held. */
  threadStopped(): void {
    this.#documents.letGoOfAll();
  }

  /** How many documents are in memory for it. */
  get loaded(): number {
    return this.#documents.loaded;
  }

  #join(frame: JoinFrame): void {
    this.#clientId = frame.senderId;
    if (!frame.supported) {
      this.end(CLOSE_CODES.protocol, "The relay speaks protocol version 1.");
      return;
    }
    // Ephemeral: a sync state about this relay that a client stored would be believed after the relay was
    // restored from a backup.
    const peerMetadata = { isEphemeral: true } as const;
    this.#send({ type: "peer", ...this.#route, peerMetadata, selectedProtocolVersion: "1" });
    this.usedAt = this.#shared.now();
    this.#shared.threads.prepare(this);
  }

  #passOn(frame: EphemeralFrame): void {
    // A stock client passes on what it hears, also to whom it has it from.
    if (frame.senderId !== this.#clientId) return;
    const { inSpace, broadcast } = this.#shared;
    for (const session of inSpace(this.member.space)) if (session !== this) session.hear(frame);
    broadcast(this.member.space, { kind: "stock", message: frame });
  }

  /** Sends what another client says of a document that this one has too, if it reads fast enough to hear it. */
  hear({ document, ...words }: EphemeralFrame): void {
    if (!this.#documents.has(document) || this.#channel?.isFull !== false || this.hasExpired) return;
    this.#send({ ...words, targetId: this.#clientId ?? "" });
  }

  #work(): void {
    this.#working ??= this.#workThrough().finally(() => {
      this.#working = undefined;
      if (this.#hasWork) this.#work();
    });
  }

  get #hasWork(): boolean {
    return (
      !this.isEnded && (this.#frames.length > 0 || (this.#due.size > 0 && this.#channel?.isFull === false))
    );
  }

  /** A frame and a document that is due, by turns. */
  async #workThrough(): Promise<void> {
    try {
      while (this.#hasWork) {
        const next = this.#frames.shift();
        if (next !== undefined) await this.#take(next.frame);
        if (next !== undefined) this.#channel?.processed(next.sizeBytes);
        const [due] = this.#channel?.isFull === false ? this.#due : [];
        if (due === undefined) continue;
        this.#due.delete(due[0]);
        await this.#tell(...due);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.isEnded) return;
    if (!(error instanceof ThreadEnded)) this.#shared.onEvent({ level: "error", type: "failed", error });
    else this.#shared.onEvent({ level: "warn", type: "session-cut", peerId: this.peerId, error });
    this.end(error instanceof ThreadEnded ? CLOSE_CODES.spent : CLOSE_CODES.failed);
  }

  async #take(frame: SyncFrame): Promise<void> {
    const { documentId, document } = frame;
    const { log } = this.#shared;
    const mayFillIt = this.#mayWrite && frame.type === "sync" && frame.heads > 0;
    const synced = this.#documents.use(document, documentId);
    if (synced === undefined) return this.end(CLOSE_CODES.protocol, "These are too many documents.");
    const isThere =
      synced.position !== undefined || (await log.describe(this.member.space, [document])).length > 0;
    if (!isThere && !mayFillIt) {
      if (frame.heads > 0) this.#explainRole();
      if (this.#isComingToOthers(document)) this.#checkLater(document, MOST_LOOKS);
      else this.#send({ type: "doc-unavailable", ...this.#route, documentId });
      return;
    }
    synced.isComing = !isThere;
    await this.#onThread(document, synced, (thread) => this.#receive(thread, frame, synced));
  }

  /** Whether another client is about to send what this one asks for. */
  #isComingToOthers(document: string): boolean {
    for (const session of this.#shared.inSpace(this.member.space))
      if (session.#documents.get(document)?.isComing || session.#isWaitingToSend(document)) return true;
    return false;
  }

  /** What has arrived of a document has not had its turn. */
  #isWaitingToSend(document: string): boolean {
    return (
      this.#mayWrite &&
      this.#frames.some(
        ({ frame }) => frame.document === document && frame.type === "sync" && frame.heads > 0,
      )
    );
  }

  #checkLater(document: string, looks: number): void {
    setTimeout(() => this.#checkAgain(document, looks - 1), COMING_MS).unref();
  }

  async #checkAgain(document: string, looks: number): Promise<void> {
    try {
      const [state] = await this.#shared.log.describe(this.member.space, [document]);
      const documentId = this.#documents.get(document)?.documentId;
      if (state !== undefined || documentId === undefined || this.isEnded) return;
      if (looks > 0 && this.#isComingToOthers(document)) return this.#checkLater(document, looks);
      this.#send({ type: "doc-unavailable", ...this.#route, documentId });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The log has more of a document, or the client could not be told before. */
  async #tell(document: string, upTo: number): Promise<void> {
    const synced = this.#documents.get(document);
    if (synced === undefined || (synced.position ?? -1) >= upTo) return;
    await this.#onThread(document, synced, async (thread) => {
      const outcome = await this.#steps.run(thread, document, synced);
      if (outcome !== undefined) this.#sync(document, outcome);
    });
  }

  async #onThread(
    document: string,
    synced: Synced,
    task: (thread: StockThread) => Promise<void>,
  ): Promise<void> {
    const { threads, now } = this.#shared;
    if (this.isEnded) return;
    this.usedAt = now();
    try {
      await threads.use(this, async (thread) => {
        await task(thread);
        this.#documents.makeRoom(thread, document);
      });
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      this.#documents.delete(document);
      this.#explain(`Document ${synced.documentId} is too large to be synced this way.`);
    }
  }

  async #receive(thread: StockThread, { data, document }: SyncFrame, synced: Synced): Promise<void> {
    const outcome = await this.#steps.run(thread, document, synced, data);
    if (outcome === undefined) return;
    const { refused, added, isAhead } = outcome;
    if (isAhead) this.#explainRole();
    const { documentId } = synced;
    if (refused.length > 0) {
      this.#shared.onEvent({ level: "error", type: "changes-refused", documentId, changes: refused });
      this.#explain(
        `The relay cannot keep change ${refused[0]?.hash} of document ${documentId}: ${refused[0]?.reason}`,
      );
    }
    const isStored = added.length === 0 || (await this.#steps.store(document, synced, outcome));
    if (!isStored || refused.length > 0) return this.#leave(thread, document);
    const answer = added.length === 0 ? outcome : await this.#steps.run(thread, document, synced);
    if (answer !== undefined) this.#sync(document, answer);
  }

  #sync(document: string, { message }: Outcome): void {
    const synced = this.#documents.get(document);
    if (synced === undefined || message === null) return;
    if (this.hasExpired) this.end(CLOSE_CODES.token);
    this.#send({ type: "sync", ...this.#route, documentId: synced.documentId, data: message });
  }

  /** Syncs the document no more, until the client sends for it again. */
  #leave(thread: StockThread, document: string): void {
    thread.forget(document);
    this.#documents.delete(document);
    this.#due.delete(document);
  }

  #explainRole(): void {
    if (this.#mayWrite || this.#knowsItsRole) return;
    this.#knowsItsRole = true;
    this.#explain("This token may only read: what you write stays on your device.");
  }

  #explain(message: string): void {
    this.#send({ type: "error", ...this.#route, message });
  }

  #send(frame: Parameters<typeof encodeFrame>[0]): void {
    if (!this.isEnded) this.#channel?.send(encodeFrame(frame));
  }
}
