/** docs/mcp.md: every call in it is made, in its order, by the official client. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { call, connect, failed, idOf, replicaHere, type Said } from "./support/connected.js";

const PAGE = readFileSync(new URL("../../../../docs/mcp.md", import.meta.url), "utf8");
const CALLS = [...PAGE.matchAll(/^```mcp\n(.*?)^```/gms)].flatMap(([, block = ""]) =>
  block.trim().split("\n"),
);
const CALL = /^(?:(?<name>[A-Z]+) = )?(?<fails>! )?(?<tool>[a-z]+) (?<args>\{.*\})$/;

const givenBy = (said: Said): string => (said.data.expect as string | undefined) ?? idOf(said);

test("[MC35] every call on the page works as it says", async () => {
  await using here = await replicaHere();
  await using connected = await connect(here.replica);
  const { client } = connected;
  await client.listTools();
  const values = new Map<string, string>();
  const statuses: unknown[] = [];
  for (const line of CALLS) {
    const { name, fails, tool = "", args = "{}" } = CALL.exec(line)?.groups ?? {};
    const given = args.replace(/\$([A-Z]+)/g, (_, known: string) => values.get(known) ?? "");
    if (fails !== undefined) await failed(client, tool, JSON.parse(given));
    else {
      const said = await call(client, tool, JSON.parse(given));
      if (name !== undefined) values.set(name, givenBy(said));
      if (tool === "merge") statuses.push(said.data.status);
    }
  }
  expect(CALLS.length).toBeGreaterThan(10);
  expect(statuses).toEqual(["preview", "conflict", "merged"]);
});

test("[MC36] the page lists each tool, resource and prompt, in its set", async () => {
  await using here = await replicaHere();
  await using connected = await connect(here.replica, { settings: { tools: "full" } });
  const { client } = connected;
  const rows = [...PAGE.matchAll(/^\| `([a-z]+)` \|.*\| (lean|full) \|$/gm)].map(([, name]) => name);
  expect(rows).toEqual((await client.listTools()).tools.map(({ name }) => name));
  const lean = [...PAGE.matchAll(/^\| `([a-z]+)` \|.*\| lean \|$/gm)].map(([, name]) => name);
  await using small = await connect(here.replica);
  expect(lean).toEqual((await small.client.listTools()).tools.map(({ name }) => name));
  const { tools } = await client.listTools();
  expect(Buffer.byteLength(JSON.stringify(tools)) / 3.5).toBeLessThan(8_000);
  for (const { uriTemplate } of (await client.listResourceTemplates()).resourceTemplates)
    expect(PAGE).toContain(`\`${uriTemplate}\``);
  for (const { name } of (await client.listPrompts()).prompts) expect(PAGE).toContain(`\`${name}\``);
});
