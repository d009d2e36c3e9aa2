/** What somebody did as one thing, and wrote as several changes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { World } from "../support/world.js";

const FORGET = "forget:0f3a5b7c9d1e2f30";

async function space(seed: number) {
  const world = new World(seed);
  const { space } = await world.found();
  return {
    world,
    space,
    agent: space.as({ confirmed: true }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

function notes(world: World, count: number): string {
  const path = join(world.root, "notes.md");
  const sections = Array.from({ length: count }, (_, index) => `## Note ${index}\n\nText ${index}.`);
  writeFileSync(path, sections.join("\n\n"));
  return path;
}

describe("operations of several changes", () => {
  test("[GB60] [CL111] an import says what takes it back; one undo takes back all that is left of it", async () => {
    await using here = await space(60);
    const { world, space: opened, agent } = here;
    await agent.remember({ content: "Before it." });
    const path = notes(world, 260);
    expect(await agent.import(path, { preview: true })).toMatchObject({ created: 260, preview: true });
    expect((await opened.list()).memories).toHaveLength(1);

    const imported = await agent.import(path);
    expect(imported).toMatchObject({ created: 260, changes: 2 });
    expect(imported.checkpoint).toMatch(/^before-import-/);
    const { changes } = await opened.log({ limit: 3 });
    const { operation } = imported;
    expect(changes.map((change) => change.operation)).toEqual([operation, operation, undefined]);

    // A page with one of its parts tells of all of it.
    const { operations } = await opened.log({ limit: 1 });
    expect(operations).toEqual([{ operation, changes: 2, memories: 260 }]);
    expect((await opened.log({ cursor: changes[1]?.hash })).operations).toBeUndefined();
    const [second, first] = changes;
    await agent.undo({ change: second?.hash });
    expect((await opened.list({ limit: 1_000 })).memories).toHaveLength(257);
    expect((await agent.undo()).changes).toEqual([first?.hash]);
    expect((await opened.list()).memories).toHaveLength(1);
    expect(await agent.import(path)).toMatchObject({ created: 0, broughtBack: 260, changes: 2 });
    expect((await agent.import(path)).operation).toBeUndefined();
  });

  test("[GB64] an import that is cut short and sent again under its key is one operation", async () => {
    await using here = await space(66);
    const { world, space: opened } = here;
    const path = notes(world, 260);
    const agent = opened.as({ agent: "importer", request: { key: "k1", fingerprint: "f" } });
    const stop = new AbortController();
    const cut = agent.import(path, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(cut).rejects.toMatchObject({ code: "ABORTED" });
    const { operation, changes } = await agent.import(path);
    expect(changes).toBe(1);
    expect((await opened.log()).changes.map((change) => change.operation)).toEqual([operation, operation]);
    expect((await here.agent.undo({ change: operation })).changes).toHaveLength(2);
    expect((await opened.list()).memories).toHaveLength(0);
  });

  test("[GB61] calls of one operation are one undo, also later by its id, with a checkpoint before the first", async () => {
    await using here = await space(61);
    const { space: opened, agent } = here;
    const ids: string[] = [];
    for (const content of ["one", "two", "three"]) ids.push((await agent.remember({ content })).id);
    for (const id of ids) await agent.forget(id, { operation: FORGET });
    const made = (await opened.checkpoints.list()).filter(({ cause }) => cause === "forget");
    expect(made).toMatchObject([{ name: expect.stringMatching(/^before-forget-/) }]);
    const { change, changes } = await agent.undo();
    expect(changes).toHaveLength(3);
    expect((await opened.list()).memories).toHaveLength(3);
    await agent.undo({ change });
    await agent.remember({ content: "four" });
    expect((await agent.undo({ change: FORGET })).memories).toHaveLength(3);
    expect((await opened.list()).memories).toHaveLength(4);
    expect((await agent.undo({ last: 2 })).changes).toHaveLength(2);

    await expect(agent.undo({ change: "forget:0000000000000000" })).rejects.toMatchObject({
      code: "HEADS_NOT_HERE",
    });
    for (const operation of ["forget:1", "erase:0f3a5b7c9d1e2f30", "forget:0f3a5b7c9d1e2f3x"])
      await expect(agent.forget(ids[0] ?? "", { operation })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });
});
