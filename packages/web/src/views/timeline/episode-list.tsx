import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { date, dayName, startOfDay, weekday } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { SCROLL_ID } from "../../shell/scroll.ts";
import { EpisodeRow } from "./episode-row.tsx";
import { type EpisodeDay, episodeDays } from "./episodes.ts";
import type { ListedEpisodes } from "./use-episodes.ts";

const DAY_HEIGHT = 120;
const OVERSCAN = 4;

/** Days, newest first. Only those that can be seen are drawn. */
export function EpisodeList({ listed }: { readonly listed: ListedEpisodes }) {
  const { episodes, hasMore, loadMore } = listed;
  const days = useMemo(() => episodeDays(episodes), [episodes]);
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => setMargin(list.current?.offsetTop ?? 0), []);
  const virtual = useVirtualizer({
    count: days.length,
    getScrollElement: () => document.getElementById(SCROLL_ID),
    estimateSize: () => DAY_HEIGHT,
    getItemKey: (index) => days[index]?.day ?? index,
    overscan: OVERSCAN,
    scrollMargin: margin,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= days.length - OVERSCAN) loadMore();
  }, [hasMore, last, days.length, loadMore]);
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
          <Day shown={days[index]} />
        </div>
      ))}
    </div>
  );
}

function Day({ shown }: { readonly shown: EpisodeDay | undefined }) {
  const reader = useReader();
  const { moment } = useAddress();
  if (shown === undefined) return null;
  const { day, episodes } = shown;
  const time = startOfDay(day);
  const name = dayName(reader, day);
  const isNear = name !== date(reader, time);
  const detail = isNear ? date(reader, time) : weekday(reader, time);
  return (
    <div className="tl">
      <div className="d">
        <h2>{name}</h2>
        <span className="f">{moment?.day === day ? reader.t("timeline.here") : detail}</span>
      </div>
      <div className="ev">
        {episodes.map((episode) => (
          <EpisodeRow
            key={`${episode.kind} ${episode.from} ${episode.by.agent} ${episode.by.replica}`}
            episode={episode}
          />
        ))}
      </div>
    </div>
  );
}
