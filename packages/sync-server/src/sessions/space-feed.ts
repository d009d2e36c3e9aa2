/**
 * Stretches of logs as frames. Many sessions of a space stand at the same position: they are sent the same bytes, read
 * and packed once.
 *
 * @module
 */
import { deflateRawSync } from "node:zlib";
import { type EntryItem, encodeItems, encodeRelayFrame, LOG_KINDS, pack } from "@cambium/core/wire";
import type { LogEntry, SpaceLog } from "../log/space-log.js";

/** In one frame; the last entry exceeds it. */
const STRETCH_BYTES = 64 * 1024;
/** What an entry takes beside its bytes. */
const ENTRY_BYTES = 400;
/** What is smaller is sent sooner than deflated. */
const DEFLATE_FROM_BYTES = 4 * 1024;
/** Of all spaces together. What a stock client wrote may be larger by itself. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;

/** Entries that follow each other. */
export interface Stretch {
  readonly after: number;
  readonly entries: readonly LogEntry[];
}

interface CachedStretch extends Stretch {
  readonly key: string;
  /** For all sessions that have sent none of its entries. */
  frame?: Uint8Array;
  sizeBytes: number;
}

export class SpaceFeed {
  readonly #log: Pick<SpaceLog, "read">;
  /** Those asked for last, oldest first. */
  readonly #stretches = new Map<string, CachedStretch>();
  #cachedBytes = 0;

  constructor(log: Pick<SpaceLog, "read">) {
    this.#log = log;
  }

  /** @returns undefined at the end of the log */
  async after(space: string, after: number): Promise<Stretch | undefined> {
    const key = `${space} ${after}`;
    const known = this.#stretches.get(key);
    if (known !== undefined) return known;
    const entries = await this.#log.read({ space, after, maxBytes: STRETCH_BYTES });
    if (entries.length === 0) return undefined;
    // What was read before may have bytes that are erased now.
    if (entries.some(({ kind }) => kind === LOG_KINDS.retire)) this.forget(space);
    const stretch: CachedStretch = { key, after, entries, sizeBytes: 0 };
    this.#drop(key);
    this.#stretches.set(key, stretch);
    this.#grow(
      stretch,
      entries.reduce((sum, { bytes }) => sum + ENTRY_BYTES + (bytes?.length ?? 0), 0),
    );
    return stretch;
  }

  forget(space: string): void {
    for (const [key] of this.#stretches) if (key.startsWith(`${space} `)) this.#drop(key);
  }

  /** How much memory it holds, about. */
  get cachedBytes(): number {
    return this.#cachedBytes;
  }

  /** @param isOwn - whether the session has sent the entry at a position */
  frameOf(stretch: Stretch, isOwn: (position: number) => boolean): Uint8Array {
    if (stretch.entries.some(({ position }) => isOwn(position))) return toFrame(stretch, isOwn);
    const cached = stretch as CachedStretch;
    if (cached.frame !== undefined) return cached.frame;
    const frame = toFrame(stretch, isOwn);
    cached.frame = frame;
    if (this.#stretches.get(cached.key) === cached) this.#grow(cached, frame.length);
    return frame;
  }

  #grow(stretch: CachedStretch, bytes: number): void {
    stretch.sizeBytes += bytes;
    this.#cachedBytes += bytes;
    for (const [key] of this.#stretches) {
      if (this.#cachedBytes <= MAX_CACHED_BYTES) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#cachedBytes -= this.#stretches.get(key)?.sizeBytes ?? 0;
    this.#stretches.delete(key);
  }
}

function toFrame({ after, entries }: Stretch, isOwn: (position: number) => boolean): Uint8Array {
  const { position, mark } = entries.at(-1) as LogEntry;
  const items = encodeItems(entries.map((entry) => toItem(entry, isOwn(entry.position))));
  return encodeRelayFrame({
    type: "entries",
    from: after,
    upTo: { position, mark },
    items: packItems(items),
  });
}

/** Deflates what is worth it, for speed rather than size. */
export const packItems = (items: Uint8Array): ReturnType<typeof pack> =>
  pack(items, items.length < DEFLATE_FROM_BYTES ? undefined : (bytes) => deflateRawSync(bytes, { level: 1 }));

/** The body of any kind but a change goes out as it came in. */
function toItem({ kind, document, hash, bytes }: LogEntry, isOwn: boolean): EntryItem {
  if (bytes === undefined) return { kind: "gone", of: kind, document, hash };
  if (isOwn) return { kind: "own", of: kind, document, hash };
  return { kind: "other", of: kind, document, bytes };
}
