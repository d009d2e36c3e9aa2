/**
 * The history of one document: its changes, who follows whom, and what each key held at any point.
 * Automerge answers the same questions through `view` and `getAll`; this answers them without loading
 * values, leaves out what no member vouches for, and can be asked at thousands of points.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import type { ActorId, ChangeHash } from "../format/ids.js";
import type { Change, Write } from "./change.js";

/** A set of changes, one byte per position in the history. */
export type ChangeSet = Uint8Array;

/** A write, with where its change stands in the history. */
export interface PlacedWrite extends Write {
  /** Position of its change in the history. */
  readonly position: number;
  /** The time of its change, by the writer's clock. */
  readonly time: number;
}

/** What reading a memory has to know of a branch: the writes of its key. */
export interface KeyHistory {
  /** Every key that was ever written. */
  keys(): Iterable<string>;
  /** Every write a key ever had. */
  writes(key: string): readonly PlacedWrite[];
  /** The values a key holds when exactly the changes of `set` have happened, or all. */
  valuesAt(key: string, set?: ChangeSet): readonly PlacedWrite[];
}

/** The changes of one document, verified and in order. It only grows. */
export class History implements KeyHistory {
  readonly #changes: Change[] = [];
  readonly #positionByHash = new Map<ChangeHash, number>();
  readonly #depsByPosition: (readonly number[])[] = [];
  readonly #writesByKey = new Map<string, PlacedWrite[]>();
  readonly #lastSeqByActor = new Map<ActorId, number>();
  readonly #heads = new Set<ChangeHash>();
  readonly #disownedKeys = new Set<string>();

  /** Adds changes in an order in which dependencies come first; known ones are passed over. */
  add(changes: Iterable<Change>): readonly Change[] {
    const added: Change[] = [];
    for (const change of changes) {
      if (this.#positionByHash.has(change.hash)) continue;
      this.#append(change);
      added.push(change);
    }
    return added;
  }

  #append(change: Change): void {
    const position = this.#changes.length;
    const deps = change.deps.map((dep) => this.#position(dep));
    this.#changes.push(change);
    this.#positionByHash.set(change.hash, position);
    this.#depsByPosition.push(deps);
    this.#lastSeqByActor.set(change.actor, Math.max(change.seq, this.lastSeq(change.actor)));
    for (const dep of change.deps) this.#heads.delete(dep);
    this.#heads.add(change.hash);
    for (const key of change.disowned) this.#disownedKeys.add(key);
    for (const write of change.writes) {
      const writes = this.#writesByKey.get(write.key) ?? [];
      writes.push({ ...write, replaces: this.#replacedBy(change, write), position, time: change.time });
      this.#writesByKey.set(write.key, writes);
    }
  }

  /**
   * Automerge names only the values it had: where a change that does not count came between, those are
   * the intruder's. What its writer saw and replaced is every value in its past.
   */
  #replacedBy(change: Change, write: Write): readonly string[] {
    if (!this.#disownedKeys.has(write.key)) return write.replaces;
    return [...write.replaces, ...this.valuesAt(write.key, this.ancestors(change.deps)).map(({ id }) => id)];
  }

  /** A copy that can grow on its own, for previews. */
  fork(): History {
    const copy = new History();
    copy.add(this.#changes);
    return copy;
  }

  /** How many changes it has. */
  get size(): number {
    return this.#changes.length;
  }

  /** In an order in which dependencies come first. */
  get changes(): readonly Change[] {
    return this.#changes;
  }

  /** The changes that no other follows, sorted. */
  get heads(): readonly ChangeHash[] {
    return [...this.#heads].sort();
  }

  /** Whether it has the change. */
  has(hash: ChangeHash): boolean {
    return this.#positionByHash.has(hash);
  }

  /** Undefined for a change that it does not have. */
  get(hash: ChangeHash): Change | undefined {
    const position = this.#positionByHash.get(hash);
    return position === undefined ? undefined : this.#changes[position];
  }

  /** The sequence number of the actor's last change here; 0 when it has none. */
  lastSeq(actor: ActorId): number {
    return this.#lastSeqByActor.get(actor) ?? 0;
  }

  /** Every key that was ever written. */
  keys(): IterableIterator<string> {
    return this.#writesByKey.keys();
  }

  /** Every write a key ever had. */
  writes(key: string): readonly PlacedWrite[] {
    return this.#writesByKey.get(key) ?? [];
  }

  /** Undefined for a change that it does not have. */
  positionOf(hash: ChangeHash): number | undefined {
    return this.#positionByHash.get(hash);
  }

  /** Positions of the changes that the one at this position follows. */
  depsAt(position: number): readonly number[] {
    return this.#depsByPosition[position] ?? [];
  }

  /** The set of all changes. */
  all(): ChangeSet {
    return new Uint8Array(this.#changes.length).fill(1);
  }

  /**
   * Everything that had happened at `heads`.
   *
   * @throws {CambiumError} HEADS_NOT_HERE when one of them is unknown
   */
  ancestors(heads: readonly ChangeHash[]): ChangeSet {
    const set = new Uint8Array(this.#changes.length);
    let highest = -1;
    for (const head of heads) {
      const position = this.#position(head);
      set[position] = 1;
      highest = Math.max(highest, position);
    }
    // Dependencies stand before their dependents, so one pass backwards reaches them all.
    for (let position = highest; position >= 0; position -= 1) {
      if (set[position] === 0) continue;
      for (const dep of this.depsAt(position)) set[dep] = 1;
    }
    return set;
  }

  /** The changes of a causally closed set that no other of it follows. */
  headsOf(set: ChangeSet): readonly ChangeHash[] {
    const followed = new Uint8Array(this.#changes.length);
    for (const [position, included] of set.entries()) {
      if (included === 1) for (const dep of this.depsAt(position)) followed[dep] = 1;
    }
    return this.#changes
      .filter((_, position) => set[position] === 1 && followed[position] === 0)
      .map(({ hash }) => hash)
      .sort();
  }

  /**
   * The values `key` holds when exactly the changes of `set` have happened: one, or several when they
   * were written side by side. Ordered by position, then operation.
   */
  valuesAt(key: string, set?: ChangeSet): readonly PlacedWrite[] {
    return standingWrites(this.writes(key), set);
  }

  #position(hash: ChangeHash): number {
    const position = this.#positionByHash.get(hash);
    if (position !== undefined) return position;
    throw new CambiumError("HEADS_NOT_HERE", `The change ${hash.slice(0, 12)} is not here yet.`, {
      hint: "Run `cambium sync`, or name a state that this replica holds.",
      details: { missing: [hash] },
    });
  }
}

/** Of one key's writes those that happened and that no other one replaced. */
export function standingWrites(writes: readonly PlacedWrite[], set?: ChangeSet): readonly PlacedWrite[] {
  const present = set === undefined ? writes : writes.filter(({ position }) => set[position] === 1);
  if (present.length < 2) return present;
  const replaced = new Set(present.flatMap((write) => write.replaces));
  return present.filter(({ id }) => !replaced.has(id));
}
