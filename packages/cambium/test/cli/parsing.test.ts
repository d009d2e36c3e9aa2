import { describe, expect, test } from "vitest";
import { parseExpiry } from "../../src/cli/expiry.js";
import { clearedFields, memoryFields } from "../../src/cli/memory-options.js";
import { parseResolutions } from "../../src/cli/merge-resolutions.js";
import { UsageError } from "../../src/cli/usage-error.js";
import { HOUR, NOW } from "./fixtures.js";
import { cambium } from "./run-cambium.js";

test.each([
  [["revise", "", "x"], "cambium list"],
  [["forget", "abcd1234", " "], "cambium list"],
  [["show", ""], "cambium recall"],
  [["resolve", ""], "cambium list"],
  [["approve", ""], "cambium approve"],
  [["invites", "revoke", ""], "cambium members"],
  [["undo", "--change", ""], "cambium log"],
  [["merge", ""], "cambium branches"],
  [["diff", "", "main"], "cambium checkpoints"],
  [["rollback", ""], "cambium checkpoints"],
  [["list", "--at", ""], "cambium checkpoints"],
  [["join", ""], "cambium invite"],
])("[CL112] an argument that says nothing is refused before anything is asked: %j", async (line, hint) => {
  const { code, stderr, calls } = await cambium(line, {});
  expect([code, calls]).toEqual([2, []]);
  expect(stderr).toMatch(/is empty\./);
  expect(stderr).toContain(hint);
});

describe("fields of a memory", () => {
  test("[CL3] only what was typed is set", () => {
    expect(memoryFields({})).toEqual({});
    expect(memoryFields({ tag: ["a", "b"], importance: 0, validFrom: "2026-01-01" })).toEqual({
      tags: ["a", "b"],
      importance: 0,
      validFrom: "2026-01-01",
    });
  });

  test("[CL3] links and sources are pairs; a source always has a kind", () => {
    expect(memoryFields({ link: ["uses=https://a.example/?x=1"] })).toEqual({
      links: [{ rel: "uses", to: "https://a.example/?x=1" }],
    });
    expect(memoryFields({ source: ["file=notes.md"] })).toEqual({
      source: { kind: "manual", file: "notes.md" },
    });
    expect(memoryFields({ source: ["kind=chat"] })).toEqual({ source: { kind: "chat" } });
    expect(memoryFields({ git: ["3f2a91c"] })).toEqual({ git: { commit: "3f2a91c" } });
    expect(memoryFields({ git: ["3f2a91c", "branch=main"] })).toEqual({
      git: { commit: "3f2a91c", branch: "main" },
    });
    for (const bad of ["uses", "=x", "uses="])
      expect(() => memoryFields({ link: [bad] })).toThrow(UsageError);
  });

  test("[CL3] a field is cleared or set, not both, and content never", () => {
    expect(clearedFields(["tags", "validUntil"], {})).toEqual({ tags: null, validUntil: null });
    expect(() => clearedFields(["content"], {})).toThrow(UsageError);
    expect(() => clearedFields(["tags"], { tags: ["a"] })).toThrow(UsageError);
  });
});

describe("resolutions of a merge", () => {
  test("[CL3] decide a memory, a field, or give a value of the field's kind", () => {
    expect(
      parseResolutions([
        "0198=both",
        "0199.content=value:a.b=c",
        "0199.tags=source",
        "019a.importance=value:0.5",
        "019b.tags=value:x, y",
        "019c.validFrom=value:2026-01-01",
        "019d=value:just text",
      ]),
    ).toEqual({
      "0198": "both",
      "0199": { content: { value: "a.b=c" }, tags: { take: "source" } },
      "019a": { importance: { value: 0.5 } },
      "019b": { tags: { value: ["x", "y"] } },
      "019c": { validFrom: { value: "2026-01-01" } },
      "019d": { content: { value: "just text" } },
    });
  });

  test.each([
    [["0198"]],
    [["=both"]],
    [["0198=mine"]],
    [["0198.tags=both"]],
    [["0198.importance=value:much"]],
    [["0198=both", "0198=source"]],
    [["0198.tags=source", "0198.tags=target"]],
    [["0198=source", "0198.tags=target"]],
  ])("[CL3] %j is refused", (texts) => {
    expect(() => parseResolutions(texts)).toThrow(UsageError);
  });
});

test("[CL3] an expiry is a duration or a date to come", () => {
  expect(parseExpiry("12h", NOW)).toBe(NOW + 12 * HOUR);
  expect(parseExpiry("7d", NOW)).toBe(NOW + 7 * 24 * HOUR);
  expect(parseExpiry("2030-12-31", NOW)).toBe(Date.UTC(2030, 11, 31));
  for (const bad of ["7", "d", "7y", "yesterday", "2020-01-01", "0d"]) {
    expect(() => parseExpiry(bad, NOW)).toThrow(UsageError);
  }
});
