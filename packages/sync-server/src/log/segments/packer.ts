/**
 * Packs logs while a relay runs, in turns that leave others room: a range is read and packed some milliseconds at a
 * time, compressed in a thread of Node's, unpacked again and compared, and only then stored.
 *
 * @module
 */
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { isCambiumError } from "@cambium/core/errors";
import { LOG_START, SegmentReader, SegmentWriter } from "@cambium/core/wire";
import { chunkTools } from "../../chunk-tools.js";
import { neverBack } from "../../timers.js";
import type { LogEntry } from "../space-log.js";
import { compress, decompress } from "./codec.js";
import { nextRange, type PackRange, type SegmentSizes, STANDARD_SIZES } from "./plan.js";
import type { NewSegment, SegmentStore, SpaceLayout } from "./segment-store.js";

const METHOD = "zstd";
/** Read at once. */
const READ_BYTES = 64 * 1024;
/** After so long others have their turn. */
const TURN_MS = 2;
/** Between turns that nobody waits for: packing takes a fifth of the time. */
const REST_MS = 8;
/** A log that has not grown for so long is quiet. */
const QUIET_MS = 10 * 60_000;

export interface PackerOptions {
  readonly store: SegmentStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since any moment. Default: `performance.now`. */
  readonly elapsed?: () => number;
  /** Default: `setTimeout`. */
  readonly pause?: (ms: number) => Promise<unknown>;
  readonly sizes?: SegmentSizes | undefined;
}

/** How far a log had come when it was last looked at, and since when. */
interface Seen {
  readonly end: number;
  readonly since: number;
}

export class Packer {
  readonly #store: SegmentStore;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #pause: (ms: number) => Promise<unknown>;
  readonly #sizes: SegmentSizes;
  /** Of logs with something to pack. */
  #seen = new Map<string, Seen>();
  #seenNow = new Map<string, Seen>();
  /** The space that was looked at last in this round. */
  #at: string | undefined;
  #turnEnds = 0;
  /** Nobody waits for what is being done. */
  #isUnasked = false;
  #waiting = 0;
  /** One piece of work after the other. */
  #running: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #hasFinished = false;

  constructor(options: PackerOptions) {
    const { store, now, elapsed, pause, sizes } = options;
    this.#store = store;
    this.#now = neverBack(now);
    this.#elapsed = elapsed ?? (() => performance.now());
    this.#pause = pause ?? ((ms) => delay(ms));
    this.#sizes = sizes ?? STANDARD_SIZES;
  }

  /** Looks at some logs, and packs what is old and quiet of them. @returns how many segments were made */
  step(): Promise<number> {
    return this.#inOrder(async () => {
      this.#isUnasked = true;
      try {
        return await this.#step();
      } finally {
        this.#isUnasked = false;
      }
    });
  }

  /** Packs all that is worth it, of every log. @returns how many segments were made */
  packAll(): Promise<number> {
    return this.#inOrder(() => this.#packAll());
  }

  /** Writes the segments of a space anew that have bytes of retired documents. */
  erase(space: string): Promise<void> {
    return this.#inOrder(() => this.#erase(space));
  }

  /** Ends what is under way as soon as nothing is half done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running.catch(() => {});
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const begin = (): Promise<Result> => {
      this.#waiting -= 1;
      return work();
    };
    const done = this.#running.then(begin, begin);
    this.#running = done;
    return done;
  }

  /** Something else waits until it is done. */
  get #isAwaited(): boolean {
    return this.#isStopped || this.#waiting > 0;
  }

  async #step(): Promise<number> {
    await this.#finish();
    const layouts = await this.#store.layouts(this.#at);
    this.#at = layouts.at(-1)?.space;
    if (this.#at === undefined) [this.#seen, this.#seenNow] = [this.#seenNow, new Map()];
    return await this.#packEach(layouts, (layout) => this.#isQuiet(layout));
  }

  /** What is damaged is told once the others are packed. */
  async #packEach(
    layouts: readonly SpaceLayout[],
    isQuiet: (layout: SpaceLayout) => boolean,
  ): Promise<number> {
    const damaged: unknown[] = [];
    let made = 0;
    for (const layout of layouts)
      made += await this.#pack(layout, isQuiet(layout)).catch((error: unknown) => {
        if (!isCambiumError(error, "STORE_DAMAGED")) throw error;
        damaged.push(error);
        return 0;
      });
    if (damaged.length > 0) throw damaged[0];
    return made;
  }

  async #packAll(): Promise<number> {
    await this.#finish();
    let made = 0;
    for (let at: string | undefined; ; ) {
      const layouts = await this.#store.layouts(at);
      made += await this.#packEach(layouts, () => true);
      at = layouts.at(-1)?.space;
      if (at === undefined) return made;
    }
  }

  /** What an earlier process had begun. */
  async #finish(): Promise<void> {
    if (!this.#hasFinished) await this.#store.finish();
    this.#hasFinished = true;
  }

  async #erase(space: string): Promise<void> {
    await this.#finish();
    for (;;) {
      const stale = (await this.#store.layout(space))?.segments.find(({ isStale }) => isStale);
      if (stale === undefined) return;
      await this.#packRange(space, stale);
    }
  }

  #isQuiet({ space, end }: SpaceLayout): boolean {
    const seen = this.#seen.get(space);
    const since = seen?.end === end ? seen.since : this.#now();
    this.#seenNow.set(space, { end, since });
    return this.#now() - since >= QUIET_MS;
  }

  async #pack(layout: SpaceLayout, isQuiet: boolean): Promise<number> {
    let made = 0;
    for (let at: SpaceLayout | undefined = layout; at !== undefined; made += 1) {
      const range = nextRange(at, isQuiet, this.#sizes);
      if (range === undefined || !(await this.#packRange(layout.space, range))) break;
      at = await this.#store.layout(layout.space);
    }
    return made;
  }

  /** @returns whether a segment was made */
  async #packRange(space: string, range: PackRange): Promise<boolean> {
    await this.#turn();
    const { entries, segment } = await this.#packed(space, range);
    return (
      entries.length > 0 && (await this.#isSame(segment, entries)) && (await this.#store.replace(segment))
    );
  }

  async #packed(
    space: string,
    { after, upTo }: PackRange,
  ): Promise<{ readonly entries: readonly LogEntry[]; readonly segment: NewSegment }> {
    const writer = new SegmentWriter();
    const entries: LogEntry[] = [];
    const isOpen = (): boolean =>
      writer.count < this.#sizes.entries &&
      writer.sizeBytes < this.#sizes.bytes &&
      after + writer.count < upTo;
    while (isOpen()) {
      const more = await this.#store.read({ space, after: after + writer.count, maxBytes: READ_BYTES });
      if (more.length === 0) break;
      for (const entry of more) {
        if (!isOpen()) break;
        writer.add(entry);
        entries.push(entry);
        await this.#turn();
      }
    }
    const plain = writer.done();
    const bytes = await compress(METHOD, plain);
    const gone = entries.filter((entry) => entry.bytes === undefined).length;
    const place = { after, upTo: after + entries.length };
    const mark = entries.at(-1)?.mark ?? LOG_START.mark;
    const segment = {
      space,
      ...place,
      mark,
      gone,
      method: METHOD,
      inflatedBytes: plain.length,
      bytes,
    } as const;
    return { entries, segment };
  }

  /** Whether the segment gives every entry back, byte by byte. */
  async #isSame(segment: NewSegment, entries: readonly LogEntry[]): Promise<boolean> {
    const plain = await decompress(segment.method, segment.bytes, segment.inflatedBytes);
    const reader = new SegmentReader(plain, chunkTools.sha256);
    if (reader.count !== entries.length) return false;
    for (const [at, expected] of entries.entries()) {
      const { kind, document, hash, bytes } = reader.entry(at, (place) => (entries[place] as LogEntry).hash);
      const isSame = kind === expected.kind && document === expected.document && hash === expected.hash;
      if (!isSame || !sameBytes(bytes, expected.bytes)) return false;
      await this.#turn();
    }
    return true;
  }

  async #turn(): Promise<void> {
    if (this.#isStopped) throw new Error("The log is being closed.");
    if (this.#elapsed() < this.#turnEnds) return;
    if (this.#isUnasked && !this.#isAwaited) await this.#pause(REST_MS);
    else await nextTurn();
    this.#turnEnds = this.#elapsed() + TURN_MS;
  }
}

const sameBytes = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
