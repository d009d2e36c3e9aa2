/**
 * Frames put together from bytes, and read from bytes that may be anything.
 *
 * @module
 */
import { bytesFromHex, bytesToHex } from "../format/bytes.js";
import { ChunkReader } from "../format/chunk-reader.js";
import { malformedFrame } from "./malformed.js";
import { NumberColumn } from "./number-column.js";

export const ID_BYTES = 16;
export const HASH_BYTES = 32;
export const MARK_BYTES = 16;

export class FrameReader extends ChunkReader {
  constructor(bytes: Uint8Array) {
    super(bytes, malformedFrame);
  }

  id(): string {
    return bytesToHex(this.take(ID_BYTES));
  }

  hash(): string {
    return bytesToHex(this.take(HASH_BYTES));
  }

  /** A copy (of a `Buffer`, `slice` would make none): it is kept for longer than the frame. */
  mark(): Uint8Array {
    return new Uint8Array(this.take(MARK_BYTES));
  }

  flag(): boolean {
    const byte = this.byte();
    if (byte > 1) throw malformedFrame("a flag is neither set nor clear");
    return byte === 1;
  }

  /** Everything that is left, as hashes. */
  hashes(max: number): readonly string[] {
    const count = this.left / HASH_BYTES;
    if (!Number.isInteger(count)) throw malformedFrame("a list of hashes ends too soon");
    if (count > max) throw malformedFrame(`a list has more than ${max} hashes`);
    return Array.from({ length: count }, () => this.hash());
  }

  /** A list whose count comes first. */
  bounded<Item>(max: number, itemBytes: number, read: () => Item): readonly Item[] {
    const items = this.list(itemBytes, read);
    if (items.length > max) throw malformedFrame(`a list has more than ${max} entries`);
    return items;
  }

  /** Nothing may stand behind what has been read. */
  end(): void {
    if (this.left > 0) throw malformedFrame("something stands behind it");
  }
}

const LEAST_USED = 0.9;

export class FrameWriter extends NumberColumn {
  byte(value: number): this {
    return this.bytes(Uint8Array.of(value));
  }

  unsigned(value: number): this {
    if (!Number.isSafeInteger(value) || value < 0) throw malformedFrame(`${value} is no whole number`);
    return this.add(value);
  }

  prefixed(piece: Uint8Array): this {
    return this.unsigned(piece.length).bytes(piece);
  }

  id(hex: string): this {
    return this.bytes(bytesOf(hex, ID_BYTES, "an id"));
  }

  hash(hex: string): this {
    return this.bytes(bytesOf(hex, HASH_BYTES, "a hash"));
  }

  mark(mark: Uint8Array): this {
    if (mark.length !== MARK_BYTES) throw malformedFrame(`a mark has ${MARK_BYTES} bytes`);
    return this.bytes(mark);
  }

  /** @returns a copy if much of the memory behind it is not used: it may be kept */
  override done(): Uint8Array {
    const bytes = super.done();
    return bytes.length > bytes.buffer.byteLength * LEAST_USED ? bytes : bytes.slice();
  }
}

export function bytesOf(hex: string, length: number, what: string): Uint8Array {
  const bytes = bytesFromHex(hex);
  if (bytes.length !== length) throw malformedFrame(`${what} has ${length} bytes`);
  return bytes;
}
