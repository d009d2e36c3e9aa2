import { useMemo } from "react";
import { useAddress } from "../../address/use-address.ts";
import { date, dayName, startOfDay, weekday } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { EpisodeRow } from "./episode-row.tsx";
import { type EpisodeDay, episodeDays } from "./episodes.ts";
import type { ListedEpisodes } from "./use-episodes.ts";

const DAY_HEIGHT = 120;
const OVERSCAN = 4;
const heightOf = () => DAY_HEIGHT;
const keyOf = ({ day }: EpisodeDay) => day;

/** Days, newest first. */
export function EpisodeList({ listed }: { readonly listed: ListedEpisodes }) {
  const { episodes, hasMore, loadMore } = listed;
  const days = useMemo(() => episodeDays(episodes), [episodes]);
  const shared = { keyOf, heightOf, overscan: OVERSCAN, hasMore, loadMore };
  return (
    <VirtualList items={days} {...shared}>
      {(shown) => <Day shown={shown} />}
    </VirtualList>
  );
}

function Day({ shown }: { readonly shown: EpisodeDay }) {
  const reader = useReader();
  const { moment } = useAddress();
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
