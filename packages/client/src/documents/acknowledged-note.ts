/**
 * A note of what was acknowledged, in a file beside the store and of another kind: the heads of each document, and how
 * far this replica's own changes of it had come. A store that lost its tail still looks whole; the note tells.
 *
 * A line is appended once a commit is on disk and before anyone is notified, with one call and without waiting for the
 * disk. So the note is never ahead of the store; `kill -9` takes nothing from it. A power cut may take its last
 * seconds, and takes nothing of the store.
 *
 * @module
 */

import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import type { ChangeHash, DocumentId, DocumentKind } from "@cambium/core";
import { hash } from "../platform/newer-node.js";
import { isAbsentOr, isNumber, isText, isTextList, readShape } from "../platform/plain-shape.js";
import { unreadableFile, writePrivateFile } from "../platform/private-files.js";

/** A document as it was when its changes were last acknowledged. */
export interface AcknowledgedDocument {
  readonly id: DocumentId;
  readonly heads: readonly ChangeHash[];
  /** Absent where it was not at hand. */
  readonly kind?: DocumentKind | undefined;
  /** This replica's actor there, and the number of its last change. */
  readonly own?: readonly [actor: string, seq: number] | undefined;
}

/** What a document is known to have lost. */
export interface LostPart {
  readonly heads: readonly ChangeHash[];
  /** Own changes: after `from`, up to and with `to`. */
  readonly own: readonly OwnRange[];
}

export type OwnRange = readonly [actor: string, from: number, to: number];

/** All that the note says of a document. */
export interface NotedDocument {
  readonly heads: readonly ChangeHash[];
  readonly kind: DocumentKind | undefined;
  /** Of each actor of this home. */
  readonly own: ReadonlyMap<string, number>;
  readonly lost: LostPart | undefined;
}

interface Line {
  readonly d: string;
  readonly h?: readonly string[] | undefined;
  readonly k?: string | undefined;
  readonly o?: readonly (readonly [string, number])[] | undefined;
  /** Empty: nothing is lost any more. */
  readonly lost?: LostPart | undefined;
}

/** Above that the lines that count are rewritten. */
const MAX_APPENDED_BYTES = 256 * 1024;
/** A closed note has less than that behind the lines that count. */
const MAX_CLOSED_BYTES = 16 * 1024;
const PRIVATE_FILE = 0o600;

export class AcknowledgedNote {
  readonly #path: string | undefined;
  readonly #documents = new Map<DocumentId, NotedDocument>();
  /** Whole lines that are not as they were written: what stood in them was noted again since, or is not known. */
  readonly damagedLines: number;
  readonly #isNew: boolean;
  /** Lines in it were altered, or not written to their end. */
  readonly #isRagged: boolean;
  #file: number | undefined;
  #appendedBytes = 0;
  #hasFailed = false;

  /** @param path - where it is kept; only in memory without one, as a store in memory is */
  constructor(path: string | undefined) {
    this.#path = path;
    const text = path === undefined ? undefined : readText(path);
    this.#isNew = text === undefined;
    const lines = (text ?? "").split("\n");
    const unfinished = lines.pop() ?? "";
    let damaged = 0;
    for (const line of lines) {
      const read = readLine(line);
      if (read === undefined) damaged += 1;
      else this.#take(read);
    }
    this.damagedLines = damaged;
    this.#isRagged = damaged > 0 || unfinished !== "";
    this.#appendedBytes = text?.length ?? 0;
  }

  get documents(): ReadonlyMap<DocumentId, NotedDocument> {
    return this.#documents;
  }

  /** Whether nothing was ever noted here, so that what the store holds has to be noted once. */
  get isNew(): boolean {
    return this.#isNew && this.#documents.size === 0;
  }

  /**
   * To be called once it is on disk, and before anyone is notified. A note that cannot be written is behind, which is
   * safe.
   */
  note(documents: readonly AcknowledgedDocument[]): void {
    if (documents.length === 0) return;
    this.#append(
      documents.map(({ id, heads, kind, own }) => ({ d: id, h: heads, k: kind, o: own && [own] })),
    );
  }

  /** What was acknowledged of a document is about to be replaced by other changes. Durable when it returns. */
  forget(id: DocumentId): void {
    if (!this.#documents.has(id)) return;
    this.#append([{ d: id, h: [] }]);
    this.#sync();
  }

  /** Durable when it returns. */
  setLost(id: DocumentId, lost: LostPart | undefined): void {
    this.#append([{ d: id, lost: lost ?? NOTHING_LOST }]);
    this.#sync();
  }

  close(): void {
    if (this.#file === undefined || this.#path === undefined) return;
    if (this.#appendedBytes > MAX_CLOSED_BYTES) this.#rewrite(this.#path);
    closeSync(this.#file);
    this.#file = undefined;
  }

  #append(lines: readonly Line[]): void {
    for (const line of lines) this.#take(line);
    if (this.#hasFailed || this.#path === undefined) return;
    try {
      const bytes = Buffer.from(lines.map(toText).join(""));
      const file = this.#opened(this.#path);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
      this.#appendedBytes += bytes.length;
      if (this.#appendedBytes > MAX_APPENDED_BYTES) this.#rewrite(this.#path);
    } catch {
      // A line that is half there must not have another behind it. The store has everything.
      this.#hasFailed = true;
    }
  }

  #opened(path: string): number {
    if (this.#file !== undefined) return this.#file;
    this.#file = openSync(path, "a+", PRIVATE_FILE);
    if (this.#isRagged) {
      writeSync(this.#file, "\n");
      this.#appendedBytes = MAX_APPENDED_BYTES; // rewritten, without what says nothing, with the next line
    }
    return this.#file;
  }

  #sync(): void {
    if (this.#file !== undefined && !this.#hasFailed) fdatasyncSync(this.#file);
  }

  #rewrite(path: string): void {
    const text = [...this.#documents].map(([id, noted]) => toText(toLine(id, noted))).join("");
    try {
      writePrivateFile(path, text);
    } catch {
      return; // it stays as it is, only longer
    }
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = openSync(path, "a+", PRIVATE_FILE);
    this.#appendedBytes = 0;
  }

  #take({ d, h, k, o, lost }: Line): void {
    const id = d as DocumentId;
    const known = this.#documents.get(id);
    const own = o === undefined ? known?.own : new Map([...(known?.own ?? []), ...o]);
    this.#documents.set(id, {
      heads: (h as readonly ChangeHash[] | undefined) ?? known?.heads ?? [],
      kind: (k as DocumentKind | undefined) ?? known?.kind,
      own: own ?? new Map(),
      lost: lost === undefined ? known?.lost : lost.heads.length === 0 ? undefined : lost,
    });
  }
}

const REMEDY =
  "Without a backup, move away what stands there: then nobody can tell any more whether acknowledged writes were lost.";
const NOTHING_LOST: LostPart = { heads: [], own: [] };

const toLine = (d: DocumentId, { heads, kind, own, lost }: NotedDocument): Line => ({
  ...{ d, h: heads, k: kind },
  ...(own.size === 0 ? {} : { o: [...own] }),
  lost,
});

function toText(line: Line): string {
  const json = JSON.stringify(line);
  return `${lineChecksum(json)} ${json}\n`;
}

/** @returns undefined for what is not as it was written */
function readLine(text: string): Line | undefined {
  const space = text.indexOf(" ");
  const json = text.slice(space + 1);
  if (lineChecksum(json) !== text.slice(0, space)) return undefined;
  return readShape<Line>(JSON.parse(json), {
    ...{ d: isText, h: isAbsentOr(isTextList), k: isAbsentOr(isText), o: isAbsentOr(isOwnList) },
    lost: isAbsentOr(isLostPart),
  });
}

const isOwnList = (value: unknown): value is Line["o"] & {} =>
  Array.isArray(value) && value.every((own) => isText(own?.[0]) && isNumber(own[1]));

const isLostPart = (value: unknown): value is LostPart => {
  const { heads, own } = (value ?? {}) as Partial<Record<string, unknown>>;
  return isTextList(heads) && Array.isArray(own);
};

const lineChecksum = (json: string): string => hash("sha256", json, "hex").slice(0, 16);

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unreadableFile(path, error, REMEDY);
  }
}
