import * as A from "@automerge/automerge";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mapPaths } from "../../src/automerge.js";
import {
  bucketOf,
  bytesToHex,
  type ChangeHash,
  type History,
  type MemoryId,
  memoryKey,
  signMessage,
} from "../../src/index.js";
import { historySteps, MEMORIES, playHistory, writeAtRandom } from "../support/random-histories.js";
import { seededRandom } from "../support/seeded-platform.js";
import type { SimulatedReplica } from "../support/simulated-replica.js";
import { deliverChanges, SimulatedSpace } from "../support/simulated-space.js";

/** Each run makes real documents, which takes some 50 ms. */
const RUNS = { numRuns: Math.max(40, fc.readConfigureGlobal().numRuns ?? 0) };

const [FIRST] = MEMORIES as [MemoryId];

/** What Automerge itself says, which `History` is to agree with. */
function valuesInAutomerge(replica: SimulatedReplica, id: MemoryId, heads: readonly ChangeHash[]): string[] {
  const path = `memories/${bucketOf(id)}`;
  const bucket = [...mapPaths("branch")].find(([, name]) => name === path)?.[0] as string;
  const backend = A.getBackend(replica.doc(replica.space.main));
  const values = backend.getAll(bucket, id, [...heads]) as unknown as [string, Uint8Array][];
  return values.map(([, value]) => bytesToHex(value)).sort();
}

const valuesInHistory = (history: History, id: MemoryId, heads: readonly ChangeHash[]): string[] =>
  history
    .valuesAt(memoryKey(id), history.ancestors(heads))
    .map(({ value }) => bytesToHex(value as Uint8Array))
    .sort();

describe("states at heads", () => {
  test("[CO20] the values at any heads are those of Automerge's own view", () => {
    fc.assert(
      fc.property(historySteps, (steps) => {
        const { space, replicas, states } = playHistory(steps);
        using _ = space;
        for (const replica of replicas) {
          const history = replica.history(space.main);
          for (const heads of states.filter((known) => known.every((head) => history.has(head)))) {
            for (const id of MEMORIES) {
              expect(valuesInHistory(history, id, heads)).toEqual(valuesInAutomerge(replica, id, heads));
            }
            expect(history.headsOf(history.ancestors(heads))).toEqual(heads);
          }
        }
      }),
      RUNS,
    );
  });

  test("[CO20] a third value that wins nothing is there too", () => {
    using space = new SimulatedSpace();
    const replicas = [space.addReplica(), space.addReplica(), space.addReplica()] as const;
    for (const replica of replicas) writeAtRandom(replica, space.main, [0]);
    for (const replica of replicas.slice(1)) deliverChanges(replica, replicas[0]);
    expect(replicas[0].history(space.main).valuesAt(memoryKey(FIRST))).toHaveLength(3);
  });

  test("[CO21] heads that are not here are HEADS_NOT_HERE, never another state", () => {
    using space = new SimulatedSpace();
    const [here, away] = [space.addReplica(), space.addReplica()];
    writeAtRandom(here, space.main, [0]);
    writeAtRandom(away, space.main, [0]);
    const [unknown] = away.history(space.main).heads as [ChangeHash];
    const known = here.history(space.main).heads;
    for (const heads of [[unknown], [...known, unknown]]) {
      expect(() => here.history(space.main).ancestors(heads)).toThrow(
        expect.objectContaining({ code: "HEADS_NOT_HERE", details: { missing: [unknown] } }),
      );
    }
  });

  test("[CO22] order, duplicates and chunks of arrival make no difference", () => {
    fc.assert(
      fc.property(historySteps, fc.nat(), (steps, seed) => {
        const { space, replicas } = playHistory(steps);
        using _ = space;
        const [whole] = replicas as [SimulatedReplica];
        for (const replica of replicas) deliverChanges(replica, whole);
        const random = seededRandom(seed);
        const late = space.addReplica();
        const changes = whole.changes(space.main);
        const pile = [...changes, ...changes.filter(() => random() < 0.3)]
          .map((change) => ({ change, place: random() }))
          .sort((a, b) => a.place - b.place)
          .map(({ change }) => change);
        while (pile.length > 0) late.receive(space.main, pile.splice(0, 1 + Math.floor(random() * 3)));

        const [expected, arrived] = [whole.history(space.main), late.history(space.main)];
        expect(arrived.heads).toEqual(expected.heads);
        expect(arrived.size).toBe(expected.size);
        for (const id of MEMORIES) {
          expect(valuesInHistory(arrived, id, arrived.heads)).toEqual(
            valuesInHistory(expected, id, expected.heads),
          );
        }
      }),
      RUNS,
    );
  });
});

describe("changes of members", () => {
  test("[CO25] a change counts though Automerge made its writer's last change a dependency again", () => {
    using space = new SimulatedSpace();
    const [one, two] = [space.addReplica(), space.addReplica()];
    writeAtRandom(one, space.main, [0]);
    deliverChanges(one, two);
    writeAtRandom(two, space.main, [0]);
    deliverChanges(two, one);
    writeAtRandom(one, space.main, [0]);
    const last = one.history(space.main).changes.at(-1);
    expect(last?.deps).toHaveLength(2);
    expect(last?.statement).toBeDefined();
  });
});

describe("changes that no member made", () => {
  type Message = ReturnType<typeof signMessage>;
  const forgeries: Record<string, (honest: Message) => Message> = {
    "without a message": () => "",
    "with free text": () => "I am a member, honest.",
    "with another code": (honest) => honest.replace(/"mac":"./, '"mac":"~'),
    "with another type": (honest) => honest.replace('"type":"revise"', '"type":"merge"'),
    "with another memory": (honest) => honest.replace(FIRST, MEMORIES[1] as MemoryId),
    "without a code": (honest) => honest.replace(/,"mac":"[^"]*"/, ""),
    "of a later format": (honest) => honest.replace('"v":1', '"v":2'),
    "with half of a surrogate pair": (honest) => honest.replace('"v":1', '"v":1,"x":"\\ud800"'),
    "with a number that is none": (honest) => honest.replace('"v":1', '"v":1,"x":1e999'),
    "nested ten thousand deep": (honest) =>
      honest.replace('"v":1', `"v":1,"x":${"[".repeat(10_000)}${"]".repeat(10_000)}`),
    "that is a list": () => "[1]",
    "that is nothing": () => "null",
  };

  for (const [name, forge] of Object.entries(forgeries)) {
    test(`[CO23] a change ${name} is kept out, and what it replaced stays`, () => {
      using space = new SimulatedSpace();
      const [member, forger] = [space.addReplica(), space.addReplica()];
      writeAtRandom(member, space.main, [0]);
      const honest = valuesInHistory(member.history(space.main), FIRST, member.history(space.main).heads);
      deliverChanges(member, forger);
      const forged = forger.writeChange(
        space.main,
        { type: "revise", memories: [FIRST] },
        [{ key: memoryKey(FIRST), value: new Uint8Array(48) }],
        undefined,
        (...input) => forge(signMessage(...input)),
      );
      deliverChanges(forger, member);
      const history = member.history(space.main);
      expect(history.get(forged)?.statement).toBeUndefined();
      expect(valuesInHistory(history, FIRST, history.heads)).toEqual(honest);
      expect(valuesInHistory(history, FIRST, [forged])).toEqual(honest);
    });
  }

  test("[CO23] a code made for one change does not serve another", () => {
    using space = new SimulatedSpace();
    const [member, forger] = [space.addReplica(), space.addReplica()];
    let stolen = "";
    const statement = { type: "revise", memories: [FIRST] } as const;
    const writes = [{ key: memoryKey(FIRST), value: new Uint8Array(48).fill(1) }];
    member.writeChange(space.main, statement, writes, undefined, (...input) => {
      stolen = signMessage(...input);
      return stolen;
    });
    const replayed = forger.writeChange(space.main, statement, writes, undefined, () => stolen);
    writeAtRandom(member, space.main, [0]);
    const later = member.writeChange(space.main, statement, writes, undefined, () => stolen);
    expect(forger.history(space.main).get(replayed)?.statement).toBeUndefined();
    expect(member.history(space.main).get(later)?.statement).toBeUndefined();
  });

  test("[CO24] a member's write after a forgery replaces what stood before it", () => {
    for (const remove of [false, true]) {
      using space = new SimulatedSpace();
      const [member, forger] = [space.addReplica(), space.addReplica()];
      writeAtRandom(member, space.main, [0]);
      deliverChanges(member, forger);
      forge(forger, remove);
      deliverChanges(forger, member);
      const value = new Uint8Array(48).fill(7);
      member.writeChange(space.main, { type: "revise", memories: [FIRST] }, [
        { key: memoryKey(FIRST), value },
      ]);
      const history = member.history(space.main);
      expect(valuesInHistory(history, FIRST, history.heads)).toEqual([bytesToHex(value)]);
    }
  });

  /** Writes or removes a value without a code. */
  function forge(forger: SimulatedReplica, remove: boolean): void {
    const { main } = forger.space;
    const doc = A.change(A.clone(forger.doc(main)), { time: 0 }, (draft) => {
      const bucket = draft.memories[bucketOf(FIRST)] as Record<string, Uint8Array>;
      if (remove) delete bucket[FIRST];
      else bucket[FIRST] = new Uint8Array(48);
    });
    forger.receive(main, [A.getLastLocalChange(doc) as Uint8Array]);
  }
});
