/** What becomes of an erased text that comes again: by an agent, an import, another device. */
import { expect, test } from "vitest";
import { contentsOf, synced, World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";

test("[ER43] [ER44] the policy lets an agent or an import bring an erased text back, asks, or refuses", async () => {
  await using world = new World(1);
  const { space } = await world.found();
  const ada = space.as({ agent: "ada" });
  const owner = space.as({ confirmed: true });
  const policy = (action: string, role: string, riskClass: string) =>
    owner.policy.set(action, role, riskClass);
  const { id } = await ada.remember({ content: SECRET });
  const other = await ada.remember({ content: "Ada drinks tea at four" });
  await space.export(`${world.root}/all.jsonl`, { format: "mcp-memory" }).catch(() => undefined);
  await owner.erase({ ids: [id] });

  await policy("remember-erased", "agent", "confirm");
  const refused = { code: "CONFIRMATION_NEEDED" };
  await expect(ada.remember({ content: ` ${SECRET.toUpperCase()} ` })).rejects.toMatchObject(refused);
  await expect(ada.remember({ content: `# Doors\n\n${SECRET}.` })).rejects.toMatchObject(refused);
  await expect(ada.revise(other.id, { content: SECRET })).rejects.toMatchObject(refused);
  expect((await ada.revise(other.id, { tags: ["drink"] })).tags).toEqual(["drink"]);
  await policy("remember-erased", "agent", "refuse");
  const surely = space.as({ agent: "ada", confirmed: true });
  await expect(surely.remember({ content: SECRET })).rejects.toMatchObject({ code: "ROLE_REFUSED" });
  expect(await space.traces([SECRET])).toEqual([]);
  await expect(policy("remember-erased", "agent", "approve")).rejects.toMatchObject({ code: "BAD_INPUT" });
  const anew = await owner.remember({ content: SECRET });
  expect(anew.erasedBefore).toBe(true);
  await owner.erase({ ids: [anew.id] });

  const notes = `${world.root}/notes.jsonl`;
  const entity = { type: "entity", name: "door", entityType: "place", observations: [SECRET] };
  const { writeFileSync } = await import("node:fs");
  writeFileSync(notes, `${JSON.stringify(entity)}\n`);
  const left = await owner.import(notes);
  expect(left.skipped).toMatchObject([
    {
      where: expect.stringContaining("notes.jsonl, door"),
      reason: expect.stringMatching(/erased for good.*`cambium policy set import-erased owner allow`/),
    },
  ]);
  expect((await space.recall("Zwyvernhof")).length).toBe(0);
  await policy("import-erased", "owner", "confirm");
  await space.as({}).import(notes);
  expect((await space.recall("Zwyvernhof")).length).toBe(0);
  await owner.import(notes);
  expect((await space.recall("Zwyvernhof")).length).toBe(1);
});

test("[ER45] what another device writes anew is taken in, told of, or erased again, as the policy says", async () => {
  await using world = await World.withRelay(2);
  const ada = await world.found();
  const bob = await world.join(ada, "bob", { role: "admin" });
  const owner = ada.space.as({ confirmed: true });
  const asBob = bob.space.as({ agent: "bob" });
  const all = async () => {
    for (const device of [ada, bob, ada, bob]) await synced(device);
  };
  const { id } = await asBob.remember({ content: SECRET });
  await all();
  await owner.erase({ ids: [id] });
  await all();
  const first = await asBob.remember({ content: SECRET });
  expect(first.erasedBefore).toBe(true);
  await all();
  expect(await contentsOf(ada)).toEqual([SECRET]);
  await owner.erase({ ids: [first.id] });
  await owner.policy.set("receive-erased", "owner", "confirm");
  await all();
  const second = await asBob.remember({ content: SECRET });
  await all();
  expect(await contentsOf(ada)).toEqual([SECRET]);
  expect((await ada.space.status()).notices.join()).toContain(
    `has come again from another device, in ${second.id}`,
  );
  await owner.erase({ ids: [second.id] });
  expect((await ada.space.status()).notices.join()).not.toContain("has come again");
  await owner.policy.set("receive-erased", "owner", "refuse");
  await all();
  await asBob.remember({ content: SECRET });
  await all();
  await all();
  expect(await contentsOf(ada)).toEqual([]);
  for (const { space } of [ada, bob]) expect(await space.traces([SECRET])).toEqual([]);
  expect((await ada.space.erasures())[0]?.reason).toContain("came again");
});
