/** Periods in words, against integer calendar arithmetic that knows nothing of `Date`, in zones that change their clocks. */
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { agoIfBare, isCambiumError, parseRef, parseTime, periodAround, readPeriod } from "../../src/index.js";

const zone = process.env.TZ;
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"];
const HOUR_MS = 3_600_000;
const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"],
  ...["November", "December"],
];

/** Days since 1970 of a date, by counting; and back. */
const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const lengthOf = (year: number, month: number): number =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] as number;

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function dayNumber({ year, month, day }: Day): number {
  let count = day - 1;
  for (let y = 1970; y < year; y += 1) count += isLeap(y) ? 366 : 365;
  for (let m = 1; m < month; m += 1) count += lengthOf(year, m);
  return count;
}

function dayOf(number: number): Day {
  let [year, month, rest] = [1970, 1, number];
  for (; rest >= (isLeap(year) ? 366 : 365); year += 1) rest -= isLeap(year) ? 366 : 365;
  for (; rest >= lengthOf(year, month); month += 1) rest -= lengthOf(year, month);
  return { year, month, day: rest + 1 };
}

/** The first of January 1970 was a Thursday. */
const weekdayOf = (number: number): number => (number + 3) % 7;

const two = (part: number): string => String(part).padStart(2, "0");
const iso = ({ year, month, day }: Day): string => `${year}-${two(month)}-${two(day)}`;

const clockOf = new Map(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat("en-CA", {
      ...{ timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 },
    } as Intl.DateTimeFormatOptions),
  ]),
);

/** What a clock on the wall shows. */
function wall(at: number, timeZone: string): { date: string; time: string } {
  const parts = clockOf.get(timeZone)?.formatToParts(at) ?? [];
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
  return {
    date: `${part("year")}-${part("month")}-${part("day")}`,
    time: `${part("hour")}:${part("minute")}:${part("second")}.${part("fractionalSecond")}`,
  };
}

const someMoment = fc.record({
  zone: fc.constantFrom(...ZONES),
  now: fc.oneof(
    fc.integer({ min: Date.UTC(2023, 0, 1), max: Date.UTC(2029, 0, 1) }),
    // Around the changes of the clocks, and the ends of months of leap years.
    fc
      .constantFrom(
        ...[Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25), Date.UTC(2026, 2, 8), Date.UTC(2026, 10, 1)],
        ...[Date.UTC(2028, 1, 29), Date.UTC(2027, 2, 31), Date.UTC(2024, 11, 31), Date.UTC(2026, 3, 5)],
      )
      .chain((day) => fc.integer({ min: day - 30 * HOUR_MS, max: day + 30 * HOUR_MS })),
  ),
});

/** The words, and the first and last day that they mean, given today. */
interface Named {
  readonly words: string;
  days(today: number): readonly [first: number, last: number];
}

const monthFrom = (today: number, back: number): readonly [number, number] => {
  const { year, month } = dayOf(today);
  const index = year * 12 + month - 1 - back;
  const [y, m] = [Math.floor(index / 12), (index % 12) + 1];
  const first = dayNumber({ year: y, month: m, day: 1 });
  return [first, first + lengthOf(y, m) - 1];
};
const yearOf = (year: number): readonly [number, number] => [
  dayNumber({ year, month: 1, day: 1 }),
  dayNumber({ year, month: 12, day: 31 }),
];
const weekFrom = (today: number, back: number): readonly [number, number] => {
  const monday = today - weekdayOf(today) - 7 * back;
  return [monday, monday + 6];
};
const lastMonth = (today: number, month: number): readonly [number, number] =>
  monthFrom(today, (dayOf(today).month - month + 12) % 12);

const named = fc.oneof(
  fc.constantFrom<Named>(
    { words: "today", days: (today) => [today, today] },
    { words: "yesterday", days: (today) => [today - 1, today - 1] },
    { words: "the day before yesterday", days: (today) => [today - 2, today - 2] },
    { words: "this week", days: (today) => weekFrom(today, 0) },
    { words: "last week", days: (today) => weekFrom(today, 1) },
    { words: "the week before last", days: (today) => weekFrom(today, 2) },
    { words: "during this month", days: (today) => monthFrom(today, 0) },
    { words: "last month", days: (today) => monthFrom(today, 1) },
    { words: "this year", days: (today) => yearOf(dayOf(today).year) },
    { words: "in the previous year", days: (today) => yearOf(dayOf(today).year - 1) },
  ),
  fc.integer({ min: 0, max: 6 }).map((weekday) => ({
    words: `on ${WEEKDAYS[weekday]}`,
    days: (today: number) => {
      const day = today - ((weekdayOf(today) - weekday + 7) % 7);
      return [day, day] as const;
    },
  })),
  fc.integer({ min: 1, max: 12 }).map((month) => ({
    words: `in ${MONTHS[month - 1]}`,
    days: (today: number) => lastMonth(today, month),
  })),
  fc.integer({ min: 19_000, max: 21_000 }).map((day) => ({
    words: iso(dayOf(day)),
    days: () => [day, day] as const,
  })),
);

async function inZone<T>(timeZone: string, run: () => Promise<T>): Promise<T> {
  process.env.TZ = timeZone;
  return await run();
}

const RUNS = { numRuns: Math.max(250, fc.readConfigureGlobal().numRuns ?? 0) };

describe("periods", () => {
  test("[RF8] a day, a week, a month and a year last from midnight to midnight, whatever the clocks do", async () => {
    await fc.assert(
      fc.asyncProperty(someMoment, named, async ({ zone: timeZone, now }, { words, days }) => {
        const [from, until] = await inZone(timeZone, async () => {
          const period = await readPeriod(words, now);
          return [period.from ?? Number.NaN, period.until ?? Number.NaN];
        });
        const [year, month, day] = wall(now, timeZone).date.split("-").map(Number) as [
          number,
          number,
          number,
        ];
        const [first, last] = days(dayNumber({ year, month, day }));
        expect(wall(from, timeZone).date).toBe(iso(dayOf(first)));
        expect(wall(from - 1, timeZone).date).toBe(iso(dayOf(first - 1)));
        expect(wall(until, timeZone).date).toBe(iso(dayOf(last)));
        expect(wall(until + 1, timeZone).date).toBe(iso(dayOf(last + 1)));
      }),
      RUNS,
    );
  });

  test("[RF8] since, before, after, until and between take the edges of what they name", async () => {
    await fc.assert(
      fc.asyncProperty(someMoment, named, named, async ({ zone: timeZone, now }, one, other) => {
        await inZone(timeZone, async () => {
          const plain = one.words.replace(/^(?:on|in|during) /, "");
          const { from = Number.NaN, until = Number.NaN } = await readPeriod(plain, now);
          const read = async (words: string) => {
            const { said: _said, ...edges } = await readPeriod(words, now);
            return edges;
          };
          expect(await read(`since ${plain}`)).toEqual({ from });
          expect(await read(`from ${plain} until now`)).toEqual({ from });
          expect(await read(`before ${plain}`)).toEqual({ until: from - 1 });
          expect(await read(`after ${plain}`)).toEqual({ from: until + 1 });
          expect(await read(`until ${plain}`)).toEqual({ until });
          const end = await readPeriod(other.words, now);
          // A month takes the year of the date that it is told with.
          const isOwnYear = !(one.words.startsWith("in ") && /^\d/.test(other.words));
          if (isOwnYear && from <= (end.until ?? 0))
            expect(await read(`between ${plain} and ${other.words}`)).toEqual({ from, until: end.until });
        });
      }),
      RUNS,
    );
  });

  const units = fc.constantFrom("minute", "hour", "day", "week", "month", "year");
  const said = fc.constantFrom("last # @", "the last # @", "in the past # @", "over the previous # @");

  test("[RF9] the last so many units are those until now, and the same time of day", async () => {
    await fc.assert(
      fc.asyncProperty(
        someMoment,
        fc.integer({ min: 1, max: 40 }),
        units,
        said,
        async ({ zone: timeZone, now }, count, unit, form) => {
          const words = form.replace("#", String(count)).replace("@", count === 1 ? unit : `${unit}s`);
          const period = await inZone(timeZone, () => readPeriod(words, now));
          expect(period.until).toBe(now);
          const from = period.from ?? Number.NaN;
          expect(await inZone(timeZone, () => parseTime(`${count} ${unit}s ago`, now))).toBe(from);
          if (unit === "minute" || unit === "hour") {
            expect(now - from).toBe(count * (unit === "hour" ? HOUR_MS : 60_000));
            return;
          }
          const here = wall(now, timeZone);
          const [year, month, day] = here.date.split("-").map(Number) as [number, number, number];
          const today = dayNumber({ year, month, day });
          const there = wall(from, timeZone);
          expect(there.date).toBe(iso(dayOf(expectedDay(today, count, unit))));
          // In the hour that a change of clocks leaves out, the time moves by as much.
          if (!isSkipped(here.time, there, timeZone)) expect(there.time).toBe(here.time);
        },
      ),
      RUNS,
    );
  });

  test.each<[string, string | undefined, string | undefined]>([
    ["last 24 hours", "2026-11-17T15:30", "2026-11-18T15:30"],
    ["in the last hour", "2026-11-18T14:30", "2026-11-18T15:30"],
    ["the last half hour", "2026-11-18T15:00", "2026-11-18T15:30"],
    ["half an hour ago", "2026-11-18T15:00", "2026-11-18T15:00"],
    ["the past week", "2026-11-11T15:30", "2026-11-18T15:30"],
    ["over the past couple of days", "2026-11-16T15:30", "2026-11-18T15:30"],
    ["last weekend", "2026-11-14T00:00", "2026-11-15T23:59:59.999"],
    ["between 3 and 10 November", "2026-11-03T00:00", "2026-11-10T23:59:59.999"],
    ["between November 3 and 10", "2026-11-03T00:00", "2026-11-10T23:59:59.999"],
    ["from March to April 2025", "2025-03-01T00:00", "2025-04-30T23:59:59.999"],
    ["between November and January", "2025-11-01T00:00", "2026-01-31T23:59:59.999"],
    ["2026-11-01..2026-11-03", "2026-11-01T00:00", "2026-11-03T23:59:59.999"],
    ["2026-11-01/2026-11-03", "2026-11-01T00:00", "2026-11-03T23:59:59.999"],
    ["since the start of the year", "2026-01-01T00:00", undefined],
    ["the week of 3 November", "2026-11-02T00:00", "2026-11-08T23:59:59.999"],
    ["this morning", "2026-11-18T00:00", "2026-11-18T11:59:59.999"],
    ["since noon", "2026-11-18T12:00", undefined],
    ["since Friday at 5pm", "2026-11-13T17:00", undefined],
    ["from 2026-11-16 onwards", "2026-11-16T00:00", undefined],
    ["9am-5pm", "2026-11-18T09:00", "2026-11-18T17:00"],
    ["from Friday 9am to 5pm", "2026-11-13T09:00", "2026-11-13T17:00"],
    ["Nov 3-10", "2026-11-03T00:00", "2026-11-10T23:59:59.999"],
    ["Nov 25-Dec 3", "2025-11-25T00:00", "2025-12-03T23:59:59.999"],
    ["the last 2 hours and 30 minutes", "2026-11-18T13:00", "2026-11-18T15:30"],
    ["the previous day", "2026-11-17T00:00", "2026-11-17T23:59:59.999"],
    ["since Nov", "2026-11-01T00:00", undefined],
    ["last Tues", "2026-11-17T00:00", "2026-11-17T23:59:59.999"],
    ["the 20th", "2026-10-20T00:00", "2026-10-20T23:59:59.999"],
    ["the 31st of last month", "2026-10-31T00:00", "2026-10-31T23:59:59.999"],
    ["on the 3rd of November", "2026-11-03T00:00", "2026-11-03T23:59:59.999"],
    ["in March of last year", "2025-03-01T00:00", "2025-03-31T23:59:59.999"],
    ["the whole of last week", "2026-11-09T00:00", "2026-11-15T23:59:59.999"],
    ["so far this week", "2026-11-16T00:00", "2026-11-22T23:59:59.999"],
    ["year to date", "2026-01-01T00:00", "2026-12-31T23:59:59.999"],
    ["Q3", "2026-07-01T00:00", "2026-09-30T23:59:59.999"],
    ["q1 2025", "2025-01-01T00:00", "2025-03-31T23:59:59.999"],
    ["older than 30 days", undefined, "2026-10-19T15:29:59.999"],
    ["less than 3 hours ago", "2026-11-18T12:30", undefined],
    ["in 3 days", "2026-11-21T00:00", "2026-11-21T23:59:59.999"],
    ["within 3 days", "2026-11-15T15:30", "2026-11-18T15:30"],
  ])("[RF8] %s", async (words, from, until) => {
    process.env.TZ = "Europe/Berlin";
    const now = new Date("2026-11-18T15:30").getTime(); // a Wednesday
    const at = (text: string | undefined) => (text === undefined ? undefined : new Date(text).getTime());
    expect(await readPeriod(words, now)).toEqual({ said: words, from: at(from), until: at(until) });
  });

  const amounts = fc.constantFrom(
    ...Object.entries({ "24h": 24, "24 hrs": 24, "90 min": 1.5, "90m": 1.5, "1.5 hours": 1.5, "1800s": 0.5 }),
    ...Object.entries({ "two and a half hours": 2.5, "hour and a half": 1.5, "0.25 hours": 0.25 }),
    ...Object.entries({
      "thirty-six hours": 36,
      "a dozen hours": 12,
      "seventeen hrs": 17,
      "half an hour": 0.5,
    }),
  );

  test("[RF9] abbreviations, parts and numbers in words last as long as they say, until now", async () => {
    await fc.assert(
      fc.asyncProperty(someMoment, amounts, said, async ({ zone: timeZone, now }, [amount, hours], form) => {
        const words = form.replace("# @", amount);
        const period = await inZone(timeZone, () => readPeriod(words, now));
        expect(period).toEqual({ said: words, from: now - Math.round(hours * HOUR_MS), until: now });
        const ago = await inZone(timeZone, () => parseTime(`${amount.replace(/^hour/, "an hour")} ago`, now));
        expect(ago, amount).toBe(period.from);
        const edge = agoIfBare(amount);
        if (edge !== amount) expect(await inZone(timeZone, () => parseTime(edge, now))).toBe(period.from);
      }),
      RUNS,
    );
    for (const short of ["7d", "7 days", "one wk", "168h"]) {
      expect(agoIfBare(short)).toBe(`${short} ago`);
      expect(await inZone("UTC", () => parseTime(agoIfBare(short), 1e12))).toBe(1e12 - 168 * HOUR_MS);
    }
    for (const other of ["friday", "2026-11-01", "7", "d", "7d ago"]) expect(agoIfBare(other)).toBe(other);
  });

  test("[RF9] what happened 2 weeks ago happened in that week", async () => {
    process.env.TZ = "Europe/Berlin";
    const now = new Date("2026-11-18T15:30").getTime();
    const period = periodAround(await readPeriod("two weeks ago", now));
    expect(period.from).toBe(new Date("2026-11-02T00:00").getTime());
    expect(period.until).toBe(new Date("2026-11-09T00:00").getTime() - 1);
  });

  test("[RF8] any other words are rejected, and so is a ref that needs an end and has none", async () => {
    const now = Date.UTC(2026, 10, 18);
    for (const words of [
      "",
      "the budget",
      "since",
      "between March",
      "last budget",
      "the week before",
      "the 32nd",
      "last m",
      "2026-02-30",
      "x".repeat(500),
    ])
      await expect(readPeriod(words, now), words).rejects.toMatchObject({ code: "BAD_REF" });
    await expect(parseRef("@since Friday", now)).rejects.toMatchObject({ code: "BAD_REF" });
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 60 }), async (text) => {
        await readPeriod(text, now).catch((error: unknown) => {
          if (!isCambiumError(error, "BAD_REF")) throw error;
        });
      }),
    );
  });
});

function expectedDay(today: number, count: number, unit: string): number {
  if (unit === "day") return today - count;
  if (unit === "week") return today - 7 * count;
  const { year, month, day } = dayOf(today);
  const index = year * 12 + month - 1 - (unit === "year" ? 12 * count : count);
  const [y, m] = [Math.floor(index / 12), (index % 12) + 1];
  return dayNumber({ year: y, month: m, day: Math.min(day, lengthOf(y, m)) });
}

/** Whether no clock of that day ever shows the time. */
function isSkipped(time: string, { date }: { date: string }, timeZone: string): boolean {
  const around = Date.parse(`${date}T${time}Z`);
  return ![...Array(112).keys()].some((step) => {
    const shown = wall(around + (step - 56) * (HOUR_MS / 4), timeZone);
    return shown.date === date && shown.time === time;
  });
}

test("[CL121] a date in digits that can be read in two ways is refused, and others are not", async () => {
  const now = new Date(2026, 10, 21, 12).getTime();
  for (const words of ["07/08/2026", "since 7/8/26", "5.4.2026", "between 01-02-2026 and 2026-05-01", "2/3"])
    await expect(readPeriod(words, now), words).rejects.toThrow(/can be read as .*-\d\d or as .*-\d\d\./);
  await expect(parseTime("07/08/2026", now)).rejects.toThrow(
    '"07/08/2026" can be read as 2026-08-07 or as 2026-07-08.',
  );
  for (const words of [
    "08/08/2026",
    "25/10/2026",
    "10/25/2026",
    "2026-08-07",
    "3.5 hours ago",
    "3-10 November",
  ])
    expect((await readPeriod(words, now)).from, words).toBeLessThan(now);
});
