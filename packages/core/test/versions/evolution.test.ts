import { describe, expect, test } from "vitest";
import type { MemoryId, RecordHash, ReplicaId } from "../../src/format/ids.js";
import type { Version } from "../../src/memory/memory.js";
import { type EvolvingMemory, evolutionOf } from "../../src/versions/evolution.js";
import { describeVersion } from "../../src/versions/version-chain.js";
import { EMPTY_FIELDS } from "../merge/records.js";

const [OLD, NEW, OTHER] = ["1", "2", "3"].map(
  (digit) => `0198c2a4-7d3e-7c51-9f00-00000000000${digit}` as MemoryId,
) as [MemoryId, MemoryId, MemoryId];

type Told = Omit<Partial<Version>, "record" | "parents"> & {
  readonly record: string;
  readonly parents?: readonly string[];
};

function memory(id: MemoryId, ...told: readonly Told[]): EvolvingMemory {
  const versions = told.map((one, index): Version => {
    const before = told[index - 1];
    return {
      ...EMPTY_FIELDS,
      ...{
        version: index + 1,
        type: index === 0 ? "create" : "update",
        changed: ["content"],
        at: 10 * index,
      },
      ...{ contentHash: "", by: { agent: "ada", replica: "r" as ReplicaId } },
      ...one,
      record: one.record as RecordHash,
      parents: (one.parents ?? (before === undefined ? [] : [before.record])) as RecordHash[],
    };
  });
  return { id, versions };
}

const texts = (...memories: readonly EvolvingMemory[]): readonly string[] =>
  evolutionOf(memories).map(({ text }) => text);

test("[ER6] of a version that was erased nothing is said but that, and whether it was hidden", () => {
  const { versions } = memory(
    OLD,
    { record: "a", content: "", erased: "whole" },
    { record: "b", content: "", erased: "whole" },
    { record: "c", content: "", erased: "content", deleted: true, type: "forget" },
    { record: "d", content: "The door is blue" },
  );
  const told = versions.map((version, index) => describeVersion(version, versions[index - 1]));
  expect(told).toEqual(["erased for good", "erased for good", "forgotten", "brought back"]);
  const [, , , anew] = versions as [Version, Version, Version, Version];
  expect(describeVersion(anew, versions[1])).toBe("written after what was erased for good");
  const [pruned, next] = memory(
    OLD,
    { record: "a", content: "", erased: "pruned" },
    { record: "b", content: "The door is blue" },
  ).versions as [Version, Version];
  expect(describeVersion(pruned, undefined)).toBe("its text is not kept any more");
  expect(describeVersion(next, pruned)).toBe("written after a text that is not kept any more");
});

describe("how an understanding evolved", () => {
  const budget = memory(
    OLD,
    { record: "a", content: "The budget is 50M." },
    { record: "b", content: "The budget is 60M.", type: "correct", reason: "The first number was a guess." },
    {
      record: "c",
      content: "The budget is 60M.",
      deleted: true,
      type: "forget",
      reason: "Approved elsewhere.",
    },
    { record: "d", content: "The budget is 60M.", type: "restore" },
    { record: "e", content: "The budget is 50M.", type: "undo" },
  );

  test("[VN8] every kind of step says in plain words what it did", () => {
    expect(texts(budget)).toEqual([
      "noted “The budget is 50M.”",
      "corrected “The budget is 50M.”: budget 50M → 60M",
      "forgot “The budget is 60M.”",
      "brought back “The budget is 60M.”",
      "took back a change of “The budget is 60M.”: budget 60M → 50M",
    ]);
  });

  test("[VN8] a step names the records it rests on, what it took the place of, and why", () => {
    const [, correction, forget] = evolutionOf([budget]);
    expect(correction).toMatchObject({
      ...{ record: "b", records: ["b", "a"], reason: "The first number was a guess." },
      superseded: [{ memory: OLD, record: "a", how: "corrected", content: "The budget is 50M." }],
      ...{ summary: "budget 50M → 60M", summaryBy: "rules" },
    });
    expect(forget).toMatchObject({ superseded: [{ how: "forgotten", record: "b" }] });
  });

  test("[VN8] a link to what it supersedes is told once, with what that said at the time", () => {
    const older = memory(
      OLD,
      { record: "a", content: "We sail in May." },
      { record: "b", content: "We sail in June.", at: 90 },
    );
    const link = { rel: "Supersedes", to: OLD };
    const newer = memory(
      NEW,
      { record: "n1", content: "We stay in the harbour.", at: 50, links: [link] },
      { record: "n2", content: "We stay in the old harbour.", at: 95, links: [link] },
    );
    expect(texts(older, newer)).toEqual([
      "noted “We sail in May.”",
      "noted “We stay in the harbour.”, superseding “We sail in May.”",
      "revised “We sail in May.”: sail May → June",
      "revised “We stay in the harbour.”: old added",
    ]);
  });

  test("[VN8] combining is one step: what it was made of was forgotten by it", () => {
    const forgotten = { deleted: true, type: "forget", at: 50 } as const;
    const one = memory(
      OLD,
      { record: "a", content: "Likes tea." },
      { record: "a2", content: "Likes tea.", ...forgotten },
    );
    const two = memory(
      OTHER,
      { record: "b", content: "Likes cake." },
      { record: "b2", content: "Likes cake.", ...forgotten },
    );
    const both = memory(
      NEW,
      { record: "c", content: "Likes tea and cake.", type: "combine", at: 50, derivedFrom: [OLD, OTHER] },
      { record: "d", content: "Likes tea and pie.", at: 60, derivedFrom: [OLD, OTHER] },
    );
    expect(texts(one, two, both).slice(2)).toEqual([
      "put “Likes tea and cake.” together from “Likes tea.” and “Likes cake.”",
      "revised “Likes tea and cake.”: cake → pie",
    ]);
  });

  test("[VN8] a decision tells which values were decided against", () => {
    const decided = memory(
      OLD,
      { record: "a", content: "Monday" },
      { record: "b", content: "Tuesday", parents: ["a"] },
      { record: "c", content: "Friday", parents: ["a"] },
      { record: "d", content: "Friday", parents: ["b", "c"], type: "resolve" },
    );
    const step = evolutionOf([decided]).at(-1);
    expect(step?.text).toBe("decided: kept “Friday”, gave up “Tuesday”");
    expect(step?.superseded).toEqual([
      { memory: OLD, record: "b", how: "decided against", content: "Tuesday" },
    ]);
    const merged = (content: string) =>
      texts(
        memory(
          OLD,
          { record: "a", content: "Monday" },
          { record: "b", content: "Tuesday", parents: ["a"] },
          { record: "c", content: "Friday", parents: ["a"] },
          { record: "d", content, parents: ["b", "c"], type: "merge" },
        ),
      ).at(-1);
    expect(merged("Friday")).toBe("merged and decided: kept “Friday”, gave up “Tuesday”");
    expect(merged("Tuesday or Friday")).toMatch(/^merged “/);
  });

  test("[VN8] a period keeps the steps in it, and still knows what came before", () => {
    const [step, ...others] = evolutionOf([budget], { from: 10, to: 10 });
    expect(others).toEqual([]);
    expect(step?.text).toBe("corrected “The budget is 50M.”: budget 50M → 60M");
  });
});
