/** Writes that the policy lets an agent propose. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Agent, Space } from "../../src/api.js";
import { allSynced, World } from "../support/world.js";

let world: World;
let space: Space;
let owner: Agent;
let cursor: Agent;
beforeEach(async () => {
  world = new World(11);
  ({ space } = await world.found("laptop"));
  owner = space.as({ agent: "ada", role: "owner", confirmed: true });
  cursor = space.as({ agent: "cursor" });
  await owner.policy.set("write", "agent:cursor", "propose");
  await owner.policy.set("forget", "agent:cursor", "propose");
});
afterEach(async () => await world[Symbol.asyncDispose]());

const contents = async (branch = "main") =>
  (await space.list({ branch })).memories.map(({ content }) => content).sort();
const waiting = async () =>
  (await space.proposals()).proposals.map(({ kind, before, after, by }) => [
    ...[kind, before?.content, after.content, by.agent],
  ]);

describe("[UI14] a proposal", () => {
  test("shows nowhere until it is accepted, and is told with who, what and before", async () => {
    const tea = await owner.remember({ content: "Tea at four" });
    const cake = await owner.remember({ content: "Cake at five" });
    const added = await cursor.remember({ content: "Milk first", source: { kind: "chat", title: "Monday" } });
    expect(added.proposed).toBe(true);
    await cursor.revise(tea.id, { content: "Tea at six" });
    await cursor.forget(cake.id, { reason: "no cake" });
    expect(await contents()).toEqual(["Cake at five", "Tea at four"]);
    expect(await space.recall("milk")).toHaveLength(0);
    expect(await waiting()).toEqual([
      ["hidden", "Cake at five", "Cake at five", "cursor"],
      ["changed", "Tea at four", "Tea at six", "cursor"],
      ["added", undefined, "Milk first", "cursor"],
    ]);
    const { proposals, waiting: count, branch } = await space.proposals({ agent: "cursor", limit: 2 });
    expect([proposals.length, count, branch]).toEqual([2, 3, "proposed"]);
    expect(proposals[0]?.after).toMatchObject({ deleted: true, reason: "no cake" });
    const rest = await space.proposals({ limit: 2, cursor: proposals[1]?.id });
    expect(rest.proposals.map(({ after }) => after.source)).toMatchObject([{ title: "Monday" }]);
    expect((await space.proposals({ agent: "nobody" })).proposals).toEqual([]);
  });

  test("comes to its branch whole, in part and edited, as one change that can be undone", async () => {
    const tea = await owner.remember({ content: "Tea at four" });
    const milk = await cursor.remember({ content: "Milk first" });
    const sugar = await cursor.remember({ content: "Two sugars" });
    await cursor.revise(tea.id, { content: "Tea at six" });
    const expected = { [milk.id]: milk.record };
    const { ids, changes } = await owner.acceptProposals([milk.id, tea.id], { expect: expected });
    expect(ids).toEqual([milk.id, tea.id]);
    expect(await contents()).toEqual(["Milk first", "Tea at six"]);
    expect((await space.get(milk.id)).by.agent).toBe("cursor");
    expect(await waiting()).toEqual([["added", undefined, "Two sugars", "cursor"]]);
    await owner.acceptProposals([sugar.id], { edit: { content: "One sugar" } });
    expect(await contents()).toEqual(["Milk first", "One sugar", "Tea at six"]);
    expect(await waiting()).toEqual([]);
    await owner.undo({ change: changes[0] as string });
    expect(await contents()).toEqual(["One sugar", "Tea at four"]);
  });

  test("waits again when its acceptance is undone, and can be accepted again", async () => {
    const tea = await owner.remember({ content: "Tea at four" });
    const milk = await cursor.remember({ content: "Milk first" });
    await cursor.revise(tea.id, { content: "Tea at six" });
    const before = await waiting();
    for (let round = 0; round < 2; round += 1) {
      const { changes } = await owner.acceptProposals([milk.id, tea.id]);
      expect(await contents()).toEqual(["Milk first", "Tea at six"]);
      for (const change of changes) await owner.undo({ change });
      expect(await contents()).toEqual(["Tea at four"]);
      expect(await waiting()).toEqual(before);
    }
  });

  test("waits again when its rejection is undone", async () => {
    const tea = await owner.remember({ content: "Tea at four" });
    const cake = await owner.remember({ content: "Cake at five" });
    const milk = await cursor.remember({ content: "Milk first" });
    await cursor.revise(tea.id, { content: "Tea at six" });
    await cursor.forget(cake.id);
    const before = await waiting();
    const { proposals, branch } = await space.proposals();
    await owner.rejectProposals([milk.id, tea.id, cake.id]);
    for (const { id, kind, after } of proposals)
      await (kind === "hidden"
        ? owner.forget(id, { branch })
        : owner.restore(id, { branch, version: after.record }));
    expect((await waiting()).map((one) => one.slice(0, 3)).sort()).toEqual(
      before.map((one) => one.slice(0, 3)).sort(),
    );
  });

  test("is gone when it is rejected, and may be made again", async () => {
    const tea = await owner.remember({ content: "Tea at four" });
    const cake = await owner.remember({ content: "Cake at five" });
    const milk = await cursor.remember({ content: "Milk first" });
    await cursor.revise(tea.id, { content: "Tea at six" });
    await cursor.forget(cake.id);
    await owner.rejectProposals([milk.id, tea.id, cake.id], { reason: "no" });
    expect(await waiting()).toEqual([]);
    expect(await contents()).toEqual(["Cake at five", "Tea at four"]);
    await cursor.revise(tea.id, { content: "Tea at seven" });
    expect(await waiting()).toEqual([["changed", "Tea at four", "Tea at seven", "cursor"]]);
  });

  test("builds on what was written meanwhile, and says where it decides against it", async () => {
    await cursor.remember({ content: "Milk first" });
    const late = await owner.remember({ content: "Written later" });
    await cursor.revise(late.id, { content: "Proposed of it" });
    await owner.revise(late.id, { content: "Changed since" });
    const { proposals } = await space.proposals();
    const contested = proposals.find(({ id }) => id === late.id);
    expect(contested).toMatchObject({ isContested: true, before: { content: "Changed since" } });
    // What was proposed stays as it was also where something else is proposed next.
    await space.as({ agent: "claude" }).remember({ content: "By another" }, { branch: "proposed" });
    await cursor.remember({ content: "Next" });
    expect((await space.proposals()).proposals.find(({ id }) => id === late.id)).toMatchObject({
      ...{ isContested: true, by: { agent: "cursor" }, after: { content: "Proposed of it" } },
    });
    await owner.acceptProposals([late.id]);
    expect(await contents()).toEqual(["Proposed of it"]);
    await expect(
      owner.acceptProposals([proposals[1]?.id ?? ""], { expect: { [proposals[1]?.id ?? ""]: "0000" } }),
    ).rejects.toMatchObject({ code: "STALE_EXPECTATION" });
    await expect(owner.acceptProposals([late.id])).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
    await expect(owner.acceptProposals([late.id, late.id], { edit: {} })).rejects.toThrow("one proposal");
  });

  test("of many calls at once is one branch", async () => {
    await Promise.all(["a", "b", "c", "d"].map((content) => cursor.remember({ content })));
    expect((await space.proposals()).waiting).toBe(4);
    expect((await space.branches.list()).map(({ name }) => name)).toEqual(["main", "proposed"]);
    await owner.branches.create("work");
    await cursor.remember({ content: "on work" }, { branch: "work" });
    expect(await contents("work")).toEqual([]);
    expect((await space.proposals({ branch: "work" })).branch).toBe("proposed-work");
    await cursor.remember({ content: "here" }, { branch: "proposed" });
    expect((await space.proposals()).waiting).toBe(5);
    await owner.branches.create("proposed-ideas");
    await cursor.remember({ content: "on ideas" }, { branch: "proposed-ideas" });
    expect(await contents("proposed-ideas")).toEqual([]);
    expect((await space.proposals({ branch: "proposed-ideas" })).waiting).toBe(1);
  });
});

describe("[UI15] who may do what with proposals", () => {
  test("the policy names one agent or all, and only what writes memories can be proposed", async () => {
    await space.as({ agent: "claude" }).remember({ content: "Freely" });
    expect(await contents()).toEqual(["Freely"]);
    await owner.policy.set("write", "agent", "propose");
    await space.as({ agent: "claude" }).remember({ content: "Not any more" });
    expect(await contents()).toEqual(["Freely"]);
    await owner.policy.set("write", "agent:claude", "allow");
    await space.as({ agent: "claude" }).remember({ content: "Again" });
    expect(await contents()).toEqual(["Again", "Freely"]);
    for (const [operation, role] of [
      ["merge", "agent"],
      ["write", "owner"],
      ["undo", "agent:cursor"],
    ] as const)
      await expect(owner.policy.set(operation, role, "propose")).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(owner.policy.set("write", "agent:", "allow")).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("whoever proposes cannot bring it in another way, nor decide it", async () => {
    const { id } = await cursor.remember({ content: "Milk first" });
    await expect(cursor.acceptProposals([id])).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    await expect(cursor.rejectProposals([id])).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    await expect(cursor.merge({ from: "proposed" })).rejects.toMatchObject({ code: "APPROVAL_NEEDED" });
    const entity = { name: "Ada", entityType: "person", observations: [] };
    await expect(cursor.editGraph({ type: "create-entities", entities: [entity] })).rejects.toMatchObject({
      code: "APPROVAL_NEEDED",
    });
    expect(await contents()).toEqual([]);
    await cursor.reinforce([(await owner.remember({ content: "Used" })).id]);
  });

  test("the audit log says who decided what", async () => {
    const [milk, sugar] = [
      await cursor.remember({ content: "Milk first" }),
      await cursor.remember({ content: "Two sugars" }),
    ];
    await owner.acceptProposals([milk.id]);
    await owner.rejectProposals([sugar.id]);
    const { entries } = await space.audit.list();
    const decided = entries.filter(({ of }) => of === "proposal");
    expect(decided.map(({ operation, agent, memories }) => [operation, agent, memories])).toEqual([
      ["reject", "ada", [sugar.id]],
      ["accept", "ada", [milk.id]],
    ]);
  });
});

describe("[UI19] who decided what about proposals", () => {
  test("is the same on every device, with the words, and says nothing of what is concealed", async () => {
    await using shared = new World(12);
    await shared.startRelay();
    const laptop = await shared.found("laptop");
    const phone = await shared.join(laptop, "phone", { role: "admin" });
    await laptop.space.policy.set("write", "agent:cursor", "propose");
    const proposer = laptop.space.as({ agent: "cursor" });
    const texts = ["Milk first", "Two sugars", "Lemon", "A biscuit"];
    const ids: string[] = [];
    for (const content of texts) ids.push((await proposer.remember({ content })).id);
    const [milk, sugar, lemon, biscuit] = ids as [string, string, string, string];
    await allSynced(laptop, phone);
    shared.clock.advance(1_000);
    await laptop.space.as({ role: "owner" }).acceptProposals([milk, lemon]);
    shared.clock.advance(1_000);
    await phone.space.as({ agent: "ada", role: "owner" }).rejectProposals([biscuit]);
    shared.clock.advance(1_000);
    await phone.space.as({}).acceptProposals([sugar], { edit: { content: "One sugar" } });
    await allSynced(laptop, phone);
    const here = await laptop.space.proposalDecisions();
    expect(await phone.space.proposalDecisions()).toEqual(here);
    const { replica: there } = phone.space;
    expect(
      here.decisions.map(({ decision, by, agents, count, proposals }) => [
        ...[decision, by.agent, by.replica === there ? "phone" : "laptop", agents, count],
        proposals.map(({ text }) => text),
      ]),
    ).toEqual([
      ["edit", undefined, "phone", ["cursor"], 1, ["One sugar"]],
      ["reject", "ada", "phone", ["cursor"], 1, ["A biscuit"]],
      ["accept", undefined, "laptop", ["cursor"], 2, ["Milk first", "Lemon"]],
    ]);
    const first = await laptop.space.proposalDecisions({ limit: 1 });
    const rest = await laptop.space.proposalDecisions({ cursor: first.cursor });
    expect([...first.decisions, ...rest.decisions]).toEqual(here.decisions);
    expect(rest.cursor).toBeUndefined();
    await laptop.space.as({}).conceal([sugar, lemon]);
    const left = (await laptop.space.proposalDecisions()).decisions;
    // Who proposed what is not kept: the one named may have proposed the concealed one alone.
    expect(left.map(({ count, agents }) => [count, agents])).toEqual([
      [1, ["cursor"]],
      [1, []],
    ]);
    // The page after one whose last decision was concealed meanwhile is the one after it.
    const after = await laptop.space.proposalDecisions({ cursor: first.cursor });
    expect(after.decisions).toEqual(left);
    for (const cursor of ["bogus", `${here.decisions[0]?.id}`])
      await expect(laptop.space.proposalDecisions({ cursor })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("is left behind by a space that is made of an archive", async () => {
    const { replica, space: other } = await world.found("tablet");
    await other.policy.set("write", "agent", "propose");
    const { id } = await other.as({ agent: "cursor" }).remember({ content: "Milk first" });
    await other.as({}).acceptProposals([id]);
    const path = join(world.root, "whole.cambium");
    await other.archive(path, { clear: true });
    await replica.importArchive(path, { asSpace: "copy" });
    const copy = await replica.openSpace("copy");
    expect((await copy.list()).memories.map(({ content }) => content)).toEqual(["Milk first"]);
    expect((await copy.proposalDecisions()).decisions).toEqual([]);
    expect((await other.proposalDecisions()).decisions).toHaveLength(1);
  });

  test("outlives the branch of proposals", async () => {
    const milk = await cursor.remember({ content: "Milk first" });
    await owner.acceptProposals([milk.id]);
    await owner.branches.delete("proposed");
    const { decisions } = await space.proposalDecisions();
    expect(decisions).toMatchObject([{ decision: "accept", count: 1, proposals: [{ id: milk.id }] }]);
    await expect(space.proposalDecisions({ limit: 0 })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });
});
