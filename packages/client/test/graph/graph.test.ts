import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Agent, GraphEdit, KnowledgeGraph } from "../../src/api.js";
import { SnapshotStore } from "../../src/index-store/snapshot-store.js";
import { converged, type Device, meet, part, World } from "../support/world.js";

afterEach(() => vi.restoreAllMocks());

const SEED = 31_082_026;

const entity = (name: string, entityType = "person", ...observations: string[]) => ({
  ...{ name, entityType, observations },
});
const relation = (from: string, relationType: string, to: string) => ({ from, to, relationType });
const create = (...entities: ReturnType<typeof entity>[]): GraphEdit => ({
  type: "create-entities",
  entities,
});
const relate = (...relations: ReturnType<typeof relation>[]): GraphEdit => ({
  ...{ type: "create-relations", relations },
});
const observe = (entityName: string, ...observations: string[]): GraphEdit => ({
  ...{ type: "add-observations", additions: [{ entityName, observations }] },
});
const unobserve = (entityName: string, ...observations: string[]): GraphEdit => ({
  ...{ type: "delete-observations", deletions: [{ entityName, observations }] },
});
const remove = (...names: string[]): GraphEdit => ({ type: "delete-entities", names });

const agentOf = ({ space }: Device, agent = "ada"): Agent => space.as({ agent });
const saidOf = (graph: KnowledgeGraph, name: string): readonly string[] | undefined =>
  graph.entities.find((each) => each.name === name)?.observations;

describe("an edit", () => {
  test("[OM3] is one change, whatever it holds, and can be taken back as one", async () => {
    await using world = new World();
    const device = await world.found();
    const agent = agentOf(device);
    const changes = async (): Promise<number> => (await device.space.log({ limit: 1_000 })).changes.length;
    await agent.editGraph(create(entity("Mira", "person", "sails", "reads"), entity("Lisbon", "city")));
    await agent.editGraph(relate(relation("Mira", "lives in", "Lisbon")));
    expect(await changes()).toBe(2);
    const before = await device.space.graph();
    await agent.editGraph(remove("Mira", "Lisbon"));
    expect(await changes()).toBe(3);
    expect(await device.space.graph()).toEqual({ entities: [], relations: [] });
    await agent.undo();
    expect(await device.space.graph()).toEqual(before);
  });

  test("[OM3] that cannot be done whole writes nothing; one that has nothing to do makes no change", async () => {
    await using world = new World();
    const device = await world.found();
    const agent = agentOf(device);
    await agent.editGraph(create(entity("Mira", "person", "sails")));
    const [head] = (await device.space.log()).changes;
    const additions = [
      { entityName: "Mira", observations: ["reads"] },
      { entityName: "Nobody", observations: ["x"] },
    ];
    await expect(agent.editGraph({ type: "add-observations", additions })).rejects.toMatchObject({
      ...{ code: "ENTITY_NOT_FOUND", details: { entityName: "Nobody" } },
    });
    await expect(agent.editGraph({ type: "rename" } as never)).rejects.toMatchObject({ code: "BAD_INPUT" });
    await agent.editGraph(create(entity("Mira", "robot", "beeps")));
    await agent.editGraph(observe("Mira", "sails"));
    await agent.editGraph(remove("Nobody"));
    expect((await device.space.log()).changes[0]).toEqual(head);
  });

  test("[OM3] is in the agent's name, and waits for the owner where the policy says so", async () => {
    await using world = new World();
    const device = await world.found();
    const { memories } = await agentOf(device, "claude").editGraph(create(entity("Mira", "person", "sails")));
    expect(memories).toHaveLength(2);
    expect((await device.space.get(memories[0] ?? "")).by.agent).toBe("claude");
    await device.space.policy.set("forget", "agent", "approve");
    const failure = await agentOf(device, "claude")
      .editGraph(remove("Mira"))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "APPROVAL_NEEDED", details: { affected: 2 } });
    expect(saidOf(await device.space.graph(), "Mira")).toEqual(["sails"]);
    const [request] = await device.space.requests.list({ state: "open" });
    await device.space.requests.approve(request?.id ?? "");
    expect(await device.space.graph()).toEqual({ entities: [], relations: [] });
  });

  test("[OM3] made again after a deletion goes on with the memory it was, its history and its tags", async () => {
    await using world = new World();
    const device = await world.found();
    const agent = agentOf(device);
    const { memories } = await agent.editGraph(create(entity("Mira", "person", "sails")));
    await agent.revise(memories[1] ?? "", { tags: ["hobby"] });
    await agent.editGraph(unobserve("Mira", "sails"));
    const again = await agent.editGraph(observe("Mira", "sails"));
    expect(again.memories).toEqual([memories[1]]);
    expect(await device.space.get(memories[1] ?? "")).toMatchObject({ tags: ["hobby"], version: 4 });
  });

  test("[OM3] adds what it was told beside a memory that somebody has rewritten since", async () => {
    await using world = new World();
    const device = await world.found();
    const agent = agentOf(device);
    const { memories } = await agent.editGraph(create(entity("Mira", "person", "likes tea")));
    await agent.revise(memories[1] ?? "", { content: "Mira: likes coffee" });
    await agent.revise(memories[0] ?? "", { content: "Mira Okafor, who sails", category: "sailor" });
    expect((await device.space.graph()).entities).toEqual([entity("Mira", "sailor", "likes coffee")]);
    await agent.editGraph(observe("Mira", "likes tea", "likes coffee"));
    expect(saidOf(await device.space.graph(), "Mira")).toEqual(["likes coffee", "likes tea"]);
  });
});

describe("an imported file", () => {
  const lines = (...items: object[]): string => items.map((item) => JSON.stringify(item)).join("\n");
  const FILE = [
    {
      type: "entity",
      ...entity("Mira_Okafor", "person", "Prefers short answers", "Mira Okafor lives in Lisbon"),
    },
    { type: "entity", ...entity("Tidepool", "project", "Mira: said so", '"quoted"') },
    { type: "relation", ...relation("Mira_Okafor", "maintains", "Tidepool") },
    { type: "relation", ...relation("ghost", "haunts", "Tidepool") },
  ];

  test("[OM4] is at once the graph it was, and what is added to it is what a grown file would bring", async () => {
    await using world = new World();
    const device = await world.found();
    const path = join(world.root, "old", "memory.jsonl");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines(...FILE));
    await agentOf(device).import(path);
    expect(await device.space.graph()).toEqual({
      entities: [FILE[0], FILE[1]]
        .map((line) => ({ ...line, type: undefined }))
        .map(({ type: _, ...rest }) => rest),
      relations: [relation("Mira_Okafor", "maintains", "Tidepool"), relation("ghost", "haunts", "Tidepool")],
    });

    await agentOf(device).editGraph(observe("Mira_Okafor", "Sails", "Mira_Okafor: hums"));
    await agentOf(device).editGraph(relate(relation("Mira_Okafor", "likes", "Tidepool")));
    const graph = await device.space.graph();
    writeFileSync(
      path,
      lines(
        {
          ...FILE[0],
          observations: [
            ...(FILE[0] as { observations: string[] }).observations,
            "Sails",
            "Mira_Okafor: hums",
          ],
        },
        ...FILE.slice(1),
        { type: "relation", ...relation("Mira_Okafor", "likes", "Tidepool") },
      ),
    );
    expect(await agentOf(device).import(path)).toMatchObject({ created: 0, changed: 0 });
    expect(await device.space.graph()).toEqual(graph);
  });

  test("[OM4] its entities are not made twice, and go whole", async () => {
    await using world = new World();
    const device = await world.found();
    const path = join(world.root, "memory.jsonl");
    writeFileSync(path, lines(...FILE));
    await agentOf(device).import(path);
    expect((await agentOf(device).editGraph(create(entity("Tidepool", "other")))).entities).toEqual([]);
    await agentOf(device).editGraph(remove("Tidepool", "ghost"));
    expect(await device.space.graph()).toMatchObject({ entities: [{ name: "Mira_Okafor" }], relations: [] });
    expect((await device.space.list()).memories).toHaveLength(3);
  });
});

describe("several writers", () => {
  test("[OM5] at once in one replica: every observation is kept, and each is there once", async () => {
    await using world = new World();
    const device = await world.found();
    await agentOf(device).editGraph(create(entity("Hub", "thing")));
    const writes = Array.from({ length: 40 }, (_, index) =>
      agentOf(device, `agent-${index}`).editGraph(observe("Hub", `fact ${index}`, "common fact")),
    );
    await Promise.all(writes);
    const said = saidOf(await device.space.graph(), "Hub") ?? [];
    expect(said).toHaveLength(41);
    expect(new Set(said).size).toBe(41);
    expect((await device.space.list({ kind: "observation" })).memories).toHaveLength(41);
    expect(await device.space.conflicts()).toEqual([]);
  });

  test("[OM5] on two devices apart: both are kept, what both said is one memory, and nothing is in conflict", async () => {
    await using world = await World.withRelay(SEED);
    const { a, b } = await apart(world, create(entity("Hub", "thing", "old")));
    await agentOf(a).editGraph(observe("Hub", "from a", "from both"));
    await agentOf(b).editGraph(observe("Hub", "from b", "from both"));
    await agentOf(a).editGraph(create(entity("New", "thing")));
    await agentOf(b).editGraph(create(entity("New", "thing", "b saw it")));
    await meet(a, b);
    const graph = await a.space.graph();
    expect(await b.space.graph()).toEqual(graph);
    expect(new Set(saidOf(graph, "Hub"))).toEqual(new Set(["old", "from a", "from b", "from both"]));
    expect(saidOf(graph, "New")).toEqual(["b saw it"]);
    expect((await a.space.list({ kind: "observation" })).memories).toHaveLength(5);
    expect(await a.space.conflicts()).toEqual([]);
  });

  test("[OM5] what one observes of an entity while another deletes it is not lost: it comes back with it", async () => {
    await using world = await World.withRelay(SEED + 1);
    const { a, b } = await apart(world, create(entity("Hub", "thing", "old")));
    await agentOf(a).editGraph(remove("Hub"));
    await agentOf(b).editGraph(observe("Hub", "new"));
    await meet(a, b);
    expect(await a.space.graph()).toEqual({ entities: [], relations: [] });
    expect((await a.space.list()).memories.map(({ content }) => content)).toEqual(["Hub: new"]);
    await agentOf(a).editGraph(create(entity("Hub", "thing")));
    expect(saidOf(await a.space.graph(), "Hub")).toEqual(["new"]);
  });

  test("[OM5] whatever two devices write apart, both show the same graph after, with all that was added", async () => {
    const name = fc.constantFrom("Ada", "Mira", "");
    const text = fc.constantFrom("one", "two", "Ada: one", "");
    const link = fc.record({ from: name, to: name, relationType: fc.constantFrom("r", "") });
    const edit: fc.Arbitrary<GraphEdit> = fc.oneof(
      fc.tuple(name, text).map(([who, said]) => observe(who, said)),
      link.map((each) => relate(each)),
    );
    const edits = fc.array(edit, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(edits, edits, async (ofA, ofB) => {
        await using world = await World.withRelay(SEED + 2);
        const { a, b } = await apart(world, create(entity("Ada"), entity("Mira"), entity("")));
        for (const each of ofA) await agentOf(a).editGraph(each);
        for (const each of ofB) await agentOf(b).editGraph(each);
        await meet(a, b);
        const graph = await a.space.graph();
        expect(await b.space.graph()).toEqual(graph);
        for (const each of [...ofA, ...ofB]) {
          if (each.type === "create-relations")
            expect(graph.relations).toEqual(expect.arrayContaining([...each.relations]));
          if (each.type !== "add-observations") continue;
          const [{ entityName, observations } = { entityName: "", observations: [] }] = each.additions;
          expect(saidOf(graph, entityName)).toEqual(expect.arrayContaining([...observations]));
        }
        expect(await a.space.conflicts()).toEqual([]);
      }),
      { seed: SEED, numRuns: 5 },
    );
  }, 60_000);
});

describe("reading", () => {
  test("[OM6] any state of any branch; a branch keeps to itself until it is merged", async () => {
    await using world = new World();
    const device = await world.found();
    const agent = agentOf(device);
    await agent.editGraph(create(entity("Mira", "person", "sails")));
    await device.space.checkpoints.create({ name: "before" });
    await agent.branches.create("try");
    await agent.editGraph(observe("Mira", "flies"), { branch: "try" });
    expect(saidOf(await device.space.graph(), "Mira")).toEqual(["sails"]);
    expect(saidOf(await device.space.graph({ branch: "try" }), "Mira")).toEqual(["sails", "flies"]);
    await agent.merge({ from: "try" });
    await agent.editGraph(unobserve("Mira", "sails"));
    expect(saidOf(await device.space.graph(), "Mira")).toEqual(["flies"]);
    expect(saidOf(await device.space.graph({ at: "main@checkpoint:before" }), "Mira")).toEqual(["sails"]);
  });

  test("[OM6] an index made anew gives the same graph in the same order", async () => {
    await using world = new World();
    const device = await world.found();
    const agent = agentOf(device);
    await agent.editGraph(create(entity("B", "t", "y", "x"), entity("A", "t")));
    await agent.editGraph(remove("B"));
    await agent.editGraph(create(entity("B", "t", "x", "y")));
    await agent.editGraph(relate(relation("B", "r", "A"), relation("A", "r", "B")));
    const graph = await device.space.graph();
    await device.space.reindex();
    expect(await device.space.graph()).toEqual(graph);
    expect(graph.entities.map(({ name }) => name)).toEqual(["A", "B"]);
  });

  test("[OM7] to open a node, or to add to it, reads what speaks of it and nothing else", async () => {
    await using world = new World();
    const device = await world.found();
    const agent = agentOf(device);
    const many = Array.from({ length: 300 }, (_, index) => entity(`E${index}`, "thing", `said ${index}`));
    await agent.editGraph(create(...many));
    await agent.editGraph(relate(relation("E1", "r", "E2")));
    const read = vi.spyOn(SnapshotStore.prototype, "memories");
    await device.space.graph({ names: ["E1"] });
    await agent.editGraph(observe("E1", "more"));
    await agent.editGraph(relate(relation("E1", "s", "E3")));
    const sizes = read.mock.calls.map(([shown]) => shown.length);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5);
  });
});

interface Pair {
  readonly a: Device;
  readonly b: Device;
}

/** Two devices that have the same and then no longer hear of each other. */
async function apart(world: World, first: GraphEdit): Promise<Pair> {
  const a = await world.found("a");
  await agentOf(a).editGraph(first);
  const b = await world.join(a, "b", { role: "admin" });
  await converged(a, b);
  await part(a, b);
  return { a, b };
}
