import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { Flags } from "../../time/flags.tsx";
import { TimeLine } from "../../time/time-line.tsx";
import { useDays } from "../../time/use-days.ts";
import { Segment } from "../../ui/segment.tsx";
import { Empty, Failed, Loading } from "../../ui/states.tsx";
import { Head } from "../../ui/title.tsx";
import { FilterButton } from "../memories/filter-bar.tsx";
import { EpisodeList } from "./episode-list.tsx";
import { KINDS, type Kind } from "./episodes.ts";
import { TimelineTabs } from "./timeline-tabs.tsx";
import { useEpisodes } from "./use-episodes.ts";

export function TimelineView() {
  const t = useText();
  const { params, set } = useAddress();
  const { flags } = useDays();
  const isDays = params.get("zoom") === "days";
  const kind = (params.get("kind") ?? "everything") as Kind;
  const listed = useEpisodes(kind);
  return (
    <>
      <Head title={t("nav.timeline")} lead={t("timeline.lead")}>
        <TimelineTabs />
      </Head>
      <section className="card big" aria-label={t("strip.label")}>
        <TimeLine size={isDays ? 1 : 7}>
          {({ day, placeOf }) => <Flags flags={flags} day={day} placeOf={placeOf} />}
        </TimeLine>
      </section>
      <div className="row wrapx tools">
        <fieldset className="filters grow">
          <legend className="vh">{t("memories.filters")}</legend>
          {KINDS.map((name) => (
            <button
              key={name}
              type="button"
              className={name === kind ? "fl on" : "fl"}
              aria-pressed={name === kind}
              onClick={() => set({ kind: name === "everything" ? null : name })}
            >
              {t(`timeline.${name}`)}
            </button>
          ))}
          <FilterButton name="agent" />
        </fieldset>
        <Segment
          label={t("timeline.zoom")}
          chosen={isDays ? "days" : "weeks"}
          choices={[
            ["weeks", t("timeline.weeks")],
            ["days", t("timeline.days")],
          ]}
          onChoose={(zoom) => set({ zoom: zoom === "days" ? "days" : null })}
        />
      </div>
      {listed.error !== undefined && <Failed error={listed.error} />}
      {listed.isLoading && <Loading />}
      {!listed.isLoading && listed.error === undefined && listed.episodes.length === 0 && !listed.hasMore && (
        <Empty title={t("timeline.empty")} />
      )}
      <EpisodeList listed={listed} />
    </>
  );
}
