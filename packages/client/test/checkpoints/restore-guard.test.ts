import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CheckpointEntry, type CheckpointId, SCHEMA_VERSION } from "@cambium/core";
import { afterAll, describe, expect, test } from "vitest";
import { seededRandom } from "../../../core/test/support/seeded-platform.js";
import { guardCheckpoint } from "../../src/checkpoints/restore-guard.js";
import type { KnownCheckpoint } from "../../src/space/checkpoint-directory.js";
import { IndexedObserver } from "../index-store/support/indexed-observer.js";
import { SpaceLife } from "../index-store/support/space-life.js";
import { arriveWhole } from "../index-store/support/watched-life.js";
import { contentsOf, type Device, World } from "../support/world.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-guard-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A checkpoint of a real index, and the services that guard it. */
async function guarded(name: string) {
  const life = new SpaceLife({ seed: 3, clockOffsetsMs: [0, 0], maxBranches: 1 });
  await life.begin();
  const observer = new IndexedObserver(life.space, join(dir, `${name}.sqlite`));
  arriveWhole({ life, observer, next: seededRandom(3) });
  const branch = life.space.main;
  const row = await observer.index.prepare(branch);
  const entry: CheckpointEntry = {
    ...{ branch, heads: [...row.heads], scope: "full", cause: "manual", by: observer.replica.id, at: 1 },
    ...{
      schemaVersion: SCHEMA_VERSION,
      indexVersion: 1,
      digest: observer.index.digestAt(row),
      state: "kept",
    },
  };
  const view = async () => ({ row: await observer.index.prepare(branch) });
  const views = { open: view, look: view };
  return {
    services: { views: views as never, index: observer.index },
    checkpoint: (changed: Partial<CheckpointEntry>, text: KnownCheckpoint["text"] = {}): KnownCheckpoint => ({
      ...{ id: "ab".repeat(16) as CheckpointId, ownName: "x", name: "x", state: "kept", text },
      entry: { ...entry, ...changed },
    }),
    [Symbol.dispose]: () => observer.close(),
  };
}

describe("before a checkpoint is brought back", () => {
  test("[CP40] a newer schema, another digest, or heads that are not here refuse it, each by its name", async () => {
    using guard = await guarded("refusals");
    const { services, checkpoint } = guard;
    expect(await guardCheckpoint(checkpoint({}), services)).toBeUndefined();
    expect(await guardCheckpoint(checkpoint({ schemaVersion: 1 }), services)).toBeUndefined();
    await expect(
      guardCheckpoint(checkpoint({ schemaVersion: SCHEMA_VERSION + 1 }), services),
    ).rejects.toMatchObject({ code: "SCHEMA_TOO_NEW", details: { schemaVersion: SCHEMA_VERSION + 1 } });
    await expect(
      guardCheckpoint(checkpoint({ digest: new Uint8Array(32).fill(1) }), services),
    ).rejects.toMatchObject({ code: "CHECKPOINT_MISMATCH", details: { expected: "01".repeat(32) } });
    await expect(
      guardCheckpoint(checkpoint({ heads: ["cd".repeat(32)] as never }), services),
    ).rejects.toMatchObject({ code: "HEADS_NOT_HERE" });
  });

  test("[CP41] one of an area says which, and is refused while that is not known", async () => {
    using guard = await guarded("areas");
    const { services, checkpoint } = guard;
    expect(await guardCheckpoint(checkpoint({ scope: "area" }, { area: "home" }), services)).toBe("home");
    await expect(guardCheckpoint(checkpoint({ scope: "area" }), services)).rejects.toMatchObject({
      code: "CONTENT_NOT_HERE",
    });
  });
});

const agentOf = ({ space }: Device) => space.as({ agent: "ada" });

describe("going back to a checkpoint", () => {
  test("[CP41] brings back what its scope says, with an automatic one before it, also when it is tried on a branch", async () => {
    await using world = new World(290);
    const a = await world.found("a");
    for (const area of ["home", "work"]) await agentOf(a).remember({ content: `${area} 1`, area });
    await a.space.checkpoints.create({ name: "home", scope: { area: "home" } });
    for (const area of ["home", "work"]) await agentOf(a).remember({ content: `${area} 2`, area });
    await agentOf(a).rollback({ to: "checkpoint:home", onBranch: "try" });
    expect(await contentsOf(a, "try")).toEqual(["home 1", "work 1", "work 2"]);
    expect(await contentsOf(a)).toHaveLength(4);
    const { checkpoint = "" } = await agentOf(a).rollback({ to: "checkpoint:home" });
    expect(await contentsOf(a)).toEqual(["home 1", "work 1", "work 2"]);
    expect(checkpoint).toMatch(/^before-rollback-/);
    expect(await a.space.checkpoints.get(checkpoint)).toMatchObject({ cause: "rollback", memories: 4 });
    await agentOf(a).rollback({ to: `checkpoint:${checkpoint}` });
    expect(await contentsOf(a)).toHaveLength(4);
  });
});
