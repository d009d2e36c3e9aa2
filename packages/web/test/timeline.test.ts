import { describe, expect, it } from "vitest";
import type { Memory } from "../src/api/client.ts";
import { endOfDay, startOfDay } from "../src/i18n/dates.ts";
import { sentence, type Translate } from "../src/i18n/text.ts";
import { placed } from "../src/time/flags.tsx";
import { changesIn } from "../src/views/changes/changes.ts";
import { rollbackIn, stateIn } from "../src/views/goback/scope.ts";
import { countsOf, type Episode, episodeDays, isOfKind, titleOf } from "../src/views/timeline/episodes.ts";

const t: Translate = (key, values) => sentence("en", key, values);
const episode = (fields: Partial<Episode>) =>
  ({
    kind: "write",
    day: "2026-03-03",
    branch: "main",
    added: 0,
    changed: 0,
    hidden: 0,
    restored: 0,
    ...fields,
  }) as Episode;
const memory = (id: string, at: number) => ({ id, at }) as Memory;

describe("the timeline", () => {
  it("[PG15] says what happened, with counts", () => {
    expect(countsOf(t, episode({ added: 42, changed: 1 }))).toBe("42 memories added and 1 memory changed");
    expect(titleOf(t, episode({ kind: "merge", source: "tax-2025" }))).toBe("tax-2025 brought into main");
    expect(titleOf(t, episode({ kind: "checkpoint", name: "Offer signed" }))).toBe(
      "Offer signed, checkpoint",
    );
    expect(titleOf(t, episode({ kind: "undo", changed: 1 }))).toBe("Undone: 1 memory changed");
  });

  it("[PG15] is parted by days, and narrowed to a kind", () => {
    const episodes = [episode({}), episode({ added: 20 }), episode({ day: "2026-03-02", kind: "rollback" })];
    expect(episodeDays(episodes).map(({ day, episodes: of }) => [day, of.length])).toEqual([
      ["2026-03-03", 2],
      ["2026-03-02", 1],
    ]);
    const ofKind = (kind: "large" | "undo" | "merge") =>
      episodes.filter((each) => isOfKind(each, kind)).length;
    expect([ofKind("large"), ofKind("undo"), ofKind("merge")]).toEqual([1, 1, 0]);
  });

  it("[PG15] names checkpoints where there is room, the newest first", () => {
    const at = (day: number) => new Date(2026, 0, day).getTime();
    const flags = [1, 8, 9].map((day) => ({ name: `day ${day}`, at: at(day) }));
    const shown = placed(flags, (day) => Number(day.slice(-2)) * 5);
    expect(shown.map(({ name, hasRoom }) => [name, hasRoom])).toEqual([
      ["day 9", true],
      ["day 8", false],
      ["day 1", true],
    ]);
  });

  it("[PG16] lists what is different, changed memories first", () => {
    const diff = {
      created: [memory("a", 1), memory("b", 2)],
      changed: [{ id: "c", before: memory("c", 1), after: memory("c", 3), fields: [] }],
      deleted: [memory("d", 1)],
    };
    expect(changesIn(diff).map(({ kind, memory: { id } }) => `${kind} ${id}`)).toEqual([
      "changed c",
      "added b",
      "added a",
      "gone d",
    ]);
  });
});

describe("going back", () => {
  const asked = (query: string) => rollbackIn(new URLSearchParams(query), "main");

  it("[PG17] asks for what the address names, and for nothing before that is enough", () => {
    expect(asked("")).toBeUndefined();
    expect(asked("to=checkpoint:1")).toEqual({ to: "checkpoint:1" });
    expect(asked("to=checkpoint:1&scope=agent")).toBeUndefined();
    expect(asked("to=checkpoint:1&scope=agent&of=codex")).toEqual({
      to: "checkpoint:1",
      only: { agent: "codex" },
    });
    expect(asked("scope=time&since=2026-03-01&until=2026-03-02")).toEqual({
      only: { since: startOfDay("2026-03-01"), until: endOfDay("2026-03-02") },
    });
  });

  it("[PG17] means the end of a day", () => {
    const end = new Date(endOfDay("2026-03-03")).toISOString();
    expect(stateIn("2026-03-03", "job-hunt")).toBe(`job-hunt@${end}`);
    expect(stateIn("tomorrow", "main")).toBeUndefined();
  });
});
