/**
 * A sum of every page of the index, in a file beside it. SQLite notices pages that make no sense, not bytes that
 * changed: a digit that was flipped on the disk would be shown as the truth.
 *
 * Pages change only when SQLite's log is carried into the file, and only this side says when. So before that, the sums
 * of what the log holds are written down; a crash in between leaves the log, which SQLite carries over again.
 *
 * @module
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "../platform/newer-node.js";
import { type PageLog, readPageLog, sumOfPage } from "./page-log.js";

/** Beside the index. */
export const SUMS_SUFFIX = "-sums";
const LOG_SUFFIX = "-wal";
const MAGIC = "cambium page sums 1\n";
const READ_AT_ONCE = 1_048_576;
/** Other calls get on after so much was read. */
const VERIFIED_AT_ONCE = 16_777_216;

/** The log that the sums include, though it may not have been carried over yet. */
type IncludedLog = Pick<PageLog, "salt" | "frames">;

interface WrittenSums {
  readonly pages: readonly number[];
  readonly log: IncludedLog | undefined;
}

/** In place of the sum of a page that SQLite has set aside and never written, and so never reads. */
const NEVER_WRITTEN = 0;
const NOTHING_WRITTEN: WrittenSums = { pages: [], log: undefined };

export class PageSums implements Disposable {
  readonly #path: string;
  readonly #pageBytes: number;
  readonly #file: number;
  /** The sum of page 1 first. */
  #sums: readonly number[] = [];
  #isClosed = false;

  /** @param path - of an index that exists, perhaps empty */
  constructor(path: string, pageBytes: number) {
    this.#path = path;
    this.#pageBytes = pageBytes;
    // Open as long as the database is: closing any descriptor of a file gives up SQLite's locks on it.
    this.#file = openSync(path, "r");
  }

  /** Whether the file is what was written, its log taken into account. To be asked before SQLite opens it. */
  isWhole(): boolean {
    const pageCount = Math.ceil(fstatSync(this.#file).size / this.#pageBytes);
    if (pageCount === 0) return true;
    const log = this.#log();
    const written = readSums(this.#path) ?? NOTHING_WRITTEN;
    const isLogCut = written.log?.salt === log?.salt && (log?.frames ?? 0) < (written.log?.frames ?? 0);
    const isNew = written.pages.length === 0 && log?.sums.has(1) === true; // never carried over
    if (isLogCut || !(isNew || written.pages.length > 0)) return false;
    this.#sums = written.pages;
    const last = written.pages.length === 0 ? pageCount : written.pages.length;
    return this.#damagedPages(1, last, log).length === 0;
  }

  get hasLog(): boolean {
    return this.#log() !== undefined;
  }

  /** Writes down what the log holds; then it may be carried over. */
  includeLog(): void {
    const log = this.#log();
    if (log === undefined) return;
    const sums = Array.from({ length: log.pageCount }, (_, index) => this.#sums[index] ?? NEVER_WRITTEN);
    for (const [page, sum] of log.sums) if (page <= log.pageCount) sums[page - 1] = sum;
    this.#write(sums, log);
  }

  /** Takes the file as it is now for right: it was made in this moment, without a log. */
  takeAll(): void {
    const sums: number[] = [];
    const pageCount = Math.floor(fstatSync(this.#file).size / this.#pageBytes);
    for (const [, sum] of this.#pagesOnDisk(1, pageCount)) sums.push(sum);
    this.#write(sums, undefined);
  }

  /** Reads the whole file again, in slices. @returns the number of a page that is not what was written, from 1 */
  async findDamage(): Promise<number | undefined> {
    const slice = VERIFIED_AT_ONCE / this.#pageBytes;
    for (let first = 1; first <= this.#sums.length; first += slice) {
      const last = Math.min(first + slice - 1, this.#sums.length);
      const [damaged] = this.#damagedPages(first, last, this.#log());
      if (damaged !== undefined) return damaged;
      await nextTurn();
      if (this.#isClosed) return undefined; // its descriptor may be that of another file
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    closeSync(this.#file);
  }

  #log(): PageLog | undefined {
    return readPageLog(this.#path + LOG_SUFFIX, this.#pageBytes);
  }

  /** What the log holds is read from there. */
  #damagedPages(first: number, last: number, log: PageLog | undefined): readonly number[] {
    const damaged: number[] = [];
    let next = first;
    for (const [page, sum] of this.#pagesOnDisk(first, last)) {
      const expected = this.#sums[page - 1];
      const isRight = sum === expected || expected === NEVER_WRITTEN || log?.sums.has(page) === true;
      if (!isRight) damaged.push(page);
      next = page + 1;
    }
    for (; next <= last; next += 1) if (log?.sums.has(next) !== true) damaged.push(next); // cut off
    return damaged;
  }

  *#pagesOnDisk(first: number, last: number): Generator<readonly [page: number, sum: number], undefined> {
    const size = this.#pageBytes;
    const buffer = Buffer.alloc(Math.min(READ_AT_ONCE, (last - first + 1) * size));
    for (let page = first; page <= last; ) {
      const wanted = Math.min(buffer.length, (last - page + 1) * size);
      const read = readSync(this.#file, buffer, 0, wanted, (page - 1) * size);
      for (let start = 0; start + size <= read; start += size) {
        yield [page, sumOfPage(buffer.subarray(start, start + size))];
        page += 1;
      }
      if (read < wanted) return undefined;
    }
    return undefined;
  }

  #write(sums: readonly number[], log: IncludedLog | undefined): void {
    this.#sums = sums;
    const path = this.#path + SUMS_SUFFIX;
    const bytes = encodeSums({ pages: sums, log });
    const file = openSync(`${path}.new`, "w", 0o600);
    try {
      writeSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(`${path}.new`, path);
  }
}

/** A line that says what it is, the log, the sums, and a sum of all that. */
function encodeSums({ pages, log }: WrittenSums): Buffer {
  const about = Buffer.from(`${MAGIC}${log?.salt ?? ""} ${log?.frames ?? 0}\n`);
  const sums = Buffer.alloc(4 * pages.length + 4);
  for (const [index, sum] of pages.entries()) sums.writeUInt32LE(sum, 4 * index);
  const whole = Buffer.concat([about, sums]);
  whole.writeUInt32LE(crc32(whole.subarray(0, -4)), whole.length - 4);
  return whole;
}

/** @returns undefined when there are none, or they are not what was written */
function readSums(path: string): WrittenSums | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path + SUMS_SUFFIX);
  } catch {
    return undefined;
  }
  const start = bytes.indexOf("\n", MAGIC.length) + 1;
  if (start <= MAGIC.length || (bytes.length - start) % 4 !== 0) return undefined;
  if (bytes.readUInt32LE(bytes.length - 4) !== crc32(bytes.subarray(0, -4))) return undefined;
  if (!bytes.toString("latin1", 0, start).startsWith(MAGIC)) return undefined;
  const [salt = "", frames] = bytes.toString("latin1", MAGIC.length, start - 1).split(" ");
  const pages: number[] = [];
  for (let at = start; at < bytes.length - 4; at += 4) pages.push(bytes.readUInt32LE(at));
  return { pages, log: salt === "" ? undefined : { salt, frames: Number(frames) } };
}
