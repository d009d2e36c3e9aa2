/**
 * What comes: entries of the relay's log, in order, and when they are taken into the documents.
 *
 * Plan: check each frame's mark, so that what was garbled shows and is read again; let the entries be taken in; only
 * then count the frame as read. While much is to come, it is gathered: loading a document once with all of its changes
 * costs less than adding them to it.
 *
 * @module
 */
import {
  type EntriesFrame,
  LOG_START,
  type LogPoint,
  nextPoint,
  readEntries,
  samePoint,
  sizeOfEntries,
} from "@cambium/core/wire";
import { entryTools } from "../platform/node-platform.js";
import type { CancelTimer, Timers } from "../platform/timers.js";
import type { Entry, EntryTaker } from "./entry-taker.js";
import type { LogCursor } from "./log-cursor.js";
import type { SyncTracker } from "./sync-tracker.js";

export interface IncomingOptions {
  readonly tracker: SyncTracker;
  readonly cursor: LogCursor;
  readonly taker: EntryTaker;
  readonly timers: Timers;
  /** So many bytes more may be sent. */
  readonly grant: (bytes: number) => void;
  /** What was read does not fit what was read before: it has to be read again. */
  readonly onGap: () => void;
  /** What was read is in the documents. */
  readonly onApplied: () => void;
}

interface Stretch {
  readonly entries: readonly Entry[];
  readonly upTo: LogPoint;
  /** In memory, about. */
  readonly sizeBytes: number;
}

/** A relay is told in pieces of this size what was read: each is a message, and few changes are as large. */
const GRANTED_BYTES = 256 * 1024;
/** Gathered while there is more to come. */
const GATHERED_BYTES = 8 * 1024 * 1024;
/** What follows that soon is taken in together: above 100 changes a second each costs less that way. */
const PACE_MS = 8;

export class Incoming {
  readonly #options: IncomingOptions;
  /** How far frames have come. */
  #read: LogPoint = LOG_START;
  /** There is that much to come at least. */
  #upTo: LogPoint = LOG_START;
  #stretches: Stretch[] = [];
  #waitingBytes = 0;
  /** Of those that wait, what the relay may not send again yet. */
  #owedBytes = 0;
  /** What it may send again and was not told. */
  #untoldBytes = 0;
  #isTaking = false;
  #pace: CancelTimer | undefined;
  /** Counts sessions; what belongs to an earlier one is dropped. */
  #session = 0;
  #isOpen = false;

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  /** From here on entries follow. */
  begin(common: LogPoint, upTo: LogPoint): void {
    this.end();
    this.#options.taker.begin();
    this.#read = common;
    this.#upTo = upTo;
    this.#isOpen = true;
  }

  end(): void {
    this.#session += 1;
    this.#isOpen = false;
    this.#stretches = [];
    this.#options.taker.end();
    this.#waitingBytes = 0;
    this.#owedBytes = 0;
    this.#untoldBytes = 0;
    this.#pace?.();
    this.#pace = undefined;
  }

  entries(frame: EntriesFrame): void {
    if (!this.#isOpen) return;
    const stretch = this.#checked(frame);
    if (stretch === undefined) {
      this.#isOpen = false;
      this.#options.onGap();
      return;
    }
    this.#read = frame.upTo;
    this.#stretches.push(stretch);
    this.#waitingBytes += stretch.sizeBytes;
    this.#options.taker.expect(stretch.entries);
    // As many as the relay has counted: fewer would stop it some day, and more would set no bound.
    const costBytes = sizeOfEntries(frame);
    if (this.#waitingBytes <= GATHERED_BYTES) this.#grant(costBytes);
    else this.#owedBytes += costBytes;
    this.#takeSoon();
  }

  #grant(bytes: number): void {
    this.#untoldBytes += bytes;
    if (this.#untoldBytes < GRANTED_BYTES) return;
    this.#options.grant(this.#untoldBytes);
    this.#untoldBytes = 0;
  }

  /** @returns undefined when it is not what comes next in this log */
  #checked(frame: EntriesFrame): Stretch | undefined {
    if (frame.from !== this.#read.position) return undefined;
    try {
      let point = this.#read;
      const entries = readEntries(frame.items, entryTools).map(({ item, kind, hash }): Entry => {
        point = nextPoint(point, { kind, document: item.document, hash }, entryTools.sha256);
        return { item, hash, position: point.position };
      });
      if (!samePoint(point, frame.upTo)) return undefined;
      return { entries, upTo: frame.upTo, sizeBytes: frame.items.inflatedBytes };
    } catch {
      return undefined; // garbled on its way
    }
  }

  #takeSoon(): void {
    if (this.#isTaking || this.#pace !== undefined || this.#stretches.length === 0) return;
    const isMoreComing = this.#read.position < this.#upTo.position;
    if (isMoreComing && this.#waitingBytes < GATHERED_BYTES) return;
    this.#isTaking = true;
    this.#take()
      .catch((error: unknown) => this.#options.taker.lose(error))
      .finally(() => {
        this.#isTaking = false;
        this.#pace = this.#options.timers.after(PACE_MS, () => {
          this.#pace = undefined;
          this.#takeSoon();
        });
      });
  }

  async #take(): Promise<void> {
    const session = this.#session;
    const { cursor, tracker, taker, onApplied } = this.#options;
    const stretches = this.#stretches;
    const { upTo } = stretches.at(-1) as Stretch;
    const isOver = (): boolean => session !== this.#session;
    this.#stretches = [];
    const isTaken = await taker.take(
      stretches.flatMap(({ entries }) => entries),
      isOver,
    );
    if (isOver()) return;
    if (!isTaken) {
      this.end();
      return;
    }
    this.#waitingBytes -= stretches.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.#grant(this.#owedBytes);
    this.#owedBytes = 0;
    if (!taker.isLossy) cursor.advance(upTo);
    tracker.reached(upTo.position);
    onApplied();
  }
}
