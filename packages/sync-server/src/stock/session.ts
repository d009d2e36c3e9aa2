/**
 * One client: what it may do, what it syncs, what it is owed.
 *
 * A session never sends on its own account: the committer lets it `flush` when everything that has been
 * applied is durable.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";
import type { Channel } from "../sessions/channel.js";
import { CLOSE_CODES } from "../sessions/close-codes.js";
import { allows, type Member } from "../tokens.js";
import {
  decodeClientFrame,
  encodeFrame,
  type ForkFrame,
  type HeadsEntry,
  type JoinFrame,
  type ListFrame,
  PROTOCOL_VERSION,
  type RelayFrame,
  type SyncFrame,
} from "./frames.js";
import type { SharedDocument } from "./shared-document.js";
import type { StockLog } from "./stock-log.js";
import { newSyncState, type SyncState } from "./wasm.js";

const MAX_LISTED = 500;
const MAX_DOCUMENTS = 100_000;

export type WorkFrame = JoinFrame | SyncFrame | ForkFrame | ListFrame;

export interface SessionOptions {
  readonly peerId: string;
  readonly member: Member;
  readonly generation: string;
  readonly now: () => number;
  /** Takes a frame into the committer's queue. */
  readonly submit: (session: Session, frame: WorkFrame, sizeBytes: number) => void;
}

/** What a session reads from while it flushes. */
export interface FlushSource {
  readonly log: Pick<StockLog, "list" | "lastSeq">;
  open(session: Session, documentId: string): Promise<SharedDocument | undefined>;
}

export class Session {
  readonly peerId: string;
  readonly member: Member;
  readonly #generation: string;
  readonly #now: () => number;
  readonly #submit: SessionOptions["submit"];
  #channel: Channel | undefined;
  #clientId: string | undefined;
  #isBarred = false;
  #wasAsked = false;
  readonly #states = new Map<string, SyncState>();
  /** Documents to make a sync message of. */
  readonly #due = new Set<string>();
  #replies: RelayFrame[] = [];
  /** How far the list of documents has been sent; undefined while the client has not asked. */
  #list: { notifiedSeq: number; isComplete: boolean; ask: number | undefined } | undefined;

  constructor({ peerId, member, generation, now, submit }: SessionOptions) {
    this.peerId = peerId;
    this.member = member;
    this.#generation = generation;
    this.#now = now;
    this.#submit = submit;
  }

  /** Called once, before anything else. */
  attach(channel: Channel): void {
    this.#channel = channel;
  }

  /** How automerge-repo addresses a message: the relay goes by its own id, the client by the one it gave. */
  get #route(): { readonly senderId: string; readonly targetId: string } {
    return { senderId: this.peerId, targetId: this.#clientId ?? "" };
  }

  /** Whether the relay has ended this session: what it still has in the queue is not taken in. */
  get isBarred(): boolean {
    return this.#isBarred;
  }

  get hasJoined(): boolean {
    return this.#clientId !== undefined;
  }

  get mayWrite(): boolean {
    return allows(this.member.role, "write");
  }

  get hasExpired(): boolean {
    const { expiresAt } = this.member;
    return expiresAt !== undefined && expiresAt <= this.#now();
  }

  /** Checks a frame and queues it. Anything that is not a message of the protocol ends the session. */
  receive(bytes: Uint8Array): void {
    const frame = this.#accept(bytes);
    if (frame === undefined) this.processed(bytes.length);
    else this.#submit(this, frame, bytes.length);
  }

  #accept(bytes: Uint8Array): WorkFrame | undefined {
    if (this.#isBarred) return undefined;
    if (this.hasExpired) return this.#refuse(CLOSE_CODES.token);
    try {
      const frame = decodeClientFrame(bytes);
      if (frame.type === "ignored") return undefined;
      if ((frame.type === "join") === this.hasJoined) return this.#refuse(CLOSE_CODES.protocol);
      if (frame.type === "join") this.#clientId = frame.senderId;
      return frame;
    } catch (error) {
      if (!isCambiumError(error, "RELAY_PROTOCOL")) throw error;
      return this.#refuse(CLOSE_CODES.protocol);
    }
  }

  #refuse(why: { readonly code: number; readonly reason: string }): undefined {
    this.end(why);
  }

  processed(sizeBytes: number): void {
    this.#channel?.processed(sizeBytes);
  }

  end({ code, reason }: { readonly code: number; readonly reason: string }): void {
    this.#isBarred = true;
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

  /** Frees what the session holds in wasm memory; the socket is gone. */
  release(): void {
    for (const state of this.#states.values()) state.free();
    this.#states.clear();
    this.#due.clear();
    this.#replies = [];
    this.#list = undefined;
  }

  syncs(documentId: string): boolean {
    return this.#states.has(documentId);
  }

  /** @returns what this client is known to hold of a document; undefined when it asks for too many */
  stateOf(documentId: string): SyncState | undefined {
    let state = this.#states.get(documentId);
    if (state === undefined && this.#states.size < MAX_DOCUMENTS) {
      state = newSyncState({ readOnly: !this.mayWrite });
      this.#states.set(documentId, state);
    }
    return state;
  }

  /** What this client is known to hold has changed hands; the old state is freed. */
  keepState(documentId: string, state: SyncState): void {
    this.#states.set(documentId, state);
  }

  /** Syncs the document no more, until the client sends for it again. */
  leave(documentId: string): void {
    this.#states.get(documentId)?.free();
    this.#states.delete(documentId);
    this.#due.delete(documentId);
  }

  /** A sync message for this document is due. */
  owe(documentId: string): void {
    this.#due.add(documentId);
  }

  reply(frame: RelayFrame): void {
    this.#replies.push(frame);
  }

  replyUnavailable(documentId: string): void {
    this.reply({ type: "doc-unavailable", ...this.#route, documentId });
  }

  welcome(frame: JoinFrame, lastSeq: number): void {
    const { member } = this;
    if (!frame.supported) {
      const message = "The relay speaks protocol version 1.";
      this.#channel?.send(encodeFrame({ type: "error", ...this.#route, message }));
      this.end(CLOSE_CODES.protocol);
      return;
    }
    // Ephemeral: a sync state about this relay that a client stored would be believed after the relay was
    // restored from a backup.
    const peerMetadata = { isEphemeral: true } as const;
    this.reply({ type: "peer", ...this.#route, peerMetadata, selectedProtocolVersion: "1" });
    this.reply({
      type: "welcome",
      space: member.space,
      role: member.role,
      generation: this.#generation,
      time: this.#now(),
      lastSeq,
      protocol: PROTOCOL_VERSION,
    });
  }

  /** Starts the list of documents, from where the client says it knows it, if that is in this generation. */
  startList({ after, ask }: ListFrame, lastSeq: number): void {
    const isKnown = after !== undefined && after.generation === this.#generation && after.seq <= lastSeq;
    this.#list = { notifiedSeq: isKnown ? after.seq : 0, isComplete: false, ask };
  }

  /** Documents of the space have changed. A client that lags reads them from the log when it can. */
  announce(entries: readonly HeadsEntry[], lastSeq: number): void {
    if (this.#list === undefined) return;
    if (!this.#list.isComplete || this.#channel?.isFull || entries.length > MAX_LISTED) {
      this.#list.isComplete = false;
      return;
    }
    this.#list.notifiedSeq = lastSeq;
    this.reply({ type: "heads", generation: this.#generation, entries, lastSeq, complete: true });
  }

  /** Sends what is owed, as far as the client reads; the rest waits for its next turn. */
  async flush(source: FlushSource): Promise<void> {
    this.#flushReplies();
    await this.#flushList(source);
    await this.#flushDue(source);
    this.#flushReplies();
  }

  #flushReplies(): void {
    for (const frame of this.#replies.splice(0)) this.#channel?.send(encodeFrame(frame));
  }

  async #flushDue(source: FlushSource): Promise<void> {
    for (const documentId of [...this.#due]) {
      if (this.#channel?.isFull) return;
      this.#due.delete(documentId);
      const document = await source.open(this, documentId);
      const state = this.#states.get(documentId);
      const data = state && document?.generate(state);
      if (data) this.#sendSync(documentId, data);
    }
  }

  async #flushList({ log }: FlushSource): Promise<void> {
    const list = this.#list;
    const { space } = this.member;
    while (list !== undefined && !list.isComplete && !this.#channel?.isFull) {
      const lastSeq = await log.lastSeq(space);
      const entries = await log.list({ space, afterSeq: list.notifiedSeq, limit: MAX_LISTED });
      list.isComplete = entries.length < MAX_LISTED;
      list.notifiedSeq = list.isComplete ? lastSeq : (entries.at(-1)?.seq ?? lastSeq);
      this.#channel?.send(
        encodeFrame({
          type: "heads",
          generation: this.#generation,
          entries,
          lastSeq: list.notifiedSeq,
          complete: list.isComplete,
          ...(list.isComplete && list.ask !== undefined && { ask: list.ask }),
        }),
      );
      if (list.isComplete) list.ask = undefined;
    }
  }

  #sendSync(documentId: string, data: Uint8Array): void {
    this.#channel?.send(encodeFrame({ type: "sync", ...this.#route, documentId, data }));
  }
}
