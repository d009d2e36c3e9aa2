/**
 * The records that spans are made of: kept in the index, at hand in memory, or awaited.
 *
 * @module
 */
import type { DocumentId, MemoryId, PackId, RecordHash, RecordReading, Reference } from "@cambium/core";
import type { Packs } from "../replica/packs.js";
import type { FormStore } from "./form-store.js";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";

/** Thrown where a record has to be opened first, which takes more than this tick. */
export class NotOpened extends Error {
  readonly reference: Reference;
  readonly memory: MemoryId;

  constructor(reference: Reference, memory: MemoryId) {
    super("A record has to be opened first.");
    this.reference = reference;
    this.memory = memory;
  }
}

type Absent = Exclude<RecordReading, { readonly status: "here" }>;

export class RecordFinder {
  readonly #index: IndexDatabase;
  readonly #memories: MemoryNumbers;
  readonly #forms: FormStore;
  readonly #packs: Packs;
  /** Tried in this session, and not here or not readable. */
  readonly #absent = new Map<string, Absent>();

  constructor(index: IndexDatabase, memories: MemoryNumbers, forms: FormStore, packs: Packs) {
    this.#index = index;
    this.#memories = memories;
    this.#forms = forms;
    this.#packs = packs;
  }

  clear(): void {
    this.#absent.clear();
  }

  /** @throws {NotOpened} */
  readonly find = (reference: Reference, memory: MemoryId): RecordReading => {
    const record = this.#forms.record(reference.record) ?? this.#opened(reference, memory);
    if (record?.memory === memory) return { status: "here", record };
    if (record !== undefined) {
      return { status: "invalid", reference, reason: "The record belongs to another memory." };
    }
    const absent = this.#absent.get(nameOf(reference, memory));
    if (absent !== undefined) return absent;
    throw new NotOpened(reference, memory);
  };

  #opened(reference: Reference, memory: MemoryId) {
    const record = this.#packs.opened(reference, memory);
    if (record !== undefined) this.#forms.addRecord(record);
    return record;
  }

  /** Opens a record and keeps it; what is not here is awaited from now on. */
  async open(reference: Reference, memory: MemoryId): Promise<boolean> {
    const reading = await this.#packs.readOnce(reference, memory);
    this.#index.begin();
    const number = this.#memories.numberOf(memory);
    if (reading.status === "here") {
      this.#forms.addRecord(reading.record);
      this.#absent.delete(nameOf(reference, memory));
      this.#index
        .prepare("DELETE FROM awaited WHERE hash = ? AND pack = ? AND memory = ?")
        .run(reference.record, reference.pack, number);
      return true;
    }
    this.#absent.set(nameOf(reference, memory), reading);
    this.#index
      .prepare("INSERT OR IGNORE INTO awaited (hash, pack, memory) VALUES (?, ?, ?)")
      .run(reference.record, reference.pack, number);
    return false;
  }

  /** Whether the record stands in the index or was tried in vain. */
  isSettled(reference: Reference, memory: MemoryId): boolean {
    return this.#forms.idOf(reference.record) !== undefined || this.#absent.has(nameOf(reference, memory));
  }

  /**
   * Tries again what is awaited.
   *
   * @param changed - only what these documents may hold; undefined: everything
   * @returns numbers of the memories of which a record has come
   */
  async retry(changed: ReadonlySet<DocumentId> | undefined): Promise<readonly number[]> {
    const awaited = this.#index.prepare("SELECT hash, pack, memory FROM awaited").all() as unknown as [
      RecordHash,
      PackId,
      number,
    ][];
    const come = new Set<number>();
    for (const [record, pack, number] of awaited) {
      const mayBeThere =
        changed === undefined || this.#packs.documentsOf(pack).some((document) => changed.has(document));
      if (mayBeThere && (await this.open({ record, pack }, this.#memories.idOf(number)))) come.add(number);
    }
    return [...come];
  }
}

const nameOf = ({ record, pack }: Reference, memory: MemoryId): string => `${record} ${pack} ${memory}`;
