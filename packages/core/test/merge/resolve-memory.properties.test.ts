import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordHash } from "../../src/format/ids.js";
import { decidesField, type MemoryRecord, type StateField } from "../../src/format/record.js";
import { type ResolvedMemory, resolveMemory } from "../../src/merge/resolve-memory.js";
import { mergeTexts } from "../../src/merge/text-merge.js";
import { reduceTips } from "../../src/merge/tips.js";
import { referenceTo } from "./records.js";
import { commands, joined, liveIn, play, type Replica, tipsOf, type World, write } from "./replicas.js";

/** Conflicts of every kind need some luck to come about. */
const RUNS = { numRuns: Math.max(120, fc.readConfigureGlobal().numRuns ?? 0) };

interface Scene {
  readonly world: World;
  readonly replica: Replica;
  readonly memory: ResolvedMemory;
}

/** Checks every replica at the end of random histories, and all of them brought together. */
function forEveryReplica(check: (scene: Scene) => void): void {
  fc.assert(
    fc.property(commands, (steps) => {
      const world = play(steps);
      for (const replica of [...world.replicas, world.replicas.reduce(joined)]) {
        if (tipsOf(replica).length === 0) continue;
        check({ world, replica, memory: world.story.at(...tipsOf(replica)) });
      }
    }),
    RUNS,
  );
}

const recordIn = ({ story }: World, hash: RecordHash): MemoryRecord =>
  story.records.get(hash) as MemoryRecord;
const sorted = <T>(values: Iterable<T>): T[] => [...values].sort();
const conflictOn = (memory: ResolvedMemory, field: StateField) =>
  memory.conflicts.find((each) => each.field === field);
const listed = (memory: ResolvedMemory, field: StateField): unknown[] =>
  conflictOn(memory, field)?.values.map(({ value }) => value) ?? [];

/** The nearest decisions that all of `sides` had seen. */
function nearestSeenByAll(
  { world, replica }: Scene,
  field: StateField,
  sides: readonly RecordHash[],
): RecordHash[] {
  const seenByAll = [...replica.seen].filter((hash) =>
    sides.every((side) => world.seenBy.get(side)?.has(hash)),
  );
  const deciding = seenByAll.filter((hash) => decidesField(recordIn(world, hash), field));
  return deciding.filter((hash) => !deciding.some((other) => world.seenBy.get(other)?.has(hash)));
}

type Merge<Value> = (base: Value | undefined, sides: readonly Value[]) => Value | undefined;

/** The one value that all of `sides` started from; of several nearest ones, what they merge to. */
function baseOf<F extends StateField>(
  scene: Scene,
  field: F,
  merge: Merge<MemoryRecord["fields"][F]>,
  sides: readonly RecordHash[] = liveIn(scene.replica, field),
): MemoryRecord["fields"][F] | undefined {
  const nearest = nearestSeenByAll(scene, field, sides);
  const byText = new Map(
    nearest
      .map((hash) => recordIn(scene.world, hash).fields[field])
      .map((value) => [JSON.stringify(value), value]),
  );
  const values = [...byText.values()];
  return values.length < 2 ? values[0] : merge(baseOf(scene, field, merge, nearest), values);
}

const noMerge = (): undefined => undefined;
const textMerge: Merge<string> = (base, texts) => (base === undefined ? undefined : mergeTexts(base, texts));
const ALL_TAGS = ["t0", "t1", "t2", "t3", "t4", "t5"];
const tagMerge: Merge<readonly string[]> = (base, sides) =>
  ALL_TAGS.filter((tag) =>
    base?.includes(tag)
      ? sides.every((tags) => tags.includes(tag))
      : sides.some((tags) => tags.includes(tag)),
  );

const liveValues = <F extends StateField>({ world, replica }: Scene, field: F): MemoryRecord["fields"][F][] =>
  liveIn(replica, field).map((hash) => recordIn(world, hash).fields[field]);

describe("against a model of registers", () => {
  test("[MG13] tips are what nobody has written over", () => {
    forEveryReplica(({ world, replica }) => {
      const references = [...replica.seen].map(referenceTo);
      expect(sorted(reduceTips(references, world.story.records).map(({ record }) => record))).toEqual(
        sorted(tipsOf(replica)),
      );
    });
  });

  test("[MG1] [MG2] [MG3] a field is in conflict exactly when writers who did not know of each other differ", () => {
    forEveryReplica((scene) => {
      const { memory, replica } = scene;
      const values = sorted(new Set(liveValues(scene, "kind")));
      expect(sorted(memory.decidedBy.kind)).toEqual(sorted(liveIn(replica, "kind")));
      expect(values).toContain(memory.fields.kind);
      expect(sorted(listed(memory, "kind"))).toEqual(values.length > 1 ? values : []);
      if (values.length > 1)
        expect(conflictOn(memory, "kind")?.base).toBe(baseOf(scene, "kind", noMerge) ?? null);
    });
  });

  test("[MG4] [MG6] texts merge against what all sides started from, or every text is listed", () => {
    forEveryReplica((scene) => {
      const texts = [...new Set(liveValues(scene, "content"))];
      const merged = texts.length === 1 ? texts[0] : textMerge(baseOf(scene, "content", textMerge), texts);
      if (merged === undefined) expect(sorted(listed(scene.memory, "content"))).toEqual(sorted(texts));
      else expect(scene.memory).toMatchObject({ fields: { content: merged } });
      expect(conflictOn(scene.memory, "content") === undefined).toBe(merged !== undefined);
    });
  });

  test("[MG4] no word that someone wrote is lost without being listed", () => {
    forEveryReplica((scene) => {
      if (conflictOn(scene.memory, "content") !== undefined) return;
      const known = new Set(baseOf(scene, "content", textMerge)?.split(" "));
      const shown = new Set(scene.memory.fields.content.split(" "));
      for (const text of liveValues(scene, "content")) {
        for (const word of text.split(" ")) expect(known.has(word) || shown.has(word)).toBe(true);
      }
    });
  });

  test("[MG5] a set holds what any side added and nothing that any side removed", () => {
    forEveryReplica((scene) => {
      const sides = liveValues(scene, "tags");
      const expected = tagMerge(baseOf(scene, "tags", tagMerge), sides);
      expect(scene.memory.fields.tags).toEqual(expected);
      expect(conflictOn(scene.memory, "tags")).toBeUndefined();
    });
  });

  test("[MG12] version, versions and shown", () => {
    forEveryReplica(({ world, replica, memory }) => {
      expect(memory.versions).toBe(replica.seen.size);
      expect(tipsOf(replica)).toContain(memory.shown);
      for (const tip of tipsOf(replica)) {
        expect(recordIn(world, tip).at).toBeLessThanOrEqual(recordIn(world, memory.shown).at);
      }
    });
  });
});

describe("forgetting, in words of who had seen what", () => {
  const forgetsIn = ({ world, replica }: Scene): RecordHash[] =>
    liveIn(replica, "deleted").filter((hash) => recordIn(world, hash).fields.deleted);

  test("[MG10] a memory is hidden only if everything done to it was seen by someone who forgot it", () => {
    forEveryReplica((scene) => {
      const { world, replica, memory } = scene;
      if (!memory.fields.deleted) return;
      const forgets = forgetsIn(scene);
      for (const hash of replica.seen) {
        if (recordIn(world, hash).fields.deleted) continue;
        expect(forgets.some((forget) => world.seenBy.get(forget)?.has(hash))).toBe(true);
      }
    });
  });

  test("[MG10] a memory is hidden if everyone who decides forgot it, all edits known to one of them", () => {
    forEveryReplica((scene) => {
      const { world, replica, memory } = scene;
      const forgets = forgetsIn(scene);
      const known = new Set(forgets.flatMap((forget) => [...(world.seenBy.get(forget) ?? [])]));
      const allEditsKnown = [...replica.seen].every(
        (hash) => recordIn(world, hash).fields.deleted || known.has(hash),
      );
      if (forgets.length === 0 || forgets.length < liveIn(replica, "deleted").length || !allEditsKnown)
        return;
      expect(memory.fields.deleted).toBe(true);
      expect(conflictOn(memory, "deleted")).toBeUndefined();
    });
  });

  test("[MG10] a forget that does not hide the memory is listed", () => {
    forEveryReplica((scene) => {
      if (scene.memory.fields.deleted || forgetsIn(scene).length === 0) return;
      expect(sorted(listed(scene.memory, "deleted"))).toEqual([false, true]);
      for (const forget of forgetsIn(scene)) expect(scene.memory.decidedBy.deleted).toContain(forget);
    });
  });

  test("[MG10] without a standing forget, deletion is no matter of conflict", () => {
    forEveryReplica((scene) => {
      if (forgetsIn(scene).length > 0) return;
      expect(scene.memory.fields.deleted).toBe(false);
      expect(conflictOn(scene.memory, "deleted")).toBeUndefined();
    });
  });
});

describe("writing on", () => {
  const after = ({ world, replica }: Scene, decided: Partial<MemoryRecord["fields"]>): ResolvedMemory =>
    world.story.at(
      ...tipsOf(write(world, replica, { name: `next${world.story.records.size}`, decided, at: 9 })),
    );

  test("[MG7] a write leaves the conflicts of other fields as they are", () => {
    forEveryReplica((scene) => {
      const written = after(scene, { area: "new" });
      expect(written.conflicts).toEqual(scene.memory.conflicts);
      expect(written.fields).toEqual({ ...scene.memory.fields, area: "new" });
    });
  });

  test("[MG8] a record that decides a field in conflict closes that conflict and no other", () => {
    forEveryReplica((scene) => {
      for (const { field, values } of scene.memory.conflicts) {
        for (const { value } of values) {
          const decided = after(scene, { [field]: value });
          expect(decided.conflicts).toEqual(scene.memory.conflicts.filter((each) => each.field !== field));
          expect(decided.fields[field]).toEqual(value);
        }
      }
    });
  });

  test("[MG9] two decisions over the same conflicts differ only where they differ", () => {
    forEveryReplica(({ world, replica, memory }) => {
      const left = { kind: "k1", deleted: true };
      const right = { kind: "k2", deleted: true };
      const size = world.story.records.size;
      const here = write(world, replica, { name: `here${size}`, decided: left, at: 9 });
      const there = write(world, replica, { name: `there${size}`, decided: right, at: 9 });
      const both = world.story.at(...tipsOf(joined(here, there)));
      expect(listed(both, "kind")).toEqual(["k2", "k1"]);
      expect(both.fields.deleted).toBe(true);
      const elsewhere = ({ conflicts }: ResolvedMemory) => conflicts.filter(({ field }) => !(field in left));
      expect(elsewhere(both)).toEqual(elsewhere(memory));
    });
  });
});

test("[MG20] the result depends neither on the order of tips and records nor on superfluous ones", () => {
  fc.assert(
    fc.property(commands, fc.infiniteStream(fc.nat()), (steps, keys) => {
      const { replicas, story } = play(steps);
      const everywhere = replicas.reduce(joined);
      const tips = tipsOf(everywhere);
      if (tips.length === 0) return;
      const shuffled = <T>(items: Iterable<T>): T[] =>
        Array.from(items, (item) => ({ item, key: keys.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
      const again = resolveMemory({
        tips: shuffled([...tips, ...everywhere.seen]),
        records: new Map(shuffled(story.records)),
        rank: story.rank,
      });
      expect(again).toEqual(story.at(...tips));
    }),
    RUNS,
  );
});

test("[MG11] whatever is missing, there is a value, and no readable decision is passed over", () => {
  fc.assert(
    fc.property(commands, fc.array(fc.nat(17), { maxLength: 4 }), (steps, missing) => {
      const { replicas, story } = play(steps);
      const everywhere = replicas.reduce(joined);
      const hashes = [...story.records.keys()];
      const partial = story.without(...missing.map((position) => hashes[position] ?? ""));
      const references = reduceTips([...everywhere.seen].map(referenceTo), partial.records);
      const tips = references.map(({ record }) => record).filter((hash) => partial.records.has(hash));
      if (tips.length === 0) return;
      const memory = partial.at(...tips);
      const whole = story.at(...tips);
      const shown = new Set([memory.fields.kind, ...listed(memory, "kind")]);
      for (const hash of whole.decidedBy.kind) {
        const record = partial.records.get(hash);
        if (record !== undefined) expect(shown).toContain(record.fields.kind);
      }
    }),
    RUNS,
  );
});
