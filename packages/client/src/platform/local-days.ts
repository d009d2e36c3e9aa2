/**
 * Days of a time zone: each a number, counted from 1 January 1970 there.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";

const DAY_MS = 86_400_000;
/** No zone changes its clocks twice within it. */
const STEP_MS = 21 * DAY_MS;
const MINUTE_MS = 60_000;
/** 1 January 1970 was a Thursday. */
const THURSDAY = 3;

/** From `from` on, clocks are ahead of UTC by so much. */
interface Offset {
  readonly from: number;
  readonly ms: number;
}

export type DayUnit = "day" | "week" | "month";

export class LocalDays {
  readonly timeZone: string;
  readonly #format: Intl.DateTimeFormat;

  /** @throws {CambiumError} BAD_INPUT when there is no such zone */
  constructor(timeZone: string | undefined) {
    try {
      this.#format = new Intl.DateTimeFormat("en-US", {
        ...{ timeZone, hourCycle: "h23", era: "short" },
        ...{ year: "numeric", month: "numeric", day: "numeric" },
        ...{ hour: "numeric", minute: "numeric", second: "numeric" },
      });
    } catch (cause) {
      throw new CambiumError("BAD_INPUT", `There is no time zone ${JSON.stringify(timeZone)}.`, {
        hint: "Give its name, such as `Europe/Zurich` or `UTC`.",
        cause,
      });
    }
    this.timeZone = this.#format.resolvedOptions().timeZone;
  }

  dayOf(at: number): number {
    return Math.floor((at + this.#offsetAt(at)) / DAY_MS);
  }

  /** When a day begins, in milliseconds since 1970. */
  startOf(day: number): number {
    const wall = day * DAY_MS;
    const guess = wall - this.#offsetAt(wall);
    return wall - this.#offsetAt(guess);
  }

  /** The first day of the week, from Monday on, or of the month; and the first one after it. */
  periodOf(day: number, unit: DayUnit): readonly [first: number, next: number] {
    if (unit === "day") return [day, day + 1];
    if (unit === "week") {
      const first = Math.floor((day + THURSDAY) / 7) * 7 - THURSDAY;
      return [first, first + 7];
    }
    const date = new Date(day * DAY_MS);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return [Date.UTC(year, month) / DAY_MS, Date.UTC(year, month + 1) / DAY_MS];
  }

  /** The day of a time in SQL, with what stands for its question marks; right from `since` to `until`. */
  sqlDay(
    column: string,
    since: number,
    until: number,
  ): { readonly sql: string; readonly parameters: number[] } {
    const [first, ...later] = this.#offsets(since, until);
    const cases = later
      .map(() => `WHEN ${column} >= ? THEN ?`)
      .reverse()
      .join(" ");
    const offset = later.length === 0 ? "?" : `CASE ${cases} ELSE ? END`;
    const parameters = later.toReversed().flatMap(({ from, ms }) => [from, ms]);
    return {
      sql: `CAST(floor((${column} + ${offset}) / ${DAY_MS}.0) AS INTEGER)`,
      parameters: [...parameters, first?.ms ?? 0],
    };
  }

  #offsets(since: number, until: number): readonly Offset[] {
    const offsets: Offset[] = [{ from: since, ms: this.#offsetAt(since) }];
    for (let at = since; at < until; at += STEP_MS) {
      const [before, next] = [this.#offsetAt(at), Math.min(at + STEP_MS, until)];
      const ms = this.#offsetAt(next);
      if (ms !== before) offsets.push({ from: this.#changeBetween(at, next, before), ms });
    }
    return offsets;
  }

  /** To the minute. */
  #changeBetween(start: number, end: number, before: number): number {
    let [low, high] = [Math.floor(start / MINUTE_MS), Math.ceil(end / MINUTE_MS)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle * MINUTE_MS) === before) low = middle;
      else high = middle;
    }
    return high * MINUTE_MS;
  }

  #offsetAt(at: number): number {
    const second = Math.floor(at / 1_000) * 1_000;
    const parts = Object.fromEntries(
      this.#format.formatToParts(second).map(({ type, value }) => [type, value]),
    );
    const { year, month, day, hour, minute, second: seconds } = parts;
    return (
      Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(seconds)) -
      second
    );
  }
}

/** As `2026-03-03`. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
