/**
 * Reading what a branch has and the index lacks: changes decoded, and of a long history the records they
 * refer to opened, by another thread that is always a little ahead of the one that takes them in.
 *
 * @module
 */
import {
  type Change,
  decodeReferences,
  type MemoryRecord,
  memoryIdOfKey,
  type PackId,
  type RecordHash,
} from "@cambium/core";
import { loadAutomerge, readChange } from "../documents/automerge.js";
import type { StoredDocument } from "../documents/pack-content.js";
import type { Packs } from "../documents/packs.js";
import {
  ChangeList,
  type ListedChanges,
  listStored,
  type PackedChanges,
  unpackChanges,
} from "./packed-changes.js";
import { ReadingThread, type StartReading, startReadingThread } from "./reading-thread.js";
import { MAX_KEPT_PACKS, type ReadingSetup, type WantedRecord } from "./reading-work.js";

/** Some changes of a history, in an order in which dependencies come first. */
export interface ReadPart {
  readonly changes: readonly Change[];
  /** Records that were opened along with them: some of those they refer to, or none. */
  readonly opened: ReadonlyMap<RecordHash, MemoryRecord>;
}

export interface HistoryReaderOptions extends Omit<ReadingSetup, "erasures"> {
  readonly packs: Packs;
  /** A thread takes as long to start as it takes to read so many changes here. */
  readonly threadFrom?: number | undefined;
  readonly startReading?: StartReading | undefined;
  /** So many changes are read together. */
  readonly partSize?: number | undefined;
}

/** Few enough for what is read to be gone again before V8 takes it for something that stays. */
const PART_SIZE = 128;
/** So many parts are read ahead: enough for the thread never to wait, few enough for memory. */
const AHEAD = 4;
const THREAD_FROM = 2_000;
/** As part of a stored document, which is compressed. */
const BYTES_OF_A_CHANGE = 90;
const NOTHING_OPENED: ReadonlyMap<RecordHash, MemoryRecord> = new Map();

export class HistoryReader {
  readonly #options: HistoryReaderOptions;

  constructor(options: HistoryReaderOptions) {
    this.#options = options;
  }

  decode(changes: readonly Uint8Array[]): readonly Change[] {
    return changes.map((bytes) => readChange("branch", this.#options.changeKey, bytes));
  }

  /**
   * The changes of a document, of a large one by way of a thread that ends then: what Automerge has taken of
   * memory, it gives back no earlier.
   *
   * @param load - reads what is stored of it
   * @returns undefined when the document is not whole, or lacks one of the heads in `since`
   */
  async list(
    load: () => Promise<StoredDocument | undefined>,
    since: readonly string[],
  ): Promise<ChangeList | undefined> {
    const listed = await this.#list(load, since);
    return listed && new ChangeList(listed);
  }

  async #list(
    load: () => Promise<StoredDocument | undefined>,
    since: readonly string[],
  ): Promise<ListedChanges | undefined> {
    const [stored] = await Promise.all([load(), loadAutomerge()]);
    if (stored === undefined) return undefined;
    const { threadFrom = THREAD_FROM } = this.#options;
    if (stored.bytes.length < threadFrom * BYTES_OF_A_CHANGE) return listStored(stored, since);
    try {
      await using thread = this.#startThread();
      return await thread.list(stored, since);
    } catch {
      // Where no thread can be had. What was stored has gone with the task.
      const again = await load();
      return again && listStored(again, since);
    }
  }

  #startThread(): ReadingThread {
    const { space, changeKey, packs, startReading = startReadingThread } = this.#options;
    return new ReadingThread(startReading({ space, changeKey, erasures: packs.erasureEntries }));
  }

  async *read(changes: ChangeList): AsyncGenerator<ReadPart> {
    const { threadFrom = THREAD_FROM } = this.#options;
    if (changes.length >= threadFrom) yield* this.#readAhead(changes);
    else
      for (const part of this.#partsOf(changes))
        yield { changes: this.decode(unpackChanges(part)), opened: NOTHING_OPENED };
  }

  async *#readAhead(changes: ChangeList): AsyncGenerator<ReadPart> {
    await using thread = this.#startThread();
    const prepared = new PreparedPacks();
    const parts = this.#partsOf(changes);
    const reading: Promise<ReadPart>[] = [];
    for (;;) {
      while (reading.length < AHEAD) {
        const part = parts.next();
        if (part.done === true) break;
        reading.push(this.#readPart(thread, prepared, part.value));
      }
      const next = reading.shift();
      if (next === undefined) return;
      yield await next;
    }
  }

  #partsOf(changes: ChangeList): Generator<PackedChanges, undefined> {
    return changes.parts(this.#options.partSize ?? PART_SIZE);
  }

  /** What the thread cannot do is done here. */
  async #readPart(thread: ReadingThread, prepared: PreparedPacks, part: PackedChanges): Promise<ReadPart> {
    try {
      const changes = await thread.decode(part);
      const wanted = recordsOf(changes);
      const packs = prepared.lacking(wanted).map((pack) => this.#options.packs.stored(pack));
      const records = await thread.open(wanted, await Promise.all(packs));
      return { changes, opened: new Map(records.map((record) => [record.hash, record])) };
    } catch {
      return { changes: this.decode(unpackChanges(part)), opened: NOTHING_OPENED };
    }
  }
}

/** Which packs the thread keeps: as many as it keeps, given last. */
class PreparedPacks {
  readonly #prepared = new Set<PackId>();

  /** Packs that the thread has to be given; from now on it has them. */
  lacking(wanted: readonly WantedRecord[]): readonly PackId[] {
    const packs = [...new Set(wanted.map(({ reference }) => reference.pack))];
    const lacking = packs.filter((pack) => !this.#prepared.has(pack)).slice(0, MAX_KEPT_PACKS);
    for (const pack of lacking) {
      const [oldest] = this.#prepared;
      if (this.#prepared.size >= MAX_KEPT_PACKS && oldest !== undefined) this.#prepared.delete(oldest);
      this.#prepared.add(pack);
    }
    return lacking;
  }
}

/** All records that changes refer to. */
export const recordsOf = (changes: readonly Change[]): readonly WantedRecord[] =>
  changes.flatMap(({ writes }) =>
    writes.flatMap(({ key, value }) => {
      const memory = memoryIdOfKey(key);
      if (memory === undefined || !(value instanceof Uint8Array)) return [];
      return (decodeReferences(value) ?? []).map((reference) => ({ reference, memory }));
    }),
  );
