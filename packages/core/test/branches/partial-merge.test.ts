import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BranchId, ChangeHash, Memory, MemoryId } from "../../src/index.js";
import type { SimulatedReplica } from "../support/simulated-replica.js";
import { deliver, SimulatedSpace } from "../support/simulated-space.js";

interface Scene extends Disposable {
  readonly space: SimulatedSpace;
  readonly replica: SimulatedReplica;
  readonly main: BranchId;
  readonly work: BranchId;
  readonly ids: readonly MemoryId[];
}

async function scene(memories = 3): Promise<Scene> {
  const space = new SimulatedSpace();
  const { main } = space;
  const replica = space.addReplica();
  const ids: MemoryId[] = [];
  for (let index = 0; index < memories; index += 1)
    ids.push(await replica.remember(main, { content: `one two three of ${index}`, category: "start" }));
  const work = replica.fork(main);
  space.tick();
  return { space, replica, main, work, ids, [Symbol.dispose]: () => space[Symbol.dispose]() };
}

const only =
  (...ids: readonly MemoryId[]) =>
  (id: MemoryId): boolean =>
    ids.includes(id);

const said = ({ content, category, tags, deleted, conflicts }: Memory) => ({
  ...{ content, category, tags, deleted },
  conflicts: conflicts.map(({ field, values }) => [field, values.map(({ value }) => value).sort()]),
});

describe("merging some memories", () => {
  test("[BR70] brings what is chosen, as one change, and leaves the rest to be merged", async () => {
    using it = await scene();
    const { replica, main, work, ids, space } = it;
    const [a, b] = ids as [MemoryId, MemoryId];
    await replica.revise(work, a, { category: "there" });
    await replica.revise(work, a, { content: "one two four of 0" });
    await replica.revise(work, b, { category: "there" });
    const made = await replica.remember(work, { content: "made there" });
    await replica.revise(main, a, { tags: ["here"] });
    space.tick();
    const before = replica.history(main).size;
    const plan = await replica.merge(work, main, { chooses: only(a, made) });
    expect([plan.status, plan.changed.map(({ id }) => id), plan.created.map(({ id }) => id)]).toEqual([
      ...["ready", [a], [made]],
    ]);
    expect(replica.history(main).size).toBe(before + 1);
    expect(await replica.memory(main, a)).toMatchObject({
      ...{ content: "one two four of 0", category: "there", tags: ["here"], conflicts: [] },
    });
    expect(await replica.memory(main, b)).toMatchObject({ category: "start" });
    expect((await replica.merge(work, main, { chooses: only(a, made) })).status).toBe("up-to-date");

    const rest = await replica.merge(work, main);
    expect([rest.status, rest.changed.map(({ id }) => id), rest.created]).toEqual(["ready", [b], []]);
    expect((await replica.merge(work, main)).status).toBe("up-to-date");
  });

  test("[BR70] another replica reads what was merged in part, without the branch it came from", async () => {
    using it = await scene(1);
    const { replica, main, work, ids, space } = it;
    const [a] = ids as [MemoryId];
    for (const category of ["x", "y", "z"]) await replica.revise(work, a, { category });
    await replica.merge(work, main, { chooses: only(a) });
    const other = space.addReplica();
    deliver(replica, other);
    expect(await other.memory(main, a)).toMatchObject({ category: "z", version: 5, conflicts: [] });
    await other.revise(main, a, { category: "other" });
    await replica.revise(main, a, { category: "mine" });
    deliver(other, replica);
    expect((await replica.memory(main, a)).conflicts).toMatchObject([{ field: "category", base: "z" }]);
  });

  test("[BR71] what is in conflict is decided by the strategy, and is no conflict with itself later", async () => {
    using it = await scene(2);
    const { replica, main, work, ids } = it;
    const [a] = ids as [MemoryId];
    await replica.revise(work, a, { category: "theirs" });
    await replica.revise(main, a, { category: "ours" });
    expect((await replica.merge(work, main, { chooses: only(a) })).status).toBe("conflict");
    await replica.merge(work, main, { chooses: only(a), strategy: "target" });
    expect(await replica.memory(main, a)).toMatchObject({ category: "ours", conflicts: [] });
    expect(await replica.merge(work, main)).toMatchObject({ status: "ready", conflicts: [], changed: [] });
    expect(await replica.memory(main, a)).toMatchObject({ category: "ours", conflicts: [] });
  });

  test("[BR72] it can be undone; then a merge of those memories asks, and a merge of others does not", async () => {
    using it = await scene();
    const { replica, main, work, ids, space } = it;
    const [a, b] = ids as [MemoryId, MemoryId];
    await replica.revise(work, a, { category: "there" });
    await replica.revise(work, b, { category: "there" });
    const made = await replica.remember(work, { content: "made there" });
    space.tick();
    const { change } = await replica.merge(work, main, { chooses: only(a, made) });
    space.tick();
    await replica.undo(main, change as ChangeHash);
    expect(await replica.memory(main, a)).toMatchObject({ category: "start" });
    expect(await replica.memory(main, made)).toMatchObject({ deleted: true });
    expect((await replica.preview(work, main, { chooses: only(b) })).status).toBe("ready");
    expect((await replica.preview(work, main, { chooses: only(a) })).status).toBe("undecided");
    expect((await replica.preview(work, main)).status).toBe("undecided");
    space.tick();
    await replica.merge(work, main, { chooses: only(a), again: true });
    expect(await replica.memory(main, a)).toMatchObject({ category: "there" });
    expect(await replica.memory(main, made)).toMatchObject({ deleted: true });
    expect((await replica.preview(work, main)).status).toBe("undecided");
    await replica.merge(work, main, { again: true });
    expect(await replica.memory(main, made)).toMatchObject({ deleted: false });
    expect(await replica.memory(main, b)).toMatchObject({ category: "there" });
    expect((await replica.preview(work, main)).status).toBe("up-to-date");
  });
});

interface Edit {
  readonly on: "work" | "main";
  readonly memory: number;
  readonly what: "category" | "first word" | "last word" | "tags" | "forget";
}

const edit: fc.Arbitrary<Edit> = fc.record({
  on: fc.constantFrom("work", "main"),
  memory: fc.nat(2),
  what: fc.constantFrom("category", "first word", "last word", "tags", "forget"),
});

/** Every value is written once, so that it can be told whose it is. */
async function write(it: Scene, { on, memory, what }: Edit, nth: number): Promise<void> {
  const { replica, ids } = it;
  const [branch, id] = [it[on], ids[memory] as MemoryId];
  it.space.tick();
  const { content, tags, deleted, conflicts } = await replica.memory(branch, id);
  if (deleted || conflicts.length > 0) return;
  const words = content.split(" ");
  if (what === "forget") await replica.forget(branch, id);
  else if (what === "category") await replica.revise(branch, id, { category: `c${nth}` });
  else if (what === "tags") await replica.revise(branch, id, { tags: [...tags, `t${nth}`] });
  else {
    words[what === "first word" ? 0 : words.length - 1] = `w${nth}`;
    await replica.revise(branch, id, { content: words.join(" ") });
  }
}

describe("properties", () => {
  test("[BR73] partial merges in any order, then the whole, equal the whole at once", async () => {
    const parts = fc.array(fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 }), { maxLength: 4 });
    const strategies = fc.constantFrom("source" as const, "target" as const, "newest" as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { maxLength: 9 }),
        parts,
        strategies,
        async (edits, order, strategy) => {
          using it = await scene();
          const { replica, main, work, space } = it;
          for (const [nth, one] of edits.entries()) await write(it, one, nth);
          const made = await replica.remember(work, { content: "made there" });
          const all = [...it.ids, made];
          const atOnce = replica.fork(main);
          space.tick();
          for (const part of order)
            await replica.merge(work, main, {
              chooses: only(...part.map((n) => all[n] as MemoryId)),
              strategy,
            });
          for (const branch of [main, atOnce]) await replica.merge(work, branch, { strategy });
          for (const id of all)
            expect(said(await replica.memory(main, id))).toEqual(said(await replica.memory(atOnce, id)));
          expect((await replica.merge(work, main)).status).toBe("up-to-date");
        },
      ),
      { seed: 49, numRuns: 20 },
    );
  });

  test("[BR74] with edits in between, every value that its writer's successors did not see is shown or listed", async () => {
    type Step =
      | { readonly edit: Edit }
      | { readonly part: readonly number[]; readonly back: boolean }
      | { readonly whole: boolean };
    const step: fc.Arbitrary<Step> = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ edit: edit.map((one) => ({ ...one, what: "category" as const })) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ part: fc.uniqueArray(fc.nat(2), { minLength: 1 }), back: fc.boolean() }),
      },
      { weight: 1, arbitrary: fc.record({ whole: fc.boolean() }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        using it = await scene();
        const { replica, ids } = it;
        // The model: on each branch, the values that stand, and those that a write there replaced.
        const model = { work: ids.map(start), main: ids.map(start) };
        const join = (from: "work" | "main", into: "work" | "main", which: readonly number[]): void => {
          for (const n of which)
            model[into][n] = joined(model[into][n] as Register, model[from][n] as Register);
        };
        for (const [nth, one] of steps.entries()) {
          if ("edit" in one) {
            const { on, memory } = one.edit;
            await write(it, one.edit, nth);
            const register = model[on][memory] as Register;
            model[on][memory] = { stand: new Set([`c${nth}`]), gone: union(register.gone, register.stand) };
            continue;
          }
          it.space.tick();
          const back = "whole" in one ? one.whole : one.back;
          const [from, into] = back ? (["main", "work"] as const) : (["work", "main"] as const);
          const which = "part" in one ? one.part : [0, 1, 2];
          const chooses = "part" in one ? only(...which.map((n) => ids[n] as MemoryId)) : undefined;
          const { status } = await replica.merge(it[from], it[into], { chooses });
          const apart = which.some(
            (n) => joined(model[into][n] as Register, model[from][n] as Register).stand.size > 1,
          );
          expect(status === "conflict").toBe(apart);
          if (!apart) join(from, into, which);
        }
        for (const branch of ["work", "main"] as const)
          for (const [n, id] of ids.entries())
            expect([...(model[branch][n] as Register).stand]).toEqual([
              (await replica.memory(it[branch], id)).category,
            ]);
      }),
      { seed: 49, numRuns: 30 },
    );
  });
});

interface Register {
  readonly stand: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
}

const start = (): Register => ({ stand: new Set(["start"]), gone: new Set() });
const union = (...sets: readonly ReadonlySet<string>[]): Set<string> =>
  new Set(sets.flatMap((set) => [...set]));

function joined(a: Register, b: Register): Register {
  const gone = union(a.gone, b.gone);
  return { gone, stand: new Set([...union(a.stand, b.stand)].filter((value) => !gone.has(value))) };
}
