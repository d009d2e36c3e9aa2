import { describe, expect, test } from "vitest";
import { call, connect, failed, replicaHere } from "../support/connected.js";
import { BothServers, type ToolCall, toolCall } from "./support/both-servers.js";

const entity = (name: string, entityType: string, ...observations: string[]) => ({
  ...{ name, entityType, observations },
});
const relation = (from: string, relationType: string, to: string) => ({ from, to, relationType });
const READ = toolCall("read_graph");

interface Difference {
  readonly what: string;
  readonly reason: string;
  readonly before?: readonly ToolCall[];
  readonly asked: ToolCall;
  /** What read_graph tells of each afterwards; or what was answered, where nothing is left to read. */
  readonly official: object;
  readonly ours: object;
}

/** All differences in answers. Whoever finds another one adds it here, with its reason, or removes it from the code. */
const DIFFERENCES: readonly Difference[] = [
  {
    what: "one entity named twice in one call",
    reason:
      "The official server then has two entities of one name, of which all later calls change the first. Ours is one, with the observations of both and the type of the first.",
    asked: toolCall("create_entities", { entities: [entity("A", "t", "x"), entity("A", "u", "y")] }),
    official: { entities: [entity("A", "t", "x"), entity("A", "u", "y")], relations: [] },
    ours: { entities: [entity("A", "t", "x", "y")], relations: [] },
  },
  {
    what: "one observation twice in a new entity",
    reason:
      "The official server keeps a text twice if it comes twice in one call, and once if it comes in two.",
    asked: toolCall("create_entities", { entities: [entity("A", "t", "x", "x")] }),
    official: { entities: [entity("A", "t", "x", "x")], relations: [] },
    ours: { entities: [entity("A", "t", "x")], relations: [] },
  },
  {
    what: "one observation twice in one addition",
    reason: "As before.",
    before: [toolCall("create_entities", { entities: [entity("A", "t")] })],
    asked: toolCall("add_observations", { observations: [{ entityName: "A", contents: ["x", "x"] }] }),
    official: { entities: [entity("A", "t", "x", "x")], relations: [] },
    ours: { entities: [entity("A", "t", "x")], relations: [] },
  },
  {
    what: "one relation twice in one call",
    reason: "As before.",
    asked: toolCall("create_relations", { relations: [relation("A", "r", "B"), relation("A", "r", "B")] }),
    official: { entities: [], relations: [relation("A", "r", "B"), relation("A", "r", "B")] },
    ours: { entities: [], relations: [relation("A", "r", "B")] },
  },
];

describe("what differs from the official server", () => {
  test.for(DIFFERENCES)("[OM8] $what", async ({ before = [], asked, official, ours }) => {
    await using both = await BothServers.start();
    for (const each of before) await both.ask(each);
    const answers = await both.ask(asked);
    expect(answers.ours).not.toEqual(answers.official);
    const graphs = await both.ask(READ);
    expect(graphs.official).toMatchObject({ structuredContent: official });
    expect(graphs.ours).toMatchObject({ structuredContent: ours });
  });

  test("[OM8] a tool that there is not: a protocol error, as the specification now has it, in place of a tool's", async () => {
    await using both = await BothServers.start();
    const asked = { name: "forget_everything", arguments: {} };
    expect(await both.official.callTool(asked)).toMatchObject({ isError: true });
    await expect(both.ours.callTool(asked)).rejects.toThrow("Tool forget_everything not found");
  });
});

describe("what only ours can say", () => {
  test("[OM9] what the policy does not let pass is told like by our other tools, and nothing is done", async () => {
    await using here = await replicaHere();
    const space = await here.replica.createSpace({ name: "memory" });
    await using connected = await connect(here.replica, { settings: { tools: "official" } });
    const { client } = connected;
    await call(client, "create_entities", { entities: [entity("A", "t", "x")] });
    await space.policy.set("forget", "agent", "approve");
    expect(await failed(client, "delete_entities", { entityNames: ["A"] })).toContain("APPROVAL_NEEDED");
    expect(await call(client, "read_graph")).toMatchObject({ data: { entities: [{ name: "A" }] } });
  });

  test("[OM9] writes are by the client's name, on the branch that was set, and memories like others", async () => {
    await using here = await replicaHere();
    const space = await here.replica.createSpace({ name: "memory" });
    await space.branches.create("work");
    const settings = { tools: "official", branch: "work" } as const;
    await using connected = await connect(here.replica, { settings, name: "Some Client" });
    await call(connected.client, "create_entities", { entities: [entity("Mira", "person", "sails")] });
    expect((await space.list()).memories).toEqual([]);
    const [found] = await space.recall("who sails?", { branch: "work" });
    expect(found).toMatchObject({ content: "Mira: sails", by: { agent: "some-client" } });
  });

  test.for(["legacy", "auto"] as const)(
    "[OM9] the resource tells its subscribers of every change, whoever made it (%s)",
    async (mode) => {
      await using here = await replicaHere();
      const space = await here.replica.createSpace({ name: "memory" });
      const settings = { tools: "official" } as const;
      const client = { versionNegotiation: { mode } };
      await using connected = await connect(here.replica, { settings, client });
      const told = Promise.withResolvers<unknown>();
      connected.client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
        told.resolve(params),
      );
      const uri = "memory://knowledge-graph";
      await connected.client.readResource({ uri });
      if (mode === "legacy") await connected.client.subscribeResource({ uri });
      else await connected.client.listen({ resourceSubscriptions: [uri] });
      await space.as({ agent: "other" }).remember({ content: "something" });
      expect(await told.promise).toMatchObject({ uri });
    },
  );
});
