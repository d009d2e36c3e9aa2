/** Where something is kept or done, as the sentence says: never as text, never elsewhere. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NamedFields, NotUnderstood, Surroundings } from "../../src/ask/intent.js";
import { understand } from "../../src/ask/understand.js";

const NOW = new Date(2026, 10, 18, 15, 30).getTime(); // a Wednesday
const AROUND: Surroundings = { now: NOW, branches: ["main", "kitchen", "moving-house"], checkpoints: [] };

async function kept(said: string) {
  const found = await understand(said, AROUND);
  if (!found.understood) return { why: found.why, near: found.near };
  if (found.request.operation !== "remember") return found.request;
  const { content, fields } = found.request;
  return { content, ...fields, ...(found.branch === undefined ? {} : { on: found.branch.said }) };
}

const evening = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();
const morning = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

describe("what is to be remembered", () => {
  test.each<[string, NamedFields & { content: string; on?: string }]>([
    ["remember on branch kitchen that the tiles are blue", { content: "the tiles are blue", on: "kitchen" }],
    ["jot down in main that the code changed", { content: "the code changed", on: "main" }],
    ["Please note, in category money, that Leo owes me 40", { content: "Leo owes me 40", category: "money" }],
    ["tagged money: The rent is 900.", { content: "The rent is 900.", tags: ["money"] }],
    ["in category money remember the rent is 900", { content: "the rent is 900", category: "money" }],
    ["on the moving house branch, note that it rains", { content: "it rains", on: "moving house" }],
    [
      'add a decision tagged api, http and "rest api": we use JSON',
      { content: "we use JSON", kind: "decision", tags: ["api", "http", "rest api"] },
    ],
    [
      "remember as very important, valid until Friday: the door code is 12",
      { content: "the door code is 12", importance: 0.9, validUntil: evening("2026-11-20") },
    ],
    [
      "note in the area home, valid from 2026-12-01 that parking is free",
      { content: "parking is free", area: "home", validFrom: morning("2026-12-01") },
    ],
    ["remember that the tiles are blue, on branch kitchen", { content: "the tiles are blue", on: "kitchen" }],
    [
      "remember that Leo owes me 40. Put it in category money.",
      { content: "Leo owes me 40.", category: "money" },
    ],
    [
      "remember the tree needs pruning #garden #spring",
      { content: "the tree needs pruning", tags: ["garden", "spring"] },
    ],
    [
      "save this as important: the passport expires in May",
      { content: "the passport expires in May", importance: 0.8 },
    ],
    // What belongs to the text stays there.
    ["remember that the fix is on branch kitchen", { content: "the fix is on branch kitchen" }],
    ["remember: on branch kitchen that it rains", { content: "on branch kitchen that it rains" }],
    ["remember that the channel is #general", { content: "the channel is #general" }],
  ])("[AS46] of %s", async (said, expected) => {
    expect(await kept(said)).toEqual(expected);
  });

  test("[AS46] any parts in any order before the text are read, and the text stays byte for byte", async () => {
    const name = fc.constantFrom("money", "home", "Büro", "a-1", '"two words"');
    const part = fc.oneof(
      fc.record({ branch: fc.constantFrom("kitchen", "nowhere") }),
      fc.record({ category: name }),
      fc.record({ tags: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }) }),
      fc.record({ area: name }),
    );
    const words = {
      branch: ["on branch", "on the branch", "in branch"],
      category: ["in category", "in the category", "under category"],
      tags: ["tagged", "tagged as", "with tags"],
      area: ["in area", "for the area"],
    } as const;
    const bare = (text: string): string => text.replaceAll('"', "");
    const text = fc.constantFrom(
      "The rent is 900, not 800.",
      "it  rains",
      "A: b — “c”!",
      "that is in category x: y",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(part, { selector: (one) => Object.keys(one)[0], minLength: 1, maxLength: 4 }),
        fc.nat(2),
        fc.constantFrom("remember", "note down", "save this", "please store"),
        fc.constantFrom(" that ", ": ", ", that "),
        text,
        async (parts, way, verb, then, content) => {
          const all: Partial<Record<keyof typeof words, string | readonly string[]>> = Object.assign(
            {},
            ...parts,
          );
          const said = Object.entries(all).map(([kind, value]) => {
            const forms = words[kind as keyof typeof words];
            const lead = forms[way % forms.length];
            return `${lead} ${Array.isArray(value) ? value.join(", ") : value}`;
          });
          const found = await kept(`${verb} ${said.join(way === 0 ? " " : ", ")}${then}${content}`);
          const { branch, tags, category, area } = all as Record<string, string> & { tags?: string[] };
          expect(found).toEqual({
            content,
            ...(branch === undefined ? {} : { on: branch }),
            ...(category === undefined ? {} : { category: bare(category) }),
            ...(area === undefined ? {} : { area: bare(area) }),
            ...(tags === undefined ? {} : { tags: (tags as unknown as string[]).map(bare) }),
          });
        },
      ),
      { numRuns: 200, seed: 46 },
    );
  });

  test.each([
    ["remember on basement that the light is broken", /"on basement" .*Branches: main, kitchen/],
    ["remember in category money under wraps and so on that it rains", /Understood was: category money/],
    ["remember on a new branch called x that it rains", /cambium branch x/],
    ["remember on branch kitchen in branch main that it rains", /"in branch main"/],
    ["remember that CI deploys the app on branch main", /part of the text/],
    ["remember that on branch kitchen the tap drips", /part of the text/],
    ["save Leo owes me 40 in category money", /where something is to be kept/],
  ])("[AS46] %s is refused, and not left to a model", async (said, why) => {
    const found = (await understand(said, AROUND)) as NotUnderstood;
    expect(found).toMatchObject({ understood: false, isFinal: true, why: expect.stringMatching(why) });
    for (const { example } of found.near ?? [])
      expect(await understand(example, AROUND)).toMatchObject({ request: { operation: "remember" } });
  });
});

describe("where it is done", () => {
  test.each([
    ["on branch kitchen, forget the tiles", "forget", "kitchen"],
    ["forget what I said about tiles on the kitchen branch", "forget", "kitchen"],
    ["undo the last change on kitchen", "undo", "kitchen"],
    ["save a checkpoint called x on branch kitchen", "checkpoint", "kitchen"],
    ["go back to yesterday on branch kitchen", "rollback", "kitchen"],
    ["on branch kitchen, actually the tiles are grey", "correct", "kitchen"],
    ["forget everything on branch kitchen", "fresh", "kitchen"],
    ["what do you know about tiles on branch nowhere?", "recall", "nowhere"],
    ["what's on branch nowhere", "list", "nowhere"],
    ["whats on branch kitchen", "list", "kitchen"],
    ["forget the tiles on branch nowhere", "forget", "nowhere"],
    ["start fresh on a branch called nowhere", "fresh", undefined],
    ["list the notes about branch protection", "recall", undefined],
  ])("[AS47] %s", async (said, operation, branch) => {
    const found = await understand(said, AROUND);
    expect(found).toMatchObject({ understood: true, request: { operation } });
    expect(found.understood && found.branch?.said).toBe(branch);
  });

  test.each([
    "forget the tiles on kitchen",
    "forget everything on kitchen",
    "actually the fix is new on branch kitchen",
  ])("[AS47] %s may mean either, and is refused", async (said) => {
    expect(await understand(said, AROUND)).toMatchObject({ understood: false, isFinal: true });
  });
});
