/**
 * Random histories of one field, with values so few that they come again, beside a model without a graph:
 * each write notes what its writer had seen. Had some of them not been, those decide that no other saw.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MemoryId, RecordHash, ReplicaId } from "../../src/format/ids.js";
import type { MemoryReading } from "../../src/memory/read-memory.js";
import { FieldDeciders } from "../../src/rollback/deciders.js";
import { planRevert, stepOfRecord } from "../../src/rollback/revert.js";
import { hashOf, Story } from "../merge/records.js";

const REPLICAS = 3;
const CONTEXT = { at: 0, author: { replica: "replica" as ReplicaId } };
const step = fc.record({
  kind: fc.constantFrom("edit", "edit", "undo", "undo", "fetch"),
  replica: fc.nat(REPLICAS - 1),
  other: fc.nat(REPLICAS - 1),
  pick: fc.nat(60),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Told {
  readonly value: string;
  readonly seen: ReadonlySet<string>;
  /** What it took back, when it is an undo. */
  readonly undone: ReadonlySet<string> | undefined;
}

class Model {
  readonly story = new Story();
  readonly told = new Map<string, Told>();
  readonly seen: Set<string>[] = [];

  constructor(steps: readonly Step[]) {
    this.#write("r", new Set(), "a", undefined);
    for (let replica = 0; replica < REPLICAS; replica += 1) this.seen.push(new Set(["r"]));
    for (const [count, each] of steps.entries()) this.#take(each, `${count}`);
  }

  newest(among: Iterable<string>): readonly string[] {
    const names = [...among];
    return names.filter((name) => !names.some((other) => this.told.get(other)?.seen.has(name)));
  }

  /** Whose decisions hold among these, when those of `undone` had not been. */
  standing(among: ReadonlySet<string>, undone: ReadonlySet<string>): readonly string[] {
    const isUndone = (name: string): boolean => name !== "r" && undone.has(name);
    const meant = this.newest([...among].filter((name) => !isUndone(name))).flatMap((name) => {
      const { seen, undone: reverted } = this.told.get(name) as Told;
      if (reverted === undefined) return [name];
      return this.standing(seen, reverted).flatMap((brought) =>
        isUndone(brought) ? this.standing((this.told.get(brought) as Told).seen, undone) : [brought],
      );
    });
    return this.newest(new Set(meant)).toSorted();
  }

  values(names: readonly string[]): ReadonlySet<string | undefined> {
    return new Set(names.map((name) => this.told.get(name)?.value));
  }

  readingOf(among: ReadonlySet<string>): MemoryReading {
    const shownTips = this.newest(among).map(hashOf);
    const { rank } = this.story;
    const records = new Map([...this.story.records].filter(([hash]) => among.has(hash)));
    const resolved = this.story.at(...this.newest(among));
    return {
      id: "memory" as MemoryId,
      resolved,
      records,
      shownTips,
      carried: [],
      absent: [],
      rank,
      countsFrom: () => 0,
    };
  }

  readonly revertedBy = (undo: RecordHash): ReadonlySet<RecordHash> | undefined =>
    this.told.get(undo)?.undone as ReadonlySet<RecordHash> | undefined;

  #take({ kind, replica, other, pick }: Step, name: string): void {
    const mine = this.seen[replica] as Set<string>;
    if (kind === "fetch") for (const known of this.seen[other] ?? []) mine.add(known);
    else if (kind === "edit") this.#write(name, mine, "abc"[pick % 3] as string, undefined);
    else {
      const undone = pickOf(mine, pick);
      const [value, ...others] = this.values(this.standing(mine, undone));
      // Nothing is written where nothing is taken back.
      const isTaken = !this.values(this.standing(mine, new Set())).has(value);
      if (!isTaken || value === undefined || others.length > 0) return;
      this.#write(name, mine, value, undone);
    }
  }

  #write(name: string, mine: Set<string>, value: string, undone: ReadonlySet<string> | undefined): void {
    const type = undone === undefined ? "update" : "undo";
    this.story.write(name, this.newest(mine), { kind: value }, type);
    this.told.set(name, { value, seen: new Set(mine), undone });
    mine.add(name);
  }
}

/** One, mostly the last, or the last two. */
function pickOf(mine: ReadonlySet<string>, pick: number): ReadonlySet<string> {
  const writes = [...mine].filter((name) => name !== "r");
  if (pick % 4 === 0) return new Set(writes.slice(-2));
  return new Set(writes.slice(-1 - (pick % Math.max(1, writes.length)))?.slice(0, 1));
}

test("[GB53] who decides is as if the undone versions had not been, whatever their values", () => {
  let compared = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 2, maxLength: 14 }),
      fc.nat(REPLICAS - 1),
      fc.nat(60),
      (steps, at, pick) => {
        const model = new Model(steps);
        const mine = model.seen[at] as Set<string>;
        const undone = pickOf(mine, pick);
        const reading = model.readingOf(mine);
        const deciders = new FieldDeciders(reading, model.revertedBy);
        // The merge may have passed over an undo: then fewer decide than stand.
        if (reading.resolved.decidedBy.kind.length < model.newest(mine).length || undone.size === 0) return;
        compared += 1;
        const { left } = deciders.without(deciders.now("kind"), undone as ReadonlySet<RecordHash>, "kind");
        expect(left.map(({ hash }) => hash as string).toSorted()).toEqual(model.standing(mine, undone));
      },
    ),
    { numRuns: 1_000 },
  );
  expect(compared).toBeGreaterThan(500);
});

test("[GB53] an undo writes what the standing decision says, leaves what others decided, and reports it", () => {
  let taken = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 2, maxLength: 14 }),
      fc.nat(REPLICAS - 1),
      fc.nat(60),
      (steps, at, pick) => {
        const model = new Model(steps);
        const mine = model.seen[at] as Set<string>;
        const [undone] = pickOf(mine, pick);
        const reading = model.readingOf(mine);
        const { resolved } = reading;
        if (undone === undefined || resolved.conflicts.length > 0) return;
        if (resolved.decidedBy.kind.length < model.newest(mine).length) return;
        const done = stepOfRecord(reading, hashOf(undone));
        if (done === undefined || done.wasOpen.length > 0) return;
        const { write, kept } = planRevert(reading, [done], { type: "undo", context: CONTEXT, ...model });
        const before = model.standing(mine, new Set());
        const after = model.standing(mine, new Set([undone]));
        const now = write?.draft.fields.kind ?? resolved.fields.kind;
        if (before.join() === after.join()) expect(write).toBeUndefined();
        if (write !== undefined) expect([now]).toEqual([...model.values(after)]);
        expect(kept).toEqual(done.was?.kind !== done.is.kind && now !== done.was?.kind ? ["kind"] : []);
        if (write !== undefined) taken += 1;
      },
    ),
    { numRuns: 1_000 },
  );
  expect(taken).toBeGreaterThan(100);
});
