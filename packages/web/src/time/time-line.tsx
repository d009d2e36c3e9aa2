import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import { useAddress } from "../address/use-address.ts";
import { addDays, dayOf, fullDate, monthTick, startOfDay } from "../i18n/dates.ts";
import { useReader } from "../i18n/text.ts";
import { type Bar, barsOf, daysBetween, heightOf, type Past, pastOf } from "./bars.ts";
import { useDays } from "./use-days.ts";

/** An answer takes a few dozen milliseconds: the handle does not wait for it. */
const SETTLE_MS = 70;

interface TimeLineProps {
  readonly size: 1 | 7;
  /** Above the bars; told the day of the handle and where days stand, in percent. */
  readonly children?: (line: {
    readonly day: string;
    readonly placeOf: (day: string) => number;
  }) => ReactNode;
}

/** Bars of the past with a handle on the moment that the page shows. */
export function TimeLine({ size, children }: TimeLineProps) {
  const { day, past, counts, choose } = useScrubbing(size);
  const placeOf = (other: string) => (daysBetween(past.first, other) / Math.max(1, past.days)) * 100;
  return (
    <div className="core">
      {children?.({ day, placeOf })}
      <Bars bars={barsOf(counts, past, size)} day={day} />
      <Axis first={past.first} days={past.days} />
      <Handle day={day} first={past.first} days={past.days} onChoose={choose} />
      <div className="hand" style={{ left: `${placeOf(day)}%` }} />
    </div>
  );
}

interface HandleProps {
  readonly day: string;
  readonly first: string;
  readonly days: number;
  readonly onChoose: (day: string) => void;
}

function Handle({ day, first, days, onChoose }: HandleProps) {
  const reader = useReader();
  const isNow = day === addDays(first, days);
  return (
    <input
      type="range"
      min={0}
      max={days}
      value={daysBetween(first, day)}
      aria-label={reader.t("strip.label")}
      aria-valuetext={isNow ? reader.t("common.now") : fullDate(reader, startOfDay(day))}
      onChange={({ target }) => onChoose(addDays(first, target.valueAsNumber))}
    />
  );
}

/** The day under the handle: it follows the hand at once, and the address when the hand rests. */
function useScrubbing(size: 1 | 7) {
  const { moment, set } = useAddress();
  const { counts } = useDays();
  const today = dayOf(Date.now());
  const past = zoomed(pastOf(counts, today), size);
  const [dragged, setDragged] = useState<string>();
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = moment?.day ?? today;
  useEffect(() => {
    if (shown !== "") setDragged(undefined);
  }, [shown]);
  useEffect(() => () => clearTimeout(settling.current), []);
  const choose = (day: string) => {
    setDragged(day);
    clearTimeout(settling.current);
    settling.current = setTimeout(() => set({ at: day >= today ? null : day }, { replace: true }), SETTLE_MS);
  };
  const [, day = shown] = [past.first, dragged ?? shown].sort();
  return { day, past, counts, choose };
}

const ZOOMED_DAYS = 90;

/** Days are the last three months: more would be too thin to hit. */
function zoomed(past: Past, size: 1 | 7): Past {
  if (size === 7 || past.days <= ZOOMED_DAYS) return past;
  return { ...past, first: addDays(past.today, -ZOOMED_DAYS), days: ZOOMED_DAYS };
}

interface BarsProps {
  readonly bars: readonly Bar[];
  readonly day: string;
}

const Bars = memo(({ bars, day }: BarsProps) => {
  const most = bars.reduce((highest, { count }) => Math.max(highest, count), 0);
  return (
    <div className="bars" aria-hidden="true">
      {bars.map((bar, index) => (
        <i
          key={bar.day}
          className={bar.day > day ? "later" : ""}
          style={
            {
              height: `${heightOf(bar.count, most) * 100}%`,
              "--p": `${(index / Math.max(1, bars.length - 1)) * 100}%`,
            } as React.CSSProperties
          }
        />
      ))}
    </div>
  );
});

const MOST_TICKS = 9;

interface AxisProps {
  readonly first: string;
  readonly days: number;
}

/** Months, or fewer of them where there are many. */
const Axis = memo(({ first, days }: AxisProps) => {
  const reader = useReader();
  const months = monthsIn(first, days);
  const step = Math.ceil(months.length / MOST_TICKS);
  return (
    <div className="axis" aria-hidden="true">
      {months
        .filter((_, index) => index % step === 0)
        .map((day, index) => {
          const place = (daysBetween(first, day) / days) * 100;
          if (place > 96) return null;
          return (
            <span key={day} className={index % 2 === 1 ? "opt" : ""} style={{ left: `${place}%` }}>
              {monthTick(reader, startOfDay(day))}
            </span>
          );
        })}
    </div>
  );
});

function monthsIn(first: string, days: number): readonly string[] {
  const months: string[] = [];
  for (let index = 0; index <= days; index += 1) {
    const day = addDays(first, index);
    if (day.endsWith("-01")) months.push(day);
  }
  return months;
}
