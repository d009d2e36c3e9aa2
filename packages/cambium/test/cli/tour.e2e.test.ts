/**
 * What the tour of docs/tour.md does, by two devices and a relay, each with processes of its own. The tour itself is
 * run by test/readme.test.ts, without daemons.
 */
import { join } from "node:path";
import type { DiffResult, MergeResult, SpaceStatus, SyncStatus } from "@cambium/client";
import type { LogEntry, Memory } from "@cambium/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Device, type RunningRelay, Scratch, serve } from "./processes.js";

let scratch: Scratch;
let relay: RunningRelay;
let ada: Device;
let bob: Device;

const contents = async (device: Device, ...args: readonly string[]): Promise<readonly string[]> => {
  const { memories } = await device.json<{ memories: readonly Memory[] }>("list", ...args);
  return memories.map(({ content }) => content).sort();
};

/** Each step starts several processes, and other tests want the same processors. */
const TIMEOUT = { timeout: 120_000 };

describe("[CL12] [RM1] two devices, each through its daemon", TIMEOUT, () => {
  beforeAll(async () => {
    scratch = await Scratch.make("on");
    ada = scratch.device();
    bob = scratch.device();
    relay = await serve(ada, join(scratch.dir, "relay"));
  });

  afterAll(async () => {
    await relay[Symbol.asyncDispose]();
    await scratch[Symbol.asyncDispose]();
  });

  let release: Memory;
  let before: string;

  test("make, share and enter a space", async () => {
    await ada.json("init", "team", "--relay", relay.url, "--token", relay.adminToken);
    release = await ada.json<Memory>("remember", "Releases are cut on Thursdays", "--category", "process");
    await ada.json("sync");
    const { invitation } = await ada.json<{ invitation: string }>(
      "invite",
      "--role",
      "write",
      "--expires",
      "1d",
    );
    expect(await bob.json("join", invitation)).toMatchObject({ name: "team", role: "write" });
    await bob.json("sync");
    expect(await contents(bob)).toEqual(["Releases are cut on Thursdays"]);
  });

  test("write at the same time, and both have everything after a sync", async () => {
    await Promise.all([ada.json("remember", "Ada prefers tea"), bob.json("remember", "Bob prefers coffee")]);
    expect(await bob.json<SpaceStatus>("status")).toMatchObject({ relay: { pending: expect.any(Number) } });
    for (const device of [ada, bob, ada]) {
      const { relay: after } = await device.json<SyncStatus>("sync");
      expect(after).toMatchObject({ state: "synced", pending: 0, missing: 0 });
    }
    const all = ["Ada prefers tea", "Bob prefers coffee", "Releases are cut on Thursdays"];
    expect([await contents(ada), await contents(bob)]).toEqual([all, all]);
  });

  test("a branch that was revised on both sides shows its conflict and writes nothing", async () => {
    await ada.json("branch", "work-persona");
    await ada.json("revise", release.id, "Releases are cut on Fridays", "--branch", "work-persona");
    await ada.json<Memory>("revise", release.id, "Releases are cut on Mondays");
    const { changes } = await ada.json<{ changes: readonly LogEntry[] }>("log", "--limit", "1");
    before = new Date(changes[0]?.at ?? 0).toISOString();
    const { code, stdout, stderr } = await ada.run(["merge", "work-persona", "--json"]);
    expect([code, stderr]).toEqual([4, ""]);
    const { status, conflicts } = JSON.parse(stdout) as MergeResult;
    expect(status).toBe("conflict");
    expect(conflicts).toMatchObject([
      { id: release.id, fields: [{ field: "content", base: release.content }] },
    ]);
    expect(await contents(ada)).toContain("Releases are cut on Mondays");
    const human = await ada.run(["merge", "work-persona"]);
    expect(human.code).toBe(4);
    expect(human.stdout).toMatch(/source +Releases are cut on \[-Thursdays-\]\{\+Fridays\+\}/);
    expect(human.stdout).toMatch(/target +Releases are cut on \[-Thursdays-\]\{\+Mondays\+\}/);
  });

  test("a resolution given by the beginning of an id merges it", async () => {
    const resolution = `${release.id.slice(0, 13)}.content=source`;
    const merged = await ada.json<MergeResult>("merge", "work-persona", "--resolve", resolution);
    expect(merged).toMatchObject({ status: "merged", conflicts: [] });
    expect(await contents(ada)).toContain("Releases are cut on Fridays");
    expect((await ada.run(["log"])).stdout).toMatch(/◆.*merged work-persona/);
  });

  test("the past is still there", async () => {
    expect(await contents(ada, "--at", before)).toContain("Releases are cut on Mondays");
    const diff = await ada.json<DiffResult>("diff", `main@${before}`, "main");
    expect(diff.changed).toMatchObject([{ id: release.id, fields: ["content"] }]);
    const { versions } = await ada.json<{ versions: readonly unknown[] }>("history", release.id);
    expect(versions.length).toBeGreaterThanOrEqual(3);
  });

  test("a merge is taken back by a new change, and says so when merged again", async () => {
    await ada.json("undo");
    expect(await contents(ada)).toContain("Releases are cut on Mondays");
    const again = await ada.run(["merge", "work-persona", "--json"]);
    expect(again.code).toBe(4);
    expect(await ada.json("merge", "work-persona", "--again", "yes", "--strategy", "source")).toMatchObject({
      status: "merged",
    });
  });

  test("the other device sees it all", async () => {
    await ada.json("sync");
    await bob.json("sync");
    expect(await contents(bob)).toEqual(await contents(ada));
    const { branches } = await bob.json<{ branches: readonly { name: string }[] }>("branches");
    expect(branches.map(({ name }) => name)).toEqual(["main", "work-persona"]);
  });
});
