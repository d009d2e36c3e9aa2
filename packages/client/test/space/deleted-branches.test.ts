/** Branches that are deleted: what is left of them, and how they come back. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { converged, meet, part, World } from "../support/world.js";
import { pair } from "./support/pair.js";

/** A branch that one of them has deleted while the other wrote to it, once both know. */
async function deletedAndWritten(world: World) {
  const { a, b } = await pair(world);
  const { id } = await a.space.branches.create("old");
  await meet(a, b);
  await part(a, b);
  await a.space.branches.delete("old");
  await b.space.as({ agent: "bob" }).remember({ content: "written meanwhile" }, { branch: "old" });
  await meet(a, b);
  return { a, b, id };
}

test("[RP18] a deleted branch is a status: hidden, refused, kept, and what others write to it too", async () => {
  await using world = await World.withRelay(112);
  const { a, b, id } = await deletedAndWritten(world);
  for (const { space } of [a, b]) {
    expect((await space.branches.list()).map(({ name }) => name)).toEqual(["main"]);
    expect(await space.branches.list({ deleted: true })).toContainEqual(
      expect.objectContaining({ id, name: "old", status: "deleted", memories: 2 }),
    );
    const write = space.as({ agent: "x" }).remember({ content: "no" }, { branch: "old" });
    await expect(write).rejects.toMatchObject({ code: "BRANCH_NOT_FOUND" });
    expect((await space.list({ branch: id })).memories).toHaveLength(2);
  }
  const fresh = await a.space.branches.create("old");
  expect(fresh.id).not.toBe(id);
  await expect(a.space.branches.create("old")).rejects.toMatchObject({ code: "BRANCH_EXISTS" });
  await expect(a.space.branches.delete("main")).rejects.toMatchObject({ code: "BAD_INPUT" });
});

describe("a deleted branch that comes back", () => {
  test("[RP18] has its name and all that was written on it, on every device", async () => {
    await using world = await World.withRelay(121);
    const { a, b, id } = await deletedAndWritten(world);
    expect(await b.space.branches.restore("old")).toMatchObject({
      id,
      name: "old",
      status: "open",
      memories: 2,
    });
    await converged(a, b);
    await a.space.as({ agent: "ada" }).remember({ content: "goes on" }, { branch: "old" });
    await converged(a, b);
    for (const { space } of [a, b]) {
      expect((await space.branches.list()).map(({ name }) => name)).toEqual(["main", "old"]);
      expect((await space.list({ branch: "old" })).memories).toHaveLength(3);
    }
    // Deleted once more, and by nobody's doing open again: what was written later counts.
    await a.space.branches.delete("old");
    await converged(a, b);
    expect((await b.space.branches.list()).map(({ name }) => name)).toEqual(["main"]);
    expect(await a.space.branches.restore(id)).toMatchObject({ name: "old" });
  });

  test("[RP18] takes no name that is in use, and is named by its id where several were called so", async () => {
    await using world = new World(122);
    const { space } = await world.found();
    const owner = space.as({ role: "owner", confirmed: true });
    const first = await owner.branches.create("work");
    await owner.branches.delete("work");
    const second = await owner.branches.create("work");
    // The name means the one that is open, which nobody has to bring back.
    const ref = `work~${first.id.slice(0, 4)}`;
    await expect(owner.branches.restore("work")).rejects.toMatchObject({
      code: "AMBIGUOUS_BRANCH",
      message: `The branch work is there, and another one of that name was deleted: ${ref}. Nothing was restored.`,
      hint: expect.stringContaining(`cambium branch '${ref}' --rename work-2`),
    });
    expect(await owner.branches.restore(second.id)).toMatchObject({ id: second.id });
    await expect(owner.branches.restore(first.id)).rejects.toMatchObject({ code: "BRANCH_EXISTS" });
    await owner.branches.delete("work");
    await expect(owner.branches.restore("work")).rejects.toMatchObject({
      code: "AMBIGUOUS_BRANCH",
      hint: expect.stringContaining(`work~${first.id.slice(0, 4)}`),
    });
    expect(await owner.branches.restore(`work~${first.id.slice(0, 4)}`)).toMatchObject({ id: first.id });
    await expect(owner.branches.restore("nowhere")).rejects.toMatchObject({ code: "BRANCH_NOT_FOUND" });
    await owner.changeSettings({ set: { "branches.open": 1 } });
    await owner.branches.delete("work");
    await owner.branches.create("other");
    await expect(owner.branches.restore(first.id)).rejects.toMatchObject({ code: "BRANCH_LIMIT" });
    const { events = [] } = await space.log({ type: "restore-branch" });
    expect(events[0]).toMatchObject({ type: "restore-branch", from: "device", name: "work" });
  });

  test("[RP18] beside an open one of its name, a deleted branch comes back under another", async () => {
    await using world = new World(124);
    const { space } = await world.found();
    const owner = space.as({ role: "owner", confirmed: true });
    const first = await owner.branches.create("job");
    await owner.branches.delete("job");
    await owner.branches.create("job");
    await owner.branches.rename(`job~${first.id.slice(0, 4)}`, "job-2");
    expect(await owner.branches.restore("job-2")).toMatchObject({ id: first.id, name: "job-2" });
  });

  test("[AU10] the log names the branch that was deleted, and the device that did it", async () => {
    await using world = new World(125);
    const { space } = await world.found();
    const owner = space.as({ role: "owner", confirmed: true });
    const { id } = await owner.branches.create("job");
    await owner.branches.delete("job");
    await owner.branches.create("job");
    const [entry] = (await space.audit.list({ operation: "delete-branch" })).entries;
    expect(entry).toMatchObject({ operation: "delete-branch", branch: id });
    const { events = [] } = await space.log({ type: "delete-branch" });
    expect(events).toMatchObject([{ type: "delete-branch", name: "job", by: { replica: space.replica } }]);
  });

  test("[RP18] does not come back without its name, which was erased with what only it had", async () => {
    await using world = new World(123);
    const { space } = await world.found();
    const owner = space.as({ role: "owner", confirmed: true });
    const { id } = await owner.branches.create("secret-plans");
    await owner.remember({ content: "only here" }, { branch: id });
    const { counts } = await owner.erase({ onlyOn: id, preview: true });
    await owner.erase({ onlyOn: id, confirm: counts.memories });
    await expect(owner.branches.restore(id)).rejects.toMatchObject({ code: "BAD_INPUT" });
  });
});

test("[RP18] a deleted branch can be read, and nothing writes to it", async () => {
  await using world = new World(119);
  const { space } = await world.found();
  const agent = space.as({ role: "owner", confirmed: true });
  const { id: branch } = await agent.branches.create("gone");
  const { id } = await agent.remember({ content: "one" }, { branch });
  const { id: second } = await agent.remember({ content: "two" }, { branch });
  await agent.forget(second, { branch });
  await agent.branches.delete("gone");
  const { changes: before } = await space.log({ branch });
  const path = join(world.root, "import.md");
  writeFileSync(path, "# Tea\n\nGreen.\n");
  const refused = { code: "BRANCH_NOT_FOUND", message: "The branch gone was deleted." };
  for (const call of [
    () => agent.remember({ content: "three" }, { branch }),
    () => agent.revise(id, { content: "three" }, { branch }),
    () => agent.restore(second, { branch }),
    () => agent.undo({ branch }),
    () => agent.rollback({ branch, to: "1 day ago" }),
    () => agent.rollback({ branch, only: { agent: "a" } }),
    () => agent.import(path, { branch }),
    () => agent.merge({ from: "main", into: branch }),
  ]) {
    await expect.soft(call(), String(call)).rejects.toMatchObject(refused);
  }
  expect((await space.log({ branch })).changes).toEqual(before);
});
