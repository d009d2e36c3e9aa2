import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SpaceId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { createRelaySpace } from "../../src/sync/relay-http.js";
import { contentsOf, converged, type Device, type Home, World } from "../support/world.js";

/** Made by `fixtures/make-schema-1.mjs`. */
const FIXTURE = fileURLToPath(new URL("fixtures/schema-1", import.meta.url));
const DAY_MS = 86_400_000;

/** A home with a copy of what the last Cambium of schema 1 wrote, a month later. */
function oldHome(world: World): Home {
  const home = world.newHome("old laptop");
  world.copy(FIXTURE, home.dir);
  world.clock.advance(30 * DAY_MS);
  return home;
}

/** Puts the space on the world's relay, as if it had been made there. */
async function publish(world: World, home: Home): Promise<void> {
  const spaces = join(home.dir, "spaces");
  const [id = ""] = readdirSync(spaces);
  const { token } = await createRelaySpace(world.access, id as SpaceId);
  const path = join(spaces, id, "space.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...config, relay: { url: world.access.url, token } }));
}

const agentOf = ({ space }: Device) => space.as({ agent: "ada" });

async function sourcesOf({ space }: Device): Promise<readonly unknown[]> {
  const { memories } = await space.list({ limit: 1_000 });
  return memories.flatMap(({ source }) => (source === undefined ? [] : [source]));
}

describe("a space of schema 1", () => {
  test("[CP53] is whole: every memory, version, branch and conflict reads, and every byte is sound", async () => {
    await using world = new World(270);
    const old = await world.reopen(oldHome(world));
    const { memories } = await old.space.list({ deleted: true, limit: 1_000 });
    expect(memories).toHaveLength(20);
    expect(memories.filter(({ deleted }) => deleted).map(({ content }) => content)).toEqual([
      "The walk to the well takes five minutes.",
    ]);
    const [budget] = await old.space.recall("budget for seeds");
    expect(budget).toMatchObject({
      content: "The budget for seeds is 60 €.",
      area: "money",
      pins: ["start"],
      version: 2,
    });
    expect((await old.space.history(budget?.id ?? "")).map(({ content }) => content)).toEqual([
      ...["The budget for seeds is 50 €.", "The budget for seeds is 60 €."],
    ]);
    expect((await old.space.branches.list()).map(({ name }) => name)).toEqual(["main", "summer"]);
    expect(await contentsOf(old, "summer")).toContain("The shed needs a new door.");
    expect((await old.space.list({ at: "main@2026-08-02" })).memories).toEqual([]);
    expect(await old.space.verify()).toMatchObject({ ok: true, damaged: [] });
    expect(await old.space.verify()).not.toHaveProperty("tooNew");
    expect(
      (await old.space.status()).notices.filter((notice) => !notice.includes("copied or moved")),
    ).toEqual([]);
  });

  test("[CP50] what was imported says by which reader, and to import it again adds nothing", async () => {
    await using world = new World(271);
    const old = await world.reopen(oldHome(world));
    const sources = await sourcesOf(old);
    expect(sources).toContainEqual({
      ...{ kind: "import", format: "markdown", name: "notes", file: "care.md", heading: "Care > Water" },
    });
    expect(sources).toContainEqual({
      kind: "import",
      format: "mcp-memory",
      name: "graph/memory.jsonl",
      heading: "Mira",
    });
    const graph = join(world.root, "graph", "memory.jsonl");
    mkdirSync(join(world.root, "graph"));
    writeFileSync(
      graph,
      JSON.stringify({ type: "entity", name: "Mira", entityType: "person", observations: ["Likes dill"] }),
    );
    expect(await agentOf(old).import(graph)).toMatchObject({ created: 0, changed: 0, unchanged: 2 });
  });

  test("[CP54] is written on under our schema, and goes back to checkpoints of what it was", async () => {
    await using world = new World(272);
    const home = oldHome(world);
    const old = await world.reopen(home);
    const { checkpoints } = old.space;
    const before = await contentsOf(old);
    const past = await checkpoints.create({ name: "as-it-was" });
    const early = await checkpoints.create({ name: "early", at: 'main@"2026-08-03T09:00:20Z"' });
    const [imported] = await old.space.recall("compost");
    const [plot] = await old.space.recall("plot with beans");
    await agentOf(old).revise(imported?.id ?? "", { content: "## Feeding\n\nCompost in autumn." });
    await agentOf(old).revise(plot?.id ?? "", { importance: 0.9 });
    await agentOf(old).forget(plot?.id ?? "");
    const restored = await agentOf(old).restore(imported?.id ?? "", { at: "checkpoint:as-it-was" });
    expect(restored.content).toBe(imported?.content);
    const result = await agentOf(old).rollback({ to: "checkpoint:as-it-was" });
    expect(result.status).toBe("rolled-back");
    expect(await contentsOf(old)).toEqual(before);
    expect((await old.space.list({ at: "checkpoint:early", limit: 1_000 })).memories.length).toBeLessThan(20);
    await old.replica.close();
    const again = await world.reopen(home);
    expect((await again.space.checkpoints.get("early")).digest).toBe(early.digest);
    expect((await again.space.checkpoints.get("as-it-was")).digest).toBe(past.digest);
    expect(await again.space.verify()).toMatchObject({ ok: true });
    await agentOf(again).rollback({ to: "checkpoint:early" });
    await agentOf(again).undo();
    expect(await contentsOf(again)).toEqual(before);
  });

  test("[CP55] syncs with a new device: both show the same, of old records and of new ones", async () => {
    await using world = await World.withRelay(273);
    const home = oldHome(world);
    await publish(world, home);
    const old = await world.reopen(home);
    await old.space.checkpoints.create({ name: "as-it-was" });
    const fresh = await world.join(old, "new", { role: "admin" });
    await converged(old, fresh);
    expect(await sourcesOf(fresh)).toEqual(await sourcesOf(old));
    expect(await contentsOf(fresh)).toHaveLength(19);
    const [imported] = await fresh.space.recall("compost");
    await agentOf(fresh).revise(imported?.id ?? "", { content: "Compost whenever." });
    await converged(old, fresh);
    expect((await old.space.get(imported?.id ?? "")).content).toBe("Compost whenever.");
    await agentOf(old).restore(imported?.id ?? "", { at: "checkpoint:as-it-was" });
    await converged(old, fresh);
    expect((await fresh.space.get(imported?.id ?? "")).content).toBe(imported?.content);
  });
});
