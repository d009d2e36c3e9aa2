import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { World } from "../support/world.js";

const COMMIT = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";

/** How many forms have a number in place of what stands beside their text, and how many numbers there are. */
function countsIn(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return {
      ...database
        .prepare(
          `SELECT count(*) AS forms, count(DISTINCT about) AS numbers, (SELECT count(*) FROM abouts) AS kept
           FROM forms WHERE typeof(about) = 'integer'`,
        )
        .get(),
    };
  } finally {
    database.close();
  }
}

test("[IX9] what stands beside several texts is kept once, and read back beside each", async () => {
  await using world = new World(272);
  const { home, space, replica } = await world.found();
  const agent = space.as({ agent: "a" });
  const sourceOf = (turn: number) => ({
    kind: "conversation",
    session: "s1",
    speaker: turn % 2 ? "Ines" : "Tove",
  });
  const turns = [];
  for (let turn = 0; turn < 20; turn += 1)
    turns.push(await agent.remember({ content: `Turn ${turn}.`, source: sourceOf(turn) }));
  const pinned = { git: { repository: "garden", commit: COMMIT } };
  for (const content of ["one", "two", "three"]) await agent.remember({ content, ...pinned });
  await replica.close();
  const index = join(home.dir, "spaces", space.id, "index.sqlite");
  // The first of each is kept beside its text: three of 23.
  expect(countsIn(index)).toEqual({ forms: 20, numbers: 3, kept: 3 });

  const again = await world.reopen(home);
  for (const [turn, { id }] of turns.entries())
    expect(await again.space.get(id)).toMatchObject({ content: `Turn ${turn}.`, source: sourceOf(turn) });
  const { memories } = await again.space.list({ at: `main@git:${COMMIT.slice(0, 8)}`, limit: 100 });
  expect(memories.map(({ content }) => content)).toContain("three");
  const revised = await again.space.as({ agent: "a" }).revise(turns[7]?.id ?? "", { content: "Turn seven." });
  expect(revised).toMatchObject({ content: "Turn seven.", version: 2 });
  const first = (await again.space.history(turns[7]?.id ?? "")).find(({ version }) => version === 1);
  expect(first).toMatchObject({ content: "Turn 7.", source: sourceOf(7) });
  expect(await again.space.verify()).toMatchObject({ ok: true, damaged: [] });
});
