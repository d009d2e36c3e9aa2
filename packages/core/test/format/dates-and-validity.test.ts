import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { momentOf } from "../../src/format/calendar.js";
import { parseFields } from "../../src/format/fields.js";
import { parseTime } from "../../src/index.js";

const DATES = ["occurredAt", "validFrom", "validUntil"] as const;
const NO_DATES = [
  ...["2026-02-30", "2026-02-29", "2026-04-31T10:00:00Z", "2026-13-01", "2026-00-10", "2026-01-00"],
  ...["2026-02-30 10:00", "2026-08-01T25:00Z", "Feb 30, 2026", "30/02/2026", "2026-2-3", "5", "", "soon"],
];

describe("dates", () => {
  test.each(NO_DATES)("[CO93] %s is no date, in whatever field", (text) => {
    for (const field of DATES) {
      expect(() => parseFields({ [field]: text })).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
    }
    expect(momentOf(text)).toBeUndefined();
  });

  test.each([
    ["2026-08-01", Date.UTC(2026, 7, 1)],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ["2026-08", Date.UTC(2026, 7)],
    ["2026", Date.UTC(2026)],
    ["2026-08-01T12:00:00Z", Date.UTC(2026, 7, 1, 12)],
    ["2026-08-01T12:00:00.250+02:00", Date.UTC(2026, 7, 1, 10, 0, 0, 250)],
    ["2026-08-01T12:00:00+0200", Date.UTC(2026, 7, 1, 10)],
    ["0099-12-31", Date.parse("0099-12-31")],
    [" 2026-08-01 ", Date.UTC(2026, 7, 1)],
  ])("[CO93] %s is a date", (text, time) => {
    for (const field of DATES) expect(parseFields({ [field]: text }).fields[field]).toBe(time);
  });

  test.each([
    "2026-08-01T12:00:00+25:00",
    "2026-08-01T12:00:00+02:60",
    "2026-08-01T25:00Z",
    "2026-08-01 12:61",
  ])("[CO93] %s is no date, in a field or in a ref", async (text) => {
    expect(momentOf(text)).toBeUndefined();
    await expect(parseTime(text, Date.UTC(2026, 10, 22))).rejects.toMatchObject({ code: "BAD_REF" });
  });

  test("[CO93] a day is one in a field exactly when it is one in a ref", async () => {
    const now = Date.UTC(2026, 10, 22);
    const two = (part: number): string => String(part).padStart(2, "0");
    const day = fc
      .tuple(fc.integer({ min: 1900, max: 2100 }), fc.nat(14), fc.nat(33))
      .map(([year, month, date]) => `${year}-${two(month)}-${two(date)}`);
    await fc.assert(
      fc.asyncProperty(day, async (text) => {
        const isOne = momentOf(text) !== undefined;
        const inRef = await parseTime(text, now).then(
          () => true,
          () => false,
        );
        expect(inRef).toBe(isOne);
        if (isOne) expect(new Date(momentOf(text) as number).toISOString().slice(0, 10)).toBe(text);
      }),
    );
  });
});
