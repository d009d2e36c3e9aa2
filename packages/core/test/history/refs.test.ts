import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bytesToHex,
  type ChangeHash,
  checkName,
  isBranchName,
  parseRef,
  parseStart,
  parseTime,
  type Ref,
} from "../../src/index.js";

/** A Wednesday afternoon, in the time zone of whoever runs this. */
const NOW = new Date(2026, 6, 15, 15, 37, 20).getTime();

const at = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number =>
  new Date(year, month - 1, day, hour, minute, second).getTime();
const endOf = (year: number, month: number, day: number): number => at(year, month, day + 1) - 1;

const [HASH, OTHER] = ["ab".repeat(32), "cd".repeat(32)] as ChangeHash[] as [ChangeHash, ChangeHash];
const time = (branch: string | undefined, moment: number): Ref => ({
  branch,
  point: { kind: "time", at: moment },
});

describe("refs", () => {
  test.each<[string, Ref]>([
    ["main", { branch: "main", point: { kind: "now" } }],
    [" main ", { branch: "main", point: { kind: "now" } }],
    ["main@", { branch: "main", point: { kind: "now" } }],
    ["main@now", { branch: "main", point: { kind: "now" } }],
    ["@now", { branch: undefined, point: { kind: "now" } }],
    ["team/über-uns_1.0", { branch: "team/über-uns_1.0", point: { kind: "now" } }],
    ["work~ab12", { branch: "work~ab12", point: { kind: "now" } }],
    ["work~ab12@yesterday", time("work~ab12", endOf(2026, 7, 14))],
    ["work-persona@2026-08-01", time("work-persona", endOf(2026, 8, 1))],
    ['main@"2 weeks ago"', time("main", at(2026, 7, 1, 15, 37, 20))],
    ["main@'2 weeks ago'", time("main", at(2026, 7, 1, 15, 37, 20))],
    ["@yesterday", time(undefined, endOf(2026, 7, 14))],
    ["2026-08-01", time(undefined, endOf(2026, 8, 1))],
    ["2025", time(undefined, endOf(2025, 12, 31))],
    ["2 weeks ago", time(undefined, at(2026, 7, 1, 15, 37, 20))],
    ["main@1767225600000", time("main", 1_767_225_600_000)],
    [
      "main@checkpoint:before-cleanup",
      { branch: "main", point: { kind: "checkpoint", name: "before-cleanup" } },
    ],
    [
      'main@checkpoint:"before: the cleanup"',
      { branch: "main", point: { kind: "checkpoint", name: "before: the cleanup" } },
    ],
    ["main@git:1a2b3c4", { branch: "main", point: { kind: "git", commit: "1a2b3c4" } }],
    ["main@heads:", { branch: "main", point: { kind: "heads", heads: [] } }],
    [`main@heads:${HASH}`, { branch: "main", point: { kind: "heads", heads: [HASH] } }],
    [
      `main@heads:${OTHER}, ${HASH},${HASH}`,
      { branch: "main", point: { kind: "heads", heads: [HASH, OTHER] } },
    ],
  ])("[RF1] %s", async (text, ref) => {
    expect(await parseRef(text, NOW)).toEqual(ref);
  });

  test.each([
    ...["", "a b", "~", "m^", "a:b", "/x", "x/", "'main'@now", "main@@now", "main@x:y", "main@sometime"],
    ...["main@heads:ab", `main@heads:${HASH.toUpperCase()}`, `main@heads:${HASH},`],
    ...["main@checkpoint:", "main@git:", "main@git:zz", "main@git:1A2B3C4"],
    ...[
      "2026-02-30",
      "2026-13",
      "2026-13-01",
      "0099-01-01",
      "main@2026-02-30T10:00",
      "main@2026-08-01T25:00",
    ],
    "main@99999999999999999999",
  ])("[RF2] %s names no state, and the error says which forms do", async (text) => {
    await expect(parseRef(text, NOW)).rejects.toThrow(expect.objectContaining({ code: "BAD_REF" }));
  });

  test.each<[string, number]>([
    ["2026-08-01", endOf(2026, 8, 1)],
    ["2026-08", endOf(2026, 8, 31)],
    ["2024-02", endOf(2024, 2, 29)],
    ["2026-08-01T09:30", at(2026, 8, 1, 9, 30)],
    ["2026-08-01 09:30:15", at(2026, 8, 1, 9, 30, 15)],
    ["2026-08-01T09:30:15Z", Date.UTC(2026, 7, 1, 9, 30, 15)],
    ["2026-08-01T09:30:15.250+02:00", Date.UTC(2026, 7, 1, 7, 30, 15, 250)],
    ["today", endOf(2026, 7, 15)],
    ["yesterday", endOf(2026, 7, 14)],
    ["yesterday at noon", at(2026, 7, 14, 12)],
    ["last Friday", endOf(2026, 7, 10)],
    ["Friday", endOf(2026, 7, 10)],
    ["Monday", endOf(2026, 7, 13)],
    ["monday at 5pm", at(2026, 7, 13, 17)],
    ["9am", at(2026, 7, 15, 9)],
    ["5pm", at(2026, 7, 14, 17)],
    ["last March", endOf(2026, 3, 31)],
    ["March", endOf(2026, 3, 31)],
    ["December", endOf(2025, 12, 31)],
    ["last December", endOf(2025, 12, 31)],
    ["in March 2025", endOf(2025, 3, 31)],
    ["Aug 1", endOf(2025, 8, 1)],
    ["on 1 August 2025", endOf(2025, 8, 1)],
    ["last month", endOf(2026, 6, 30)],
    ["last year", endOf(2025, 12, 31)],
    ["this year", endOf(2026, 12, 31)],
    ["this morning", at(2026, 7, 15, 12) - 1],
    ["yesterday evening", endOf(2026, 7, 14)],
    ["last night", endOf(2026, 7, 14)],
    ["this week", endOf(2026, 7, 19)],
    ["last week", endOf(2026, 7, 12)],
    ["last weekend", endOf(2026, 7, 12)],
    ["this quarter", endOf(2026, 9, 30)],
    ["last quarter", endOf(2026, 6, 30)],
    ["5 minutes ago", at(2026, 7, 15, 15, 32, 20)],
    ["2 days ago", at(2026, 7, 13, 15, 37, 20)],
    ["2 weeks ago", at(2026, 7, 1, 15, 37, 20)],
    ["a year ago", at(2025, 7, 15, 15, 37, 20)],
  ])("[RF3] %s", async (words, moment) => {
    expect(new Date(await parseTime(words, NOW))).toEqual(new Date(moment));
  });

  test.each<[string, number]>([
    ["2026-08", at(2026, 8, 1)],
    ["yesterday", at(2026, 7, 14)],
    ["this morning", at(2026, 7, 15)],
    ["this afternoon", at(2026, 7, 15, 12)],
    ["this week", at(2026, 7, 13)],
    ["last week", at(2026, 7, 6)],
    ["last weekend", at(2026, 7, 11)],
    ["last quarter", at(2026, 4, 1)],
    ["last year", at(2025, 1, 1)],
    ["yesterday at noon", at(2026, 7, 14, 12)],
    ["5 minutes ago", at(2026, 7, 15, 15, 32, 20)],
  ])("[RF3] since %s", async (words, moment) => {
    expect(new Date(await parseStart(words, NOW))).toEqual(new Date(moment));
  });

  test('[RF3] main@"6 months ago" is that day and hour, give or take daylight saving', async () => {
    const { point } = await parseRef('main@"6 months ago"', NOW);
    const moment = point.kind === "time" ? point.at : Number.NaN;
    expect(Math.abs(moment - at(2026, 1, 15, 15, 37, 20))).toBeLessThanOrEqual(3_600_000);
  });

  test("[RF4] heads written into a ref are read back, each once, in order", async () => {
    const hash = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => bytesToHex(bytes) as ChangeHash);
    await fc.assert(
      fc.asyncProperty(fc.array(hash, { maxLength: 5 }), async (heads) => {
        const { point } = await parseRef(`main@heads:${heads.join(",")}`, NOW);
        expect(point).toEqual({ kind: "heads", heads: [...new Set(heads)].sort() });
      }),
    );
  });

  test("[RF5] whatever the text, there is a ref with a moment that exists, or BAD_REF", async () => {
    const words = fc.constantFrom(
      "main",
      "@",
      "ago",
      "2026",
      "-02",
      "month",
      "6",
      " ",
      '"',
      "heads:",
      "next",
      "last",
      "T",
      ":",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 8 }).map((list) => list.join("")),
        ),
        async (text) => {
          try {
            const { point } = await parseRef(text, NOW);
            if (point.kind === "time") expect(Number.isNaN(new Date(point.at).getTime())).toBe(false);
          } catch (error) {
            expect(error).toMatchObject({ code: "BAD_REF" });
          }
        },
      ),
      { numRuns: Math.max(1_000, fc.readConfigureGlobal().numRuns ?? 0) },
    );
  });

  test("[RF6] a branch name is what a ref can hold, and never a date or a suffix of ours", async () => {
    for (const name of ["main", "work-persona", "team/x", "v1.0_b", "日本", "ünï"]) {
      expect(checkName("branch", ` ${name} `)).toBe(name.normalize("NFC"));
      expect((await parseRef(name, NOW)).branch).toBe(name);
    }
    for (const name of [
      "",
      "a b",
      "a@b",
      "a:b",
      "a~b",
      "a^",
      '"a"',
      "/a",
      "a/",
      "a//b",
      "2026",
      "2026-08-01",
      "x".repeat(201),
    ]) {
      expect(() => checkName("branch", name)).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
    }
    expect(isBranchName("work~ab12")).toBe(true);
  });
});
