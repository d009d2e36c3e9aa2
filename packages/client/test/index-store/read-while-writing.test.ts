/** What heads name is read while the branch moves on. */
import { expect, test } from "vitest";
import { World } from "../support/world.js";

test("[IX15] a diff from heads does not show what is written before it has found its other end", async () => {
  await using world = await World.withRelay(150);
  const { space } = await world.found("a");
  await space.sync.stop();
  const agent = space.as({ agent: "ada" });
  for (let number = 0; number < 12; number += 1) await agent.remember({ content: `note ${number}` });
  const past = (await space.log()).changes.at(-1)?.hash;

  for (const name of ["one", "two", "three"]) {
    const from = `main@heads:${(await space.status()).branch.head.join()}`;
    // Its index is not made yet, so that finding it takes a while.
    await agent.branches.create(name, { from: `main@heads:${past}` });
    const [during] = await Promise.all([
      space.diff(from, name),
      agent.remember({ content: `written meanwhile, beside ${name}` }),
    ]);
    const after = await space.diff(from, name);
    expect(during.deleted.map(({ id }) => id)).toEqual(after.deleted.map(({ id }) => id));
  }
});
