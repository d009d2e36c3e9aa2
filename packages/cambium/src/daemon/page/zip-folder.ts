/**
 * A folder as a zip file, which every system opens.
 *
 * @module
 */
import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import { CambiumError, throwIfAborted } from "@cambium/core";

const deflate = promisify(deflateRaw);
/** What the format counts with 16 bits. */
const MOST_FILES = 65_535;
const VERSION = 20;
const NAMES_ARE_UTF8 = 0x0800;
const DEFLATED = 8;
/** The first day that the format knows: what the files say of their times stands in them. */
const DAY = 0x21;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

interface Entry {
  readonly name: Buffer;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/** @throws {CambiumError} BAD_INPUT when there are too many files for the format; ABORTED */
export async function zipFolder(folder: string, to: string, signal?: AbortSignal): Promise<void> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  if (files.length > MOST_FILES) throw tooMany(files.length);
  const zip = await open(to, "wx", 0o600);
  try {
    const entries: Entry[] = [];
    let offset = 0;
    for (const file of files.sort()) {
      throwIfAborted(signal);
      const name = Buffer.from(file.slice(folder.length + 1).replaceAll(sep, "/"));
      const bytes = await readFile(file);
      const packed = await deflate(bytes);
      const entry = { name, crc: crc32(bytes), packed: packed.length, size: bytes.length, offset };
      entries.push(entry);
      offset += await write(zip, [u32(LOCAL), described(entry), name, packed]);
    }
    let listed = 0;
    for (const entry of entries)
      listed += await write(zip, [
        ...[u32(CENTRAL), u16(VERSION), described(entry), u16(0), u16(0), u16(0), u32(0)],
        ...[u32(entry.offset), entry.name],
      ]);
    const count = u16(entries.length);
    await write(zip, [u32(END), u16(0), u16(0), count, count, u32(listed), u32(offset), u16(0)]);
  } finally {
    await zip.close();
  }
}

/** What stands of a file before its bytes, and again in the list at the end. */
const described = ({ name, crc, packed, size }: Entry): Buffer =>
  Buffer.concat([
    ...[u16(VERSION), u16(NAMES_ARE_UTF8), u16(DEFLATED), u16(0), u16(DAY)],
    ...[u32(crc), u32(packed), u32(size), u16(name.length), u16(0)],
  ]);

async function write(zip: FileHandle, parts: readonly Buffer[]): Promise<number> {
  const bytes = Buffer.concat(parts);
  await zip.writeFile(bytes);
  return bytes.length;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const tooMany = (files: number): CambiumError =>
  new CambiumError("BAD_INPUT", `A zip file holds ${MOST_FILES} memories at most, and not ${files}.`, {
    hint: "Choose another format.",
  });
