import { useMemo, useRef } from "react";
import { useAddress } from "../../address/use-address.ts";
import { date, dayName, startOfDay, weekday, weekdayDate } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { useDays } from "../../time/use-days.ts";
import { useLater } from "../../time/use-since.ts";
import { useKeys } from "../../ui/use-keys.ts";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { isNarrowed } from "./filters.ts";
import { MemoryRow } from "./memory-row.tsx";
import { type Row, rowsOf } from "./rows.ts";
import type { Listed } from "./use-memories.ts";

const ROW_HEIGHT = 76;
const DAY_HEIGHT = 52;
const OVERSCAN = 8;
const heightOf = ({ kind }: Row) => (kind === "day" ? DAY_HEIGHT : ROW_HEIGHT);
const keyOf = ({ key }: Row) => key;

interface MemoryListProps {
  readonly listed: Listed;
  readonly isByDay: boolean;
}

export function MemoryList({ listed, isByDay }: MemoryListProps) {
  const { memories, hasMore, loadMore } = listed;
  const rows = useMemo(() => rowsOf(memories, isByDay), [memories, isByDay]);
  const later = useLater(memories);
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  const shared = { keyOf, heightOf, overscan: OVERSCAN, hasMore, loadMore };
  return (
    <VirtualList items={rows} ref={list} {...shared}>
      {(row) =>
        row.kind === "memory" ? (
          <MemoryRow memory={row.memory} isByDay={isByDay} later={later.get(row.memory.id)} />
        ) : (
          <Day day={row.day} />
        )
      }
    </VirtualList>
  );
}

/** The day of the week, the date where the name does not say it, and how much was written, if all of it is shown. */
function Day({ day }: { readonly day: string }) {
  const reader = useReader();
  const { counts } = useDays();
  const time = startOfDay(day);
  const isNear = dayName(reader, day) !== date(reader, time);
  const { params } = useAddress();
  const changes = isNarrowed(params) ? undefined : counts.get(day);
  return (
    <div className="day">
      <h2>{dayName(reader, day)}</h2>
      <span className="f">
        {isNear ? weekdayDate(reader, time) : weekday(reader, time)}
        {changes !== undefined && `, ${reader.t("memories.changes", { n: changes })}`}
      </span>
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
