import { appendFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { contentsOf, meet, World } from "../support/world.js";

const SAMPLE = fileURLToPath(new URL("./fixtures/memory.jsonl", import.meta.url));

describe("importing", () => {
  test("[RP26] twice adds nothing, also on two devices that are offline", async () => {
    await using world = await World.withRelay(150);
    const first = await world.found("first", { connect: false });
    const second = await world.join(first, "second", { connect: false });
    const [a, b] = [first.space.as({ agent: "a" }), second.space.as({ agent: "b" })];
    const imported = await a.import(SAMPLE);
    expect(imported.created).toBeGreaterThan(5);
    expect(await a.import(SAMPLE)).toMatchObject({ created: 0, changed: 0, unchanged: imported.created });
    expect(await b.import(SAMPLE)).toMatchObject({ created: imported.created });
    await meet(first, second);
    expect(await contentsOf(second)).toHaveLength(imported.created);
    expect(await second.space.conflicts()).toEqual([]);
    expect(await b.import(SAMPLE)).toMatchObject({ created: 0, changed: 0 });
  });

  test("[RP26] a file that has grown adds and changes what is new, and leaves what people wrote", async () => {
    await using world = new World(151);
    const { space } = await world.found();
    const agent = space.as({ agent: "a" });
    const path = join(world.root, "memory.jsonl");
    cpSync(SAMPLE, path);
    const { created, memories } = await agent.import(path);
    const [id = ""] = memories;
    const edited = await agent.revise(id, { content: "Edited by hand." });
    const entity = {
      type: "entity",
      name: "New_Harbour",
      entityType: "place",
      observations: ["Has two cranes"],
    };
    appendFileSync(path, `${JSON.stringify(entity)}\n`);
    expect(await agent.import(path)).toMatchObject({ created: 2, changed: 0, unchanged: created });
    expect(await space.get(id)).toMatchObject({ content: "Edited by hand.", record: edited.record });
    expect((await space.recall("cranes"))[0]?.content).toContain("two cranes");
  });

  test("[CL108] is stopped between its parts, and what it wrote by then is taken back by the name that it was given", async () => {
    await using world = new World(152);
    const { space } = await world.found();
    const agent = space.as({ role: "owner", confirmed: true });
    await agent.remember({ content: "Mine." });
    const path = join(world.root, "many.md");
    writeFileSync(path, Array.from({ length: 300 }, (_, index) => `# S${index}\n\nText.\n`).join("\n"));
    const stop = new AbortController();
    const operation = "import:0123456789abcdef";
    const seen: number[] = [];
    const onProgress = ({ done }: { readonly done: number }): void => {
      seen.push(done);
      stop.abort();
    };
    const options = { signal: stop.signal, operation, onProgress };
    await expect(agent.import(path, options)).rejects.toMatchObject({ code: "ABORTED" });
    expect((await space.list({ limit: 1_000 })).memories).toHaveLength((seen.at(-1) ?? 0) + 1);
    expect((await agent.undo({ change: operation })).memories).toHaveLength(seen.at(-1) ?? 0);
    expect((await space.list()).memories.map(({ content }) => content)).toEqual(["Mine."]);
    expect((await agent.import(path, { preview: true })).created).toBe(300 - (seen.at(-1) ?? 0));

    // Stopped while it reads, it writes nothing.
    const aborted = agent.import(path, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: "ABORTED" });
    const other = { operation: "forget:0123456789abcdef" };
    await expect(agent.import(path, other)).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("[RP47] what was imported, taken back and imported again comes back, and what people decided stays", async () => {
    await using world = new World(153);
    const { space } = await world.found();
    const agent = space.as({ agent: "a" });
    const path = join(world.root, "boats.md");
    const write = (colour: string) =>
      writeFileSync(path, `# Boats\n\nAll about boats.\n\n## Sails\n\n${colour}.\n\n## Masts\n\nTall.\n`);
    const shown = async () => (await space.list()).memories.map(({ content }) => content).sort();
    const none = { created: 0, changed: 0, broughtBack: 0, unchanged: 0 };
    write("White");
    const first = await agent.import(path);
    const all = await shown();
    const sails = all.find((content) => content.includes("White")) as string;
    const { id = "" } = (await space.list()).memories.find(({ content }) => content === sails) ?? {};
    const start = `main@heads:${(await space.status()).branch.head.join(",")}`;

    await agent.undo({ change: first.operation as string });
    expect(await shown()).toEqual([]);
    expect(await agent.import(path, { preview: true })).toMatchObject({ ...none, broughtBack: 3 });
    const again = await agent.import(path);
    expect(again).toMatchObject({ ...none, broughtBack: 3 });
    expect([again.memories.length, await shown()]).toEqual([3, all]);
    expect(await agent.import(path)).toMatchObject({ ...none, unchanged: 3 });

    // The import of a change, undone or rolled back.
    const goingBack = [() => agent.undo(), () => agent.rollback({ to: start })];
    for (const [index, goBack] of goingBack.entries()) {
      const colour = `Red ${index}`;
      write(colour);
      expect(await agent.import(path)).toMatchObject({ ...none, changed: 1, unchanged: 2 });
      await goBack();
      expect((await space.get(id)).content).toBe(sails);
      expect(await agent.import(path)).toMatchObject({ ...none, changed: 1, unchanged: 2 });
      expect((await space.get(id)).content).toContain(colour);
    }

    // What somebody wrote or forgot is theirs, also where it was taken back and came again.
    await agent.revise(id, { content: "Sails by hand" });
    await agent.revise(id, { content: "Sails by hand, twice" });
    await agent.undo();
    expect(await agent.import(path)).toMatchObject({ ...none, unchanged: 3 });
    await agent.forget(id);
    expect(await agent.import(path)).toMatchObject({ ...none, unchanged: 3 });
    expect((await space.get(id)).deleted).toBe(true);
  });

  test("[RP47] a source that changes in one field leaves another that somebody wrote, however often it is imported", async () => {
    await using world = new World(154);
    const { space } = await world.found();
    const agent = space.as({ agent: "a" });
    const path = join(world.root, "note.md");
    const write = (tag: string) =>
      writeFileSync(path, `---\ntags: [${tag}]\n---\n\n# Boats\n\nAll about boats.\n`);
    write("red");
    const { memories } = await agent.import(path);
    const [id = ""] = memories;
    await agent.revise(id, { content: "Boats by hand" });
    write("blue");
    expect(await agent.import(path)).toMatchObject({ changed: 1 });
    expect(await agent.import(path)).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await space.get(id)).toMatchObject({ content: "Boats by hand", tags: ["blue"] });
  });

  test("[RP26] Markdown whose sections changed becomes new versions of the same memories", async () => {
    await using world = new World(152);
    const { space } = await world.found();
    const agent = space.as({ agent: "a" });
    const folder = join(world.root, "notes");
    mkdirSync(folder);
    const path = join(folder, "boats.md");
    writeFileSync(path, "# Boats\n\nAll about boats.\n\n## Sails\n\nWhite.\n");
    const first = await agent.import(folder);
    writeFileSync(path, "# Boats\n\nAll about boats.\n\n## Sails\n\nRed.\n\n## Masts\n\nTall.\n");
    const second = await agent.import(folder);
    expect([first.created, second.created, second.changed]).toEqual([2, 1, 1]);
    const sails = (await space.list()).memories.find(({ content }) => content?.includes("Red."));
    expect(await space.history(sails?.id as string)).toHaveLength(2);
  });
});
