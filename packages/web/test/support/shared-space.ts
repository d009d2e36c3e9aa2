/**
 * A space of two devices and a relay that stay up: a laptop, whose daemon serves the page, and a phone in this process.
 * Its past is that of somebody whose agent had a bad afternoon.
 *
 * @module
 */
import { type Agent, openReplica, type Space } from "@cambium/client";
import { type Relay, startRelay } from "@cambium/sync-server";
import { Clock, disposable, until } from "./sample-space.ts";

export interface SharedSpace extends AsyncDisposable {
  /** What somebody at the phone does. */
  readonly phone: Agent;
  readonly phoneSpace: Space;
  readonly relay: Relay;
}

/** @param folder - with a `home` for the laptop, which nobody has opened yet */
export async function makeSharedSpace(folder: string): Promise<SharedSpace> {
  const home = `${folder}/home`;
  const conflict = await writePast(home);
  const relay = await startRelay({
    dataDir: `${folder}/relay`,
    host: "127.0.0.1",
    port: 0,
    adminToken: "shared",
  });
  const phone = await openReplica({ dir: `${folder}/phone`, name: "phone" });
  await using laptop = disposable(await openReplica({ dir: home }));
  const space = await laptop.replica.openSpace();
  await space.as({}).link({ url: relay.url, token: "shared" });
  const joined = await phone.joinSpace(await space.as({}).invite({ role: "write" }));
  await until(async () => (await joined.get(conflict)) !== undefined);
  await Promise.all([space.sync.stop(), joined.sync.stop()]);
  await space.as({ agent: "cursor" }).revise(conflict, { content: "The dentist is on Monday at nine." });
  await joined.as({ agent: "codex" }).revise(conflict, { content: "The dentist is on Friday at noon." });
  await Promise.all([space.sync.start(), joined.sync.start()]);
  await until(async () => (await space.conflicts()).length > 0);
  return {
    ...{ phone: joined.as({}), phoneSpace: joined, relay },
    [Symbol.asyncDispose]: async () => {
      await phone.close();
      await relay.close();
    },
  };
}

const RECIPES = ["soup", "bread", "dumplings", "rice", "pancakes"];

/** @returns the id of the memory that two devices will answer differently */
async function writePast(home: string): Promise<string> {
  const clock = new Clock(Date.now());
  clock.start(40);
  await using laptop = disposable(await openReplica({ dir: home, name: "laptop", clock: clock.read }));
  const space = await laptop.replica.createSpace({ name: "memory" });
  const you = space.as({ confirmed: true });
  const claude = space.as({ agent: "claude-code", confirmed: true });
  clock.go(30, 9);
  const rent = await claude.remember({ content: "The rent is 900 euros.", category: "home" });
  const dentist = await you.remember({ content: "The dentist is on Tuesday.", category: "health" });
  const recipes: string[] = [];
  for (const dish of RECIPES)
    recipes.push((await you.remember({ content: `The ${dish} needs an hour.`, category: "kitchen" })).id);
  clock.go(12, 9);
  await you.revise(rent.id, { content: "The rent is 950 euros." });
  clock.go(4, 10);
  await claude.remember({ content: "The parking permit ends in March.", category: "home" });
  await you.revise(rent.id, { content: "The rent is 980 euros, heating included." });
  clock.go(1, 15);
  const codex = space.as({ agent: "codex", confirmed: true });
  for (const id of recipes) await codex.revise(id, { content: "Order a pizza instead." });
  clock.go(1, 18);
  await you.remember({ content: "The neighbours are away until Sunday.", category: "home" });
  return dentist.id;
}
