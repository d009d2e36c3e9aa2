import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../support/connected.js";
import { BothServers, type ToolCall, toolCall } from "./support/both-servers.js";

const SEED = 20_260_831;

let both: BothServers;
beforeAll(async () => {
  both = await BothServers.start();
});
afterAll(() => both[Symbol.asyncDispose]());
beforeEach(() => both.empty());

const READ = toolCall("read_graph");

/** Every answer is the same, and so is the graph after every call. */
async function expectSame(calls: readonly ToolCall[]): Promise<void> {
  for (const [index, call] of calls.entries()) {
    for (const asked of [call, READ]) {
      const { official, ours } = await both.ask(asked);
      expect(ours, `call ${index + 1}: ${JSON.stringify(call)}, ${asked.tool}`).toEqual(official);
    }
  }
}

const entity = (name: string, entityType = "person", ...observations: string[]) => ({
  ...{ name, entityType, observations },
});
const relation = (from: string, relationType: string, to: string) => ({ from, to, relationType });
const create = (...entities: object[]) => toolCall("create_entities", { entities });
const relate = (...relations: object[]) => toolCall("create_relations", { relations });
const observe = (entityName: string, ...contents: string[]) =>
  toolCall("add_observations", { observations: [{ entityName, contents }] });
const unobserve = (entityName: string, ...observations: string[]) =>
  toolCall("delete_observations", { deletions: [{ entityName, observations }] });
const unrelate = (...relations: object[]) => toolCall("delete_relations", { relations });
const remove = (...entityNames: string[]) => toolCall("delete_entities", { entityNames });
const search = (query: string) => toolCall("search_nodes", { query });
const open = (...names: string[]) => toolCall("open_nodes", { names });

const HOUSEHOLD = [
  create(
    entity("Mira_Okafor", "person", "Prefers short answers", "Mira Okafor lives in Lisbon"),
    entity("Tidepool", "project", "Builds with pnpm"),
    entity("Lisbon", "city"),
  ),
  relate(relation("Mira_Okafor", "maintains", "Tidepool"), relation("Mira_Okafor", "lives in", "Lisbon")),
];

describe("what is listed", () => {
  test("[OM1] the nine tools: names, titles, descriptions, schemas, annotations and all else, in the same order", async () => {
    const [official, ours] = [await both.official.listTools(), await both.ours.listTools()];
    expect(official.tools).toHaveLength(9);
    expect(ours.tools).toEqual(official.tools);
  });

  test("[OM1] the same under the newest protocol, which knows no `execution`", async () => {
    const client = { versionNegotiation: { mode: "auto" as const } };
    await using modern = await connect(both.here.replica, {
      settings: { tools: "official", space: "graph 1" },
      client,
    });
    const official = (await both.official.listTools()).tools.map(
      ({ execution: _execution, ...tool }) => tool,
    );
    expect((await modern.client.listTools()).tools).toEqual(official);
  });

  test("[OM1] the same capabilities, and no instructions", () => {
    const [official, ours] = [both.official, both.ours];
    expect(ours.getServerCapabilities()).toEqual(official.getServerCapabilities());
    expect(ours.getInstructions()).toEqual(official.getInstructions());
  });

  test("[OM1] the graph as a resource, and what it holds", async () => {
    for (const call of HOUSEHOLD) await both.ask(call);
    expect(await both.ours.listResources()).toEqual(await both.official.listResources());
    expect(await both.ours.listResourceTemplates()).toEqual(await both.official.listResourceTemplates());
    const uri = "memory://knowledge-graph";
    expect(await both.ours.readResource({ uri })).toEqual(await both.official.readResource({ uri }));
  });
});

const SAME: Readonly<Record<string, readonly ToolCall[]>> = {
  "an empty graph": [READ, search(""), search("x"), open("x"), open()],
  "calls that name nothing": [
    create(),
    relate(),
    remove(),
    unrelate(),
    toolCall("add_observations", { observations: [] }),
  ],
  "a household": [
    ...HOUSEHOLD,
    search("lisbon"),
    search("PROJECT"),
    open("Tidepool"),
    open("Lisbon", "Mira_Okafor"),
  ],
  "an entity that is there already, with other content": [
    ...HOUSEHOLD,
    create(entity("Tidepool", "archive", "Closed"), entity("New", "thing", "fresh")),
  ],
  "observations that are there already, and new ones": [
    ...HOUSEHOLD,
    observe("Mira_Okafor", "Prefers short answers", "Sails", "Mira Okafor lives in Lisbon"),
    observe("Mira_Okafor", "Sails"),
    observe("Mira_Okafor"),
  ],
  "one text about two entities": [
    ...HOUSEHOLD,
    observe("Tidepool", "Sails"),
    observe("Lisbon", "Sails"),
    unobserve("Lisbon", "Sails"),
  ],
  "one entity twice in one call of add_observations": [
    ...HOUSEHOLD,
    toolCall("add_observations", {
      observations: [
        { entityName: "Lisbon", contents: ["has hills", "has trams"] },
        { entityName: "Lisbon", contents: ["has trams", "has a river"] },
      ],
    }),
  ],
  "observations of nobody: nothing of the call is kept": [
    ...HOUSEHOLD,
    observe("Nobody", "x"),
    toolCall("add_observations", {
      observations: [
        { entityName: "Lisbon", contents: ["has hills"] },
        { entityName: "Nobody", contents: ["x"] },
        { entityName: "Neither", contents: [] },
      ],
    }),
  ],
  "relations that are there already, of entities that are not, to themselves, and in both directions": [
    ...HOUSEHOLD,
    relate(
      relation("Mira_Okafor", "maintains", "Tidepool"),
      relation("Tidepool", "maintains", "Mira_Okafor"),
    ),
    relate(
      relation("ghost", "haunts", "mill"),
      relation("ghost", "haunts", "Lisbon"),
      relation("Lisbon", "is", "Lisbon"),
    ),
    open("ghost"),
    open("Lisbon"),
    search("ghost"),
    create(entity("ghost", "spirit")),
    open("ghost"),
  ],
  "deleting entities: their relations go with them, from both sides": [
    ...HOUSEHOLD,
    remove("Lisbon", "Nobody"),
    remove("Mira_Okafor"),
    remove("Mira_Okafor"),
  ],
  "deleting an end that was never an entity": [relate(relation("ghost", "haunts", "mill")), remove("mill")],
  "made again after it was deleted: without what it held, and last": [
    ...HOUSEHOLD,
    remove("Mira_Okafor"),
    create(entity("Mira_Okafor", "engineer", "Came back")),
    observe("Mira_Okafor", "Prefers short answers"),
    relate(relation("Mira_Okafor", "maintains", "Tidepool")),
  ],
  "two made again in another order": [
    create(entity("A"), entity("B"), entity("C")),
    remove("A", "B"),
    create(entity("B"), entity("A")),
    relate(relation("A", "r", "B"), relation("B", "r", "A")),
    unrelate(relation("A", "r", "B"), relation("B", "r", "A")),
    relate(relation("B", "r", "A"), relation("A", "r", "B")),
  ],
  "an observation deleted and made again stands last": [
    create(entity("A", "t", "one", "two", "three")),
    unobserve("A", "one", "not there"),
    observe("A", "one"),
    unobserve("Nobody", "one"),
  ],
  "relations deleted only when all three parts agree": [
    ...HOUSEHOLD,
    unrelate(
      relation("Mira_Okafor", "maintains", "Lisbon"),
      relation("Tidepool", "maintains", "Mira_Okafor"),
    ),
    unrelate(relation("Mira_Okafor", "Maintains", "Tidepool")),
    unrelate(relation("Mira_Okafor", "maintains", "Tidepool")),
  ],
  "names that differ in case or in spaces are others": [
    create(entity("Ada"), entity("ada"), entity(" Ada"), entity("Ada ")),
    observe("ada", "small"),
    open(" Ada"),
    search("ADA"),
    remove("Ada"),
  ],
  "texts that look like our own wording": [
    create(
      entity(
        "Mira",
        "person",
        "Mira: likes tea",
        "likes tea",
        "Mira (person)",
        "Mira: Mira: x",
        ": ",
        "Mira: ",
      ),
      entity("Mira (person)", "(odd)", "Mira (person): y"),
      entity("a: b", "", "a: b: c"),
      entity('"Quoted"', '"type"', '"said"', 'He said "yes"'),
    ),
    relate(relation('"Quoted"', '"r"', "a: b"), relation("[1]", '["x","y","z"]', "[2]")),
    unobserve("Mira", "likes tea"),
    open('"Quoted"'),
    search("likes"),
  ],
  "blank, empty and broken texts": [
    create(entity("", "", ""), entity(" ", " ", " ", "\n"), entity("half \ud800", "\udc00", "cut \ud83d")),
    relate(relation("", "", ""), relation(" ", "\t", "")),
    observe("", "", "said of nothing"),
    observe("half \ud800", "again \ud83d"),
    open(""),
    search(" "),
    unobserve("", ""),
    remove(" "),
  ],
  "zero bytes, lines and scripts": [
    create(
      entity("nul\0", "a\0b", "x\0y", "line one\nline two\r\n", "\ttabbed\t"),
      entity("Ünï 名前 🐚", "إنسان", "İstanbul", "ß"),
    ),
    search("NUL"),
    search("SS"),
    search("i̇stanbul"),
    search("名"),
    remove("nul\0"),
  ],
  "long texts": [
    create(entity("n".repeat(3_000), "t".repeat(3_000), "o".repeat(20_000))),
    relate(relation("n".repeat(3_000), "r".repeat(3_000), "m".repeat(3_000))),
    search("t".repeat(2_999)),
  ],
  "names that objects have by themselves": [
    create(entity("__proto__", "constructor", "toString"), entity("constructor"), entity("hasOwnProperty")),
    relate(relation("__proto__", "constructor", "toString")),
    open("__proto__", "toString"),
    remove("constructor"),
  ],
  "wrong arguments": [
    toolCall("create_entities"),
    toolCall("create_entities", { entities: "A" }),
    toolCall("create_entities", { entities: [{ name: "A", entityType: "t" }] }),
    toolCall("create_entities", { entities: [{ name: 1, observations: ["x", 2] }, null] }),
    toolCall("create_relations", { relations: [{ from: "A", to: "B" }] }),
    toolCall("add_observations", { observations: [{ entityName: "A", contents: "x" }] }),
    toolCall("delete_entities", { entityNames: "A" }),
    toolCall("delete_observations", { deletions: [{ entityName: "A" }] }),
    toolCall("delete_relations", { relations: [[]] }),
    toolCall("search_nodes", { query: 5 }),
    toolCall("open_nodes", { names: [1, "A", null] }),
  ],
  "arguments that nobody asked for are left out": [
    toolCall("create_entities", { entities: [{ ...entity("A"), mood: "good" }], and: 1 }),
    toolCall("create_relations", { relations: [{ relationType: "r", to: "A", from: "A", weight: 3 }] }),
    toolCall("read_graph", { of: "A" }),
  ],
};

describe("what is answered", () => {
  test.for(Object.entries(SAME))("[OM2] %s", ([, calls]) => expectSame(calls));

  test("[OM2] whatever is asked, in whatever order", { timeout: 120_000 }, async () => {
    let asked = 0;
    await fc.assert(
      fc
        .asyncProperty(fc.array(anyCall(), { minLength: 30, maxLength: 50 }), async (calls) => {
          await expectSame(calls);
          asked += 2 * calls.length;
        })
        .beforeEach(() => both.empty()),
      { seed: SEED, numRuns: 10 },
    );
    expect(asked).toBeGreaterThan(400);
  });
});

/** Few names and texts, so that calls meet; each thing once in a call, for twice is told apart below. */
function anyCall(): fc.Arbitrary<ToolCall> {
  const name = fc.constantFrom("Ada", "ada", "Mira Okafor", "", '"Q"', "a: b", "Ada (x)");
  const text = fc.constantFrom(
    "likes tea",
    "Ada: likes tea",
    "Ada likes tea",
    "",
    "Mira Okafor: x",
    '"Q"',
    "\ud800",
  );
  const type = fc.constantFrom("person", "", "Ada");
  const texts = fc.uniqueArray(text, { maxLength: 3 });
  const link = fc.record({ from: name, to: name, relationType: fc.constantFrom("knows", "is", "") });
  const links = fc.uniqueArray(link, { maxLength: 3, selector: (each) => JSON.stringify(each) });
  const described = fc.record({ name, entityType: type, observations: texts });
  return fc.oneof(
    fc.uniqueArray(described, { maxLength: 3, selector: (each) => each.name }).map((all) => create(...all)),
    links.map((all) => relate(...all)),
    fc
      .array(fc.record({ entityName: name, contents: texts }), { maxLength: 2 })
      .map((observations) => toolCall("add_observations", { observations })),
    fc.array(name, { maxLength: 2 }).map((names) => remove(...names)),
    fc
      .array(fc.record({ entityName: name, observations: texts }), { maxLength: 2 })
      .map((deletions) => toolCall("delete_observations", { deletions })),
    links.map((all) => unrelate(...all)),
    fc.oneof(name, text, type).map(search),
    fc.array(name, { maxLength: 2 }).map((names) => open(...names)),
  );
}
