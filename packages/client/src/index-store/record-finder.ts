/**
 * The records that intervals are made of: at hand in memory, kept in the index, or awaited.
 *
 * @module
 */
import type {
  DocumentId,
  MemoryId,
  MemoryRecord,
  PackId,
  RecordHash,
  RecordReading,
  Reference,
} from "@cambium/core";
import type { Packs } from "../documents/packs.js";
import { ShortTurns } from "../platform/short-turns.js";
import { GenerationCache } from "./generation-cache.js";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";
import type { SnapshotId } from "./snapshot-columns.js";
import type { KeptRecord, SnapshotStore } from "./snapshot-store.js";

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

interface KeptTables {
  readonly index: IndexDatabase;
  readonly memories: MemoryNumbers;
  readonly snapshots: SnapshotStore;
}

type Absent = Exclude<RecordReading, { readonly status: "here" }>;

/** Spans are made of what was opened for them a moment ago; about 4 kB each. */
const MAX_RECENT = 4_096;
/** So many are opened before others get on. */
const OPENED_AT_ONCE = 64;

export class RecordFinder {
  readonly #index: IndexDatabase;
  readonly #memories: MemoryNumbers;
  readonly #snapshots: SnapshotStore;
  readonly #packs: Packs;
  /** Told of a memory whose intervals were made without a record that has come now. */
  readonly #onCome: (memory: number) => void;
  /** Opened lately, so that they need not be put together from their rows again. */
  readonly #recent = new GenerationCache<RecordHash, KeptRecord>(MAX_RECENT);
  /** Tried in this session, and not here or not readable. */
  readonly #absent = new Map<string, Absent>();
  /** Of changes that came in step with their document, and not opened yet. */
  readonly #expected = new Map<string, { readonly reference: Reference; readonly memory: MemoryId }>();
  readonly #turns = new ShortTurns({ pieces: OPENED_AT_ONCE });
  /** Unknown until the first look. */
  #isAwaiting: boolean | undefined;

  constructor({ index, memories, snapshots }: KeptTables, packs: Packs, onCome: (memory: number) => void) {
    this.#index = index;
    this.#memories = memories;
    this.#snapshots = snapshots;
    this.#packs = packs;
    this.#onCome = onCome;
  }

  clear(): void {
    this.#recent.clear();
    this.#absent.clear();
    this.#expected.clear();
    this.#isAwaiting = undefined;
  }

  /** @throws {NotOpened} */
  readonly find = (reference: Reference, memory: MemoryId): RecordReading => {
    const record = this.kept(reference.record) ?? this.#opened(reference, memory);
    if (record?.memory === memory) return { status: "here", record };
    if (record !== undefined) {
      return { status: "invalid", reference, reason: "The record belongs to another memory." };
    }
    const absent = this.#absent.get(nameOf(reference, memory));
    if (absent !== undefined) return absent;
    throw new NotOpened(reference, memory);
  };

  /** A record that was opened lately; it may be here although this one does not know. */
  readonly recent = ({ record }: Reference, memory: MemoryId): KeptRecord | undefined => {
    const known = this.#recent.get(record);
    return known?.record.memory === memory ? known : undefined;
  };

  /** Much was taken in, and more is to come: held on to, each would outlive V8's quick collections. */
  forgetRecent(): void {
    this.#recent.clear();
  }

  /** As the index keeps it. What is written next builds on it, and asks for it again. */
  kept(hash: RecordHash): MemoryRecord | undefined {
    const known = this.#recent.get(hash) ?? this.#snapshots.record(hash);
    if (known !== undefined) this.#remember(known);
    return known?.record;
  }

  #opened(reference: Reference, memory: MemoryId): MemoryRecord | undefined {
    const record = this.#packs.opened(reference, memory);
    if (record !== undefined) this.#keep(record);
    return record;
  }

  #keep(record: MemoryRecord): KeptRecord {
    const kept = { record, snapshot: this.#snapshots.addRecord(record) };
    this.#remember(kept);
    return kept;
  }

  #remember(kept: KeptRecord): void {
    this.#recent.set(kept.record.hash, kept);
  }

  /** Opens a record and keeps it; what is not here is awaited from now on. */
  async open(reference: Reference, memory: MemoryId): Promise<boolean> {
    await this.#turns.piece();
    const reading = await this.#packs.readOnce(reference, memory);
    if (reading.status === "here") {
      this.keep(reference, reading.record);
      return true;
    }
    this.#absent.set(nameOf(reference, memory), reading);
    this.#await(reference, memory);
    return false;
  }

  #await(reference: Reference, memory: MemoryId): void {
    this.#index.begin();
    this.#index
      .prepare("INSERT OR IGNORE INTO awaited (hash, pack, memory) VALUES (?, ?, ?)")
      .run(reference.record, reference.pack, this.#memories.numberOf(memory));
    this.#isAwaiting = true;
  }

  /** Keeps a record that is at hand, so that what is written of it can name its row. */
  keepAtHand(reference: Reference, memory: MemoryId): void {
    if (
      this.#recent.get(reference.record) === undefined &&
      this.#snapshots.idOf(reference.record) === undefined
    )
      this.#opened(reference, memory);
  }

  /** The number of a record that is kept, if it lies where the reference says. */
  readonly formOf = ({ record, pack }: Reference): SnapshotId | undefined => {
    const known = this.#recent.get(record);
    if (known === undefined) return this.#snapshots.idIn(record, pack);
    return known.record.pack === pack ? known.snapshot : undefined;
  };

  /**
   * Keeps a record that is at hand, and has the others opened by `openExpected`, if not by another session: every
   * record of the changes is kept, also those that no branch ever shows.
   */
  expect(reference: Reference, memory: MemoryId): void {
    if (this.isSettled(reference, memory) || this.#opened(reference, memory) !== undefined) return;
    this.#expected.set(nameOf(reference, memory), { reference, memory });
    this.#await(reference, memory);
  }

  get isExpecting(): boolean {
    return this.#expected.size > 0;
  }

  async openExpected(): Promise<void> {
    for (const [name, { reference, memory }] of this.#expected) {
      await this.open(reference, memory);
      this.#expected.delete(name);
    }
  }

  /** Keeps a record that was opened where `reference` says. */
  keep(reference: Reference, record: MemoryRecord): void {
    this.#index.begin();
    this.#keep(record);
    if (!this.#awaits()) return;
    const name = nameOf(reference, record.memory);
    const number = this.#memories.numberOf(record.memory);
    this.#absent.delete(name);
    const { changes } = this.#index
      .prepare("DELETE FROM awaited WHERE hash = ? AND pack = ? AND memory = ?")
      .run(reference.record, reference.pack, number);
    // In one tick, so that no commit has the one without the other.
    if (Number(changes) > 0 && !this.#expected.has(name)) this.#onCome(number);
  }

  /** Whether anything may be awaited: mostly nothing is. */
  #awaits(): boolean {
    this.#isAwaiting ??= this.#index.prepare("SELECT 1 FROM awaited LIMIT 1").get() !== undefined;
    return this.#isAwaiting;
  }

  /** Whether the record stands in the index or was tried in vain. */
  isSettled(reference: Reference, memory: MemoryId): boolean {
    return (
      this.#recent.get(reference.record) !== undefined ||
      this.#snapshots.idOf(reference.record) !== undefined ||
      this.#absent.has(nameOf(reference, memory))
    );
  }

  /** Whether these documents may hold what was missing of a record, which need not be its own pack. */
  #mayHaveCome(reference: Reference, memory: MemoryId, changed: ReadonlySet<DocumentId>): boolean {
    const absent = this.#absent.get(nameOf(reference, memory));
    const pack = absent?.status === "missing" ? absent.pack : reference.pack;
    return this.#packs.documentsOf(pack).some((document) => changed.has(document));
  }

  /**
   * Tries again what is awaited.
   *
   * @param changed - only what these documents may hold; undefined: everything
   */
  async retry(changed: ReadonlySet<DocumentId> | undefined): Promise<void> {
    const awaited = this.#index.prepare("SELECT hash, pack, memory FROM awaited").all() as unknown as [
      RecordHash,
      PackId,
      number,
    ][];
    // At once: the index may be thrown away while one of them is opened, and numbers mean others then.
    const named = awaited.map(([record, pack, number]) => ({
      reference: { record, pack },
      memory: this.#memories.idOf(number),
    }));
    for (const { reference, memory } of named) {
      if (changed === undefined || this.#mayHaveCome(reference, memory, changed))
        await this.open(reference, memory);
    }
  }
}

const nameOf = ({ record, pack }: Reference, memory: MemoryId): string => `${record} ${pack} ${memory}`;
