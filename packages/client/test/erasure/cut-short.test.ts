import { cpSync, mkdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { openReplica } from "../../src/replica/open-replica.js";
import { World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";

test("[ER10] cut short at any moment, the next session goes on: all of it goes, and nothing else", async () => {
  await using world = new World(1);
  const { space, home } = await world.found();
  const ada = space.as({ agent: "ada" });
  const tea = await ada.remember({ content: "Ada drinks tea at four" });
  const { id } = await ada.remember({ content: SECRET });
  const copies: string[] = [];
  let isDone = false;
  const erasing = space
    .as({ confirmed: true })
    .erase({ ids: [id] })
    .finally(() => {
      isDone = true;
    });
  // What is on disk between two turns is what a killed process leaves: from when the rule is written, ever more rarely.
  for (let turn = 0, next = 0; !isDone; await setImmediate()) {
    if ((await space.erasures()).length === 0) continue;
    if (turn === next) {
      const copy = `${world.root}/copy-${turn}`;
      mkdirSync(copy);
      cpSync(home.dir, copy, { recursive: true });
      copies.push(copy);
      next += Math.max(1, Math.round(next / 2));
    }
    turn += 1;
  }
  await erasing;
  expect(copies.length).toBeGreaterThan(3);
  let cut = 0;
  for (const dir of copies) {
    await using replica = await openReplica({ dir, stateDir: `${dir}-state`, clock: world.clock.now });
    const again = await replica.openSpace(space.id);
    const isErased = (await again.erasures()).length > 0;
    if (!isErased) continue; // before the rule was on disk
    cut += 1;
    expect(await again.traces([SECRET, "quixamber"])).toEqual([]);
    expect(await again.get(id)).toMatchObject({ erased: "whole", content: "" });
    expect(await again.get(tea.id)).toMatchObject({ content: "Ada drinks tea at four", version: 1 });
    expect(await again.verify()).toMatchObject({ ok: true });
    expect((await again.erasures())[0]?.isDoneHere).toBe(true);
  }
  expect(cut).toBeGreaterThan(1);
});
