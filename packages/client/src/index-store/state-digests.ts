/**
 * Digests of the states of a branch. That of the newest state asked for is noted; another one differs from
 * it in the memories that the changes between them wrote, and only those are read.
 *
 * @module
 */
import {
  addToDigest,
  bytesFromHex,
  bytesToHex,
  type ChangeHash,
  type ChangeSet,
  emptyDigest,
  memoryDigest,
  type PlacedWrite,
  type StateDigest,
  standingWrites,
  takeFromDigest,
} from "@cambium/core";
import { type BranchRow, digestNoteKey, sharesOf } from "./branch-rows.js";
import { replacesFromText } from "./change-columns.js";
import type { IndexTables } from "./index-tables.js";
import { VALUE_OF_W, WRITTEN_BY_C } from "./schema.js";

/** The digest of the first changes of a branch, by position. */
interface DigestNote {
  readonly size: number;
  /** Of these changes. */
  readonly heads: readonly ChangeHash[];
  /** Hexadecimal. */
  readonly digest: string;
}

/** Whether a change, by its position, has happened. */
type Includes = (position: number) => boolean;

/** Memories whose writes are read at once: a few megabytes of them. */
const SLICE = 2_048;

export class StateDigests {
  readonly #tables: IndexTables;

  constructor(tables: IndexTables) {
    this.#tables = tables;
  }

  /** Of the branch as it is in the index now. Noted, so that the next one costs what changes until then. */
  now(row: BranchRow): StateDigest {
    const note = this.#nearestNote(row);
    const digest = this.#carry(row, note, (position) => position < row.size, note.size);
    if (note.size !== row.size || note.row !== row) this.#write(row, digest);
    return digest;
  }

  /** When exactly the changes of a set had happened. */
  at(row: BranchRow, set: ChangeSet): StateDigest {
    const note = this.#nearestNote(row);
    const from = set.findIndex((included, position) => (included === 1) !== position < note.size);
    if (from === -1 && set.length >= note.size) return bytesFromHex(note.digest);
    return this.#carry(row, note, (position) => set[position] === 1, Math.max(from, 0));
  }

  /** When exactly the first changes had happened. */
  atSize(row: BranchRow, size: number): StateDigest {
    const note = this.#nearestNote(row);
    return this.#carry(row, note, (position) => position < size, Math.min(size, note.size));
  }

  /** @param from - both states have every change before this position */
  #carry(row: BranchRow, note: DigestNote, after: Includes, from: number): StateDigest {
    const digest = bytesFromHex(note.digest);
    const before: Includes = (position) => position < note.size;
    const touched = this.#touched(row, from, (position) => before(position) !== after(position));
    for (let start = 0; start < touched.length; start += SLICE) {
      const writes = this.#writesOf(row, touched.slice(start, start + SLICE));
      for (const [memory, ofMemory] of writes) {
        const [was, is] = [this.#term(memory, ofMemory, before), this.#term(memory, ofMemory, after)];
        if (was !== undefined) takeFromDigest(digest, was);
        if (is !== undefined) addToDigest(digest, is);
      }
    }
    return digest;
  }

  #touched(row: BranchRow, from: number, differs: Includes): readonly number[] {
    const memories = new Set<number>();
    for (const { row: level, size } of sharesOf(row)) {
      const found = this.#tables.index
        .prepare(
          `SELECT p.position, o.value FROM placed p CROSS JOIN changes c ON c.id = p.change CROSS JOIN ${WRITTEN_BY_C}
           WHERE p.branch = ? AND p.position >= ? AND p.position < ?`,
        )
        .all(level.id, from, size) as unknown as [number, number][];
      for (const [position, memory] of found) if (differs(position)) memories.add(memory);
    }
    return [...memories].sort((a, b) => a - b);
  }

  #writesOf(row: BranchRow, memories: readonly number[]): ReadonlyMap<number, readonly PlacedWrite[]> {
    const byMemory = new Map<number, PlacedWrite[]>();
    const wanted = JSON.stringify(memories);
    for (const { row: level, size } of sharesOf(row)) {
      const found = this.#tables.index
        .prepare(SELECT_WRITES)
        .all(wanted, level.id, size) as unknown as WriteColumns[];
      for (const [memory, position, counter, value, replaces, actor, time] of found) {
        const writes = byMemory.get(memory) ?? [];
        writes.push({
          ...{ key: "", value, counter, id: `${counter}@${actor}`, position, time },
          replaces: replacesFromText(replaces, actor),
        });
        byMemory.set(memory, writes);
      }
    }
    return byMemory;
  }

  #term(memory: number, writes: readonly PlacedWrite[], includes: Includes): StateDigest | undefined {
    const present = writes.filter(({ position }) => includes(position));
    const values = standingWrites(present).map(({ value }) => value);
    return memoryDigest(
      this.#tables.memories.idOf(memory),
      values.filter((value) => value instanceof Uint8Array),
    );
  }

  /** The branch's own, or that of a branch whose beginning it shares, as long as all it covers is shared. */
  #nearestNote(row: BranchRow): DigestNote & { readonly row: BranchRow | undefined } {
    for (const { row: level, size } of sharesOf(row)) {
      const note = this.#read(level);
      if (note !== undefined && note.size <= size) return { ...note, row: level };
    }
    return { size: 0, heads: [], digest: bytesToHex(emptyDigest()), row: undefined };
  }

  #read(row: BranchRow): DigestNote | undefined {
    const found = this.#tables.index.prepare("SELECT value FROM notes WHERE key = ?").get(digestNoteKey(row));
    const [text] = (found as unknown as [string] | undefined) ?? [];
    if (text === undefined) return undefined;
    const note = JSON.parse(text) as DigestNote;
    const isOurs = note.heads.every((head) => {
      const place = this.#tables.changes.placeOf(row, head);
      return place !== undefined && place.position < note.size;
    });
    return isOurs && note.size <= row.size ? note : undefined;
  }

  #write(row: BranchRow, digest: StateDigest): void {
    const note: DigestNote = { size: row.size, heads: [...row.heads].sort(), digest: bytesToHex(digest) };
    this.#tables.index.begin();
    this.#tables.index
      .prepare("INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)")
      .run(digestNoteKey(row), JSON.stringify(note));
  }
}

type WriteColumns = [
  memory: number,
  position: number,
  counter: number,
  value: Uint8Array,
  replaces: string,
  actor: string,
  time: number,
];

const SELECT_WRITES = `SELECT w.memory, p.position, w.counter, ${VALUE_OF_W}, w.replaces, a.actor, c.time
  FROM json_each(?) j CROSS JOIN writes w ON w.memory = j.value
  CROSS JOIN placed p ON p.change = w.change AND p.branch = ? AND p.position < ?
  CROSS JOIN changes c ON c.id = w.change CROSS JOIN actors a ON a.id = c.actor`;
