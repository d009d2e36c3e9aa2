/** Requests as people write them: how many are understood, and that none becomes something else. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Surroundings } from "../../src/ask/intent.js";
import { understand } from "../../src/ask/understand.js";

const NOW = new Date(2026, 10, 18, 15, 30).getTime(); // a Wednesday
const AROUND: Surroundings = {
  now: NOW,
  branches: ["main", "moving-house", "work", "experiment", "experiments"],
  checkpoints: ["saved-2026-11-01", "before-cleanup", "before-the-move"],
};

const page = readFileSync(new URL("./everyday-requests.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^\| (\d+) \| (.*?) \| .*? \| (.*?) \|$/gm)].map(
  ([, number, said = "", right = ""]) => ({ number: Number(number), said, right: right.split(", ") }),
);

async function kindOf(said: string): Promise<string> {
  const found = await understand(said, AROUND);
  return found.understood ? found.request.operation : "refused";
}

describe("everyday requests", () => {
  test.each([
    ["the sixty", 1, 60, 59],
    ["the forty", 61, 100, 40],
    ["the forty more", 101, 140, 40],
    ["the thirty", 141, 170, 30],
    ["the thirty more", 171, 200, 29],
    ["the forty that nearly take away", 201, 240, 40],
  ])("[AS24] of %s, none is misunderstood and most are right", async (_name, first, last, least) => {
    const asked = rows.filter(({ number }) => number >= first && number <= last);
    expect(asked).toHaveLength(last - first + 1);
    const kinds = await Promise.all(asked.map(async (row) => ({ ...row, kind: await kindOf(row.said) })));
    expect(kinds.filter(({ right, kind }) => kind !== "refused" && !right.includes(kind))).toEqual([]);
    const isRight = kinds.filter(({ right, kind }) => right.includes(kind));
    expect(isRight.length).toBe(least);
  });

  test("[AS41] a refusal of what would take something away leads on by commands that only look", async () => {
    // What is to be saved takes nothing away.
    const refused = rows.filter(
      ({ number, said }) => number >= 141 && !/^(?:Anna|add|save|store|log)\b/.test(said),
    );
    for (const { said } of refused) {
      const found = await understand(said, AROUND);
      if (found.understood) continue;
      const { commands = [], near = [] } = found;
      expect({ said, ways: commands.length + near.length }).not.toEqual({ said, ways: 0 });
      expect(commands.length).toBeLessThanOrEqual(3);
      for (const line of commands)
        expect(line).toMatch(/^cambium (?:(?:checkpoints|branches|log|members|list|recall)\b|.* --preview$)/);
    }
  });

  test.each([
    ["never mind that last one", ["cambium undo --preview"]],
    ["wipe whatever claude-desktop put in since lunch", ["cambium rollback --by claude-desktop --preview"]],
    ["get rid of the three newest ideas", ["cambium undo --last 3 --preview", "cambium recall ideas"]],
    ["delete every note without a tag", ["cambium recall tag"]],
    ["I no longer need the snapshot of May", ["cambium checkpoints"]],
    ["drop the branch experiment and start over", ["cambium branches"]],
    ["play some music", undefined],
  ])("[AS41] %s leads on to %j", async (said, commands) => {
    const found = await understand(said, AROUND);
    expect(found).toMatchObject({ understood: false });
    expect(found.understood ? [] : found.commands).toEqual(commands);
  });

  const day = (text: string): number => new Date(text).getTime();

  test.each<[string, object]>([
    ["forget everything you learned since 2026-11-10", { period: { since: day("2026-11-10T00:00") } }],
    [
      "take back everything assistant wrote since Friday",
      { agent: "assistant", period: { since: day("2026-11-13T00:00") } },
    ],
    [
      "undo everything by assistant since 2026-11-10",
      { agent: "assistant", period: { since: day("2026-11-10T00:00") } },
    ],
    [
      "forget everything about Falcon since January",
      { topic: "Falcon", period: { since: day("2026-01-01T00:00") } },
    ],
    [
      "I was wrong about Falcon — forget everything since January",
      { topic: "Falcon", period: { since: day("2026-01-01T00:00") } },
    ],
    ["forget everything before 2025", { period: { until: day("2025-01-01T00:00") - 1 } }],
    [
      "delete everything that cursor wrote about the budget between 3 and 10 November",
      {
        ...{ agent: "cursor", topic: "the budget" },
        period: { since: day("2026-11-03T00:00"), until: day("2026-11-11T00:00") - 1 },
      },
    ],
    ["undo the last week of memory", { period: { since: day("2026-11-11T15:30"), until: NOW } }],
    [
      "take back everything you wrote in the last 24 hours",
      { period: { since: day("2026-11-17T15:30"), until: NOW } },
    ],
  ])("[AS25] every filter counts: %s", async (said, filters) => {
    const found = await understand(said, AROUND);
    expect(found).toMatchObject({ understood: true, request: { operation: "take-back", ...filters } });
    if (!found.understood || found.request.operation !== "take-back") return;
    const { operation: _operation, period, ...rest } = found.request;
    const { said: _said, ...edges } = period ?? { said: "" };
    expect({ ...rest, period: edges }).toEqual(filters);
  });

  test.each([
    "forget everything since Monday except the budget",
    "forget everything about Falcon from last summer",
    "forget everything unless it is about work",
    "remove all memories without a tag",
    "delete everything cursor wrote since the flood",
    "undo everything since yesterday and merge work",
    "take back everything by cursor or claude since Monday",
    "forget all notes about tea but keep those of today",
    "forget tea except the green one",
    "forget nothing",
    "I was wrong about that project—forget everything since January",
    "forget everything you learned since 2027-01-01",
  ])("[AS25] a word that is not understood refuses all of it: %s", async (said) => {
    const found = await understand(said, AROUND);
    expect(found).toMatchObject({
      understood: false,
      why: expect.stringMatching(/^(?:Understood: .* Not understood: "|These are two requests\.)/),
    });
  });
});
