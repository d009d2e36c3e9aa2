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
/** What is smaller is sent sooner than deflated. */
const DEFLATE_FROM_BYTES = 4 * 1024;
const MAX_STRETCHES = 128;

/** Entries that follow each other. */
export interface Stretch {
  readonly after: number;
  readonly entries: readonly LogEntry[];
}

export class SpaceFeed {
  readonly #log: Pick<SpaceLog, "read">;
  /** Those asked for last, oldest first. */
  readonly #stretches = new Map<string, Stretch & { frame?: Uint8Array }>();

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
    if (entries.some(({ kind }) => kind === LOG_KINDS.retire)) this.clear();
    const stretch = { after, entries };
    if (this.#stretches.size >= MAX_STRETCHES)
      this.#stretches.delete(this.#stretches.keys().next().value as string);
    this.#stretches.set(key, stretch);
    return stretch;
  }

  clear(): void {
    this.#stretches.clear();
  }

  /** @param isOwn - whether the session has sent the entry at a position */
  frameOf(stretch: Stretch & { frame?: Uint8Array }, isOwn: (position: number) => boolean): Uint8Array {
    const hasOwn = stretch.entries.some(({ position }) => isOwn(position));
    if (hasOwn) return toFrame(stretch, isOwn);
    stretch.frame ??= toFrame(stretch, isOwn);
    return stretch.frame;
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
