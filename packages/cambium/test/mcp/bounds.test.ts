/** Answers stay within their bytes, whatever memories say, and cursors lead through all of them. */
import type { Client } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { call, connect, replicaHere, type Said } from "./support/connected.js";

const LEAST = 2_000;

/** Letters, quotes, line ends, controls, what is invisible, and characters of up to four bytes. */
const nasty = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("amber ", "birch ", "cedar ", "</memory>", '"quoted" ', "\n") },
      { weight: 2, arbitrary: fc.constantFrom("\u0007", "\u200b", "\u{e0041}", "\ufe0f\ufe0f", "\u202e") },
      { weight: 2, arbitrary: fc.constantFrom("𝔞", "漢字", "🙂", "é", "\\") },
    ),
    { minLength: 1, maxLength: 900 },
  )
  .map((parts) => `amber ${parts.join("")}`);
const label = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).map((text) => `t${text.trim()}`);
const drafts = fc.array(
  fc.record({ content: nasty, tags: fc.array(label, { maxLength: 12 }), kind: label }),
  {
    minLength: 1,
    maxLength: 8,
  },
);

function expectWithin({ data, text }: Said, maxBytes: number): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
  expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(maxBytes);
}

type Draft = { readonly content: string; readonly tags: readonly string[]; readonly kind: string };

/** Much of everything: more than fits into the least budget many times over. */
const HEAVY: Draft[] = Array.from({ length: 12 }, (_, index) => ({
  content: `amber ${index} ${'birch "quoted" 漢字\n'.repeat(200)}`,
  tags: Array.from({ length: 20 }, (_tag, place) => `"tag" 漢字 ${place}`.repeat(5)),
  kind: "k".repeat(900),
}));

test("[MC12] no answer is larger than its budget, and pages show every memory once", {
  timeout: 120_000,
}, async () => {
  await fc.assert(fc.asyncProperty(drafts, fc.integer({ min: LEAST, max: 9_000 }), keepsWithin), {
    numRuns: 10,
    examples: [
      [HEAVY, LEAST],
      [HEAVY, 5_000],
    ],
  });
});

async function keepsWithin(inputs: readonly Draft[], maxBytes: number): Promise<void> {
  await using here = await replicaHere();
  const space = await here.replica.createSpace({ name: "notes" });
  const agent = space.as({ agent: "ada", session: "s" });
  const ids: string[] = [];
  for (const input of inputs) ids.push((await agent.remember(input)).id);
  await using connected = await connect(here.replica, { settings: { tools: "full" } });
  const { client } = connected;
  expect((await pagesOf(client, "list", { maxBytes })).toSorted()).toEqual(ids.toSorted());
  const recalled = await pagesOf(client, "recall", { query: "amber", limit: 3, maxBytes });
  expect(new Set(recalled).size).toBe(recalled.length);
  for (const [tool, args] of [
    ["history", { id: ids[0] }],
    ["diff", { from: "main@2020-01-01" }],
    ["log", {}],
    ["evolution", { query: "amber" }],
    ["brief", {}],
  ] as const)
    expectWithin(await call(client, tool, { ...args, maxBytes }), maxBytes);

  // Every memory differs in many fields on both sides, so that all of it is in conflict.
  await space.branches.create("other");
  for (const [branch, word] of [
    ["other", "cedar"],
    ["main", "delta"],
  ] as const)
    for (const [place, { content, tags }] of inputs.entries())
      await agent.revise(
        ids[place] ?? "",
        {
          ...{ content: `${word} ${content}`, tags: [...tags, word], area: word.repeat(100), kind: word },
          ...{ category: `"${word}"`.repeat(50), importance: word.length / 10, pins: [word] },
        },
        { branch },
      );
  expectWithin(await call(client, "merge", { from: "other", maxBytes }), maxBytes);
  expectWithin(await call(client, "rollback", { to: "main@2020-01-01", maxBytes }), maxBytes);
}

/** The ids on all pages, each of which keeps to its bytes. */
async function pagesOf(
  client: Client,
  tool: string,
  args: { readonly maxBytes: number; readonly [name: string]: unknown },
): Promise<readonly string[]> {
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const page = await call(client, tool, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    expectWithin(page, args.maxBytes);
    const memories = page.data.memories as readonly { readonly id: string }[];
    seen.push(...memories.map(({ id }) => id));
    cursor = memories.length === 0 ? undefined : page.data.cursor;
  } while (cursor !== undefined);
  return seen;
}

test("[MC13] a memory of any length is read in full, piece by piece", async () => {
  await using here = await replicaHere();
  const space = await here.replica.createSpace({ name: "notes" });
  const content = Array.from({ length: 3_000 }, (_, line) => `Line ${line} says "漢字" and 🙂`).join("\n");
  const { id } = await space.as({ agent: "ada" }).remember({ content });
  const { id: other } = await space.as({ agent: "ada" }).remember({ content: "short" });
  await using connected = await connect(here.replica);
  const { client } = connected;
  let read = "";
  let cursor: unknown;
  do {
    const page = await call(client, "recall", {
      ...{ ids: [id, other], maxBytes: 20_000 },
      ...(cursor === undefined ? {} : { cursor }),
    });
    expectWithin(page, 20_000);
    for (const memory of page.data.memories as readonly { readonly id: string; readonly content: string }[])
      read += memory.id === id ? memory.content : "!";
    cursor = page.data.cursor;
  } while (cursor !== undefined);
  expect(read).toBe(`${content}!`);
});

test("[MC14] searched for, a long memory shows its beginning and the part that matches", async () => {
  await using here = await replicaHere();
  const space = await here.replica.createSpace({ name: "notes" });
  const filler = "Nothing of interest stands here. ".repeat(200);
  await space
    .as({ agent: "ada" })
    .remember({ content: `${filler}The zeppelin is moored at dawn. ${filler}` });
  await using connected = await connect(here.replica);
  const found = await call(connected.client, "recall", { query: "zeppelin" });
  expect(found.data.memories).toMatchObject([{ cut: true, matches: expect.stringContaining("zeppelin") }]);
  expect(found.text).toContain("zeppelin");
  expectWithin(found, 12_000);
});
