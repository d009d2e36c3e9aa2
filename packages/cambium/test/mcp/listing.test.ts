import { expect, test } from "vitest";
import { call, connect, ERAS, failed, replicaHere } from "./support/connected.js";

const LEAN = [
  ...["brief", "remember", "recall", "revise", "forget", "history", "diff", "branch", "merge"],
  "resolve",
];
const FULL = [
  ...LEAN,
  ...["restore", "list", "log", "status", "checkpoint", "rollback", "undo"],
  ...["combine", "split", "evolution", "erase", "settings"],
];

/** The usual estimate for JSON. */
const BYTES_PER_TOKEN = 4;

async function listed(tools: "lean" | "full") {
  await using here = await replicaHere();
  await using connected = await connect(here.replica, { settings: { tools } });
  return (await connected.client.listTools()).tools;
}

test("[MC1] the lean set has ten tools in at most 2,400 tokens, the full set all twenty-two in at most 5,000", async () => {
  const lean = await listed("lean");
  expect(lean.map(({ name }) => name)).toEqual(LEAN);
  expect(Buffer.byteLength(JSON.stringify(lean)) / BYTES_PER_TOKEN).toBeLessThanOrEqual(2_400);
  const full = await listed("full");
  expect(full.map(({ name }) => name)).toEqual(FULL);
  expect(Buffer.byteLength(JSON.stringify(full)) / BYTES_PER_TOKEN).toBeLessThanOrEqual(5_000);
});

test("[MC3] filters are listed with all that they take", async () => {
  for (const { name, inputSchema } of (await listed("full")).filter(({ name }) =>
    ["recall", "list", "rollback"].includes(name),
  )) {
    const fields = inputSchema.properties as Record<string, unknown>;
    for (const filter of ["category", "tag", "kind", "area"])
      expect(fields[filter], `${name}.${filter}`).toEqual({ type: "array", items: { type: "string" } });
  }
});

test("[MC7] a branch that is named without an action is not answered by the list", async () => {
  await using here = await replicaHere();
  await here.replica.createSpace({ name: "notes" });
  await using connected = await connect(here.replica, {});
  expect(await failed(connected.client, "branch", { name: "trial" })).toMatch(
    /^BAD_INPUT: .*\nNext: .*create/,
  );
  expect((await call(connected.client, "branch", {})).text).toMatch(/^1 branch of notes:/);
});

test("[MC2] tools are listed byte for byte alike, whenever and by whomever", async () => {
  expect(JSON.stringify(await listed("full"))).toBe(JSON.stringify(await listed("full")));
  await using here = await replicaHere();
  const lists: string[] = [];
  for (const [, client] of ERAS) {
    await using connected = await connect(here.replica, { client });
    lists.push(JSON.stringify((await connected.client.listTools()).tools));
  }
  expect(lists[0]).toBe(lists[1]);
});

test("[MC3] every tool says what it does, whether it reads or takes away, and how it is taken back", async () => {
  for (const { name, title, description, annotations, inputSchema } of await listed("full")) {
    expect(name).toMatch(/^[a-z]+$/);
    expect(title).toBeTruthy();
    expect(description?.length).toBeGreaterThan(60);
    expect(annotations?.readOnlyHint).toBeTypeOf("boolean");
    // What is left out counts as destructive.
    expect(typeof annotations?.destructiveHint === "boolean").toBe(annotations?.readOnlyHint === false);
    for (const [, hint] of JSON.stringify(inputSchema).matchAll(/"description":"([^"]*)/g))
      expect(hint).not.toContain("?");
    expect(description).not.toContain("?");
    expect(annotations?.openWorldHint).toBe(false);
    expect(inputSchema).toMatchObject({ type: "object" });
    // A tool that writes says how it is taken back.
    if (!annotations?.readOnlyHint)
      expect(description).toMatch(/undo|restore|history stays|changes no memory/i);
  }
});

test("[MC4] a set that is none is refused when the server starts, with what there is", async () => {
  const { toolSetOf } = await import("../../src/mcp/settings.js");
  expect(toolSetOf(undefined)).toBe("lean");
  expect(toolSetOf("FULL")).toBe("full");
  expect(() => toolSetOf("every")).toThrow(/no tool set "every"/);
});
