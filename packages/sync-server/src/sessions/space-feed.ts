/**
 * Stretches of logs as frames. Many sessions of a space stand at the same position: they are sent the same bytes, read
 * and packed once.
 *
 * @module
 */
import { deflateRawSync } from "node:zlib";
import {
  type EntryItem,
  encodeRelayFrame,
  ItemList,
  LOG_KINDS,
  type LogPoint,
  pack,
} from "@cambium/core/wire";
import type { LogEntry, SpaceLog } from "../log/space-log.js";
import { prepare } from "./messages.js";
import type { OwnPositions } from "./own-positions.js";

/** In one frame; the last entry exceeds it. */
export const STRETCH_BYTES = 64 * 1024;
/** What an entry takes beside its bytes. */
const ENTRY_BYTES = 400;
/** What is smaller is sent sooner than deflated. */
const DEFLATE_FROM_BYTES = 4 * 1024;
/** Of all spaces together. What a stock client wrote may be larger by itself. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024;

/** So many spaces' ends are remembered. */
const MAX_ENDS = 65_536;

type FedEntry = Omit<LogEntry, "mark"> & Partial<Pick<LogEntry, "mark">>;

/** Entries that follow each other. */
export interface Stretch {
  readonly after: number;
  /** At that position, if it is known. Otherwise the first entry has its mark. */
  readonly markBefore?: Uint8Array;
  readonly upTo: LogPoint;
  readonly entries: readonly FedEntry[];
}

interface CachedStretch extends Stretch {
  readonly space: string;
  /** For all sessions that have sent none of its entries. */
  frame?: Uint8Array;
  /** For those that have sent some. */
  parts?: Parts;
  sizeBytes: number;
}

/** Of a frame, encoded once for all who are sent another mixture of them. */
interface Parts {
  readonly list: ItemList;
  readonly whole: readonly Uint8Array[];
}

export class SpaceFeed {
  readonly #log: Pick<SpaceLog, "read" | "segmentAfter">;
  /** By space, then by the position before them. */
  readonly #stretches = new Map<string, Map<number, CachedStretch>>();
  /** Oldest first. */
  readonly #kept = new Set<CachedStretch>();
  #cachedBytes = 0;
  /** Where logs end, until somebody says that they have moved. */
  readonly #ends = new Map<string, number>();
  /** How far other relays have been seen to write. */
  readonly #seen = new Map<string, number>();
  #moves = 0;

  constructor(log: Pick<SpaceLog, "read" | "segmentAfter">) {
    this.#log = log;
  }

  /** @returns undefined at the end of the log */
  async after(space: string, after: number): Promise<Stretch | undefined> {
    const known = this.ready(space, after);
    if (known !== undefined) return known === "end" ? undefined : known;
    const moves = this.#moves;
    const entries = await this.#log.read({ space, after, maxBytes: STRETCH_BYTES, untilSegment: true });
    const last = entries.at(-1);
    if (last === undefined) {
      if (moves === this.#moves) this.#noteEnd(space, after);
      return undefined;
    }
    // What was read before may have bytes that are erased now.
    if (hasRetired(entries)) this.forget(space);
    return this.#keep(space, { after, upTo: { position: last.position, mark: last.mark }, entries });
  }

  /** What follows a position, or that nothing does, if it is known without asking the log. */
  ready(space: string, after: number): Stretch | "end" | undefined {
    return this.#ends.get(space) === after ? "end" : this.#stretches.get(space)?.get(after);
  }

  /**
   * A log has new entries.
   *
   * @param added - all of them, if they are at hand; positions and mark are those that the log gave them
   */
  moved(space: string, added?: Stretch): void {
    this.#moves += 1;
    this.#ends.delete(space);
    if (added === undefined) return;
    if (hasRetired(added.entries)) {
      this.forget(space);
      return;
    }
    this.#keep(space, added);
    this.#noteEnd(space, added.upTo.position);
  }

  /** Another relay has written up to here. What this one hears of its own commits may be older. */
  see(space: string, position: number): void {
    this.#moves += 1;
    if (this.#seen.size >= MAX_ENDS) this.#seen.clear();
    this.#seen.set(space, position);
    if ((this.#ends.get(space) ?? position) < position) this.#ends.delete(space);
  }

  #noteEnd(space: string, position: number): void {
    if (position < (this.#seen.get(space) ?? 0)) return;
    if (this.#ends.size >= MAX_ENDS) this.#ends.clear();
    this.#ends.set(space, position);
  }

  #keep(space: string, kept: Stretch): Stretch {
    const { after, entries } = kept;
    const stretch: CachedStretch = { ...kept, space, sizeBytes: 0 };
    this.#drop(this.#stretches.get(space)?.get(after));
    const ofSpace = this.#stretches.get(space) ?? new Map<number, CachedStretch>();
    this.#stretches.set(space, ofSpace.set(after, stretch));
    this.#kept.add(stretch);
    this.#grow(
      stretch,
      entries.reduce((sum, { bytes }) => sum + ENTRY_BYTES + (bytes?.length ?? 0), 0),
    );
    return stretch;
  }

  /** A segment as it is stored, for a session that reads segments. @param reads - how they may be compressed */
  async segmentAfter(
    space: string,
    after: number,
    reads: readonly string[],
  ): Promise<{ readonly upTo: LogPoint; readonly frame: Uint8Array } | undefined> {
    const segment = reads.length === 0 ? undefined : await this.#log.segmentAfter?.(space, after);
    if (segment === undefined || !reads.includes(segment.method)) return undefined;
    const { upTo, method, inflatedBytes, bytes } = segment;
    const items = { form: `segment-${method}`, inflatedBytes, bytes } as const;
    return { upTo, frame: encodeRelayFrame({ type: "entries", from: after, upTo, items }) };
  }

  forget(space: string): void {
    this.#moves += 1;
    this.#seen.delete(space);
    this.#ends.delete(space);
    for (const stretch of [...(this.#stretches.get(space)?.values() ?? [])]) this.#drop(stretch);
  }

  /** How much memory it holds, about. */
  get cachedBytes(): number {
    return this.#cachedBytes;
  }

  /** @param own - what the session has sent itself */
  frameOf(stretch: Stretch, own: OwnPositions): Uint8Array {
    const cached = stretch as CachedStretch;
    const { entries } = stretch;
    if (!own.isEmpty && entries.some(({ position }) => own.has(position))) {
      const { list, whole } = this.#partsOf(cached);
      const parts = entries.map((entry, at) =>
        own.has(entry.position) ? list.encode(toItem(entry, true)) : (whole[at] as Uint8Array),
      );
      // Only this session is sent it: each writer of a busy document would have its own deflated.
      return toFrame(stretch, list.of(parts), pack);
    }
    if (cached.frame !== undefined) return cached.frame;
    const { list, whole } = this.#partsOf(cached);
    const frame = toFrame(stretch, list.of(whole), packItems);
    cached.frame = frame;
    prepare(frame);
    this.#grow(cached, frame.length * 2);
    return frame;
  }

  #partsOf(cached: CachedStretch): Parts {
    if (cached.parts !== undefined) return cached.parts;
    const { entries } = cached;
    const list = new ItemList(entries.map(({ document }) => document));
    const whole = entries.map((entry) => list.encode(toItem(entry, false)));
    cached.parts = { list, whole };
    this.#grow(
      cached,
      whole.reduce((sum, { length }) => sum + length, 0),
    );
    return cached.parts;
  }

  #grow(stretch: CachedStretch, bytes: number): void {
    if (!this.#kept.has(stretch)) return;
    stretch.sizeBytes += bytes;
    this.#cachedBytes += bytes;
    for (const oldest of this.#kept) {
      if (this.#cachedBytes <= MAX_CACHED_BYTES) return;
      this.#drop(oldest);
    }
  }

  #drop(stretch: CachedStretch | undefined): void {
    if (stretch === undefined || !this.#kept.delete(stretch)) return;
    const { space, after, sizeBytes } = stretch;
    this.#cachedBytes -= sizeBytes;
    const ofSpace = this.#stretches.get(space);
    ofSpace?.delete(after);
    if (ofSpace?.size === 0) this.#stretches.delete(space);
  }
}

const hasRetired = (entries: readonly FedEntry[]): boolean =>
  entries.some(({ kind }) => kind === LOG_KINDS.retire);

function toFrame({ after, upTo }: Stretch, items: Uint8Array, packed: typeof packItems): Uint8Array {
  return encodeRelayFrame({ type: "entries", from: after, upTo, items: packed(items) });
}

/** Deflates what is worth it, for speed rather than size. */
export const packItems = (items: Uint8Array): ReturnType<typeof pack> =>
  pack(items, items.length < DEFLATE_FROM_BYTES ? undefined : (bytes) => deflateRawSync(bytes, { level: 1 }));

/** The body of any kind but a change goes out as it came in. */
function toItem({ kind, document, hash, bytes }: FedEntry, isOwn: boolean): EntryItem {
  if (bytes === undefined) return { kind: "gone", of: kind, document, hash };
  if (isOwn) return { kind: "own", of: kind, document, hash };
  return { kind: "other", of: kind, document, bytes };
}
