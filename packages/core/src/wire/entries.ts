/**
 * What an `entries` frame holds, whichever form it has.
 *
 * @module
 */
import type { ChunkTools } from "../format/change-header.js";
import { decodeEntryItems, type EntryItem, entryItem, markedEntry } from "./items.js";
import { malformedFrame } from "./malformed.js";
import { isSegment, type Packed, type PackedSegment, type SegmentMethod, unpack } from "./packed.js";
import { readSegment } from "./segment.js";

/** What reading entries needs of the machine. */
export interface EntryTools extends ChunkTools {
  /** Undoes the compression of segments, in one call. Throws when the result would exceed `maxBytes`. */
  readonly decompress?: Readonly<
    Partial<Record<SegmentMethod, (bytes: Uint8Array, maxBytes: number) => Uint8Array>>
  >;
}

/** An entry with its hash, as the chain of marks takes it. */
export interface ReadEntry {
  /** What it is. */
  readonly item: EntryItem;
  /** 64 hexadecimal digits. */
  readonly hash: string;
  /** By {@link LOG_KINDS}. */
  readonly kind: number;
}

/**
 * The entries of a frame, in order.
 *
 * @throws {CambiumError} RELAY_PROTOCOL when they are not entries, or compressed in a way that these tools do not know
 */
export function readEntries(items: Packed | PackedSegment, tools: EntryTools): readonly ReadEntry[] {
  if (!isSegment(items))
    return decodeEntryItems(unpack(items, tools.inflate)).map((item) => ({ item, ...placed(item, tools) }));
  const bytes = decompressed(items, tools);
  if (bytes.length !== items.inflatedBytes) throw malformedFrame("it inflates to another size than it says");
  return readSegment(bytes, tools.sha256).map(({ kind, document, hash, bytes: body }) => ({
    ...{ kind, hash },
    item: body === undefined ? { kind: "gone", of: kind, document, hash } : entryItem(kind, document, body),
  }));
}

function placed(item: EntryItem, tools: ChunkTools): Omit<ReadEntry, "item"> {
  try {
    const { kind, hash } = markedEntry(item, tools);
    return { kind, hash };
  } catch (cause) {
    throw malformedFrame("an entry is no change", cause);
  }
}

function decompressed({ form, inflatedBytes, bytes }: PackedSegment, { decompress }: EntryTools): Uint8Array {
  const method = decompress?.[form === "segment-zstd" ? "zstd" : "deflate"];
  if (method === undefined) throw malformedFrame(`it is compressed as ${form}, which cannot be read here`);
  try {
    return method(bytes, inflatedBytes);
  } catch (cause) {
    throw malformedFrame("it cannot be inflated", cause);
  }
}
