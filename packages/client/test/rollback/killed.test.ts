import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Process } from "../support/processes.js";
import { seededNumbers } from "../support/seeded.js";
import { numbered, World } from "../support/world.js";

const MEMORIES = 60;
const KILLS = 4;

test("[GB9] killed at any moment, a rollback and its undo have happened whole or not at all", async () => {
  await using world = new World(9);
  const { home, space, replica } = await world.found();
  const agent = space.as({ agent: "ada" });
  const made = await Promise.all(numbered(MEMORIES, "before").map((content) => agent.remember({ content })));
  const { head } = (await space.status()).branch;
  await Promise.all(made.map(({ id }, number) => agent.revise(id, { content: `after ${number}` })));
  await replica.close();
  const to = `main@heads:${head.join(",")}`;
  const next = seededNumbers(9);
  const script = fileURLToPath(new URL("./support/rollback-process.mjs", import.meta.url));
  const { dir, stateDir } = home;

  for (let round = 0; round < KILLS; round += 1) {
    await using running = new Process(script, [JSON.stringify({ dir, stateDir, to })]);
    await running.lines.until((line) => line === "begin");
    for (let line = 0; line < Math.floor(next() * 5); line += 1) await running.lines.next();
    // Somewhere within what comes next, not at its edge.
    for (let turn = 0; turn < Math.floor(next() * 300); turn += 1) await setImmediate();
    await running.kill();

    const again = await world.reopen(home);
    const { memories } = await again.space.list({ limit: 1_000 });
    const back = memories.filter(({ content }) => content.startsWith("before")).length;
    expect([0, MEMORIES]).toContain(back);
    expect(memories).toHaveLength(MEMORIES);
    expect(await again.space.verify()).toMatchObject({ ok: true });
    await again.replica.close();
  }
});
