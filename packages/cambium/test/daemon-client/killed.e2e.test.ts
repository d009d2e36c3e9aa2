/** Real daemons in processes of their own: started by their callers, killed at any moment, and missed by nobody. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Replica } from "@cambium/client";
import type { Memory } from "@cambium/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectReplica } from "../../src/daemon-client/connect-replica.js";
import { daemonsIn, endDaemons, isAlive } from "../cli/daemons.js";

/** Each test starts several processes, and other tests want the same processors. */
const TIMEOUT = { timeout: 120_000 };
const WRITES = process.env.CAMBIUM_SOAK === "1" ? 120 : 40;
const WRITERS = 4;

let dir: string;
let home: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "cambium-killed-"));
  home = join(dir, "home");
});
afterEach(async () => {
  await endDaemons(dir);
  await rm(dir, { recursive: true, force: true });
});

function connect(env: Readonly<Record<string, string>> = {}): Promise<Replica> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CAMBIUM_"));
  const own = { HOME: dir, XDG_STATE_HOME: join(dir, "state") };
  return connectReplica({ dir: home, env: { ...Object.fromEntries(inherited), ...own, ...env } });
}

/** @returns whether there was one to kill */
function kill(): boolean {
  const [pid] = daemonsIn(dir);
  if (pid === undefined) return false;
  process.kill(pid, "SIGKILL");
  return true;
}

test(
  "[RM10] kill -9 between writes: what was acknowledged is kept, and nothing is there twice",
  TIMEOUT,
  async () => {
    await using replica = await connect();
    const space = await replica.createSpace({ name: "notes" });
    const agent = space.as({ agent: "cursor" });
    let told = 0;
    space.subscribe(() => {
      told += 1;
    });
    const texts = Array.from({ length: WRITES }, (_, number) => `memory ${number}`);
    const waiting = [...texts];
    const acknowledged = new Map<string, Memory>();
    let kills = 0;
    const write = async (): Promise<void> => {
      for (let content = waiting.shift(); content !== undefined; content = waiting.shift()) {
        acknowledged.set(content, await agent.remember({ content }));
        if (acknowledged.size % 12 === 0 && kill()) kills += 1;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    expect(kills).toBeGreaterThan(2);
    const { memories } = await space.list({ limit: 1_000 });
    expect(memories.map(({ content }) => content).sort()).toEqual(texts.toSorted());
    const ids = new Map(memories.map(({ id, content }) => [content, id]));
    for (const [content, { id }] of acknowledged) expect(ids.get(content)).toBe(id);

    // Whoever listened is told again, too.
    const before = told;
    await agent.remember({ content: "one more" });
    await expect.poll(() => told, { timeout: 10_000 }).toBeGreaterThan(before);
  },
);

test("[RM10] a daemon that was killed in its sleep is replaced by the next call", TIMEOUT, async () => {
  await using replica = await connect();
  const space = await replica.createSpace({ name: "notes" });
  const [first] = daemonsIn(dir);
  kill();
  await expect.poll(() => isAlive(first ?? 0)).toBe(false);
  expect(await space.list()).toMatchObject({ memories: [] });
  const [second] = daemonsIn(dir);
  expect(second).not.toBe(first);
});

test("[RM11] twenty callers of a home without a daemon share one", TIMEOUT, async () => {
  const replicas = await Promise.all(Array.from({ length: 20 }, () => connect()));
  const ids = new Set(replicas.map(({ id }) => id));
  expect(ids.size).toBe(1);
  expect(daemonsIn(dir)).toHaveLength(1);
  const started = (await readFile(join(home, "daemon.log"), "utf8")).match(/Started/g);
  expect(started).toHaveLength(1);
  for (const replica of replicas) await replica.close();
});

test("[RM11] a daemon that cannot start says why, to whoever called", TIMEOUT, async () => {
  await expect(connect({ CAMBIUM_EMBEDDINGS_URL: "no url at all" })).rejects.toMatchObject({
    code: "BAD_INPUT",
    message: expect.stringContaining("vectors"),
  });
  await writeFile(join(dir, "file"), "");
  home = join(dir, "file");
  await expect(connect()).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringContaining(home),
  });
});
