/** Checkpoints on the command line: what reaches the library, and what people read. */

import type { Checkpoint, Checkpoints, DiffResult } from "@cambium/client";
import type { ChangeHash, CheckpointId, ReplicaId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/program.js";
import { fakeLibrary } from "./fake-library.js";
import { capturedIo, memory, NOW, REPLICA } from "./fixtures.js";

const byHand: Checkpoint = {
  ...{ id: "0a".repeat(16) as CheckpointId, name: "before-cleanup", description: "All plots\nare right." },
  ...{ branch: "main", heads: ["ab".repeat(32) as ChangeHash], scope: "full", cause: "manual" },
  ...{
    by: { agent: "ada", replica: REPLICA as ReplicaId },
    at: NOW - 3_600_000,
    state: "kept",
    isHere: true,
  },
  ...{ schemaVersion: 2, indexVersion: 6, digest: "cd".repeat(32) },
};
const weekly: Checkpoint = {
  ...byHand,
  ...{ id: "0b".repeat(16) as CheckpointId, name: "weekly-2026-w32", cause: "weekly", isHere: false },
};
const diff: DiffResult = {
  from: { ref: "main@checkpoint:before-cleanup", branch: "main", heads: [] },
  to: { ref: "main", branch: "main", heads: [] },
  ...{ created: [memory()], changed: [], deleted: [], conflicts: [] },
};

async function cambium(line: readonly string[], all: readonly Checkpoint[] = []) {
  const calls: (readonly [string, ...unknown[]])[] = [];
  const noting =
    <Result>(name: string, result: Result) =>
    async (...args: readonly unknown[]): Promise<Result> => {
      calls.push([name, ...args]);
      return result;
    };
  const checkpoints = {
    create: noting("create", byHand),
    delete: noting("delete", byHand),
    list: noting("list", all),
    compare: noting("compare", diff),
  } as unknown as Checkpoints;
  const io = capturedIo({});
  const { library } = fakeLibrary({ space: { checkpoints }, agent: { checkpoints } });
  const code = await main(line, io, library);
  return { code, calls, stdout: io.stdout(), stderr: io.stderr() };
}

describe("checkpoint", () => {
  test("[CP60] what is typed reaches the library; the reply says how to look at it and go back", async () => {
    const options = ["--description", "d", "--reason", "r", "--area", "home", "--at", "yesterday"];
    const { calls, stdout } = await cambium(["checkpoint", "before-cleanup", ...options, "--branch", "work"]);
    expect(calls).toEqual([
      [
        "create",
        {
          ...{ name: "before-cleanup", branch: "work", description: "d", reason: "r", at: "yesterday" },
          scope: { area: "home" },
        },
      ],
    ]);
    expect(stdout).toContain("Made the checkpoint before-cleanup of main\n");
    expect(stdout).toContain("--at checkpoint:before-cleanup");
    const plain = await cambium(["checkpoint", "x", "--json"]);
    expect(plain.calls).toEqual([["create", { name: "x", branch: undefined }]]);
    expect(JSON.parse(plain.stdout)).toEqual(byHand);
  });

  test("[CP60] --delete gives up the name, before it or after it, and takes nothing else", async () => {
    for (const line of [
      ["checkpoint", "before-cleanup", "--delete"],
      ["checkpoint", "--delete", "before-cleanup"],
    ]) {
      const { calls, stdout } = await cambium(line);
      expect(calls).toEqual([["delete", "before-cleanup"]]);
      expect(stdout).toContain("stays in the history of main");
    }
    const refused = await cambium(["checkpoint", "x", "--delete", "--area", "home"]);
    expect([refused.code, refused.calls]).toEqual([2, []]);
  });
});

describe("checkpoints", () => {
  test("[CP61] lists those made by hand and counts the others, or lists all; says so where there are none", async () => {
    const some = await cambium(["checkpoints"], [weekly, byHand]);
    expect(some.stdout).toContain("before-cleanup  1 hour ago");
    expect(some.stdout).toContain("All plots");
    expect(some.stdout).not.toContain("weekly");
    expect(some.stdout).toContain("1 more Cambium made by itself: `cambium checkpoints --all`");
    const all = await cambium(["checkpoints", "--all", "--branch", "work"], [weekly, byHand]);
    expect(all.calls).toEqual([["list", { branch: "work" }]]);
    expect(all.stdout).toContain("weekly-2026-w32");
    expect(all.stdout).toContain("has not arrived yet");
    expect((await cambium(["checkpoints"])).stdout).toContain("cambium checkpoint <name>");
    expect((await cambium(["checkpoints"], [weekly])).stdout).toContain("No checkpoint was made by hand.");
    const { stdout } = await cambium(["checkpoints", "--json"], [weekly, byHand]);
    expect(JSON.parse(stdout)).toEqual({ checkpoints: [byHand] });
  });

  test("[CP62] --compare takes one or two names", async () => {
    const one = await cambium(["checkpoints", "--compare", "before-cleanup"]);
    expect(one.calls).toEqual([["compare", "before-cleanup", undefined]]);
    expect(one.stdout).toContain("main@checkpoint:before-cleanup → main: 1 created");
    const two = await cambium(["checkpoints", "--compare", "a", "b", "--json"]);
    expect(two.calls).toEqual([["compare", "a", "b"]]);
    expect(JSON.parse(two.stdout)).toMatchObject({ from: { branch: "main" } });
    expect((await cambium(["checkpoints", "--compare", "a", "b", "c"])).code).toBe(2);
  });
});
