/**
 * Bytes that may be deflated on the way. Whoever gets them knows how many they will be before inflating them.
 *
 * @module
 */
import type { ChunkTools } from "../format/change-header.js";
import type { FrameReader, FrameWriter } from "./frame-bytes.js";
import { malformedFrame } from "./malformed.js";

/** How segments are compressed. Not every reader has Zstandard. */
export const SEGMENT_METHODS = ["deflate", "zstd"] as const;
/** How a segment is compressed. */
export type SegmentMethod = (typeof SEGMENT_METHODS)[number];

/** A segment, as it is stored and sent. */
export interface PackedSegment {
  /** What its bytes are. */
  readonly form: `segment-${SegmentMethod}`;
  /** How many bytes it has when it is not compressed. A claim. */
  readonly inflatedBytes: number;
  /** Compressed. {@link SegmentReader} reads what they were before. */
  readonly bytes: Uint8Array;
}

/** A part of a frame, perhaps deflated. */
export interface Packed {
  /** `plain`: `bytes` are the thing itself. */
  readonly form: "plain" | "deflated";
  /** How many bytes it has when it is not deflated. A claim: {@link unpack} holds it to it. */
  readonly inflatedBytes: number;
  /** As they were sent. */
  readonly bytes: Uint8Array;
}

/** Raw DEFLATE, in one call. */
export type Deflate = (bytes: Uint8Array) => Uint8Array;

const FORMS = ["plain", "deflated", "segment-deflate", "segment-zstd"] as const;
/** Fewer are not worth the work. */
const DEFLATE_FROM_BYTES = 512;

/**
 * Deflates bytes if that makes them fewer.
 *
 * @param deflate - undefined leaves them as they are
 */
export function pack(bytes: Uint8Array, deflate?: Deflate): Packed {
  const inflatedBytes = bytes.length;
  if (deflate !== undefined && inflatedBytes >= DEFLATE_FROM_BYTES) {
    const deflated = deflate(bytes);
    if (deflated.length < inflatedBytes) return { form: "deflated", inflatedBytes, bytes: deflated };
  }
  return { form: "plain", inflatedBytes, bytes };
}

/**
 * The bytes as they were before {@link pack}. Where inflating is asynchronous, await
 * `inflate(packed.bytes, packed.inflatedBytes)` instead, and check the length.
 *
 * @throws {CambiumError} RELAY_PROTOCOL when they cannot be inflated, or are not as many as was said
 */
export function unpack({ form, inflatedBytes, bytes }: Packed, inflate: ChunkTools["inflate"]): Uint8Array {
  const plain = form === "plain" ? bytes : inflated(bytes, inflatedBytes, inflate);
  if (plain.length !== inflatedBytes) throw malformedFrame("it inflates to another size than it says");
  return plain;
}

function inflated(bytes: Uint8Array, maxBytes: number, inflate: ChunkTools["inflate"]): Uint8Array {
  try {
    return inflate(bytes, maxBytes);
  } catch (cause) {
    throw malformedFrame("it cannot be inflated", cause);
  }
}

/** Writes it as the last part of a frame. */
export function writePacked(
  writer: FrameWriter,
  { form, inflatedBytes, bytes }: Packed | PackedSegment,
): Uint8Array {
  return writer.byte(FORMS.indexOf(form)).unsigned(inflatedBytes).bytes(bytes).done();
}

/** Reads it as the last part of a frame. */
export function readPacked(reader: FrameReader, maxBytes: number): Packed {
  const packed = readAny(reader, maxBytes);
  if (isSegment(packed)) throw malformedFrame("it has a segment where none may be");
  return packed;
}

/** Reads it as the last part of a frame that may have a segment. */
export function readAny(reader: FrameReader, maxBytes: number): Packed | PackedSegment {
  const form = FORMS[reader.byte()];
  if (form === undefined) throw malformedFrame("its bytes are of an unknown form");
  const inflatedBytes = reader.unsigned();
  if (inflatedBytes > maxBytes) throw malformedFrame(`it inflates to more than ${maxBytes} bytes`);
  return { form, inflatedBytes, bytes: reader.take(reader.left) };
}

/** Whether these are the bytes of a segment. */
export const isSegment = (packed: Packed | PackedSegment): packed is PackedSegment =>
  packed.form === "segment-deflate" || packed.form === "segment-zstd";
