/**
 * What SQLite's log of changes ("-wal") holds: of each page the last version that was committed.
 *
 * SQLite believes a frame only if the sum over the log so far is right, and no frame after the first that is not.
 * This reads the log by the same rule.
 *
 * @see https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 * @module
 */
import { closeSync, openSync, readSync } from "node:fs";
import { crc32 } from "../platform/newer-node.js";

export interface PageLog {
  /** Drawn again each time the log begins from its start; tells one log from the next. */
  readonly salt: string;
  /** Up to the last commit. */
  readonly frames: number;
  /** By the numbers of the pages, from 1. */
  readonly sums: ReadonlyMap<number, number>;
  /** Pages the file has after the last commit. */
  readonly pageCount: number;
}

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit says in which order of bytes the sums are made. */
const MAGIC = 0x377f0682;
const FRAMES_AT_ONCE = 128;

/** @returns undefined when there is no log, or nothing was committed to it */
export function readPageLog(path: string, pageBytes: number): PageLog | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return undefined;
  }
  try {
    return new LogReader(file, pageBytes).read();
  } finally {
    closeSync(file);
  }
}

class LogReader {
  readonly #file: number;
  readonly #pageBytes: number;
  #isLittleEndian = true;
  #sum: readonly [number, number] = [0, 0];

  constructor(file: number, pageBytes: number) {
    this.#file = file;
    this.#pageBytes = pageBytes;
  }

  read(): PageLog | undefined {
    const header = this.#readHeader();
    if (header === undefined) return undefined;
    const [sums, uncommitted] = [new Map<number, number>(), new Map<number, number>()];
    let [frames, pageCount, read] = [0, 0, 0];
    for (const frame of this.#frames(header)) {
      read += 1;
      uncommitted.set(frame.getUint32(0), sumOfPage(bytesOf(frame, FRAME_HEADER_BYTES)));
      const committed = frame.getUint32(4);
      if (committed === 0) continue;
      for (const [page, sum] of uncommitted) sums.set(page, sum);
      uncommitted.clear();
      [frames, pageCount] = [read, committed];
    }
    return frames === 0 ? undefined : { salt: header.toString("hex"), frames, sums, pageCount };
  }

  /** @returns the salt */
  #readHeader(): Buffer | undefined {
    const bytes = Buffer.alloc(HEADER_BYTES);
    if (readSync(this.#file, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
    const magic = bytes.readUInt32BE(0);
    if ((magic & ~1) !== MAGIC || bytes.readUInt32BE(8) !== this.#pageBytes) return undefined;
    this.#isLittleEndian = magic === MAGIC;
    const view = viewOf(bytes);
    this.#add(view, 0, 24);
    return this.#isSum(view, 24) ? bytes.subarray(16, 24) : undefined;
  }

  /** Those that SQLite would believe. */
  *#frames(salt: Buffer): Generator<DataView, undefined> {
    const frameBytes = FRAME_HEADER_BYTES + this.#pageBytes;
    const buffer = Buffer.alloc(FRAMES_AT_ONCE * frameBytes);
    for (let position = HEADER_BYTES; ; position += buffer.length) {
      const read = readSync(this.#file, buffer, 0, buffer.length, position);
      for (let start = 0; start + frameBytes <= read; start += frameBytes) {
        const bytes = buffer.subarray(start, start + frameBytes);
        const frame = viewOf(bytes);
        if (frame.getUint32(0) === 0 || salt.compare(bytes, 8, 16) !== 0) return undefined;
        this.#add(frame, 0, 8);
        this.#add(frame, FRAME_HEADER_BYTES, frameBytes);
        if (!this.#isSum(frame, 16)) return undefined;
        yield frame;
      }
      if (read < buffer.length) return undefined;
    }
  }

  #add(view: DataView, from: number, to: number): void {
    let [first, second] = this.#sum;
    for (let at = from; at < to; at += 8) {
      first = (first + view.getUint32(at, this.#isLittleEndian) + second) | 0;
      second = (second + view.getUint32(at + 4, this.#isLittleEndian) + first) | 0;
    }
    this.#sum = [first, second];
  }

  #isSum(view: DataView, at: number): boolean {
    return view.getInt32(at) === this.#sum[0] && view.getInt32(at + 4) === this.#sum[1];
  }
}

/** Never 0. */
export const sumOfPage = (bytes: Uint8Array): number => crc32(bytes) || 1;

const viewOf = ({ buffer, byteOffset, length }: Buffer): DataView => new DataView(buffer, byteOffset, length);

const bytesOf = ({ buffer, byteOffset, byteLength }: DataView, from: number): Uint8Array =>
  new Uint8Array(buffer, byteOffset + from, byteLength - from);
