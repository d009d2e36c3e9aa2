import { describe, expect, it } from "vitest";
import {
  addDays,
  ago,
  clock,
  dayName,
  dayOf,
  endOfDay,
  startOfDay,
  weekOf,
  when,
} from "../src/i18n/dates.ts";
import { readerOf } from "../src/i18n/text.ts";

const english = readerOf("en", ["en-GB"]);
const korean = readerOf("ko", ["ko-KR"]);
const NOW = new Date(2026, 2, 22, 11, 2).getTime();

describe("dates", () => {
  it("[PG5] are of the reader's clock and locale", () => {
    const then = new Date(2026, 2, 3, 9, 2).getTime();
    expect(when(english, then, NOW)).toBe("3 March");
    expect(when(korean, then, NOW)).toBe("3월 3일");
    expect(when(english, NOW, NOW)).toBe(clock(english, NOW));
    expect(when(english, new Date(2025, 0, 9).getTime(), NOW)).toBe("9 January 2025");
    expect(ago(english, NOW - 2 * 3_600_000, NOW)).toBe("2 hours ago");
  });

  it("[PG5] of today and yesterday have names", () => {
    expect(dayName(english, "2026-03-22", NOW)).toBe("Today");
    expect(dayName(korean, "2026-03-21", NOW)).toBe("어제");
    expect(dayName(english, "2026-03-20", NOW)).toBe("20 March");
  });

  it("[PG4] step over months and changes of the clock", () => {
    expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
    expect(weekOf("2026-03-22")).toBe("2026-03-16");
    let day = "2026-01-01";
    for (let index = 0; index < 365; index += 1) {
      expect(dayOf(startOfDay(day))).toBe(day);
      expect(dayOf(endOfDay(day))).toBe(day);
      expect(endOfDay(day) + 1).toBe(startOfDay(addDays(day, 1)));
      day = addDays(day, 1);
    }
    expect(day).toBe("2027-01-01");
  });
});
