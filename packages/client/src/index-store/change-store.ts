/**
 * The change graph in the index: what happened, on which branches, since when, and what each change wrote.
 *
 * @module
 */
import {
  type ActorId,
  bytesFromHex,
  bytesToHex,
  CambiumError,
  type Change,
  type ChangeHash,
  decodeReferences,
  type MemoryId,
  memoryIdOfKey,
  REFERENCE_BYTES,
  type Reference,
} from "@cambium/core";
import { type BranchRow, sharesOf } from "./branch-rows.js";
import {
  mergeOrUndo,
  numbersColumn,
  numbersFromColumn,
  replacesText,
  statementColumn,
} from "./change-columns.js";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";
import { hasHash, WRITES_OF_C, WRITTEN_BY_C } from "./schema.js";
import { SeenHashes } from "./seen-hashes.js";
import type { SnapshotId } from "./snapshot-columns.js";

/** Where a change stands on one branch. */
export interface Place {
  readonly position: number;
  /** Effective time, in milliseconds since 1970. */
  readonly at: number;
  /** Written on this branch, or before it was forked: its time is no earlier than its ancestors'. */
  readonly isOwn: boolean;
  /** Everything placed before it is among its ancestors. */
  readonly isClosed: boolean;
}

/** Since when a change counts, and whether anything written later may have a say in that. */
export type Counting = Pick<Place, "at" | "isOwn">;

/** A change as others build on it. */
interface Node {
  readonly hash: ChangeHash;
  readonly id: number;
  /** How many changes, at most, lie between it and the beginning. */
  readonly depth: number;
}

export class ChangeStore {
  readonly #index: IndexDatabase;
  readonly #memories: MemoryNumbers;
  readonly #actors = new Map<string, number>();
  readonly #times = new WeakMap<BranchRow, Float64Array>();
  /** The number of a form, if it is kept and lies where the reference says. */
  formOf: (reference: Reference) => SnapshotId | undefined = () => undefined;
  /** Mostly, the next one builds on it. */
  #newest: Node | undefined;
  #seen: SeenHashes | undefined;

  constructor(index: IndexDatabase, memories: MemoryNumbers) {
    this.#index = index;
    this.#memories = memories;
  }

  /** Forgets what it keeps in memory. */
  clear(): void {
    this.endRebuild();
    this.#actors.clear();
    this.#newest = undefined;
  }

  /** Nothing is here yet, and much is to come, until `endRebuild`. */
  beginRebuild(): void {
    this.#seen = new SeenHashes();
  }

  endRebuild(): void {
    this.#seen = undefined;
  }

  idOf(hash: ChangeHash): number | undefined {
    return this.#nodeOf(hash)?.id;
  }

  #nodeOf(hash: ChangeHash): Node | undefined {
    if (this.#newest?.hash === hash) return this.#newest;
    if (this.#seen?.maybeHas(hash) === false) return undefined;
    const bytes = bytesFromHex(hash);
    const row = this.#index
      .prepare(`SELECT id, depth FROM changes WHERE ${hasHash("hash")}`)
      .get(bytes, bytes) as unknown as [number, number] | undefined;
    return row && { hash, id: row[0], depth: row[1] };
  }

  /** Keeps a change and its writes, unless it is here. Its dependencies have to be. */
  add(change: Change): { readonly id: number; readonly isNew: boolean } {
    const known = this.idOf(change.hash);
    if (known !== undefined) return { id: known, isNew: false };
    const deps = change.deps.map((dep) => this.#dependency(dep));
    const written = writtenBy(change);
    const memories = new Set(written.map((memory) => this.#memories.numberOf(memory)));
    const depth = deps.reduce((greatest, dep) => Math.max(greatest, dep.depth + 1), 0);
    const { lastInsertRowid } = this.#index
      .prepare(
        `INSERT INTO changes (hash, actor, seq, time, depth, deps, written, type, statement, disowned)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        bytesFromHex(change.hash),
        this.#actorNumber(change.actor),
        change.seq,
        change.time,
        depth,
        numbersColumn(deps.map(({ id }) => id)),
        memories.size === 0 ? null : numbersColumn([...memories]),
        mergeOrUndo(change.statement) ?? null,
        change.statement === undefined ? null : statementColumn(change.statement, written),
        change.disowned.length === 0 ? null : JSON.stringify(change.disowned),
      );
    const id = Number(lastInsertRowid);
    for (const write of change.writes) this.#addWrite(id, change.actor, write);
    this.#newest = { hash: change.hash, id, depth };
    this.#seen?.note(change.hash);
    return { id, isNew: true };
  }

  #dependency(hash: ChangeHash): Node {
    const known = this.#nodeOf(hash);
    if (known === undefined)
      throw new CambiumError("INTERNAL", `A change came before ${hash}, which it needs.`);
    return known;
  }

  #addWrite(
    change: number,
    actor: ActorId,
    { key, value, counter, replaces }: Change["writes"][number],
  ): void {
    const memory = memoryIdOfKey(key);
    if (memory === undefined || !(value instanceof Uint8Array)) return;
    const [own] = value.length === REFERENCE_BYTES ? (decodeReferences(value) ?? []) : [];
    const kept = (own && this.formOf(own)) ?? value;
    this.#index
      .prepare("INSERT INTO writes (memory, change, counter, value, replaces) VALUES (?, ?, ?, ?, ?)")
      .run(this.#memories.numberOf(memory), change, counter, kept, replacesText(replaces, actor));
  }

  #actorNumber(actor: ActorId): number {
    const known = this.#actors.get(actor);
    if (known !== undefined) return known;
    this.#index.prepare("INSERT OR IGNORE INTO actors (actor) VALUES (?)").run(actor);
    const [number] = this.#index.prepare("SELECT id FROM actors WHERE actor = ?").get(actor) as unknown as [
      number,
    ];
    this.#actors.set(actor, number);
    return number;
  }

  /** Where a change stands on a branch; undefined when the branch has not got it. */
  placeOf(row: BranchRow, hash: ChangeHash): Place | undefined {
    const change = this.idOf(hash);
    if (change === undefined) return undefined;
    const find = this.#index.prepare(
      "SELECT position, at, own, closed FROM placed WHERE change = ? AND branch = ?",
    );
    for (const { row: level, size } of sharesOf(row)) {
      const found = find.get(change, level.id) as unknown as [number, number, number, number] | undefined;
      if (found === undefined || found[0] >= size) continue;
      const [position, at, own, closed] = found;
      return { position, at, isOwn: own === 1 || level !== row, isClosed: closed === 1 };
    }
    return undefined;
  }

  place(row: BranchRow, change: number, place: Place): void {
    this.#index
      .prepare("INSERT INTO placed (branch, position, change, at, own, closed) VALUES (?, ?, ?, ?, ?, ?)")
      .run(row.id, place.position, change, place.at, place.isOwn ? 1 : 0, place.isClosed ? 1 : 0);
  }

  /**
   * Lets placed changes count otherwise.
   *
   * @returns the memories they wrote, each with the time from which it may show something else
   */
  retime(row: BranchRow, countings: ReadonlyMap<number, Counting>): readonly (readonly [number, number])[] {
    if (countings.size > 0) this.#times.delete(row);
    const find = this.#index.prepare("SELECT change, at FROM placed WHERE branch = ? AND position = ?");
    const update = this.#index.prepare("UPDATE placed SET at = ?, own = ? WHERE branch = ? AND position = ?");
    return [...countings].flatMap(([position, { at, isOwn }]) => {
      const [change, was] = find.get(row.id, position) as unknown as [number, number];
      update.run(at, isOwn ? 1 : 0, row.id, position);
      if (was === at) return [];
      return this.memoriesWritten([change]).map((memory) => [memory, Math.min(was, at)] as const);
    });
  }

  /** How changes count, by position: those that are placed on the branch and not shared. */
  countings(row: BranchRow): ReadonlyMap<number, Counting> {
    const rows = this.#index
      .prepare("SELECT position, at, own FROM placed WHERE branch = ?")
      .all(row.id) as unknown as [number, number, number][];
    return new Map(rows.map(([position, at, own]) => [position, { at, isOwn: own === 1 }]));
  }

  /** The greatest effective time of the branch. */
  lastTime(row: BranchRow): number {
    const times = sharesOf(row).map(({ row: level, size }) => {
      const last = this.#index
        .prepare("SELECT at FROM placed WHERE branch = ? AND position < ? ORDER BY at DESC LIMIT 1")
        .get(level.id, size) as unknown as [number] | undefined;
      return last?.[0] ?? 0;
    });
    return Math.max(...times);
  }

  /** Effective time of every change of a branch, by position. */
  timesOf(row: BranchRow): Float64Array {
    const known = this.#times.get(row);
    if (known?.length === row.size) return known;
    const times = new Float64Array(row.size);
    if (known !== undefined) times.set(known);
    for (const { row: level, size } of sharesOf(row)) {
      const rows = this.#index
        .prepare("SELECT position, at FROM placed WHERE branch = ? AND position >= ? AND position < ?")
        .all(level.id, known?.length ?? 0, size) as unknown as [number, number][];
      for (const [position, at] of rows) times[position] = at;
    }
    this.#times.set(row, times);
    return times;
  }

  /** Numbers of the changes at these positions. */
  idsAt(row: BranchRow, positions: readonly number[]): readonly number[] {
    const shares = sharesOf(row);
    const find = this.#index.prepare("SELECT change FROM placed WHERE branch = ? AND position = ?");
    return positions.flatMap((position) => {
      const level = shares.findLast(({ size }) => position < size)?.row ?? row;
      const found = find.get(level.id, position) as unknown as [number] | undefined;
      return found === undefined ? [] : [found[0]];
    });
  }

  hashAt(row: BranchRow, position: number): ChangeHash | undefined {
    const [id] = this.idsAt(row, [position]);
    if (id === undefined) return undefined;
    return this.hashOf(id);
  }

  /** @param id - one that was given */
  hashOf(id: number): ChangeHash {
    const row = this.#index.prepare("SELECT hash FROM changes WHERE id = ?").get(id);
    return bytesToHex((row as unknown as [Uint8Array])[0]) as ChangeHash;
  }

  /** The last change that counts by then, by position; undefined when none does. */
  lastPlaceUntil(row: BranchRow, at: number): (Place & { readonly hash: ChangeHash }) | undefined {
    let last: (Place & { readonly hash: ChangeHash }) | undefined;
    for (const { row: level, size } of sharesOf(row)) {
      const found = this.#index
        .prepare(
          `SELECT p.position, p.at, p.own, p.closed, c.hash FROM placed p CROSS JOIN changes c ON c.id = p.change
           WHERE p.branch = ? AND p.position = (SELECT max(position) FROM placed WHERE branch = ? AND at <= ? AND position < ?)`,
        )
        .get(level.id, level.id, at, size) as unknown as
        | [number, number, number, number, Uint8Array]
        | undefined;
      if (found === undefined) continue;
      const [position, foundAt, own, closed, hash] = found;
      if (last !== undefined && last.position > position) continue;
      last = {
        ...{ position, at: foundAt, isOwn: own === 1, isClosed: closed === 1 },
        hash: bytesToHex(hash) as ChangeHash,
      };
    }
    return last;
  }

  /** Positions after `position` whose changes count by `at` all the same: they came late, or in the same moment. */
  placedLater(row: BranchRow, position: number, at: number): readonly number[] {
    return sharesOf(row).flatMap(({ row: level, size }) => {
      const rows = this.#index
        .prepare("SELECT change FROM placed WHERE branch = ? AND position > ? AND position < ? AND at <= ?")
        .all(level.id, position, size, at) as unknown as [number][];
      return rows.map(([change]) => change);
    });
  }

  /** Whether the change was written by a member on the branch that keeps it, or begins every document. */
  isWrittenWhereItStands(row: BranchRow, hash: ChangeHash): boolean {
    const find = this.#index.prepare(
      `SELECT p.position, a.actor, c.statement IS NOT NULL, c.deps FROM changes c
       CROSS JOIN placed p ON p.change = c.id CROSS JOIN actors a ON a.id = c.actor
       WHERE c.id = ? AND p.branch = ? AND p.own = 1`,
    );
    const id = this.idOf(hash);
    if (id === undefined) return false;
    return sharesOf(row).some(({ row: level, size }) => {
      const found = find.get(id, level.id) as unknown as
        | [number, string, number, number | string]
        | undefined;
      if (found === undefined || found[0] >= size) return false;
      const [, actor, isVouchedFor, deps] = found;
      return deps === "" || (isVouchedFor === 1 && actor.startsWith(level.branch));
    });
  }

  /** Whether no later change says since when one of the first `size` counts. @param until - the last of their times */
  areTimesFromWithin(row: BranchRow, size: number, until: number): boolean {
    const find = this.#index.prepare(
      `SELECT 1 FROM placed l WHERE l.branch = ? AND l.position >= ? AND l.position < ? AND l.own = 1 AND l.at <= ?
       AND EXISTS (SELECT 1 FROM placed e INDEXED BY placed_at
         WHERE e.branch = l.branch AND e.at = l.at AND e.position < ? AND e.own = 0) LIMIT 1`,
    );
    return sharesOf(row).every(
      ({ row: level, size: end }) => find.get(level.id, size, end, until, size) === undefined,
    );
  }

  /** Numbers of the memories that these changes wrote. */
  memoriesWritten(changes: readonly number[]): readonly number[] {
    if (changes.length === 0) return [];
    const rows = this.#index
      .prepare(
        `SELECT DISTINCT o.value FROM json_each(?) j CROSS JOIN changes c ON c.id = j.value CROSS JOIN ${WRITTEN_BY_C}`,
      )
      .all(JSON.stringify(changes)) as unknown as [number][];
    return rows.map(([memory]) => memory);
  }

  /** The memories that a change wrote, in the order in which it did. */
  memoriesWrittenBy(change: number): readonly MemoryId[] {
    const rows = this.#index
      .prepare(`SELECT w.memory FROM changes c CROSS JOIN ${WRITES_OF_C} WHERE c.id = ? ORDER BY w.counter`)
      .all(change) as unknown as [number][];
    return rows.map(([memory]) => this.#memories.idOf(memory));
  }

  /** The first of them that is not concealed: of a change that wrote very many, it is quicker than all. */
  firstMemoryWrittenBy(change: number): MemoryId | undefined {
    const row = this.#index
      .prepare(
        `SELECT o.value FROM changes c CROSS JOIN ${WRITTEN_BY_C}
         WHERE c.id = ? AND o.value NOT IN (SELECT memory FROM concealed) ORDER BY o.key LIMIT 1`,
      )
      .get(change) as unknown as [number] | undefined;
    return row && this.#memories.idOf(row[0]);
  }

  /** How many memories a change wrote, and how many of them are concealed. */
  concealedIn(change: number): { readonly memories: number; readonly concealed: number } {
    const [memories, concealed] = this.#index
      .prepare(
        `SELECT count(*), count(h.memory) FROM changes c CROSS JOIN ${WRITTEN_BY_C}
         LEFT JOIN concealed h ON h.memory = o.value WHERE c.id = ?`,
      )
      .get(change) as unknown as [number, number];
    return { memories, concealed };
  }

  /**
   * The nearest changes before, through those that no member vouches for.
   *
   * @param isShown - those that are not are passed through as well
   */
  vouchedParents(
    deps: number | string,
    isShown: (change: number) => boolean = () => true,
  ): readonly ChangeHash[] {
    const find = this.#index.prepare("SELECT hash, deps, statement IS NOT NULL FROM changes WHERE id = ?");
    const parents = new Set<ChangeHash>();
    const open = [...numbersFromColumn(deps)];
    const seen = new Set(open);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [hash, before, isVouchedFor] = find.get(next) as unknown as [Uint8Array, number | string, number];
      if (isVouchedFor === 1 && isShown(next)) parents.add(bytesToHex(hash) as ChangeHash);
      else
        for (const dep of numbersFromColumn(before)) {
          if (!seen.has(dep)) open.push(dep);
          seen.add(dep);
        }
    }
    return [...parents].sort();
  }
}

/** What of a change's writes is kept. Under other keys stands no memory, and a number refers to no record. */
const writtenBy = ({ writes }: Change): readonly MemoryId[] =>
  writes.flatMap(({ key, value }) => (value instanceof Uint8Array ? (memoryIdOfKey(key) ?? []) : []));
