/**
 * The parts of an archive as a POSIX tar, so that any program can unpack them. Each header follows from name and size
 * alone: whatever differs from that was not written here, and no bit of the file goes unchecked.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { ByteReader } from "./byte-reader.js";

export interface ArchivePart {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const BLOCK = 512;
/** What eleven octal digits hold. */
const MAX_PART_BYTES = 0o77777777777;
const MAX_NAME_BYTES = 100;

/** The bytes of one part: header, content, and zeros up to the next block. */
export function* tarPart({ name, bytes }: ArchivePart): Iterable<Uint8Array> {
  yield headerOf(name, bytes.length);
  yield bytes;
  yield new Uint8Array(paddingOf(bytes.length));
}

/** What follows the last part. */
export const tarEnd = (): Uint8Array => new Uint8Array(2 * BLOCK);

/** @throws {CambiumError} ARCHIVE_DAMAGED */
export async function* readTar(reader: ByteReader): AsyncIterable<ArchivePart> {
  for (;;) {
    const header = await reader.take(BLOCK);
    if (isZero(header)) break;
    const name = textOf(header.subarray(0, MAX_NAME_BYTES));
    const size = Number.parseInt(textOf(header.subarray(124, 135)), 8);
    if (!(size >= 0) || !isCanonical(header, name, size))
      throw damaged("the header of a part is not as it was written");
    const bytes = await reader.take(size);
    if (!isZero(await reader.take(paddingOf(size))))
      throw damaged(`what follows ${name} is not as it was written`);
    yield { name, bytes };
  }
  if (!isZero(await reader.take(BLOCK))) throw damaged("its end is not as it was written");
  if (!(await reader.isAtEnd())) throw damaged("something follows its end");
}

function isCanonical(header: Uint8Array, name: string, size: number): boolean {
  if (name === "" || Buffer.byteLength(name) > MAX_NAME_BYTES) return false;
  return Buffer.compare(header, headerOf(name, size)) === 0;
}

function headerOf(name: string, sizeBytes: number): Uint8Array {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES || sizeBytes > MAX_PART_BYTES)
    throw new RangeError(`The part ${name} of ${sizeBytes} bytes does not fit a tar.`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write("0000600\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${sizeBytes.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

const paddingOf = (sizeBytes: number): number => (BLOCK - (sizeBytes % BLOCK)) % BLOCK;
const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8").replace(/\0.*$/su, "");

/** @param what - without a full stop */
export const damaged = (what: string, cause?: unknown): CambiumError =>
  new CambiumError("ARCHIVE_DAMAGED", `The archive is damaged: ${what}.`, {
    hint: "Take another copy of it, or an earlier one. Nothing was taken from this one.",
    cause,
  });
