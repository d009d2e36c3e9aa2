import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fittedDrafts } from "../../src/import/fitted-draft.js";
import { World } from "../support/world.js";

const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, number) => `${name}${number}`);
const LONG = "x".repeat(1_001);
const HUGE = "y".repeat(1_100_000);
const owner = { role: "owner", confirmed: true } as const;

const mem0 = (entry: object) => ({ memory: "Kept.", created_at: "2026-01-01T00:00:00Z", ...entry });

/** What each source says of two memories, the first of which is more than one memory can hold. */
const SOURCES: readonly (readonly [name: string, text: string, reason: RegExp])[] = [
  [
    "tags.json",
    JSON.stringify([mem0({ id: "1", categories: many(1_001, "t") }), mem0({ id: "2" })]),
    /It has 1001 tags; the first 1000 were taken/,
  ],
  [
    "tag.json",
    JSON.stringify([mem0({ id: "1", categories: [LONG, "short"] }), mem0({ id: "2" })]),
    /1 of its tags have more than 1000 characters/,
  ],
  [
    "user.json",
    JSON.stringify([mem0({ id: "1", user_id: HUGE }), mem0({ id: "2" })]),
    /exceeds|1 MiB|1,048,576|1048576/,
  ],
  [
    "zep.json",
    JSON.stringify({
      edges: [
        { fact: "Kept.", uuid: "1", name: HUGE },
        { fact: "Kept.", uuid: "2" },
      ],
    }),
    /1 MiB|1048576/,
  ],
  [
    "tags.md",
    `---\ntags: [${many(1_001, "t").join(", ")}]\n---\n# One\n\nFirst.\n\n# Two\n\nSecond.\n`,
    /the first 1000 were taken/,
  ],
];

describe("[IM17] what one memory cannot hold is left out by name, and costs nothing else", () => {
  test("in every format", async () => {
    await using world = new World(2601);
    for (const [name, text, reason] of SOURCES) {
      const { space } = await world.found(name);
      const path = join(world.root, name);
      writeFileSync(path, text);
      const result = await space.as(owner).import(path);
      const { memories } = await space.list();
      const isWhole = result.skipped.some(({ reason }) => reason.includes("1 MiB"));
      expect([name, memories.length]).toEqual([name, isWhole ? 1 : 2]);
      expect([name, result.skipped.map((one) => one.reason).join("\n")]).toEqual([
        name,
        expect.stringMatching(reason),
      ]);
      expect(await space.as(owner).import(path)).toMatchObject({ created: 0, changed: 0 });
    }
  });

  test("of links and labels what fits stays, and what can be no memory goes alone", () => {
    const source = {
      kind: "import",
      format: "markdown",
      name: "vault",
      file: "a.md",
      heading: "Top",
    } as const;
    const links = [...many(1_200, "to"), LONG].map((to) => ({ rel: "links-to", to }));
    const { fitted, skipped } = fittedDrafts(
      [
        { sourceKey: "1", content: "Kept.", category: LONG, links, source },
        { sourceKey: "2", content: "Kept.", validFrom: Number.NaN, source },
        { sourceKey: "3", content: "Kept.", tags: ["one"], source },
      ],
      (to) => to,
    );
    expect(fitted.map(({ sourceKey }) => sourceKey)).toEqual(["1", "3"]);
    expect(fitted[0]?.fields.links).toEqual(links.slice(0, 1_000));
    expect(fitted[0]?.fields.category).toBeUndefined();
    expect(fitted[1]?.fields.tags).toEqual(["one"]);
    expect(skipped.map(({ where, reason }) => [where, reason.slice(0, 24)])).toEqual([
      ["a.md, Top", "Its category has more th"],
      ["a.md, Top", "1 of its links have more"],
      ["a.md, Top", "It has 1200 links; the f"],
      ["a.md, Top", "validFrom has to be a ti"],
    ]);
  });
});
