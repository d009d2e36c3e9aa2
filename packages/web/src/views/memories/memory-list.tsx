import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { date, dayName, startOfDay, weekday, weekdayDate } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { SCROLL_ID } from "../../shell/scroll.ts";
import { useKeys } from "../../ui/use-keys.ts";
import { MemoryRow } from "./memory-row.tsx";
import { type Row, rowsOf } from "./rows.ts";
import type { Listed } from "./use-memories.ts";

const ROW_HEIGHT = 76;
const DAY_HEIGHT = 52;
const OVERSCAN = 8;

interface MemoryListProps {
  readonly listed: Listed;
  readonly isByDay: boolean;
}

/** Only the rows that can be seen, and a few more. */
export function MemoryList({ listed, isByDay }: MemoryListProps) {
  const { memories, hasMore, loadMore } = listed;
  const rows = useMemo(() => rowsOf(memories, isByDay), [memories, isByDay]);
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => setMargin(list.current?.offsetTop ?? 0), []);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => document.getElementById(SCROLL_ID),
    estimateSize: (index) => (rows[index]?.kind === "day" ? DAY_HEIGHT : ROW_HEIGHT),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin: margin,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - OVERSCAN * 2) loadMore();
  }, [hasMore, last, rows.length, loadMore]);
  useRowKeys(list);
  return (
    <div ref={list} className="items" style={{ height: virtual.getTotalSize() }}>
      {items.map(({ index, key, start }) => (
        <div
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          className="item"
          style={{ transform: `translateY(${start - margin}px)` }}
        >
          <Shown row={rows[index]} isByDay={isByDay} />
        </div>
      ))}
    </div>
  );
}

function Shown({ row, isByDay }: { readonly row: Row | undefined; readonly isByDay: boolean }) {
  if (row === undefined) return null;
  if (row.kind === "memory") return <MemoryRow memory={row.memory} isByDay={isByDay} />;
  return <Day day={row.day} />;
}

/** The day of the week, and the date where the name does not say it. */
function Day({ day }: { readonly day: string }) {
  const reader = useReader();
  const time = startOfDay(day);
  const isNear = dayName(reader, day) !== date(reader, time);
  return (
    <div className="day">
      <h2>{dayName(reader, day)}</h2>
      <span className="f">{isNear ? weekdayDate(reader, time) : weekday(reader, time)}</span>
    </div>
  );
}

/** J and K go from row to row. */
function useRowKeys(list: React.RefObject<HTMLElement | null>): void {
  const step = (by: 1 | -1) => () => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("a.mem") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    const next = links[at === -1 ? 0 : at + by];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
  };
  useKeys({ j: step(1), k: step(-1) });
}
