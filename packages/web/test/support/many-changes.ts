/**
 * A space with as many changes as somebody has after years: written over 300 days by three agents.
 *
 * @module
 */
import { openReplica } from "@cambium/client";
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
  let day = DAYS;
  for (let index = 0; index < changes; index += 1) {
    const daysAgo = DAYS - Math.floor((index / changes) * DAYS);
    if (daysAgo !== day) clock.go(daysAgo, 9);
    day = daysAgo;
    const agent = pick(agents);
    if (index < NEW_OF_TEN || random() * 10 < NEW_OF_TEN) {
      const labels = { category: pick(CATEGORIES), tags: [pick(WORDS), pick(WORDS)] };
      kept.push((await agent.remember({ content: sentence(), ...labels })).id);
    } else await agent.revise(pick(kept), { content: sentence() });
  }
}
