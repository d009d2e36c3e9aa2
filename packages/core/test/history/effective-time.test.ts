import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BranchId,
  type ChangeHash,
  type ChangeSet,
  changesUntil,
  type History,
  type MemoryId,
} from "../../src/index.js";
import { writeAtRandom } from "../support/random-histories.js";
import { START_TIME } from "../support/seeded-platform.js";
import type { SimulatedReplica } from "../support/simulated-replica.js";
import { deliverAll, deliverChanges, SimulatedSpace } from "../support/simulated-space.js";

const RUNS = { numRuns: Math.max(20, fc.readConfigureGlobal().numRuns ?? 0) };
const MAX_BRANCHES = 4;

const step = fc.record({
  kind: fc.constantFrom(
    "write",
    "write",
    "write",
    "fork",
    "forkPast",
    "merge",
    "merge",
    "deliver",
    "deliver",
  ),
  replica: fc.nat({ max: 2 }),
  branch: fc.nat({ max: MAX_BRANCHES - 1 }),
  other: fc.nat({ max: MAX_BRANCHES - 1 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A merge brings in the heads at which the parent began, which the fork did not have. */
const FORK_FROM_BEFORE_ITS_PARENT_BEGAN: Step[] = [
  { kind: "write", replica: 0, branch: 0, other: 0 },
  { kind: "write", replica: 0, branch: 0, other: 0 },
  { kind: "fork", replica: 0, branch: 0, other: 0 },
  { kind: "forkPast", replica: 0, branch: 1, other: 0 },
  { kind: "merge", replica: 0, branch: 1, other: 0 },
  { kind: "merge", replica: 0, branch: 2, other: 0 },
];

/** Since when a branch held a change, by the change that brought it: itself, or a merge. */
type HeldSince = Map<ChangeHash, Map<ChangeHash, number>>;

/** What each branch held, as plain sets: a change is there from the moment it was written or brought in. */
class Oracle {
  readonly branches = new Map<BranchId, HeldSince>();

  /** A fork holds what it began with since its parent did, as far as what brought it there is in it, too. */
  open(
    branch: BranchId,
    parent?: { readonly branch: BranchId; readonly forked: readonly ChangeHash[] },
  ): void {
    const held: HeldSince = new Map();
    for (const change of parent?.forked ?? []) {
      const bringers = this.branches.get(parent?.branch as BranchId)?.get(change) ?? [];
      held.set(change, new Map([...bringers].filter(([bringer]) => parent?.forked.includes(bringer))));
    }
    this.branches.set(branch, held);
  }

  holds(branch: BranchId, changes: readonly ChangeHash[], bringer: ChangeHash, since: number): void {
    const held = this.branches.get(branch) as HeldSince;
    for (const change of changes) held.set(change, (held.get(change) ?? new Map()).set(bringer, since));
  }

  /** Changes at which the branch stood once, oldest first: what a merge brought was not one of its states. */
  statesOf(branch: BranchId): ChangeHash[] {
    return [...(this.branches.get(branch) as HeldSince)]
      .map(([hash, bringers]) => ({ hash, since: bringers.get(hash) ?? Number.NaN }))
      .filter(({ since }) => !Number.isNaN(since))
      .sort((a, b) => a.since - b.since)
      .map(({ hash }) => hash);
  }

  at(branch: BranchId, time: number): ChangeHash[] {
    return [...(this.branches.get(branch) as HeldSince)]
      .filter(([, bringers]) => Math.min(...bringers.values()) <= time)
      .map(([hash]) => hash)
      .sort();
  }
}

function play(space: SimulatedSpace, steps: readonly Step[]): Oracle {
  const oracle = new Oracle();
  oracle.open(space.main);
  for (const { kind, replica: index, branch: wanted, other } of steps) {
    const now = space.tick();
    const replica = space.replicas[index] as SimulatedReplica;
    const here = [space.main, ...replica.branchesHere().filter((id) => id !== space.main)];
    const branch = here[wanted % here.length] as BranchId;
    const source = here[other % here.length] as BranchId;
    if (kind === "write") {
      writeAtRandom(replica, branch, [0]);
      oracle.holds(branch, [lastOwn(replica, branch)], lastOwn(replica, branch), now);
    } else if (kind === "merge" && source !== branch) {
      const { heads } = replica.history(source);
      const brought = written(replica.history(source));
      replica.writeChange(branch, { type: "merge", memories: [], from: source, heads }, [], source);
      const merge = lastOwn(replica, branch);
      oracle.holds(branch, [...brought, merge], merge, now);
    } else if (kind.startsWith("fork") && space.branches.size < MAX_BRANCHES) {
      const states = oracle.statesOf(branch).filter((hash) => replica.history(branch).has(hash));
      const past = states[Math.floor((states.length * other) / MAX_BRANCHES)];
      const forked =
        kind === "forkPast" && past !== undefined ? replica.fork(branch, [past]) : replica.fork(branch);
      oracle.open(forked, { branch, forked: written(replica.history(forked)) });
    } else if (kind === "deliver") {
      deliverChanges(replica, space.replicas[other % 3] as SimulatedReplica);
    }
  }
  return oracle;
}

const written = (history: History, set: ChangeSet = history.all()): ChangeHash[] =>
  history.changes
    .filter(({ statement }, position) => set[position] === 1 && statement !== undefined)
    .map(({ hash }) => hash)
    .sort();

const lastOwn = (replica: SimulatedReplica, branch: BranchId): ChangeHash =>
  replica.history(branch).heads[0] as ChangeHash;

function isClosed(history: History, set: ChangeSet): boolean {
  return history.changes.every(
    (_, position) => set[position] === 0 || history.depsAt(position).every((dep) => set[dep] === 1),
  );
}

/** Checks every branch at every instant, on a replica that has everything. */
function checkAgainst(oracle: Oracle, space: SimulatedSpace): void {
  deliverAll(space);
  const [observer] = space.replicas as [SimulatedReplica];
  for (const branch of oracle.branches.keys()) {
    const { history, times } = observer.state(branch);
    for (let time = START_TIME; time <= space.clock.now; time += 1_000) {
      const set = changesUntil(times, time);
      expect(isClosed(history, set)).toBe(true);
      expect(written(history, set)).toEqual(oracle.at(branch, time));
    }
  }
}

describe("states at dates", () => {
  test("[TI1] a branch at a date is what it really held then", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => {
        using space = new SimulatedSpace();
        for (let count = 0; count < 3; count += 1) space.addReplica();
        checkAgainst(play(space, steps), space);
      }),
      { ...RUNS, examples: [[FORK_FROM_BEFORE_ITS_PARENT_BEGAN]] },
    );
  });

  test("[TI2] clocks that were wrong make no difference once they are corrected", () => {
    const offsets = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -100_000, max: 100_000 })));
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 24 }), offsets, (steps, clockOffsets) => {
        using space = new SimulatedSpace();
        for (const offset of clockOffsets) space.addReplica(offset);
        const oracle = play(space, steps);
        for (const document of oracle.branches.keys()) {
          for (const { id, clockOffsetMs } of space.replicas) {
            const range = { fromSeq: 1, lastSeq: 1_000, offsetMs: -clockOffsetMs };
            space.corrections.push({ replica: id, epoch: 0, document, ...range });
          }
        }
        checkAgainst(oracle, space);
      }),
      RUNS,
    );
  });

  test("[TI3] with clocks nobody corrected, states at dates are still whole, and nothing precedes what it builds on", () => {
    const offsets = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -100_000, max: 100_000 })));
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 24 }), offsets, (steps, clockOffsets) => {
        using space = new SimulatedSpace();
        for (const offset of clockOffsets) space.addReplica(offset);
        const { branches } = play(space, steps);
        deliverAll(space);
        const [observer] = space.replicas as [SimulatedReplica];
        for (const branch of branches.keys()) {
          const { history, times } = observer.state(branch);
          for (const [position, time] of times.entries()) {
            expect(time).toBeGreaterThanOrEqual(
              Math.max(0, ...history.depsAt(position).map((dep) => times[dep] ?? 0)),
            );
          }
        }
      }),
      RUNS,
    );
  });

  test("[TI4] a correction holds for the changes it names: writer, epoch, document, from and to", () => {
    using space = new SimulatedSpace();
    const replica = space.addReplica();
    for (let count = 0; count < 4; count += 1) {
      writeAtRandom(replica, space.main, [0]);
      space.tick(1);
    }
    const right = {
      replica: replica.id,
      epoch: 0,
      document: space.main,
      fromSeq: 2,
      lastSeq: 3,
      offsetMs: 50,
    };
    const timesWith = (correction: Partial<typeof right>) => {
      space.corrections.splice(0, 1, { ...right, ...correction });
      return [...replica.state(space.main).times].slice(1).map((time) => time - START_TIME);
    };
    expect(timesWith({})).toEqual([0, 51, 52, 52]);
    expect(timesWith({ epoch: 1 })).toEqual([0, 1, 2, 3]);
    expect(timesWith({ document: space.newBranchId() })).toEqual([0, 1, 2, 3]);
    expect(timesWith({ replica: space.addReplica().id })).toEqual([0, 1, 2, 3]);
  });

  test("[TI5] the date before a merge does not show what the merge brought, though it was written earlier", async () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const replica = space.addReplica();
    const id = await replica.remember(main, { content: "tea" });
    const work = replica.fork(main);
    space.tick();
    const made = await replica.remember(work, { content: "new" });
    await replica.revise(work, id, { content: "coffee" });
    const before = space.tick();
    space.tick();
    await replica.merge(work, main);
    const at = (time: number) => changesUntil(replica.state(main).times, time);
    expect(await replica.memory(main, id, at(before))).toMatchObject({ content: "tea" });
    expect(await replica.read(main, made, at(before))).toBeUndefined();
    expect(await replica.memory(main, id, at(space.clock.now))).toMatchObject({ content: "coffee" });
    expect(await replica.memory(work, id, changesUntil(replica.state(work).times, before))).toMatchObject({
      content: "coffee",
    });
  });

  test("[TI7] what a branch began with keeps its times, whatever is merged into the branch later", () => {
    using space = new SimulatedSpace();
    const { main } = space;
    const [one, other] = [space.addReplica(), space.addReplica()];
    writeAtRandom(one, main, [0]);
    deliverAll(space);
    space.tick();
    writeAtRandom(other, main, [0]);
    const beside = lastOwn(other, main);
    space.tick();
    writeAtRandom(one, main, [0]);
    const work = one.fork(main); // at heads that do not have what was written beside them
    deliverAll(space);
    space.tick();
    one.writeChange(work, { type: "merge", memories: [], from: main, heads: [beside] }, [], main);
    const nested = one.fork(work, [beside]);
    const timesOf = () => {
      const { history, times } = one.state(nested);
      const beginning = history.ancestors([beside]);
      return [...times].filter((_, position) => beginning[position] === 1);
    };
    const before = timesOf();
    expect(before).toHaveLength(3);
    space.tick();
    const { heads } = one.history(main);
    one.writeChange(nested, { type: "merge", memories: [], from: main, heads }, [], main);
    expect(timesOf()).toEqual(before);
  });

  test("[TI6] a change that nobody vouches for gives no time to what it claims to bring", () => {
    using space = new SimulatedSpace();
    const [replica, forger] = [space.addReplica(), space.addReplica()];
    const work = replica.fork(space.main);
    space.tick();
    writeAtRandom(replica, work, [0]);
    deliverAll(space);
    space.tick();
    const statement = { type: "merge", memories: [] as MemoryId[], from: work, heads: [] } as const;
    forger.writeChange(space.main, statement, [], work, () => "");
    const forgedAt = space.clock.now;
    space.tick();
    deliverAll(space);
    const { heads } = replica.history(work);
    replica.writeChange(space.main, { ...statement, heads }, [], work);
    const { history, times } = replica.state(space.main);
    expect(written(history, changesUntil(times, forgedAt))).toEqual([]);
    expect(written(history, changesUntil(times, space.clock.now))).toHaveLength(2);
  });
});
