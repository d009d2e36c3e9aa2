/** Recall, the index and vectors as a person meets them: one process after another, and an endpoint that is asked. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { IndexStatus, RecalledMemory, SpaceStatus } from "@cambium/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { FakeEndpoint, send } from "../../../client/test/models/support/fake-endpoint.js";
import { type Device, Scratch } from "./processes.js";

/** Each test starts several processes, and other tests want the same processors. */
vi.setConfig({ testTimeout: 120_000 });

let scratch: Scratch;
beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(async () => {
  await scratch[Symbol.asyncDispose]();
});

const deviceWithSpace = (...memories: readonly string[]): Promise<Device> =>
  withSpace(scratch.device(), ...memories);

async function withSpace(device: Device, ...memories: readonly string[]): Promise<Device> {
  await device.json("init", "notes");
  for (const memory of memories) await device.json("remember", memory);
  return device;
}

const recalled = async (device: Device, ...args: readonly string[]): Promise<readonly RecalledMemory[]> =>
  (await device.json<{ memories: readonly RecalledMemory[] }>("recall", ...args)).memories;

test.each([
  ["off", "[CL14]"],
  ["on", "[CL14] [RM1] through a daemon,"],
] as const)(
  "%s: %s a search of the past finds the wording it had then, and marks what was found",
  async (daemon, _rules) => {
    await using own = await Scratch.make(daemon);
    const device = await withSpace(own.device(), "Green tea in the morning");
    const [tea] = await recalled(device, "tea");
    const before = new Date(tea?.at ?? 0).toISOString();
    await device.json("revise", tea?.id ?? "", "Black coffee in the morning");
    expect(await recalled(device, "tea")).toEqual([]);
    const [then] = await recalled(device, "TEAS", "--at", before);
    expect(then).toMatchObject({ snippet: "Green tea in the morning", highlights: [[6, 9]], version: 1 });
  },
);

test("[CL16] a lost index is made anew by the next read, and status and reindex say how it stands", async () => {
  const device = await deviceWithSpace("one", "two");
  const { space, index } = await device.json<SpaceStatus>("status");
  expect(index).toMatchObject({ state: "ready", records: 2, branches: 1 });
  await rm(join(device.home, "cambium", "spaces", space.id, "index.sqlite"));
  expect(await recalled(device, "two")).toHaveLength(1);
  expect(await device.json<IndexStatus>("reindex")).toMatchObject({ state: "ready", records: 2 });
});

test("[CL16] reindex makes the vectors that recall then asks, and ends at an endpoint that fails", async () => {
  const device = await deviceWithSpace("lighthouse", "haystack");
  await using endpoint = await FakeEndpoint.start();
  const env = { CAMBIUM_EMBEDDINGS_URL: endpoint.url, CAMBIUM_EMBEDDINGS_MODEL: "ngrams" };
  const run = async <T>(...args: readonly string[]): Promise<T> =>
    JSON.parse((await device.run([...args, "--json"], { env })).stdout) as T;

  const good = endpoint.always;
  endpoint.always = send(401, { error: { message: "no such key" } });
  const refused = await run<IndexStatus>("reindex");
  expect(refused.vectors).toMatchObject({ done: 0, total: 2, problem: expect.any(String) });

  endpoint.always = good;
  expect((await run<IndexStatus>("reindex")).vectors).toMatchObject({ done: 2, total: 2 });
  expect((await run<SpaceStatus>("status")).index.vectors).toMatchObject({ done: 2, total: 2 });
  const { memories } = await run<{ memories: readonly RecalledMemory[] }>(
    "recall",
    "lighthuose",
    "--no-spelling",
  );
  expect(memories[0]).toMatchObject({ content: "lighthouse", matched: [] });
  expect((await device.run(["recall", "lighthuose", "--no-spelling"], { env })).stdout).toContain(
    "found by its meaning",
  );
  expect(await recalled(device, "lighthuose", "--no-spelling")).toEqual([]);
});
