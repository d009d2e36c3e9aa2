import { describe, expect, it } from "vitest";
import { addressOf, branchOfOldAddress, changed, momentOf } from "../src/address/address.ts";
import { endOfDay } from "../src/i18n/dates.ts";

const NOW = new Date(2026, 2, 22, 12).getTime();

describe("the moment in the address", () => {
  it("[PG2] is the end of the reader's day", () => {
    const moment = momentOf("2026-03-03", NOW);
    expect(moment).toMatchObject({ day: "2026-03-03", time: endOfDay("2026-03-03") });
    expect(new Date(moment?.time ?? 0).getHours()).toBe(23);
  });

  it("[PG2] is now where it is absent, of today, later, or no date", () => {
    for (const text of [null, "2026-03-22", "2027-01-01", "yesterday-ish"])
      expect(momentOf(text, NOW)).toBeUndefined();
  });

  it("[PG2] may be a time of its own", () => {
    const at = new Date(2026, 2, 3, 8, 30);
    expect(momentOf(at.toISOString(), NOW)).toMatchObject({ time: at.getTime(), day: "2026-03-03" });
  });
});

describe("an address", () => {
  const params = new URLSearchParams("space=s&branch=job+hunt&at=2026-03-03&q=tea&tag=a&tag=b");

  it("[PG2] of another view keeps space, branch and moment, and nothing else", () => {
    expect(addressOf("/timeline", params)).toBe("/timeline?space=s&branch=job+hunt&at=2026-03-03");
    expect(addressOf("/compare", params, { at: null, from: "2026-03-03" })).toBe(
      "/compare?space=s&branch=job+hunt&from=2026-03-03",
    );
    expect(addressOf("/", new URLSearchParams())).toBe("/");
  });

  it("[PG2] of a merge as it once was names the branch", () => {
    expect(["team/x", "a%2Fb", "100%"].map(branchOfOldAddress)).toEqual(["team/x", "a/b", "100%"]);
  });

  it("[PG2] takes lists, and loses what is null", () => {
    expect(changed(params, { tag: ["c"], q: null }).toString()).toBe(
      "space=s&branch=job+hunt&at=2026-03-03&tag=c",
    );
    expect(params.getAll("tag")).toEqual(["a", "b"]);
  });
});
