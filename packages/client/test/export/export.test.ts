import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Space } from "../../src/index.js";
import { livedApart, step } from "../rollback/support/noted-life.js";
import { converged, synced, World } from "../support/world.js";

const SOAK = fc.readConfigureGlobal().numRuns;

/** Everything that is known of a space's memories, by names that do not depend on the space. */
async function told(space: Space): Promise<unknown> {
  const { memories } = await space.list({ deleted: true, limit: 10_000 });
  const all = [];
  for (const { id } of memories.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const versions = await space.history(id);
    const names = new Map(versions.map(({ record }, index) => [record, `v${index}`]));
    all.push(JSON.parse(renamed(JSON.stringify([await space.get(id), versions]), names), inOneOrder));
  }
  return all;
}

/** Lists that are sorted by the names of versions. */
const inOneOrder = (key: string, value: unknown): unknown =>
  ["parents", "values"].includes(key) && Array.isArray(value)
    ? value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : value;

const renamed = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(/[0-9a-f]{64}/g, (hash) => names.get(hash) ?? hash).replaceAll(/"device":"[^"]*",?/g, "");

describe("exporting as JSON lines", () => {
  test("[EP1] another space that imports it knows the same, version by version, and a second import adds nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 4, maxLength: 10 }), { minLength: 2, maxLength: 3 }),
        fc.nat({ max: 1_000 }),
        async (rounds, seed) => {
          await using world = await World.withRelay(seed);
          const { a } = await livedApart(world, rounds);
          const c = await world.found("c", { connect: false });
          const path = join(world.root, "memories.jsonl");
          const exported = await a.space.export(path);
          const imported = await c.space.as({ agent: "import" }).import(path);
          expect(imported).toMatchObject({ format: "jsonl", created: exported.memories, skipped: [] });
          expect(await told(c.space)).toEqual(await told(a.space));
          const again = await c.space.as({}).import(path);
          expect(again).toMatchObject({ created: 0, changed: 0, unchanged: exported.memories });
          expect(await a.space.as({}).import(path)).toMatchObject({ created: 0, changed: 0, skipped: [] });
          const back = join(world.root, "back.jsonl");
          expect(await c.space.export(back)).toMatchObject({ versions: exported.versions });
        },
      ),
      { numRuns: SOAK ?? 2 },
    );
  });

  test("[EP2] what cannot be read is named, and costs nothing else", async () => {
    await using world = new World(7);
    const { space } = await world.found();
    const agent = space.as({ agent: "a" });
    await agent.remember({ content: "Kept." });
    await agent.remember({ content: "Cut." });
    const path = join(world.root, "all.jsonl");
    await space.export(path);
    const [header = "", first = "", second = ""] = readFileSync(path, "utf8").split("\n");
    const later = await world.found("later");
    const damaged = join(world.root, "damaged.jsonl");
    writeFileSync(damaged, [header, first, second.slice(0, -9)].join("\n"));
    expect(await later.space.as({}).import(damaged)).toMatchObject({
      created: 1,
      skipped: [{ where: "line 3", reason: "It is no memory." }],
    });
    writeFileSync(damaged, [header, first.slice(0, -9), second.slice(0, -9)].join("\n"));
    const refused = async (reason: string): Promise<void> => {
      const trying = later.space.as({}).import(damaged);
      await expect(trying).rejects.toMatchObject({
        code: "BAD_INPUT",
        message: expect.stringContaining(reason),
      });
      await expect(trying).rejects.toMatchObject({ hint: expect.stringContaining("cambium export") });
    };
    await refused('No memory of "damaged.jsonl" can be read. First problem, line 2: It is no memory.');
    writeFileSync(damaged, [first, second].join("\n"));
    await refused('"damaged.jsonl" has lost its first line');
    writeFileSync(damaged, "\n");
    await refused('"damaged.jsonl" is empty.');
    const orphan = second.replace('"parents":[]', `"parents":["${"0".repeat(64)}"]`);
    const newer = header.replace('"version":1', '"version":2');
    const longer = header.replace('"memories":2', '"memories":3');
    writeFileSync(damaged, [longer, orphan, first].join("\n"));
    const { skipped } = await later.space.as({}).import(damaged);
    expect(skipped.map(({ where }) => where)).toEqual(["line 2", "the end"]);
    writeFileSync(damaged, [newer, first].join("\n"));
    await expect(later.space.as({}).import(damaged)).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect((await later.space.list()).memories.map(({ content }) => content)).toEqual(["Kept."]);
  });

  test("[EP2] what no memory can hold is left out with its line, and costs nothing else", async () => {
    await using world = new World(8);
    const { space } = await world.found();
    const kept = await space.as({ agent: "a" }).remember({ content: "Kept." });
    const path = join(world.root, "all.jsonl");
    await space.export(path);
    const [header = "", line = ""] = readFileSync(path, "utf8").split("\n");
    const { versions } = JSON.parse(line) as { readonly versions: readonly { readonly by: object }[] };
    const [version] = versions;
    const many = (count: number) => Array.from({ length: count }, (_, number) => `t${number}`);
    const bad: readonly (readonly [reason: string, change: object])[] = [
      ["has more than 10000 tags", { tags: many(10_001) }],
      ["has more than 1 MiB", { content: "x".repeat(1_048_577) }],
      ["has more than 1 MiB", { content: "가".repeat(400_000) }],
      ["has more than 1 MiB", { source: { kind: "file", note: "x".repeat(1_048_577) } }],
      ["needs 1 to 200 characters", { by: { ...version?.by, agent: "x".repeat(1_000) } }],
      ["has a session of more than 1000", { by: { ...version?.by, session: "x".repeat(1_001) } }],
    ];
    const lines = bad.map(([, change], number) =>
      JSON.stringify({
        ...{ type: "memory", id: `01a20bc4-0000-7000-8000-00000000000${number}` },
        versions: [{ ...version, record: String(number).padStart(64, "0"), ...change }],
      }),
    );
    writeFileSync(
      path,
      [JSON.stringify({ ...JSON.parse(header), memories: 7 }), ...lines, line, ""].join("\n"),
    );
    const later = await world.found("later");
    const result = await later.space.as({ role: "owner", confirmed: true }).import(path);
    expect(result).toMatchObject({ created: 1, memories: [kept.id] });
    expect(result.skipped).toEqual(
      bad.map(([reason], number) => ({
        where: `line ${number + 2}`,
        reason: expect.stringContaining(reason),
      })),
    );
  });

  test("[EP3] [EP9] tells of a state: of another time, branch or choice of memories", async () => {
    await using world = new World(8);
    const { space } = await world.found();
    const agent = space.as({ agent: "a" });
    const { id } = await agent.remember({ content: "Early.", tags: ["one"] });
    const { id: other } = await agent.remember({ content: "Other.", tags: ["two"] });
    const before = (await space.log()).changes[0]?.hash;
    await agent.revise(id, { content: "Late." });
    await agent.forget(other);
    expect(await space.export(join(world.root, "counted"))).toMatchObject({ memories: 2, forgotten: 1 });
    const lines = async (name: string, options: Parameters<Space["export"]>[1]) => {
      const { path } = await space.export(join(world.root, name), options);
      return readFileSync(path, "utf8").split("\n").slice(1, -1);
    };
    expect(await lines("then", { at: `main@heads:${before}` })).toHaveLength(2);
    expect((await lines("then-one", { at: `main@heads:${before}`, tag: "one" })).join()).not.toContain(
      "Late.",
    );
    const early = join(world.root, "before-all");
    expect(await space.export(early, { at: "2001-01-01" })).toMatchObject({ memories: 0, sizeBytes: 0 });
    expect(existsSync(early)).toBe(false);
    expect((await lines("now-one", { tag: "one" })).join()).toContain("Late.");
    expect((await lines("now-two", { tag: "two" })).join()).toContain('"deleted":true');
  });
});

describe("what was erased", () => {
  const SECRET = "The vault opens with 90210";

  test("[EP7] is in no export, and no space that imports one has a memory without a text", async () => {
    await using world = new World(17);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    const owner = space.as({ confirmed: true });
    const kept = await ada.remember({ content: "Ada keeps bees", area: "garden" });
    const gone = await ada.remember({ content: SECRET, area: "garden" });
    const half = await ada.remember({ content: "The shed is green", tags: ["shed"] });
    const secret = await ada.revise(half.id, { content: `${SECRET} too`, tags: ["shed", "vault"] });
    await ada.revise(half.id, { importance: 0.75 });
    await ada.revise(half.id, { content: "The shed is red" });
    const before = join(world.root, "before.jsonl");
    await space.export(before);
    await owner.erase({ ids: [gone.id] });
    await owner.erase({ versions: [{ id: half.id, version: secret.record }] });
    expect(await space.as({}).import(before)).toMatchObject({
      ...{ created: 0, changed: 0, unchanged: 2 },
      skipped: [
        { where: "line 3", reason: "It was erased for good from this space, and no import brings it back." },
        { where: "line 4", reason: expect.stringContaining("some were erased for good") },
      ],
    });

    for (const format of ["jsonl", "markdown", "mcp-memory"] as const) {
      const path = join(world.root, format);
      const { memories } = await space.export(path, { format });
      const later = await world.found(`later-${format}`);
      const { created, skipped } = await later.space.as({}).import(path);
      expect([format, memories, created, skipped]).toEqual([format, 2, format === "mcp-memory" ? 4 : 2, []]);
      const shown = (await later.space.list()).memories.map(({ content }) => content);
      expect(shown.filter((content) => content.trim() === "" || content.includes("90210"))).toEqual([]);
      expect(await later.space.as({}).import(path)).toMatchObject({ created: 0, changed: 0 });
      if (format === "mcp-memory") continue;
      expect(shown.toSorted()).toEqual(["Ada keeps bees", "The shed is red"]);
      const { tags, importance } = await later.space.get(half.id);
      expect({ tags, importance }).toEqual({ tags: ["shed", "vault"], importance: 0.75 });
      const versions = await later.space.history(half.id);
      expect(versions.map(({ content }) => content)).toEqual(
        format === "jsonl" ? ["The shed is green", "The shed is red"] : ["The shed is red"],
      );
    }
    expect(readFileSync(join(world.root, "jsonl"), "utf8")).toContain('"erased":"content"');
    expect(await space.get(kept.id)).toMatchObject({ content: "Ada keeps bees" });
  });

  test("[EP12] importing an export of the same memories adds nothing, whatever was erased or pruned in between", async () => {
    await using world = new World(19);
    const a = await world.found("a");
    const ada = a.space.as({ agent: "ada" });
    const owner = a.space.as({ role: "owner", confirmed: true });
    const ids: string[] = [];
    for (const what of ["erased", "pruned", "both", "whole"]) {
      const { id } = await ada.remember({ content: `First ${what}`, tags: [what], links: [] });
      ids.push(id);
      for (const at of ["Second", "Third"]) {
        world.clock.advance(86_400_000);
        await ada.revise(id, { content: `${at} ${what}`, importance: 0.5 });
      }
    }
    const [erased = "", pruned = "", both = ""] = ids;
    const early = join(world.root, "early.jsonl");
    await a.space.export(early);
    const c = await world.found("c", { connect: false });
    await c.space.as({}).import(early);
    const firstOf = async (space: Space, id: string) => (await space.history(id))[0]?.record as string;
    for (const id of [erased, both])
      await owner.erase({ versions: [{ id, version: await firstOf(a.space, id) }] });
    await owner.changeSettings({ set: { "retention.contents": 1, "retention.days": 0 } });
    await owner.prune();
    const late = join(world.root, "late.jsonl");
    await a.space.export(late);
    const extents = (await a.space.history(both)).map((version) => version.erased);
    expect(extents).toEqual(["whole", "pruned", undefined]);
    const d = await world.found("d", { connect: false });
    await d.space.as({}).import(late);
    const e = await world.found("e", { connect: false });
    await e.space.as({}).import(early);
    const ownerOfE = e.space.as({ role: "owner", confirmed: true });
    await ownerOfE.erase({ versions: [{ id: pruned, version: await firstOf(e.space, pruned) }] });
    for (const [{ space }, path, places] of [
      [a, early, ["line 2", "line 4"]],
      [a, late, []],
      [c, early, []],
      [c, late, []],
      [d, late, []],
      [e, early, ["line 3"]],
      [e, late, []],
    ] as const) {
      const before = await told(space);
      const again = await space.as({}).import(path);
      expect(again).toMatchObject({ created: 0, changed: 0, unchanged: 4 });
      expect(again.skipped.map(({ where }) => where)).toEqual(places);
      expect(again.operation).toBeUndefined();
      expect(await told(space)).toEqual(before);
    }
    const edited = readFileSync(early, "utf8").replaceAll("Third whole", "Third, edited");
    writeFileSync(early, edited);
    expect(await a.space.as({}).import(early)).toMatchObject({ created: 0, changed: 1, unchanged: 3 });
  });

  test("[EP7] an export that does not say what was erased brings no empty memory either", async () => {
    await using world = new World(18);
    const { space } = await world.found();
    const { id } = await space.as({ agent: "ada" }).remember({ content: "A word" });
    const path = join(world.root, "all.jsonl");
    await space.export(path);
    writeFileSync(path, readFileSync(path, "utf8").replace('"A word"', '""'));
    const later = await world.found("later");
    const reason = "It was erased for good where it was exported.";
    expect(await later.space.as({}).import(path)).toMatchObject({ created: 0, skipped: [{ reason }] });
    expect(await later.space.list({ deleted: true })).toMatchObject({ memories: [] });
    await expect(later.space.get(id)).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
  });
});

describe("exporting as Markdown", () => {
  test("[EP8] of versions that stood side by side, nothing is written unless it was edited", async () => {
    await using world = await World.withRelay(21);
    const a = await world.found("a");
    const b = await world.join(a, "b");
    const [ada, ben] = [a.space.as({ agent: "ada" }), b.space.as({ agent: "ben" })];
    const { id } = await ada.remember({ content: "Boats leave at six", tags: ["sea"] });
    const torn = await ada.remember({ content: "The pier is open" });
    await synced(a);
    await synced(b);
    world.proxy.cut();
    await ada.revise(id, { content: "Boats leave at seven" });
    await ada.revise(torn.id, { content: "The pier is shut" });
    await ben.revise(id, { tags: ["sea", "pier"] });
    await ben.revise(torn.id, { content: "The pier is being mended" });
    world.proxy.restore();
    await converged(a, b);
    const joined = { content: "Boats leave at seven", tags: ["pier", "sea"] };
    expect(await b.space.get(id)).toMatchObject(joined);

    const folder = join(world.root, "tree");
    await a.space.export(folder, { format: "markdown" });
    for (const agent of [ada, ben])
      expect(await agent.import(folder)).toMatchObject({ changed: 0, unchanged: 2, skipped: [] });
    const later = await world.found("later", { connect: false });
    expect(await later.space.as({}).import(folder)).toMatchObject({ created: 2, skipped: [] });
    expect(await later.space.get(id)).toMatchObject(joined);

    const files = readdirSync(folder).map((name) => join(folder, name));
    for (const file of files)
      writeFileSync(file, readFileSync(file, "utf8").replace(/leave at seven|pier is .*/, "must wait"));
    await ben.revise(id, { importance: 1 }); // it moves on, and the edit stands beside that
    const edited = await ben.import(folder);
    expect(edited).toMatchObject({
      changed: 1,
      unchanged: 0,
      skipped: [{ where: expect.stringMatching(/the-pier-is-being-mended.*\.md$/) }],
    });
    expect(await b.space.get(id)).toMatchObject({ ...joined, content: "Boats must wait", importance: 1 });
    expect((await b.space.get(torn.id)).conflicts).toMatchObject([{ field: "content" }]);
    expect(await ben.import(folder)).toMatchObject({
      changed: 0,
      unchanged: 1,
      skipped: [{ where: expect.stringMatching(/the-pier-is-being-mended.*\.md$/) }],
    });
  });

  test("[EP4] gives a file for each memory; taken back it is the same, edited it is a change, and a later change stays beside it", async () => {
    await using world = new World(9);
    const { space } = await world.found();
    const agent = space.as({ agent: "a" });
    const text = '# A title\n\n---\ncambium: "no"\n---\r\nEnds with two lines\n\n';
    const full = { kind: "fact", area: "work/team a", category: "c", tags: ["x", "y: z"], importance: 0.5 };
    const { id } = await agent.remember({
      content: text,
      ...full,
      occurredAt: "2026-03-04",
      source: { kind: "url", url: "https://example.org" },
    });
    const { id: plain } = await agent.remember({ content: "배포는 목요일에 한다" });
    const gone = await agent.remember({ content: "Forgotten." });
    await agent.forget(gone.id);
    const folder = join(world.root, "tree");
    expect(await space.export(folder, { format: "markdown" })).toMatchObject({ memories: 2 });
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".md"),
    );
    expect(files.toSorted()).toEqual([
      expect.stringContaining("배포는-목요일에-한다"),
      expect.stringMatching(/^work\/team-a\/2026-03-04-a-title/),
    ]);

    const later = await world.found("later");
    expect(await later.space.as({}).import(folder)).toMatchObject({ created: 2, skipped: [] });
    const { content, area, category, tags, importance, occurredAt, kind, source } = await later.space.get(id);
    expect({ content, area, category, tags, importance, kind }).toEqual({ ...full, content: text });
    expect({ occurredAt, source }).toEqual({
      occurredAt: Date.UTC(2026, 2, 4),
      source: { kind: "url", url: "https://example.org" },
    });
    expect(await agent.import(folder)).toMatchObject({ created: 0, changed: 0, unchanged: 2 });

    const file = join(folder, files.find((name) => name.startsWith("work")) as string);
    writeFileSync(
      file,
      readFileSync(file, "utf8")
        .replace("two lines", "2 lines")
        .replace('tags: ["x","y: z"]', "category: by hand"),
    );
    expect(await agent.import(folder)).toMatchObject({ changed: 1, unchanged: 1 });
    expect(await space.get(id)).toMatchObject({
      content: text.replace("two lines", "2 lines"),
      tags: [],
      category: "by hand",
      area: "work/team a",
    });
    expect(await agent.import(folder)).toMatchObject({ changed: 0, unchanged: 2 });

    const other = join(folder, files.find((name) => !name.startsWith("work")) as string);
    await agent.revise(plain, { content: "배포는 금요일에 한다" });
    writeFileSync(other, readFileSync(other, "utf8").replace("목요일", "수요일"));
    expect(await agent.import(folder)).toMatchObject({ changed: 1 });
    expect((await space.get(plain)).conflicts).toMatchObject([{ field: "content" }]);
    expect(await agent.import(folder)).toMatchObject({ changed: 0 });
  });

  test("[EP5] is not written over anything, and its files are for their owner only", async () => {
    await using world = new World(10);
    const { space } = await world.found();
    await space.as({}).remember({ content: "Mine." });
    const path = join(world.root, "mine.jsonl");
    const { sizeBytes } = await space.export(path);
    expect([statSync(path).mode & 0o777, statSync(path).size]).toEqual([0o600, sizeBytes]);
    await expect(space.export(path)).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(await space.export(path, { overwrite: true })).toMatchObject({ memories: 1 });
    await expect(space.export(world.root, { format: "markdown" })).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
    for (const overwrite of [false, true]) {
      const tree = space.export(world.root, { format: "markdown", overwrite });
      const newFolder = "Choose a folder that is new or empty.";
      await expect(tree).rejects.toMatchObject({ code: "BAD_INPUT", hint: newFolder });
      const file = space.export(world.root, { overwrite });
      const message = `There is a folder already: ${world.root}.`;
      await expect(file).rejects.toMatchObject({ message, hint: expect.not.stringContaining("force") });
    }
    // Where a filter lets nothing through, there is nothing to write.
    for (const format of ["jsonl", "markdown", "mcp-memory"] as const) {
      const nothing = join(world.root, `nothing-${format}`);
      expect(await space.export(nothing, { format, tag: "nosuch" })).toMatchObject({
        memories: 0,
        sizeBytes: 0,
      });
      expect(existsSync(nothing)).toBe(false);
    }
    // A folder that is not there may be a slip.
    for (const format of ["jsonl", "markdown", "mcp-memory"] as const) {
      const nowhere = space.export(join(world.root, "nowhere", "else"), { format });
      await expect(nowhere).rejects.toMatchObject({
        code: "BAD_INPUT",
        message: `There is no folder ${join(world.root, "nowhere")}. Nothing was written.`,
      });
    }
    await expect(space.export(join(path, "below"))).rejects.toThrow("This is no folder:");
    expect(existsSync(join(world.root, "nowhere"))).toBe(false);
    const stopped = AbortSignal.abort();
    await expect(space.export(join(world.root, "late"), { signal: stopped })).rejects.toMatchObject({
      code: "ABORTED",
    });
    // Two at once each write a file of their own beside it.
    const both = join(world.root, "both.jsonl");
    await space.as({}).remember({ content: "Said before both." });
    await Promise.all([1, 2].map(() => space.export(both, { overwrite: true })));
    expect(readFileSync(both, "utf8").match(/Said before both/g)).toHaveLength(1);
    // Also when some of its files are there already.
    for (let left = 70; left > 0; left -= 1) await space.as({}).remember({ content: `One of ${left}.` });
    const late = join(world.root, "late");
    mkdirSync(join(world.root, "empty"));
    for (const path of [late, join(world.root, "empty")]) {
      const stop = new AbortController();
      const onProgress = ({ done }: { readonly done: number }): void => {
        if (done > 0) stop.abort();
      };
      const options = { format: "markdown", signal: stop.signal, onProgress } as const;
      await expect(space.export(path, options)).rejects.toMatchObject({ code: "ABORTED" });
    }
    expect(readdirSync(join(world.root, "empty"))).toEqual([]);
    expect(
      readdirSync(world.root).filter((name) => name.startsWith("late") || name.endsWith(".part")),
    ).toEqual([]);
  });
});

describe("exporting for the official memory server", () => {
  test("[EP6] gives the graph, and other memories as observations of their area or category", async () => {
    await using world = new World(11);
    const { space } = await world.found();
    const agent = space.as({ agent: "a" });
    await agent.import(fileURLToPath(new URL("../import/fixtures/memory.jsonl", import.meta.url)));
    const graph = await space.graph();
    const later = await world.found("later");
    const { path } = await space.export(join(world.root, "memory.jsonl"), { format: "mcp-memory" });
    await later.space.as({}).import(path);
    expect(await later.space.graph()).toEqual(graph);
    await agent.remember({ content: "Deploys are on Fridays.", category: "releases" });
    await space.export(path, { format: "mcp-memory", overwrite: true });
    expect(readFileSync(path, "utf8")).toContain(
      '{"type":"entity","name":"releases","entityType":"topic","observations":["Deploys are on Fridays."]}',
    );
  });
});
