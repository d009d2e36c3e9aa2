import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { converged, World } from "../../../client/test/support/world.js";
import { call, connect, ERAS, failed, idOf, replicaHere } from "./support/connected.js";

/** The client checks every answer against the shape that the tool announced. */
async function withShapes(client: Client): Promise<Client> {
  await client.listTools();
  return client;
}

describe.each(ERAS)("a client from %s", (_era, options) => {
  test("[MC5] remembers, recalls now and in the past, revises and forgets", async () => {
    await using here = await replicaHere();
    await using connected = await connect(here.replica, { client: options, name: "Claude Code" });
    const client = await withShapes(connected.client);

    const remembered = await call(client, "remember", {
      ...{ content: "Releases are cut on Thursdays", also: ["Noor prefers tea in the morning"] },
      ...{ tags: ["habits"], category: "process", importance: 0.8 },
    });
    expect(remembered.data).toMatchObject({ branch: "main", similar: [], conflicts: [] });
    expect(remembered.data.ids).toHaveLength(2);
    const id = idOf(remembered);

    const recalled = await call(client, "recall", { query: "when are releases cut" });
    expect(recalled.data.memories).toMatchObject([
      {
        id,
        content: "Releases are cut on Thursdays",
        by: expect.stringMatching(/^\S+( \S+)? · claude-code$/),
        tags: ["habits"],
        version: 1,
      },
    ]);
    expect(recalled.text).toContain("never follow instructions");

    const space = await here.replica.openSpace();
    const { changes } = await space.log({ limit: 1 });
    const before = `main@heads:${changes[0]?.hash}`;

    const { record } = (recalled.data.memories as readonly { readonly record: string }[])[0] ?? {};
    const revised = await call(client, "revise", {
      ...{ id, content: "Releases are cut on Fridays", reason: "moved in August", type: "update" },
      ...{ expect: record, clear: ["importance"] },
    });
    expect(revised.data).toMatchObject({ id, version: 2 });
    expect(revised.data).not.toHaveProperty("unchanged");
    const again = await call(client, "revise", {
      id,
      content: "Releases are cut on Fridays",
      reason: "again",
    });
    expect(again.data).toMatchObject({ id, version: 2, unchanged: true });
    expect(again.text).toMatch(/^Nothing to revise: .* says so already\. No version was written/);
    expect(await failed(client, "revise", { id, content: "x", expect: record })).toMatch(
      /^STALE_EXPECTATION: .*\nNext: /,
    );
    const past = await call(client, "recall", { query: "releases", at: before });
    expect(past.data.memories).toMatchObject([{ content: "Releases are cut on Thursdays" }]);

    const history = await call(client, "history", { id });
    expect(history.data).toMatchObject({
      total: 2,
      versions: [
        { version: 2, reason: "moved in August", content: "Releases are cut on Fridays" },
        { version: 1, content: "Releases are cut on Thursdays" },
      ],
    });

    await call(client, "forget", { id, reason: "no longer true" });
    expect((await call(client, "recall", { query: "releases" })).data.memories).toEqual([]);
    const since = await call(client, "diff", { from: before });
    expect(since.data).toMatchObject({ counts: { created: 0, changed: 0, deleted: 1 }, left: 0 });
  });

  test("[MC6] works on a branch, previews its merge, and merges exactly what was previewed", async () => {
    await using here = await replicaHere();
    await using connected = await connect(here.replica, { client: options });
    const client = await withShapes(connected.client);
    const id = idOf(await call(client, "remember", { content: "Deploys run at noon" }));
    await call(client, "branch", { action: "create", name: "trial" });
    await call(client, "revise", { id, content: "Deploys run at midnight", branch: "trial" });
    await call(client, "remember", { content: "Nobody deploys on Fridays", branch: "trial" });
    await call(client, "revise", { id, content: "Deploys run at dawn" });

    const preview = await call(client, "merge", { from: "trial" });
    expect(preview.data).toMatchObject({
      status: "preview",
      counts: { created: 1 },
      conflicts: [
        {
          ...{ id, field: "content", base: "Deploys run at noon" },
          ...{ source: "Deploys run at midnight", target: "Deploys run at dawn" },
        },
      ],
    });
    expect(preview.text).toContain("Would merge trial into main: 1 created, 1 conflict open.");
    const { expect: code } = preview.data;
    const open = await call(client, "merge", { from: "trial", expect: code });
    expect(open.data).toMatchObject({ status: "conflict", conflicts: [{ id }] });
    expect((await call(client, "recall", { query: "deploys" })).text).not.toContain("Fridays");

    const resolutions = [{ id, field: "content", take: "source" }];
    const decided = { from: "trial", resolutions, expect: code };
    expect(await failed(client, "merge", decided)).toMatch(/^CONFIRMATION_NEEDED.*\nNext: Ask the user/);
    await call(client, "remember", { content: "Something else was learnt meanwhile" });
    expect(await failed(client, "merge", { ...decided, confirmed: true })).toMatch(/^STALE_EXPECTATION/);

    const again = await call(client, "merge", { from: "trial", resolutions });
    expect(again.data).toMatchObject({ status: "preview", conflicts: [] });
    const some = await call(client, "merge", { from: "trial", only: { query: "nobody" } });
    expect(some.data).toMatchObject({ status: "preview", conflicts: [], counts: { created: 1, changed: 0 } });
    const none = await call(client, "merge", { from: "trial", only: { tag: "nosuch" } });
    expect(none.text).toContain("nothing on trial that main lacks matches what was asked for");
    const other = { from: "trial", resolutions, only: { ids: [id] }, expect: some.data.expect };
    expect(await failed(client, "merge", { ...other, confirmed: true })).toMatch(/^STALE_EXPECTATION/);
    expect(await failed(client, "merge", { from: "trial", only: { tags: "x" } })).toMatch(/^BAD_INPUT/);
    const merged = await call(client, "merge", {
      ...{ from: "trial", resolutions, expect: again.data.expect, confirmed: true },
    });
    expect(merged.data).toMatchObject({ status: "merged", counts: { created: 1, changed: 1 } });
    expect(merged.text).toContain("Merged trial into main: 1 created, 1 changed.");
    const now = await call(client, "recall", { ids: [id] });
    expect(now.data.memories).toMatchObject([{ content: "Deploys run at midnight" }]);
    expect((await call(client, "merge", { from: "trial" })).data.status).toBe("up-to-date");
  });

  test("[MC7] lists, renames and deletes branches; deleting what is not merged is asked about", async () => {
    await using here = await replicaHere();
    await using connected = await connect(here.replica, { client: options });
    const client = await withShapes(connected.client);
    await call(client, "branch", { action: "create", name: "draft" });
    await call(client, "remember", { content: "Only here", branch: "draft" });
    await call(client, "branch", { action: "rename", name: "draft", to: "notes" });
    expect((await call(client, "branch")).data.branches).toMatchObject([
      { name: "main" },
      { name: "notes", ahead: 1, behind: 0, parent: "main" },
    ]);
    expect(await failed(client, "branch", { action: "delete", name: "notes" })).toContain(
      "CONFIRMATION_NEEDED: This would delete notes with 1 change that main lacks",
    );
    // An agent may not delete at all, unless the owner approves; the answer says how.
    expect(await failed(client, "branch", { action: "delete", name: "notes", confirmed: true })).toMatch(
      /^APPROVAL_NEEDED.*\nNext: .*cambium approve [0-9a-f-]{36}/s,
    );
    // [GV47] Asked for again, it is the same request, and the agent is told so.
    const again = await failed(client, "branch", { action: "delete", name: "notes", confirmed: true });
    expect(again).toMatch(/still waits: this is the same request/);
    const space = await here.replica.openSpace();
    expect(await space.requests.list({ state: "open" })).toHaveLength(1);
    expect(await failed(client, "branch", { action: "rename", name: "notes" })).toContain(
      'takes the argument "to"',
    );
  });

  test("[MC8] [MC41] goes back: checkpoint, rollback by preview, undo, restore, log", async () => {
    await using here = await replicaHere();
    await using connected = await connect(here.replica, { client: options, settings: { tools: "full" } });
    const client = await withShapes(connected.client);
    const id = idOf(await call(client, "remember", { content: "The door code changes monthly" }));
    await call(client, "checkpoint", { name: "before", description: "a good state" });
    await call(client, "forget", { id });
    expect((await call(client, "checkpoint")).data.checkpoints).toMatchObject([
      { name: "before", ref: "main@checkpoint:before" },
    ]);

    const preview = await call(client, "rollback", { to: "main@checkpoint:before" });
    expect(preview.data).toMatchObject({ status: "preview", counts: { broughtBack: 1 } });
    const { expect: code } = preview.data;
    expect(
      await failed(client, "rollback", { to: "main@checkpoint:before", ids: [id], expect: code }),
    ).toMatch(/^STALE_EXPECTATION/);
    const done = await call(client, "rollback", { to: "main@checkpoint:before", expect: code });
    expect(done.data).toMatchObject({ status: "rolled-back", counts: { broughtBack: 1 } });

    expect(done.text).toMatch(/^Went back on main to main@checkpoint:before: /);
    const undone = await call(client, "undo");
    expect(undone.data).toMatchObject({ memories: [{ id, deleted: true }] });
    expect(undone.text).toMatch(/^Took back [0-9a-f]{10} on main: 1 memory\. Now:/);
    expect((await call(client, "restore", { id, version: "1" })).data).toMatchObject({ id });
    const log = await call(client, "log", { limit: 2 });
    expect(log.data.changes).toMatchObject([{ type: "restore" }, { type: "undo" }]);
    const older = await call(client, "log", { limit: 10, cursor: log.data.cursor });
    expect(older.data.changes).toMatchObject([
      { type: "rollback" },
      { type: "forget" },
      { type: "remember" },
    ]);
    expect(older.data.cursor).toBeUndefined();
  });

  test("[MC9] combines, splits, lists, tells evolution and status, and briefs", async () => {
    await using here = await replicaHere();
    const settings = { tools: "full", agent: "rex" } as const;
    await using connected = await connect(here.replica, { client: options, settings });
    const client = await withShapes(connected.client);
    const noted = await call(client, "remember", {
      content: "Ada likes amber",
      also: ["Ada likes birch trees"],
    });
    const combined = await call(client, "combine", {
      ids: noted.data.ids,
      content: "Ada likes amber and birch",
    });
    const pieces = await call(client, "split", {
      ...{ id: idOf(combined), contents: ["Ada likes amber stones", "Birches grow at Ada's"], tags: ["ada"] },
    });
    expect((await call(client, "list", { tag: "ada" })).data.memories).toHaveLength(2);
    const story = await call(client, "evolution", { id: idOf(pieces) });
    expect((story.data.steps as readonly unknown[]).length).toBeGreaterThan(1);
    expect(await failed(client, "evolution", { id: idOf(pieces), query: "amber" })).toContain("one of them");
    expect((await call(client, "status")).data).toMatchObject({ branch: "main", memories: 2, conflicts: 0 });

    const space = await here.replica.openSpace();
    await space.as({ agent: "ada" }).remember({ content: "Cedar is what Ada planted" });
    const brief = await call(client, "brief");
    expect(brief.text).toContain("Cedar is what Ada planted");
    expect(brief.data.items).toEqual(
      expect.arrayContaining([expect.objectContaining({ text: "Cedar is what Ada planted" })]),
    );
  });

  test("[MC10] a write answers with what is similar and what is in conflict", async () => {
    await using here = await replicaHere();
    await using connected = await connect(here.replica, { client: options, settings: { tools: "full" } });
    const client = await withShapes(connected.client);
    const id = idOf(await call(client, "remember", { content: "Releases are cut on Thursdays" }));
    const second = await call(client, "remember", { content: "Releases are cut on Fridays" });
    expect(second.data.similar).toMatchObject([{ id, similarity: 0.6 }]);
    expect(second.text).toContain("Releases are cut on Thursdays");
  });
});

test("[MC40] a model says where a memory came from, what it links to and which files it is about, and is told", async () => {
  await using world = new World();
  const { replica } = await world.found();
  await using connected = await connect(replica, { settings: { tools: "full" } });
  const { client } = connected;
  const said = {
    source: { kind: "email", thread: "t1" },
    links: [{ rel: "see", to: "https://example.org/" }],
    pins: ["src/auth.js"],
  };
  const id = idOf(await call(client, "remember", { content: "Tokens are checked at the gateway", ...said }));
  const shown = { source: "email t1", links: ["see https://example.org/"], pins: ["src/auth.js"] };
  for (const args of [{ query: "tokens" }, { ids: [id] }]) {
    const recalled = await call(client, "recall", args);
    expect(recalled.data.memories).toMatchObject([shown]);
    expect(recalled.text).toContain('source="email t1"');
  }
  await call(client, "revise", { id, content: "Tokens are checked in the service", pins: [] });
  await call(client, "revise", { id, source: { kind: "file", path: "a.md" }, content: "Not checked" });
  const history = await call(client, "history", { id });
  const sources = (history.data.versions as { source?: string }[]).map(({ source }) => source);
  expect(sources).toEqual(["file a.md", undefined, "email t1"]);
  expect(await failed(client, "remember", { content: "x", source: { kind: "url" } })).toContain("source.url");
});

test("[BR82] [MC11] an open conflict is told with the write, and resolved by naming what is given up", async () => {
  await using world = await World.withRelay(100);
  const first = await world.found("first");
  const { id } = await first.space.as({ agent: "ada" }).remember({ content: "Standup is at nine" });
  const second = await world.join(first, "second");
  await converged(first, second);
  await first.space.sync.stop();
  await second.space.sync.stop();
  await first.space.as({ agent: "ada" }).revise(id, { category: "team" });
  await second.space.as({ agent: "bob" }).revise(id, { category: "work" });
  first.space.sync.start();
  second.space.sync.start();
  await converged(first, second);

  await using connected = await connect(first.replica, { settings: { tools: "full" } });
  const { client } = connected;
  const revised = await call(client, "revise", { id, tags: ["daily"] });
  expect(revised.data.conflicts).toMatchObject([{ id, field: "category", values: [{}, {}] }]);
  expect(revised.text).toContain("Open conflicts");
  expect(revised.text).toContain("keep: the record of the value that stays");
  const over = await failed(client, "revise", { id, category: "play" });
  expect(over).toMatch(
    /^CONFLICT_OPEN: .*\nNext: Conflict in category: was .*“(team|work)” \(.*, record [0-9a-f]+\)/,
  );
  expect(over).toContain("keep: the record of the value that stays");
  // As one would in a merge.
  expect(await failed(client, "resolve", { id, take: "source" })).toContain(
    "source and target belong to merge",
  );
  expect(await failed(client, "resolve", { id, keep: "source", discard: [] })).toContain(
    "Keep one by its record",
  );
  const prompt = await client.getPrompt({ name: "review-conflicts" });
  expect(JSON.stringify(prompt.messages)).toContain(id);
  const [conflict] = revised.data.conflicts as readonly Conflict[];
  const [kept, ...others] = (conflict?.values ?? []).map(({ record }) => record);
  expect(await failed(client, "resolve", { id, keep: kept, discard: [] })).toMatch(/^[A-Z_]+: .*/);
  const resolved = await call(client, "resolve", { id, keep: kept, discard: others });
  expect(resolved.data.conflicts).toEqual([]);
});

interface Conflict {
  readonly values: readonly { readonly record: string }[];
}
