/**
 * A space with as many changes as somebody has after years: written over 300 days by three agents.
 *
 * @module
 */
import { type Agent, openReplica } from "@cambium/client";
import { Clock, disposable, randomFrom } from "./sample-space.ts";

const DAYS = 300;
const AGENTS = ["claude-code", "cursor", "codex"] as const;
const CATEGORIES = ["work", "people", "home", "tools", "health", "travel"] as const;
const WORDS =
  "launch budget kitchen review deadline Daniel invoice garden train contract museum passport server meeting recipe dentist piano report tiles interview".split(
    " ",
  );
/** Of ten changes, how many are new memories. */
const NEW_OF_TEN = 4;

/** @param dir - of a home that nobody has opened yet */
export async function writeMany(dir: string, changes: number): Promise<void> {
  const random = randomFrom(11);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const sentence = () =>
    `${Array.from({ length: 8 + Math.floor(random() * 10) }, () => pick(WORDS)).join(" ")}.`;
  const clock = new Clock(Date.now());
  clock.start(DAYS);
  await using laptop = disposable(await openReplica({ dir, name: "laptop", clock: clock.read }));
  const space = await laptop.replica.createSpace({ name: "memory" });
  const agents = AGENTS.map((agent) => space.as({ agent, confirmed: true }));
  const kept: string[] = [];
  const remember = async (agent: Agent) => {
    const labels = { category: pick(CATEGORIES), tags: [pick(WORDS), pick(WORDS)] };
    kept.push((await agent.remember({ content: sentence(), ...labels })).id);
  };
  // Those of a day at once: they share what a write to the disk costs.
  for (let day = DAYS; day > 0; day -= 1) {
    clock.go(day, 9);
    const writes = Array.from({ length: Math.ceil(changes / DAYS) }, () => {
      const isNew = kept.length === 0 || random() * 10 < NEW_OF_TEN;
      return isNew ? remember(pick(agents)) : pick(agents).revise(pick(kept), { content: sentence() });
    });
    await Promise.all(writes);
  }
}
