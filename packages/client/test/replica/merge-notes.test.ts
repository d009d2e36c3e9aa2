import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { converged, World } from "../support/world.js";

test("[DV5] a merge is signed everywhere, whether or not it writes, and the relay does not learn by whom", async () => {
  await using world = await World.withRelay(952);
  const first = await world.found("laptop");
  const bot = first.space.as({ agent: "careful-bot", session: "s1", confirmed: true });
  const { id } = await bot.remember({ content: "Tea at four." });
  for (const name of ["side", "other"]) await bot.branches.create(name);
  await bot.remember({ content: "Cake at five." }, { branch: "side" });
  await bot.revise(id, { content: "Tea at three." }, { branch: "other" });
  await bot.merge({ from: "side", reason: "the side is done" });
  await first.space.as({ agent: "dave" }).revise(id, { content: "Coffee at noon." });
  await bot.merge({ from: "other", strategy: "source", reason: "three is agreed" });
  const second = await world.join(first, "desk");
  await converged(first, second);
  for (const { space } of [first, second]) {
    const merges = (await space.log()).changes.filter(({ type }) => type === "merge");
    const [decided, plain] = merges;
    const by = { agent: "careful-bot", session: "s1", replica: first.replica.id };
    expect(decided).toMatchObject({ type: "merge", by, reason: "three is agreed" });
    expect(plain).toMatchObject({ type: "merge", by, reason: "the side is done", memories: [] });
    expect((await space.branches.list())[0]?.last?.by.agent).toBe("careful-bot");
  }
  await world.relay.close();
  expect(bytesIn(world.relayDir)).not.toMatch(/careful-bot|side is done/);
});

const bytesIn = (dir: string): string =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
