/**
 * One client that speaks the log protocol: what it is sent of the log, and how its batches go in.
 *
 * It keeps one position, and is sent what follows as far as it reads. Whatever it is told is durable.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";
import {
  type BatchFrame,
  decodeBatchItems,
  decodeClientFrame,
  encodeRelayFrame,
  LOG_LIMITS,
  type LogClientFrame,
  type LogRelayFrame,
  type SubscribeFrame,
  unpack,
} from "@cambium/core/wire";
import { readBatch } from "../admission/read-batch.js";
import { chunkTools } from "../chunk-tools.js";
import type { BatchOutcome, LogBatch, LogItem, Refusal, SpaceLog } from "../log/space-log.js";
import { allows, type Member } from "../tokens.js";
import { answersTo, type Question } from "./answers.js";
import type { Appender } from "./appender.js";
import type { Channel } from "./channel.js";
import { CLOSE_CODES } from "./close-codes.js";
import type { Slots } from "./slots.js";
import type { SpaceFeed } from "./space-feed.js";

/** A client may give so much credit ahead. */
const MAX_CREDIT = 64 * 1024 * 1024;
/** Of entries that a session has sent itself and not passed yet. Of more, it is sent the bytes again. */
const MAX_OWN = 65_536;

/** What a session needs of its socket. */
export type LogChannel = Pick<Channel, "send" | "close" | "terminate" | "heartbeat" | "processed" | "isFull">;

/** What the sessions of a relay share. */
export interface LogSessionShared {
  readonly log: SpaceLog;
  readonly appender: Appender;
  readonly feed: SpaceFeed;
  readonly slots: Slots;
  /** The sessions of a space. */
  readonly inSpace: (space: string) => Iterable<LogSession>;
  readonly now: () => number;
  /** A sentence, if a space may not store so many bytes more in a document. */
  readonly quotaRefusal: (space: string, document: string, sizeBytes: number) => Promise<string | undefined>;
  readonly onError: (error: unknown) => void;
}

export class LogSession {
  readonly peerId: string;
  readonly member: Member;
  readonly #shared: LogSessionShared;
  #channel: LogChannel | undefined;
  #isEnded = false;
  /** The number of the batch that came last. */
  #n = 0;
  /** The number of the batch that was refused; what follows is dropped until the client says that it knows. */
  #refused: number | undefined;
  #credit = 0;
  /** How far the log has been sent; undefined before `subscribe`. */
  #position: number | undefined;
  readonly #own = new Set<number>();
  #pumping: Promise<void> | undefined;
  #mustPumpAgain = false;
  #answering: Promise<void> = Promise.resolve();
  #drained: (() => void)[] = [];

  constructor(peerId: string, member: Member, shared: LogSessionShared) {
    this.peerId = peerId;
    this.member = member;
    this.#shared = shared;
  }

  /** Called once, before anything else. */
  attach(channel: LogChannel): void {
    this.#channel = channel;
    const { space, role } = this.member;
    const { batchBytes, batchItems, changeBytes } = LOG_LIMITS;
    const limits = { batchBytes, batchItems, changeBytes };
    this.#send({ type: "welcome", space, role, time: this.#shared.now(), limits });
  }

  get hasExpired(): boolean {
    const { expiresAt } = this.member;
    return expiresAt !== undefined && expiresAt <= this.#shared.now();
  }

  end({ code, reason }: { readonly code: number; readonly reason: string }): void {
    this.#isEnded = true;
    this.#channel?.close(code, reason);
  }

  heartbeat(): void {
    this.#channel?.heartbeat();
  }

  terminate(): void {
    this.#channel?.terminate();
  }

  /** The socket is gone. */
  release(): void {
    this.#isEnded = true;
    this.drained();
  }

  /** What was unsent is sent. */
  drained(): void {
    for (const resume of this.#drained.splice(0)) resume();
    this.wake();
  }

  /** The log of its space has new entries, or the client reads again. */
  wake(): void {
    if (this.#pumping !== undefined) {
      this.#mustPumpAgain = true;
      return;
    }
    if (this.#position === undefined || this.#credit <= 0 || this.#isEnded) return;
    this.#pumping = this.#pump().finally(() => {
      this.#pumping = undefined;
      if (this.#mustPumpAgain) {
        this.#mustPumpAgain = false;
        this.wake();
      }
    });
  }

  /** Takes one frame. Anything that is not a frame of the protocol ends the session. */
  receive(bytes: Uint8Array): void {
    const done = (): void => this.#channel?.processed(bytes.length);
    const frame = this.#accept(bytes);
    const isLater = frame !== undefined && this.#take(frame, bytes.length, done);
    if (!isLater) done();
  }

  #accept(bytes: Uint8Array): LogClientFrame | undefined {
    if (this.#isEnded) return undefined;
    if (!this.hasExpired) return this.#guarded(() => decodeClientFrame(bytes));
    this.end(CLOSE_CODES.token);
    return undefined;
  }

  /** @returns whether `done` will be called later */
  #take(frame: LogClientFrame, sizeBytes: number, done: () => void): boolean {
    switch (frame.type) {
      case "batch":
        return this.#takeBatch(frame, sizeBytes, done);
      case "heads":
      case "fetch":
        this.#inOrder(() => this.#answer(frame), done);
        return true;
      case "subscribe":
        this.#inOrder(() => this.#subscribe(frame), done);
        return true;
      case "credit":
        this.#credit = Math.min(this.#credit + frame.bytes, MAX_CREDIT);
        this.wake();
        return false;
      case "ephemeral":
        this.#passOn(frame);
        return false;
      case "slot": {
        const { replica, bytes } = frame;
        this.#shared.slots.put(this.member.space, this.member.tokenId, { replica, bytes });
        this.#passOn({ type: "slots", slots: [{ replica, bytes }] });
        return false;
      }
    }
  }

  #passOn(frame: LogRelayFrame): void {
    for (const session of this.#shared.inSpace(this.member.space)) if (session !== this) session.hear(frame);
  }

  /** Sends what others say, if the client reads fast enough to hear it. */
  hear(frame: LogRelayFrame): void {
    if (this.#position !== undefined && this.#channel?.isFull === false) this.#send(frame);
  }

  /** @returns whether `done` will be called later */
  #takeBatch(frame: BatchFrame, sizeBytes: number, done: () => void): boolean {
    const { n, items } = frame;
    if (n !== this.#n + 1) {
      this.end(CLOSE_CODES.protocol);
      return false;
    }
    this.#n = n;
    this.#shared.appender.submit({
      space: this.member.space,
      line: this,
      sizeBytes: Math.max(sizeBytes, items.inflatedBytes),
      read: async () => {
        const batch = await this.#read(frame);
        if (batch === undefined) done();
        return batch;
      },
      done: (outcome) => {
        this.#stored(n, outcome);
        done();
      },
      failed: () => {
        this.end(CLOSE_CODES.failed);
        done();
      },
    });
    return true;
  }

  /** Its turn has come, and that of all before it. */
  async #read({ n, resume, items }: BatchFrame): Promise<LogBatch | undefined> {
    if (resume === this.#refused) this.#refused = undefined;
    if (this.#isEnded || this.#refused !== undefined) return undefined;
    if (!allows(this.member.role, "write")) {
      this.#refuse(n, { code: "ROLE_REFUSED", message: "A token with the role read cannot write." });
      return undefined;
    }
    const decoded = this.#guarded(() => decodeBatchItems(unpack(items, chunkTools.inflate)));
    if (decoded === undefined) return undefined;
    const read = readBatch(decoded, chunkTools);
    const refusal = "code" in read ? read : await this.#quotaRefusal(read);
    if ("code" in read || refusal !== undefined) {
      this.#refuse(n, refusal as Refusal);
      return undefined;
    }
    const { space, hash: tokenHash, isOidc } = this.member;
    const now = this.#shared.now();
    return { space, items: read, line: this, now, ...(isOidc ? {} : { tokenHash }) };
  }

  async #quotaRefusal(items: readonly LogItem[]): Promise<Refusal | undefined> {
    const bytes = new Map<string, number>();
    for (const item of items) {
      if (item.kind === "retire") continue; // it makes room
      const sizeBytes = item.kind === "change" ? item.bytes.length : 0;
      bytes.set(item.document, (bytes.get(item.document) ?? 0) + sizeBytes);
    }
    for (const [document, sizeBytes] of bytes) {
      const message = await this.#shared.quotaRefusal(this.member.space, document, sizeBytes);
      if (message !== undefined) return { code: "QUOTA_EXCEEDED", document, message };
    }
    return undefined;
  }

  #stored(n: number, outcome: BatchOutcome): void {
    if (outcome.kind === "dropped") return;
    if (outcome.kind === "refused") {
      this.#refuse(n, outcome.refusal);
      return;
    }
    const { positions, upTo, added } = outcome;
    const position = this.#position;
    if (position !== undefined && this.#own.size < MAX_OWN)
      for (let own = upTo.position - added + 1; own <= upTo.position; own += 1)
        if (own > position) this.#own.add(own);
    this.#send({ type: "receipt", n, positions });
  }

  #refuse(n: number, { code, item, document, hashes, message }: Refusal): void {
    this.#refused = n;
    this.#send({
      ...{ type: "refused", n, code, message },
      ...(item === undefined ? {} : { item }),
      ...(document === undefined ? {} : { document }),
      ...(hashes === undefined || hashes.length === 0 ? {} : { hashes }),
    });
  }

  async #subscribe({ marks, credit }: SubscribeFrame): Promise<void> {
    this.#position = undefined;
    await this.#pumping;
    const { log, slots } = this.#shared;
    const { space } = this.member;
    const upTo = await log.end(space);
    const known = await Promise.all(marks.map(({ position }) => log.pointAt(space, position)));
    const found = marks.findIndex(({ mark }, at) => {
      const point = known[at];
      return point !== undefined && Buffer.compare(point.mark, mark) === 0;
    });
    const common = known[found] ?? { position: 0, mark: new Uint8Array(upTo.mark.length) };
    this.#own.clear();
    this.#send({ type: "state", common, upTo });
    const left = slots.of(space);
    if (left.length > 0) this.#send({ type: "slots", slots: left });
    this.#position = common.position;
    this.#credit = Math.min(credit, MAX_CREDIT);
    this.wake();
  }

  async #pump(): Promise<void> {
    const { feed } = this.#shared;
    try {
      while (this.#position !== undefined && this.#credit > 0 && this.#channel?.isFull === false) {
        const stretch = await feed.after(this.member.space, this.#position);
        if (stretch === undefined || this.#position === undefined) return;
        if (this.hasExpired) this.end(CLOSE_CODES.token);
        if (this.#isEnded) return;
        if (stretch.entries[0]?.position !== this.#position + 1) {
          this.end(CLOSE_CODES.moved);
          return;
        }
        const frame = feed.frameOf(stretch, (position) => this.#own.has(position));
        for (const { position } of stretch.entries) this.#own.delete(position);
        this.#position += stretch.entries.length;
        this.#credit -= frame.length;
        this.#channel.send(frame);
        // Others have their turn between two stretches.
        if (stretch.entries.length > 1) await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      this.#shared.onError(error);
      this.end(CLOSE_CODES.failed);
    }
  }

  async #answer(question: Question): Promise<void> {
    for await (const frame of answersTo(this.#shared.log, this.member.space, question)) {
      if (this.hasExpired) this.end(CLOSE_CODES.token);
      if (this.#isEnded) return;
      this.#channel?.send(frame);
      const { promise, resolve } = Promise.withResolvers<void>();
      if (this.#channel?.isFull) this.#drained.push(resolve);
      else setImmediate(resolve);
      await promise;
    }
  }

  /** One question after the other. */
  #inOrder(task: () => Promise<void>, done: () => void): void {
    this.#answering = this.#answering
      .then(() => (this.#isEnded ? undefined : task()))
      .catch((error: unknown) => {
        this.#shared.onError(error);
        this.end(CLOSE_CODES.failed);
      })
      .finally(done);
  }

  #guarded<Result>(read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (!isCambiumError(error, "RELAY_PROTOCOL")) throw error;
      this.end(CLOSE_CODES.protocol);
      return undefined;
    }
  }

  #send(frame: LogRelayFrame): void {
    if (!this.#isEnded) this.#channel?.send(encodeRelayFrame(frame));
  }
}
