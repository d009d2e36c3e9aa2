import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readImportSource } from "../../src/import/read-import-source.js";
import { World } from "../support/world.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-services-"));
afterAll(() => rmSync(dir, { recursive: true }));

const written = (name: string, value: unknown): string => {
  const path = join(dir, name);
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value, null, 1));
  return path;
};

/** As `get_all` of mem0 answers, with the fields that its documentation lists. */
const MEM0 = {
  count: 3,
  next: null,
  previous: null,
  results: [
    {
      id: "3c90c3cc-0d44-4b50-8888-8dd25736052a",
      memory: "Noor drinks tea at four",
      ...{ user_id: "noor", agent_id: null, app_id: null, run_id: "r-7", hash: "9b1d" },
      metadata: { mood: "calm" },
      categories: ["food", " habits "],
      ...{ created_at: "2025-11-07T05:31:56Z", updated_at: "2025-11-08T05:31:56-07:00" },
    },
    { id: "second", memory: "Lives in Basel", user_id: "noor", metadata: {}, created_at: "soon" },
    { id: "third", memory: "  " },
    { memory: "without an id" },
  ],
};

/** Edges of a graph, as Zep answers with them, and a fact of its earlier interface. */
const ZEP = {
  edges: [
    {
      uuid: "a3f1c9e2-7b4d-4f8a-9c2e-1d2f3b4a5c6d",
      fact: "Kendra loves Adidas shoes",
      name: "LOVES",
      ...{ source_node_uuid: "n1", target_node_uuid: "n2", attributes: { strength: 2 }, episodes: ["e1"] },
      ...{ created_at: "2024-08-01T10:00:00Z", valid_at: "2024-07-01T00:00:00Z" },
      ...{ invalid_at: "2024-08-20T00:00:00Z", expired_at: "2024-08-21T09:00:00Z" },
    },
    {
      uuid: "second",
      fact: "Replaced",
      created_at: "2024-08-01T10:00:00Z",
      expired_at: "2024-08-22T00:00:00Z",
    },
    {
      uuid: "third",
      fact: "A title",
      content: "Kendra likes Puma shoes",
      created_at: "2024-08-21T10:00:00Z",
    },
    { uuid: "fourth" },
  ],
};

test("[IM14] what mem0 answers gives a memory for each of its own, with categories, time and whose it is", async () => {
  const reading = await readImportSource(written("mem0.json", MEM0));
  expect(reading.format).toBe("mem0");
  expect(reading.drafts).toEqual([
    {
      sourceKey: '["mem0","3c90c3cc-0d44-4b50-8888-8dd25736052a"]',
      content: "Noor drinks tea at four",
      kind: "fact",
      tags: ["food", "habits"],
      occurredAt: Date.UTC(2025, 10, 7, 5, 31, 56),
      source: {
        ...{ kind: "import", format: "mem0", name: "mem0.json", key: "3c90c3cc-0d44-4b50-8888-8dd25736052a" },
        ...{ user: "noor", run: "r-7" },
      },
    },
    {
      ...{ sourceKey: '["mem0","second"]', content: "Lives in Basel", kind: "fact" },
      source: { kind: "import", format: "mem0", name: "mem0.json", key: "second", user: "noor" },
    },
  ]);
  expect(reading.skipped).toEqual([
    { where: "memory number 3", reason: "It is empty." },
    { where: "memory number 4", reason: "It is not a memory of this service (id)." },
    { where: "mem0.json", reason: '"metadata" of 1 is not imported.' },
  ]);
  expect((await readImportSource(written("list.json", MEM0.results))).drafts).toHaveLength(2);
});

test("[IM15] what Zep answers gives a memory for each fact, with when it was true", async () => {
  const { format, drafts, skipped } = await readImportSource(written("zep.json", ZEP));
  expect(format).toBe("zep");
  expect(
    drafts.map(({ content, occurredAt, validFrom, validUntil }) => [
      content,
      occurredAt,
      validFrom,
      validUntil,
    ]),
  ).toEqual([
    ["Kendra loves Adidas shoes", Date.UTC(2024, 7, 1, 10), Date.UTC(2024, 6, 1), Date.UTC(2024, 7, 20)],
    ["Replaced", Date.UTC(2024, 7, 1, 10), undefined, Date.UTC(2024, 7, 22)],
    ["Kendra likes Puma shoes", Date.UTC(2024, 7, 21, 10), undefined, undefined],
  ]);
  expect(drafts[0]?.source).toMatchObject({ key: "a3f1c9e2-7b4d-4f8a-9c2e-1d2f3b4a5c6d", relation: "LOVES" });
  expect(skipped.map(({ where }) => where)).toEqual(["memory number 4", "zep.json"]);
  expect((await readImportSource(written("facts.json", { facts: ZEP.edges }))).drafts).toHaveLength(3);
});

test("[IM16] imported again, what changed there is a new version, and nothing else is added; other JSON is refused", async () => {
  await using world = new World(41);
  const { space } = await world.found();
  const agent = space.as({ agent: "ada" });
  expect(await agent.import(written("mem0.json", MEM0))).toMatchObject({ created: 2, changed: 0 });
  expect(await agent.import(written("zep.json", ZEP))).toMatchObject({ format: "zep", created: 3 });
  expect(await agent.import(written("mem0.json", MEM0))).toMatchObject({ created: 0, unchanged: 2 });
  const [first, ...rest] = MEM0.results;
  const later = { results: [{ ...first, memory: "Noor drinks coffee at four" }, ...rest] };
  expect(await agent.import(written("mem0.json", later))).toMatchObject({
    created: 0,
    changed: 1,
    unchanged: 1,
  });
  // Out of the time in which it was true, a fact is not among what holds.
  const held = await space.list({ validAt: "2025-01-01" });
  expect(held.memories.map(({ content }) => content)).not.toContain("Kendra loves Adidas shoes");
  const options = { format: "zep" } as const;
  await expect(agent.import(written("none.json", { edges: [{ a: 1 }] }), options)).rejects.toThrow(
    "holds no memory",
  );
  await expect(agent.import(written("cut.json", '[{"uuid":"x",'), options)).rejects.toThrow("not whole JSON");
});
