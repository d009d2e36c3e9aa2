import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CambiumError, isCambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { EraseResult, Space } from "../../src/api.js";
import { contentsOf, converged, meet, numbered, part, until, World } from "../support/world.js";

const closed = { code: "REQUEST_CLOSED" };

/** The id of the request that the refused call made. */
async function requestOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isCambiumError(error, "APPROVAL_NEEDED")) throw error ?? new Error("Nothing had to be approved.");
  return String(error.details?.request);
}

/** A space with more memories than an agent may roll back, and the state before they were changed. */
async function changedSpace(space: Space, count = 30): Promise<{ readonly before: string }> {
  const owner = space.as({ agent: "ada", role: "owner" });
  const ids: string[] = [];
  for (const content of numbered(count, "memory")) ids.push((await owner.remember({ content })).id);
  const { head } = (await space.status()).branch;
  for (const id of ids) await owner.revise(id, { category: "changed" });
  return { before: `main@heads:${head.join(",")}` };
}

describe("the gate", () => {
  test("[GV10] an agent whose name is blank has nobody's rights", async () => {
    await using world = new World(401);
    const { space } = await world.found();
    for (const agent of ["", " "]) expect(() => space.as({ agent })).toThrow("blank");
  });

  test("[GV10] lets pass what the policy allows, asks, makes a request or refuses, by role", async () => {
    await using world = new World(400);
    const { space } = await world.found();
    const agent = space.as({ agent: "bot" });
    await agent.remember({ content: "allowed" });
    await space.policy.set("forget", "agent", "confirm");
    await space.policy.set("fork", "agent", "refuse");
    await space.policy.set("write", "agent", "approve");
    const [{ id } = { id: "" }] = (await space.list()).memories;
    await expect(agent.forget(id)).rejects.toMatchObject({
      ...{ code: "CONFIRMATION_NEEDED", details: { operation: "forget", role: "agent", affected: 1 } },
    });
    await expect(agent.branches.create("no")).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    await requestOf(agent.remember({ content: "waits" }));
    await expect(agent.policy.set("fork", "agent", "allow")).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    await expect(agent.invite({ role: "read" })).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    expect((await contentsOf({ space } as never)).length).toBe(1);
    await space.as({ agent: "bot", confirmed: true }).forget(id);
    await space.as({ agent: "bot", role: "owner" }).branches.create("said-to-be-the-owners");
    await space.as({}).remember({ content: "the owner's" });
  });

  test("[GV46] an erasure by time means, once it is approved, what was shown when it was asked for", async () => {
    await using world = new World(412);
    const { space } = await world.found();
    const agent = space.as({ agent: "bot" });
    const { id } = await agent.remember({ content: "old" });
    for (const since of ["2020", "1 hour ago"]) {
      const request = await requestOf(agent.erase({ since }));
      const later = await agent.remember({ content: `written after ${since}` });
      world.clock.advance(60_000);
      const { result } = await space.requests.approve(request);
      expect((result as EraseResult).memories).toHaveLength(1);
      expect((await space.list()).memories.map((one) => one.id)).toEqual([later.id]);
    }
    expect(await space.get(id)).toMatchObject({ erased: "whole" });
    // What is chosen in another way may be more by then: it has to be asked for again.
    const moved = await requestOf(agent.erase({ agent: "bot" }));
    await agent.remember({ content: "one more" });
    await expect(space.requests.approve(moved)).rejects.toMatchObject(closed);
    expect((await space.list()).memories).toHaveLength(2);
  });

  test("[GV47] asked for again in the same words is the same request, or takes the place of the one before", async () => {
    await using world = new World(413);
    const { space } = await world.found();
    const bot = space.as({ agent: "bot" });
    const first = await bot.remember({ content: "old" });
    const ask = (since: string) =>
      bot.erase({ since }).catch((error: CambiumError) => error) as Promise<CambiumError>;
    const open = async () => (await space.requests.list({ state: "open" })).map(({ id }) => id);
    const one = await ask("1 hour ago");
    for (let times = 0; times < 3; times += 1) {
      world.clock.advance(60_000);
      const again = await ask("1 hour ago");
      expect(again.details).toMatchObject({ request: one.details?.request, again: true });
      expect(again.message).toContain("this is the same request");
    }
    expect(one.message).not.toContain("same request");
    expect(await open()).toEqual([one.details?.request]);
    // In other words, or of somebody else, it is another one.
    const other = await ask("2 hours ago");
    await requestOf(space.as({ agent: "other" }).erase({ since: "1 hour ago" }));
    expect(await open()).toHaveLength(3);
    // It would do something else by now.
    const more = await bot.remember({ content: "new" });
    const moved = await ask("1 hour ago");
    expect(moved.message).toContain("takes the place of an earlier request");
    expect(await open()).toHaveLength(3);
    expect((await space.requests.get(String(one.details?.request))).state).toBe("withdrawn");
    // What is approved is what was shown when it was asked for first.
    const { result } = await space.requests.approve(String(moved.details?.request));
    expect((result as EraseResult).memories.map(({ id }) => id).toSorted()).toEqual(
      [first.id, more.id].toSorted(),
    );
    expect(other.details?.request).not.toBe(one.details?.request);
  });

  test("[GV45] an agent confirms an export, the policy may refuse it, and the log names what was written", async () => {
    await using world = new World(411);
    const { space } = await world.found();
    const agent = space.as({ agent: "bot" });
    await agent.remember({ content: "allowed" });
    const path = join(world.root, "all.jsonl");
    await expect(agent.export(path)).rejects.toMatchObject({
      ...{ code: "CONFIRMATION_NEEDED", message: expect.stringContaining("export memories") },
    });
    expect(existsSync(path)).toBe(false);
    const agreed = space.as({ agent: "bot", confirmed: true });
    expect(await agreed.export(path, { format: "mcp-memory" })).toMatchObject({ path, memories: 1 });
    await space.export(join(world.root, "owners.jsonl"));
    const noted = (await space.audit.list({ operation: "export" })).entries;
    expect(noted.map(({ operation, of, role, details }) => ({ operation, of, role, details }))).toEqual([
      {
        ...{ operation: "export", role: "owner" },
        details: { format: "jsonl", memories: 1, path: join(world.root, "owners.jsonl") },
      },
      { operation: "export", role: "agent", details: { format: "mcp-memory", memories: 1, path } },
      { operation: "refuse", of: "export", role: "agent", details: { why: "not confirmed" } },
    ]);
    // Approved on another device, it would write files there.
    await expect(space.policy.set("export", "agent", "approve")).rejects.toMatchObject({ code: "BAD_INPUT" });
    await space.policy.set("export", "agent", "refuse");
    await expect(agreed.export(join(world.root, "x"))).rejects.toMatchObject({ code: "ROLE_REFUSED" });
  });

  test.each([
    ["target", 3],
    ["source", 3],
    ["newest", 3],
    ["both", 3],
  ] as const)(
    "[GV22] counts what a merge by %s decides, also where the target stays as it is",
    async (strategy, affected) => {
      await using world = new World(410);
      const { space } = await world.found();
      const owner = space.as({ agent: "ada", role: "owner" });
      const ids: string[] = [];
      for (const content of numbered(affected, "memory")) ids.push((await owner.remember({ content })).id);
      await owner.branches.create("side");
      for (const id of ids) await owner.revise(id, { content: `${id} there` }, { branch: "side" });
      for (const id of ids) await owner.revise(id, { content: `${id} here` });
      await owner.remember({ content: "new" }, { branch: "side" });
      const refused = space.as({ agent: "bot" }).merge({ from: "side", strategy });
      await expect(refused).rejects.toMatchObject({
        code: "CONFIRMATION_NEEDED",
        message: expect.stringContaining("(3 memories)"),
        details: { operation: "merge-conflicts", affected },
      });
    },
  );

  test("[GV11] asks whoever is there, once, in a sentence, and does nothing when they decline", async () => {
    await using world = new World(401);
    const { space } = await world.found();
    const { id } = await space.as({ agent: "bot" }).remember({ content: "kept" });
    await space.policy.set("forget", "owner", "confirm");
    const asked: unknown[] = [];
    const answering = (answer: boolean) =>
      space.as({
        confirmed: (question) => {
          asked.push(question);
          return answer;
        },
      });
    await expect(answering(false).forget(id)).rejects.toMatchObject({ code: "CONFIRMATION_NEEDED" });
    expect((await space.get(id)).deleted).toBe(false);
    await answering(true).forget(id);
    expect(asked).toEqual(
      Array(2).fill({ operation: "forget", message: "This would forget a memory (1 memory)." }),
    );
  });

  test("[GV12] tells going back in a few memories from going back in many, by the policy's limit", async () => {
    await using world = new World(402);
    const { space } = await world.found();
    const { before } = await changedSpace(space, 4);
    const agent = space.as({ agent: "bot" });
    await space.policy.setLimit("rollback", 3);
    await requestOf(agent.rollback({ to: before }));
    await requestOf(agent.undo({ last: 4 }));
    await agent.rollback({ to: before, onBranch: "tried" });
    await space.policy.setLimit("rollback", 4);
    expect(await agent.rollback({ to: before })).toMatchObject({ status: "rolled-back" });
  });

  test("[GV13] guards the merge that decides conflicts, and not the one that has none", async () => {
    await using world = new World(403);
    const { space } = await world.found();
    const agent = space.as({ agent: "bot" });
    const { id } = await agent.remember({ content: "tea", category: "none" });
    await agent.branches.create("side");
    await agent.revise(id, { category: "side" }, { branch: "side" });
    expect(await agent.merge({ from: "side", strategy: "source" })).toMatchObject({ status: "merged" });
    await agent.revise(id, { category: "side again" }, { branch: "side" });
    await agent.revise(id, { category: "main" });
    const { head } = (await space.status()).branch;
    expect(await agent.merge({ from: "side" })).toMatchObject({ status: "conflict" });
    await expect(agent.merge({ from: "side", strategy: "source" })).rejects.toMatchObject({
      ...{ code: "CONFIRMATION_NEEDED", details: { operation: "merge-conflicts" } },
    });
    expect((await space.status()).branch.head).toEqual(head);
    await space.policy.set("merge-conflicts", "agent", "approve");
    const request = await requestOf(agent.merge({ from: "side", strategy: "source" }));
    await space.requests.approve(request);
    expect((await space.get(id)).category).toBe("side again");
    await expect(
      agent.merge({ from: "side", resolver: () => "source" }).then(({ status }) => status),
    ).resolves.toBe("up-to-date");
  });
});

describe("a request", () => {
  test("[GV14] approved runs what was previewed, in the name of whoever asked, as one change", async () => {
    await using world = new World(404);
    const { space } = await world.found();
    const { before } = await changedSpace(space);
    const agent = space.as({ agent: "bot", session: "s1" });
    const id = await requestOf(agent.rollback({ to: before, reason: "a bad afternoon" }));
    expect(await requestOf(agent.rollback({ to: before, reason: "a bad afternoon" }))).toBe(id);
    expect((await space.status()).requests).toBe(1);
    const [request] = await space.requests.list({ state: "open" });
    expect(request).toMatchObject({
      ...{ id, operation: "rollback-large", branch: "main", reason: "a bad afternoon", moved: false },
      by: { role: "agent", agent: "bot", session: "s1" },
      preview: { counts: { changed: 30, created: 0, hidden: 0, broughtBack: 0 } },
    });
    expect(request?.preview.ids).toHaveLength(16);
    expect(await space.requests.preview(id)).toMatchObject({
      now: request?.preview,
      call: { method: "rollback" },
    });
    expect((await space.requests.preview(id)).problem).toBeUndefined();
    const { change, request: approved } = await space.requests.approve(id, { reason: "go on" });
    expect(approved).toMatchObject({ state: "approved", decision: { change, reason: "go on" } });
    const [{ id: one } = { id: "" }] = (await space.list()).memories;
    expect(await space.get(one)).toMatchObject({
      by: { agent: "bot", session: "s1", trigger: "approved by owner" },
    });
    expect((await space.get(one)).category).toBeUndefined();
    await expect(space.requests.approve(id)).rejects.toMatchObject(closed);
    await expect(space.requests.decline(id)).rejects.toMatchObject(closed);
    expect((await space.status()).requests).toBe(0);
  });

  test("[GV15] is refused once the state has moved, and writes nothing", async () => {
    await using world = new World(405);
    const { space } = await world.found();
    const { before } = await changedSpace(space);
    const agent = space.as({ agent: "bot" });
    const id = await requestOf(agent.rollback({ to: before }));
    await agent.remember({ content: "something new" });
    const { head } = (await space.status()).branch;
    expect(await space.requests.get(id)).toMatchObject({ state: "open", moved: true });
    expect((await space.requests.preview(id)).problem).toContain("moved");
    await expect(space.requests.approve(id)).rejects.toMatchObject({ ...closed, details: { why: "moved" } });
    expect((await space.status()).branch.head).toEqual(head);
    expect((await space.requests.get(id)).state).toBe("open");
  });

  test("[GV15] about one memory stays good while others change, and not when it does", async () => {
    await using world = new World(406);
    const { space } = await world.found();
    const agent = space.as({ agent: "bot" });
    const [a, b] = [await agent.remember({ content: "a" }), await agent.remember({ content: "b" })];
    await space.policy.set("forget", "agent", "approve");
    const [first, second] = [await requestOf(agent.forget(a.id)), await requestOf(agent.forget(b.id))];
    await agent.remember({ content: "c" });
    await space.requests.approve(first);
    expect((await space.get(a.id)).deleted).toBe(true);
    await agent.revise(b.id, { content: "b, revised" });
    await expect(space.requests.approve(second)).rejects.toMatchObject(closed);
    expect((await space.get(b.id)).deleted).toBe(false);
  });

  test("[GV16] of every kind can be approved: branches, checkpoints, imports, writes", async () => {
    await using world = new World(407);
    const { space } = await world.found();
    const agent = space.as({ agent: "bot" });
    const { id } = await agent.remember({ content: "here" });
    await agent.branches.create("old");
    await agent.remember({ content: "only there" }, { branch: "old" });
    await agent.checkpoints.create({ name: "before" });
    for (const operation of ["write", "import", "undo", "fork", "consolidate"])
      await space.policy.set(operation, "agent", "approve");
    const path = `${world.root}/notes.md`;
    const { writeFileSync } = await import("node:fs");
    writeFileSync(path, "# Tea\n\nGreen in the morning.\n");
    const approve = async (call: Promise<unknown>) => space.requests.approve(await requestOf(call));
    await approve(agent.branches.delete("old"));
    await approve(agent.checkpoints.delete("before"));
    await approve(agent.import(path));
    await approve(agent.branches.create("new"));
    const { result } = await approve(agent.remember({ content: "asked for" }));
    expect(result).toMatchObject({ content: "asked for", by: { agent: "bot" } });
    await approve(agent.revise(id, { content: "there" }));
    expect((await space.get(id)).content).toBe("there");
    await approve(agent.undo());
    expect((await space.get(id)).content).toBe("here");
    expect((await space.branches.list()).map(({ name }) => name)).toEqual(["main", "new"]);
    expect(await space.checkpoints.list({ causes: ["manual"] })).toEqual([]);
    const changed = await requestOf(agent.import(path));
    writeFileSync(path, "# Tea\n\nBlack in the morning.\n");
    await expect(space.requests.approve(changed)).rejects.toMatchObject(closed);
  });

  test("[GV24] an agent deletes a branch of its own that is merged; for any other it asks, naming it", async () => {
    await using world = new World(411);
    const { space } = await world.found();
    const [agent, other] = [space.as({ agent: "bot" }), space.as({ agent: "other" })];
    await agent.remember({ content: "here" });
    await agent.branches.create("task");
    await agent.remember({ content: "of the task" }, { branch: "task" });
    const unmerged = await requestOf(agent.branches.delete("task"));
    expect(await space.requests.get(unmerged)).toMatchObject({ branch: "task", operation: "delete-branch" });
    expect((await space.brief()).text).toContain("delete-branch task");
    await agent.merge({ from: "task" });
    await requestOf(other.branches.delete("task"));
    await agent.undo(); // what was taken back is not merged
    await requestOf(agent.branches.delete("task"));
    await space.as({}).merge({ from: "task", again: true });
    await agent.branches.delete("task");
    expect((await space.branches.list()).map(({ name }) => name)).toEqual(["main"]);
  });

  test("[GV17] is decided by the owner only; its agent may withdraw it, others may not; it expires", async () => {
    await using world = new World(408);
    const { space } = await world.found();
    const agent = space.as({ agent: "bot" });
    await space.policy.set("write", "agent", "approve");
    const ask = (content: string) => requestOf(agent.remember({ content }));
    const [first, second, third] = [await ask("1"), await ask("2"), await ask("3")];
    for (const call of [agent.requests.approve(first), agent.requests.decline(first)])
      await expect(call).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    const other = space.as({ agent: "someone else" });
    await expect(other.requests.withdraw(first)).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    expect(await agent.requests.withdraw(first)).toMatchObject({ state: "withdrawn" });
    expect(await space.requests.decline(second, { reason: "no" })).toMatchObject({
      ...{ state: "declined", decision: { reason: "no", by: { role: "owner" } } },
    });
    world.clock.advance(31 * 86_400_000);
    expect((await space.requests.get(third)).state).toBe("expired");
    await expect(space.requests.approve(third)).rejects.toMatchObject(closed);
    await expect(space.requests.get("0000")).rejects.toMatchObject({ code: "REQUEST_NOT_FOUND" });
    expect(await contentsOf({ space } as never)).toEqual([]);
  });

  test("[GV23] decided twice at once in one process, it runs once and is decided once", async () => {
    await using world = new World(413);
    const { space } = await world.found();
    const agent = space.as({ agent: "bot" });
    await space.policy.set("write", "agent", "approve");
    const states = { approve: "approved", decline: "declined", withdraw: "withdrawn" } as const;
    const ran: string[] = [];
    for (const second of ["approve", "decline", "withdraw"] as const) {
      const id = await requestOf(agent.remember({ content: second }));
      const methods = ["approve", second] as const;
      const calls = await Promise.allSettled(methods.map((method) => space.requests[method](id)));
      const [made, ...more] = methods.filter((_, number) => calls[number]?.status === "fulfilled");
      expect(more).toEqual([]);
      expect(calls.find(({ status }) => status === "rejected")).toMatchObject({ reason: closed });
      expect((await space.requests.get(id)).state).toBe(made && states[made]);
      if (made === "approve") ran.push(second);
      expect(await contentsOf({ space } as never)).toEqual(ran);
    }
    expect(ran).toContain("approve");
  });

  test("[GV18] holds no words in the catalog: they are records", async () => {
    await using world = new World(409);
    const { space } = await world.found();
    await space.policy.set("write", "agent", "approve");
    const secret = "a very private thing";
    await requestOf(space.as({ agent: "bot" }).remember({ content: secret, reason: secret }));
    const settings = JSON.stringify([...(await catalogOf(space))]);
    expect(settings).toContain("request:");
    expect(settings).not.toContain(secret);
  });
});

/** The settings, as the index keeps them. */
async function catalogOf(space: Space): Promise<Iterable<unknown>> {
  const requests = await space.requests.list();
  return requests.map(({ reason: _reason, ...entry }) => [`request:${entry.id}`, entry]);
}

describe("between devices", () => {
  test("[GV19] a request made on one is approved on the other, and both know it", async () => {
    await using world = await World.withRelay(410);
    const a = await world.found("a");
    const { before } = await changedSpace(a.space);
    const b = await world.join(a, "b");
    await converged(a, b);
    const id = await requestOf(b.space.as({ agent: "bot" }).rollback({ to: before }));
    await until("the request arrives", [a], async () => (await a.space.status()).requests === 1);
    await expect(b.space.requests.approve(id)).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    await converged(a, b);
    await a.space.requests.approve(id);
    await converged(a, b);
    await until(
      "the decision arrives",
      [b],
      async () => (await b.space.requests.get(id)).state === "approved",
    );
    const [{ id: one } = { id: "" }] = (await b.space.list()).memories;
    expect((await b.space.get(one)).by).toMatchObject({ agent: "bot", replica: a.space.replica });
  });

  test("[GV20] decided twice apart, what ran counts and the other decision is shown; else declining wins", async () => {
    await using world = await World.withRelay(411);
    const a = await world.found("a");
    await a.space.policy.set("write", "agent", "approve");
    const agent = a.space.as({ agent: "bot" });
    const [ran, withdrawn] = [
      await requestOf(agent.remember({ content: "1" })),
      await requestOf(agent.remember({ content: "2" })),
    ];
    const b = await world.join(a, "b", { role: "admin" });
    await until("the requests arrive", [b], async () => (await b.space.status()).requests === 2);
    await part(a, b);
    await a.space.requests.approve(ran);
    await b.space.requests.decline(ran, { reason: "no" });
    await agent.requests.withdraw(withdrawn);
    await b.space.requests.decline(withdrawn);
    await meet(a, b);
    for (const { space } of [a, b]) {
      await until("both decisions are here", [a, b], async () =>
        (await space.requests.list()).every(({ overruled }) => overruled.length === 1),
      );
      expect(await space.requests.get(ran)).toMatchObject({
        ...{ state: "approved", overruled: [{ decision: "decline", reason: "no" }] },
      });
      expect((await space.requests.get(withdrawn)).state).toBe("declined");
    }
  });

  test("[GV21] policies changed apart are as strict as the stricter, and say so", async () => {
    await using world = await World.withRelay(412);
    const a = await world.found("a");
    const b = await world.join(a, "b", { role: "admin" });
    await converged(a, b);
    await part(a, b);
    await a.space.policy.set("forget", "agent", "approve");
    await b.space.policy.set("forget", "agent", "confirm");
    await meet(a, b);
    for (const { space } of [a, b]) {
      await until("both policies are here", [a, b], async () => (await space.policy.show()).contested);
      expect((await space.policy.show()).classes.forget.agent).toBe("approve");
    }
    await a.space.policy.set("forget", "agent", "allow");
    expect(await a.space.policy.show()).toMatchObject({ contested: false, changed: [] });
  });
});
