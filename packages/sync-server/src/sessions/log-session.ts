/**
 * One client that speaks the log protocol: what it is sent of the log, and how its batches go in.
 *
 * It keeps one position, and is sent what follows as far as it reads. Whatever it is told is durable. All that it is
 * told is made in steps, whose turns come by {@link Turns}.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core";
import {
  clientFrameType,
  decodeClientFrame,
  encodeRelayFrame,
  LOG_START,
  type LogClientFrame,
  type LogRelayFrame,
  type SubscribeFrame,
} from "@cambium/core/wire";
import type { SpaceLog } from "../log/space-log.js";
import { isOver, type Member } from "../tokens.js";
import { answersTo, type Question } from "./answers.js";
import type { Appender } from "./appender.js";
import { BatchReader, type BatchReaderOptions, SHOWN_LIMITS } from "./batch-reader.js";
import type { Broadcast } from "./broadcasts.js";
import type { Channel } from "./channel.js";
import { CLOSE_CODES } from "./close-codes.js";
import { continues } from "./continuity.js";
import { OwnPositions } from "./own-positions.js";
import { passOn } from "./pass-on.js";
import type { Slots } from "./slots.js";
import type { SpaceFeed, Stretch } from "./space-feed.js";
import type { Turns } from "./turns.js";

/** A client may give so much credit ahead. */
const MAX_CREDIT = 64 * 1024 * 1024;
/** Questions that wait; more are not read. What is read at once may bring some more. */
const MOST_WAITING = 8;
/** So many no client has to ask before it is answered. */
const TOO_MANY_WAITING = 512;
/** What a question costs of a token's pace, in bytes beside its own: each subscription is a page of the log at least. */
const QUESTION_COST_BYTES = { subscribe: 256 * 1024, heads: 64 * 1024, fetch: 64 * 1024 } as const;

/** What a session needs of its socket. */
export type LogChannel = Pick<
  Channel,
  "send" | "close" | "terminate" | "heartbeat" | "processed" | "spend" | "setBehind" | "isFull" | "isBusy"
>;

/** What the sessions of a relay share. */
export interface LogSessionShared extends Pick<BatchReaderOptions, "now" | "quotaRefusal"> {
  readonly log: SpaceLog;
  readonly appender: Pick<Appender, "submit">;
  readonly feed: SpaceFeed;
  readonly slots: Slots;
  readonly turns: Turns;
  /** To the sessions of a space at other relays. */
  readonly broadcast: (space: string, words: Broadcast) => void;
  /** The sessions of a space. */
  readonly inSpace: (space: string) => Iterable<LogSession>;
  readonly onError: (error: unknown) => void;
}

/** Something that a client asked for. */
interface Task {
  /** As it came: it is decoded in its first step. */
  readonly bytes: Uint8Array;
  /** One step for each time it is asked. */
  steps?: AsyncIterator<void, void> | undefined;
}

export class LogSession {
  readonly peerId: string;
  readonly member: Member;
  readonly #shared: LogSessionShared;
  readonly #batches: BatchReader;
  #channel: LogChannel | undefined;
  #isEnded = false;
  #credit = 0;
  /** How far the log has been sent; undefined before `subscribe`. */
  #position: number | undefined;
  /** Up to here, it is sent whole segments, if it can read them. */
  #behindTo = 0;
  #reads: readonly string[] = [];
  /** At that position. */
  #mark: Uint8Array = LOG_START.mark;
  /** Whether the log may go on behind that position. */
  #hasMore = false;
  readonly #own = new OwnPositions();
  readonly #tasks: Task[] = [];
  #isScheduled = false;
  /** Tasks and entries take turns. */
  #isTurnOfEntries = false;

  constructor(peerId: string, member: Member, shared: LogSessionShared) {
    this.peerId = peerId;
    this.member = member;
    this.#shared = shared;
    this.#batches = new BatchReader({
      member,
      ...shared,
      isEnded: () => this.#isEnded,
      send: (frame) => this.#send(frame),
      onStored: ({ upTo, added }) => {
        if (this.#position === undefined) return;
        this.#own.add(Math.max(upTo.position - added, this.#position) + 1, upTo.position);
      },
      onMalformed: () => this.end(CLOSE_CODES.protocol),
      onFailed: () => this.end(CLOSE_CODES.failed),
    });
  }

  /** Called once, before anything else. */
  attach(channel: LogChannel): void {
    this.#channel = channel;
    const { space, role } = this.member;
    this.#send({ type: "welcome", space, role, time: this.#shared.now(), limits: SHOWN_LIMITS });
  }

  get hasExpired(): boolean {
    return isOver(this.member, this.#shared.now());
  }

  end({ code, reason }: { readonly code: number; readonly reason: string }): void {
    this.#isEnded = true;
    this.#tasks.length = 0;
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
    this.#tasks.length = 0;
  }

  /** What was unsent is sent. */
  drained(): void {
    this.#schedule();
  }

  /**
   * The log of its space has new entries. Most sessions stand at its end, and what was added is at hand.
   *
   * @returns how many bytes it was sent at once
   */
  wake(): number {
    this.#hasMore = true;
    const { feed } = this.#shared;
    const { space } = this.member;
    const from = this.#position;
    const isReading =
      !this.#isScheduled && !this.#isEnded && this.#hasEntries() && this.#channel?.isFull === false;
    const ready = isReading && !this.hasExpired ? feed.ready(space, from as number) : undefined;
    let bytes = 0;
    if (ready !== undefined && ready !== "end") {
      try {
        bytes = this.#give(ready, from as number);
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#schedule();
    return bytes;
  }

  /** Takes one frame. Anything that is not a frame of the protocol ends the session. */
  receive(bytes: Uint8Array): void {
    const type = clientFrameType(bytes);
    if (this.#isEnded || type === undefined || type === "batch" || type === "credit") this.#take(bytes);
    else this.#ask(type, bytes);
    this.#schedule();
  }

  #ask(type: LogClientFrame["type"], bytes: Uint8Array): void {
    // What is passed on may be lost, and need not cost a session.
    if (type === "ephemeral" && this.#tasks.length >= TOO_MANY_WAITING) {
      this.#channel?.processed(bytes.length);
      return;
    }
    const waiting = this.#tasks.push({ bytes });
    if (type in QUESTION_COST_BYTES)
      this.#channel?.spend(QUESTION_COST_BYTES[type as keyof typeof QUESTION_COST_BYTES]);
    if (waiting >= MOST_WAITING) this.#channel?.setBehind(true);
    if (waiting > TOO_MANY_WAITING) this.end(CLOSE_CODES.spent);
  }

  #take(bytes: Uint8Array): void {
    const done = (): void => this.#channel?.processed(bytes.length);
    const frame = this.#decoded(bytes);
    if (frame?.type === "batch") {
      this.#batches.take(frame, bytes.length, this.#channel?.isBusy === true, done);
      return;
    }
    if (frame?.type === "credit") this.#credit = Math.min(this.#credit + frame.bytes, MAX_CREDIT);
    done();
  }

  #decoded(bytes: Uint8Array): LogClientFrame | undefined {
    if (this.#isEnded) return undefined;
    if (this.hasExpired) {
      this.end(CLOSE_CODES.token);
      return undefined;
    }
    try {
      return decodeClientFrame(bytes);
    } catch (error) {
      // Whatever goes wrong with one frame ends the session that sent it, and not the process.
      const isTheirs = isCambiumError(error, "RELAY_PROTOCOL");
      if (!isTheirs) this.#shared.onError(error);
      this.end(isTheirs ? CLOSE_CODES.protocol : CLOSE_CODES.failed);
      return undefined;
    }
  }

  /** @returns undefined when the session is over */
  #stepsFor(bytes: Uint8Array): AsyncIterator<void, void> | undefined {
    const frame = this.#decoded(bytes);
    const { slots, inSpace, broadcast } = this.#shared;
    const { space, tokenId } = this.member;
    switch (frame?.type) {
      case "heads":
      case "fetch":
        return this.#answer(frame);
      case "subscribe":
        return this.#subscribe(frame);
      case "ephemeral":
        broadcast(space, { kind: "ephemeral", bytes: frame.bytes });
        return passOn(inSpace(space), frame, this);
      case "slot": {
        const { replica, bytes } = frame;
        slots.put(space, tokenId, { replica, bytes });
        broadcast(space, { kind: "slot", tokenId, slot: { replica, bytes } });
        return passOn(inSpace(space), { type: "slots", slots: [{ replica, bytes }] }, this);
      }
      default:
        return undefined;
    }
  }

  /** Sends what others say, if the client reads fast enough to hear it. */
  hear(frame: Uint8Array): void {
    const mayHear = !this.#isEnded && this.#position !== undefined && this.#channel?.isFull === false;
    if (mayHear && !this.hasExpired) this.#channel?.send(frame);
  }

  #hasEntries(): boolean {
    return this.#hasMore && this.#position !== undefined && this.#credit > 0;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isEnded || this.#channel?.isFull !== false) return;
    if (this.#tasks.length === 0 && !this.#hasEntries()) return;
    this.#isScheduled = true;
    this.#shared.turns.add(this.member.space, this, () => this.#step());
  }

  async #step(): Promise<void> {
    try {
      if (this.#isEnded) return;
      if (this.hasExpired) return this.end(CLOSE_CODES.token);
      const [task] = this.#tasks;
      const isForEntries = task === undefined || (this.#isTurnOfEntries && this.#hasEntries());
      this.#isTurnOfEntries = !isForEntries;
      if (isForEntries) await this.#sendEntries();
      else await this.#goOnWith(task);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isScheduled = false;
      this.#schedule();
    }
  }

  async #goOnWith(task: Task): Promise<void> {
    task.steps ??= this.#stepsFor(task.bytes);
    const isDone = task.steps === undefined || (await task.steps.next()).done;
    if (!isDone || this.#tasks[0] !== task) return;
    this.#tasks.shift();
    this.#channel?.setBehind(this.#tasks.length >= MOST_WAITING);
    this.#channel?.processed(task.bytes.length);
  }

  async *#subscribe({ marks, credit, reads = [] }: SubscribeFrame): AsyncGenerator<void> {
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
    this.#position = undefined; // what follows the earlier one is not to come behind this answer
    this.#send({ type: "state", common, upTo });
    yield;
    const left = slots.of(space);
    if (left.length > 0) this.#send({ type: "slots", slots: left });
    this.#reads = reads;
    this.#behindTo = upTo.position;
    this.#position = common.position;
    this.#mark = common.mark;
    this.#credit = Math.min(credit, MAX_CREDIT);
    this.#hasMore = true;
  }

  /** One stretch of the log. */
  async #sendEntries(): Promise<void> {
    const { feed } = this.#shared;
    const from = this.#position;
    if (from === undefined) return;
    this.#hasMore = false;
    const mayBeSegment = this.#reads.length > 0 && from < this.#behindTo;
    if (mayBeSegment && (await this.#sendSegment(from))) return;
    const stretch = await feed.after(this.member.space, from);
    if (stretch !== undefined && !this.#isEnded) this.#give(stretch, from);
  }

  /** @returns how many bytes were sent */
  #give(stretch: Stretch, from: number): number {
    const { feed } = this.#shared;
    const { space } = this.member;
    if (!continues(stretch, { position: from, mark: this.#mark })) {
      feed.forget(space);
      this.end(CLOSE_CODES.moved);
      return 0;
    }
    const frame = feed.frameOf(stretch, this.#own);
    this.#position = stretch.upTo.position;
    this.#mark = stretch.upTo.mark;
    this.#own.passed(this.#position);
    this.#credit -= frame.length;
    this.#hasMore = feed.ready(space, this.#position) !== "end";
    this.#channel?.send(frame);
    return frame.length;
  }

  #failed(error: unknown): void {
    this.#shared.onError(error);
    this.end(CLOSE_CODES.failed);
  }

  /** @returns whether there was one behind the position, or the session is over */
  async #sendSegment(from: number): Promise<boolean> {
    const { feed, log } = this.#shared;
    const { space } = this.member;
    const before = await log.pointAt(space, from);
    const segment = await feed.segmentAfter(space, from, this.#reads);
    if (this.#isEnded) return true;
    // Else the stretch behind it shows what has become of the log.
    const isSame = before !== undefined && Buffer.compare(before.mark, this.#mark) === 0;
    if (segment === undefined || !isSame) return false;
    this.#position = segment.upTo.position;
    this.#mark = segment.upTo.mark;
    this.#own.passed(this.#position);
    this.#credit -= segment.frame.length;
    this.#hasMore = true;
    this.#channel?.send(segment.frame);
    return true;
  }

  async *#answer(question: Question): AsyncGenerator<void> {
    for await (const frame of answersTo(this.#shared.log, this.member.space, question)) {
      this.#channel?.send(frame);
      yield;
    }
  }

  #send(frame: LogRelayFrame): void {
    if (!this.#isEnded) this.#channel?.send(encodeRelayFrame(frame));
  }
}
