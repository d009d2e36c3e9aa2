/** What only a replica in another process has to mind: questions, events, stopping, and daemons that come and go. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Replica, SpaceEvent } from "@cambium/client";
import type { CambiumError } from "@cambium/core";
import { expect, test } from "vitest";
import { type ConnectReplicaOptions, connectReplica } from "../../src/daemon-client/connect-replica.js";
import { startDaemon, type TestDaemon } from "../daemon/support/daemon.js";

const connected = (dir: string, options: ConnectReplicaOptions = {}): Promise<Replica> =>
  connectReplica({ dir, start: false, env: {}, ...options });

interface Stage extends AsyncDisposable {
  readonly daemon: TestDaemon;
  readonly replica: Replica;
}

async function stage(): Promise<Stage> {
  const daemon = await startDaemon();
  const replica = await connected(daemon.home);
  const dispose = async (): Promise<void> => {
    await replica.close();
    await daemon[Symbol.asyncDispose]();
  };
  return { daemon, replica, [Symbol.asyncDispose]: dispose };
}

test("[RM7] what the policy wants confirmed is asked here, once, and noted as without a daemon", async () => {
  await using stand = await stage();
  const space = await stand.replica.createSpace({ name: "notes" });
  await space.policy.set("forget", "agent", "confirm");
  const [tea, milk] = await Promise.all(
    ["tea", "milk"].map((content) => space.as({ agent: "cursor" }).remember({ content })),
  );
  const asked: object[] = [];
  const answers = [true, false];
  const agent = space.as({
    agent: "cursor",
    confirmed: async (question) => {
      asked.push(question);
      return answers.shift() === true;
    },
  });
  expect(await agent.forget(tea?.id ?? "")).toMatchObject({ deleted: true });
  await expect(agent.forget(milk?.id ?? "")).rejects.toMatchObject({ code: "CONFIRMATION_NEEDED" });
  await expect(space.as({ agent: "cursor" }).forget(milk?.id ?? "")).rejects.toMatchObject({
    code: "CONFIRMATION_NEEDED",
    message: expect.stringContaining("It was not confirmed"),
  });
  expect(await space.as({ agent: "cursor", confirmed: true }).forget(milk?.id ?? "")).toMatchObject({
    deleted: true,
  });
  expect(asked).toEqual(
    Array(2).fill({ operation: "forget", message: "This would forget a memory (1 memory)." }),
  );
  const { entries } = await space.audit.list({ operation: "refuse" });
  expect(entries).toHaveLength(2);
});

test("[RP35] [RP34] through the daemon, too, a name is given once, and what is no argument is refused", async () => {
  await using stand = await stage();
  const space = await stand.replica.createSpace({ name: "notes" });
  const calls = Array.from({ length: 5 }, () => space.branches.create("same"));
  const codes = (await Promise.allSettled(calls)).map((result) =>
    result.status === "fulfilled" ? "ok" : (result.reason as CambiumError).code,
  );
  expect(codes.toSorted()).toEqual([...Array(4).fill("BRANCH_EXISTS"), "ok"]);
  expect((await space.branches.list()).map(({ name }) => name)).toEqual(["main", "same"]);
  const none = null as unknown as string; // as a caller in JavaScript may hand over
  for (const call of [
    () => space.get(none),
    () => space.branches.create(none),
    () => space.as({}).revise("x", { occurredAt: "2026-02-30" }),
    () => space.list({ branch: none }),
    () => stand.replica.openSpace(none),
  ])
    await expect(call()).rejects.toMatchObject({
      code: expect.stringMatching(/^BAD_INPUT|MEMORY_NOT_FOUND$/),
    });
});

test("[RM7] what was asked and confirmed under a key of the caller's own is done once", async () => {
  await using stand = await stage();
  const space = await stand.replica.createSpace({ name: "notes" });
  await space.policy.set("write", "agent", "confirm");
  const agent = space.as({
    agent: "cursor",
    confirmed: () => true,
    request: { key: "a-key-of-my-own", fingerprint: "" },
  });
  const first = await agent.remember({ content: "tea" });
  expect((await agent.remember({ content: "tea" })).id).toBe(first.id);
  expect((await space.list()).memories).toHaveLength(1);
});

test("[RM8] one stream tells all listeners of a space, and goes on when the daemon was away", async () => {
  const home = await mkdtemp(join(tmpdir(), "cambium-remote-"));
  let daemon = await startDaemon({ home });
  const replica = await connected(home, { start: false });
  const space = await replica.createSpace({ name: "notes" });
  const told: SpaceEvent[][] = [[], []];
  const stops = told.map((events) => space.subscribe((event) => void events.push(event)));
  await expect.poll(() => told.map(({ length }) => length > 0)).toEqual([true, true]);
  const count = (): number => told[0]?.filter(({ type }) => type === "changed").length ?? 0;
  const before = count();
  await space.as({}).remember({ content: "tea" });
  await expect.poll(count).toBeGreaterThan(before);

  stops[1]?.();
  const left = told[1]?.length;
  daemon.daemon.stop("the test wants another");
  await daemon.daemon.ended;
  // Nobody may start one here: for a moment there is none, and the feed says that it has ended.
  await expect.poll(() => told[0]?.at(-1)).toMatchObject({ type: "notice" });
  daemon = await startDaemon({ home });
  stops[0]?.();
  const again: SpaceEvent[] = [];
  space.subscribe((event) => void again.push(event));
  await expect.poll(() => again.some(({ type }) => type === "changed")).toBe(true);
  expect(told[1]?.length).toBe(left);
  await replica.close();
  await daemon[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

test("[RM5] stopping a call that waits stops it in the daemon, too", async () => {
  const replica = Promise.withResolvers<Replica>();
  const seen = Promise.withResolvers<AbortSignal>();
  const space = {
    id: "0".repeat(8),
    name: "notes",
    sync: {
      whenSynced: ({ signal }: { readonly signal: AbortSignal }) => {
        seen.resolve(signal);
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("stopped")));
        });
      },
    },
    requestOf: async () => undefined,
    subscribe: () => () => undefined,
  };
  replica.resolve({
    id: "r",
    name: "desk",
    dir: "",
    spaces: async () => [],
    openSpace: async () => space,
    close: async () => undefined,
  } as unknown as Replica);
  await using daemon = await startDaemon({
    openReplica: () => replica.promise,
    // The doubles need not look like the real ones.
    checkResponse: () => undefined,
  });
  await using connection = await connected(daemon.home);
  const opened = await connection.openSpace("notes");
  const stop = new AbortController();
  const waiting = opened.sync.whenSynced({ signal: stop.signal });
  const inside = await seen.promise;
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
  await expect.poll(() => inside.aborted).toBe(true);
});

test("[RM9] a replica that was closed answers nothing, and leaves the daemon as it is", async () => {
  await using stand = await stage();
  const space = await stand.replica.createSpace({ name: "notes" });
  await space[Symbol.asyncDispose]();
  expect(await space.list()).toMatchObject({ memories: [] });
  await stand.replica.close();
  await expect(space.list()).rejects.toMatchObject({ code: "REPLICA_CLOSED" });
  await using other = await connected(stand.daemon.home);
  expect(await other.spaces()).toHaveLength(1);
});
