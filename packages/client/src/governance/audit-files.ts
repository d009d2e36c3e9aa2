/**
 * The files of an audit log: lines in segments of limited size, appended with one call each time, and beside
 * them a note of where the log ended, which is there only while nobody writes. Segments that are full are compressed to
 * a quarter; so is the last one when the log is closed, unless it is short.
 *
 * @module
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { isNumber, isText, readShape } from "../platform/plain-shape.js";
import { makePrivateDirectory } from "../platform/private-directory.js";
import {
  checkedText,
  checkedValue,
  removePrivateFile,
  syncDirectory,
  writePrivateFile,
} from "../platform/private-files.js";
import { compressedPath, isDamaged, readStored } from "./stored-segment.js";

/** What the next session need not read the log for. */
export interface AuditHead {
  readonly seq: number;
  readonly mac: string;
  readonly segment: string;
  /** Of that segment, as it is stored. */
  readonly sizeBytes: number;
  readonly covered: Readonly<Record<string, readonly number[]>>;
}

/** The lines of a segment, and what stands after the last whole one. */
export interface SegmentText {
  readonly name: string;
  readonly lines: readonly string[];
  readonly rest: string;
  /** Its file, when that cannot be read whole. */
  readonly damaged?: string;
}

const SEGMENT = /^(\d{6}\.jsonl)(?:\.gz)?$/;
const PRIVATE_FILE = 0o600;
/** A last segment shorter than this is gone on with by the next session. */
const SHORT_BYTES = 32_768;
/** Half of a line is random: what repeats there by chance and is short costs more than it saves. */
const MOSTLY_RANDOM = { strategy: constants.Z_FILTERED };

export class AuditFiles {
  readonly dir: string;
  #file: number | undefined;
  #segment = "";
  #sizeBytes = 0;
  /** That the segment is there at all is on the disk. */
  #isListed = false;
  #compressing: Promise<void> = Promise.resolve();

  constructor(dir: string) {
    this.dir = dir;
  }

  /** Oldest first; whether compressed or not. */
  segments(): readonly string[] {
    if (!existsSync(this.dir)) return [];
    const names = readdirSync(this.dir).flatMap((file) => SEGMENT.exec(file)?.[1] ?? []);
    return [...new Set(names)].sort();
  }

  /** Of what cannot be read whole, what can be read. */
  read(name: string): SegmentText {
    const { text, damaged } = readStored(join(this.dir, name));
    const lines = text.split("\n");
    const rest = lines.pop() ?? "";
    return { name, lines, rest, ...(damaged === undefined ? {} : { damaged: basename(damaged) }) };
  }

  /**
   * Compresses every segment but the one that is written to. At any moment each is there whole, in one form or both. One
   * that cannot be compressed stays as it is.
   */
  compress(): Promise<void> {
    this.#compressing = this.#compressing
      .then(() => this.#compressAll(this.segments().filter((name) => name !== this.#segment)))
      .catch(() => undefined);
    return this.#compressing;
  }

  async #compressAll(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const path = join(this.dir, name);
      if (!existsSync(path)) continue;
      const { text, damaged } = readStored(path);
      if (damaged !== undefined || !text.endsWith("\n")) continue; // both stay, and `verify` names the one
      const plain = readFileSync(path);
      if (!text.startsWith(plain.toString("utf8"))) continue;
      if (plain.toString("utf8") === text)
        writePrivateFile(compressedPath(path), await promisify(gzip)(plain, MOSTLY_RANDOM));
      removePrivateFile(path);
    }
  }

  /** The same for the one that was written to, unless it is short. Nothing is appended to it any more. */
  async compressLast(): Promise<void> {
    this.#closeFile();
    if (this.#sizeBytes < SHORT_BYTES) return;
    await this.#compressAll([this.#segment]).catch(() => undefined);
  }

  /** Size of the segment that is written to: 0 when it has just begun. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** @returns undefined when the last session did not close the log, or somebody has written to it since */
  readHead(): AuditHead | undefined {
    const head = this.readNotedHead();
    if (head === undefined || this.segments().at(-1) !== head.segment) return undefined;
    if (this.#storedBytes(head.segment) !== head.sizeBytes) return undefined;
    return isDamaged(join(this.dir, head.segment)) ? undefined : head;
  }

  /** The same, whether the log still ends there or not. */
  readNotedHead(): AuditHead | undefined {
    const path = join(this.dir, "head.json");
    return existsSync(path) ? parseHead(readFileSync(path, "utf8")) : undefined;
  }

  /** Has to be called before anything is written that the log is to tell of. Durable when it returns. */
  begin(): void {
    const isNew = !existsSync(this.dir);
    makePrivateDirectory(this.dir);
    this.#openSegment(this.#lastOrNext());
    removePrivateFile(join(this.dir, "head.json"));
    if (isNew) for (const above of ["..", "../.."]) syncDirectory(join(this.dir, above));
  }

  /** What was compressed is not appended to. */
  #lastOrNext(): string {
    const last = this.segments().at(-1);
    if (last === undefined) return segmentName(0);
    return existsSync(join(this.dir, last)) && !existsSync(compressedPath(join(this.dir, last)))
      ? last
      : segmentAfter(last);
  }

  #storedBytes(name: string): number {
    const path = join(this.dir, name);
    return statSync(existsSync(path) ? path : compressedPath(path)).size;
  }

  /** Cuts off what stands after the last whole line. @returns its length in bytes */
  cutTorn(): number {
    const file = this.#opened;
    const text = readFileSync(join(this.dir, this.#segment));
    const end = text.lastIndexOf(0x0a) + 1;
    if (end < text.length) ftruncateSync(file, end);
    this.#sizeBytes = end;
    return text.length - end;
  }

  /** Begins a segment. */
  rotate(): void {
    this.sync();
    this.#closeFile();
    this.#openSegment(segmentAfter(this.#segment));
  }

  append(text: string): void {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#opened, bytes, done);
    this.#sizeBytes += bytes.length;
  }

  sync(): void {
    fdatasyncSync(this.#opened);
    if (!this.#isListed) syncDirectory(this.dir);
    this.#isListed = true;
  }

  end(head: Pick<AuditHead, "seq" | "mac" | "covered"> | undefined): void {
    this.#closeFile();
    if (head === undefined || this.#segment === "") return;
    const sizeBytes = this.#storedBytes(this.#segment);
    const noted: AuditHead = { ...head, segment: this.#segment, sizeBytes };
    writeFileSync(join(this.dir, "head.json"), checkedText(noted), { mode: PRIVATE_FILE });
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  get #opened(): number {
    if (this.#file === undefined) throw new Error("The audit log is written to before it was opened.");
    return this.#file;
  }

  #openSegment(name: string): void {
    this.#segment = name;
    this.#isListed = false;
    this.#file = openSync(join(this.dir, name), "a+", PRIVATE_FILE);
    this.#sizeBytes = fstatSync(this.#file).size;
  }
}

/** @returns undefined for what is not as it was written, or was written before there were checksums: then the log says it */
function parseHead(text: string): AuditHead | undefined {
  const isObject = (value: unknown): value is AuditHead["covered"] =>
    typeof value === "object" && value !== null;
  return readShape<AuditHead>(checkedValue(text), {
    ...{ seq: isNumber, mac: isText, segment: isText, sizeBytes: isNumber, covered: isObject },
  });
}

const segmentName = (number: number): string => `${String(number).padStart(6, "0")}.jsonl`;

const segmentAfter = (name: string): string => segmentName(Number.parseInt(name, 10) + 1);
