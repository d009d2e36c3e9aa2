/** An erasure that takes the owner's code, killed on the way: it goes on, or nothing has happened. */
import { expect, test } from "vitest";
import { type Process, startEraser } from "../support/processes.js";
import { World } from "../support/world.js";

const CODE = "correct horse";

/** Kills it as soon as it says this, if it has not ended before. */
async function killedAt(line: string, process: Process): Promise<readonly string[]> {
  for (let said = ""; said !== line && process.exitCode === null; ) said = await process.lines.next();
  return process.kill();
}

test("[GV40] [ER10] killed after the owner's code was given, it goes on without the code, or nothing is erased", async () => {
  await using world = new World(81);
  const { space, replica, home } = await world.found();
  const ada = space.as({ agent: "ada" });
  const secretOf = (line: string): string => `The Zwyvernhof (${line}) has the code 4711-${line}`;
  const lines = ["open", "written"] as const;
  const kept = await ada.remember({ content: secretOf("kept") });
  const secrets = new Map<string, string>();
  for (const line of lines) secrets.set(line, (await ada.remember({ content: secretOf(line) })).id);
  await space.policy.setOwnerCode(CODE);
  await replica.close();
  await using without = startEraser({ ...home, id: kept.id });
  expect(await without.said()).toEqual(["open", "OWNER_CODE_NEEDED"]);
  for (const [line, id] of secrets) {
    await using process = startEraser({ ...home, id, ownerCode: CODE });
    const said = await killedAt(line, process);
    const again = await world.reopen(home);
    const { erased, content } = await again.space.get(id);
    const found = await again.space.traces([secretOf(line)]);
    if (said.includes("written")) expect([erased, content, found]).toEqual(["whole", "", []]);
    else if (erased === undefined) {
      expect(content).toBe(secretOf(line));
      const anew = again.space.as({ confirmed: true }).erase({ ids: [id] });
      await expect(anew).rejects.toMatchObject({ code: "OWNER_CODE_NEEDED" });
    }
    expect((await again.space.get(kept.id)).content).toBe(secretOf("kept"));
    expect((await again.space.verify()).ok).toBe(true);
    await again.replica.close();
  }
});
