import { type ReactNode, useId, useState } from "react";
import { momentOf } from "../../address/address.ts";
import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { addDays, dayOf, weekdayDate } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { Segment } from "../../ui/segment.tsx";
import { Empty, Failed, Loading } from "../../ui/states.tsx";
import { Head } from "../../ui/title.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { ChangeRow } from "../changes/change-row.tsx";
import { type Change, changesIn } from "../changes/changes.ts";
import { TimelineTabs } from "./timeline-tabs.tsx";

const PAGE_SIZE = 60;
const WEEK = 7;
const KINDS = ["all", "added", "changed", "gone"] as const;
type Kind = (typeof KINDS)[number];

export function CompareView() {
  const reader = useReader();
  const { t } = reader;
  const { space, branch, params, set } = useAddress();
  const from = params.get("from") ?? addDays(dayOf(Date.now()), -WEEK);
  const until = params.get("until");
  const refOf = (text: string | null) => {
    const moment = momentOf(text);
    return moment === undefined ? branch : `${branch}@${new Date(moment.time).toISOString()}`;
  };
  const today = dayOf(Date.now());
  const weekdayIn = (text: string | null) => {
    const moment = momentOf(text);
    return moment === undefined ? undefined : weekdayDate(reader, moment.time);
  };
  const { data, error, isPending } = useCall("diff", { space, from: refOf(from), to: refOf(until) });
  return (
    <>
      <Head title={t("compare.title")} lead={t("compare.lead")}>
        <TimelineTabs />
      </Head>
      <div className="cmpbar">
        <Day
          label={t("compare.then")}
          day={momentOf(from)?.day ?? ""}
          said={weekdayIn(from)}
          onChoose={(day) => set({ from: day })}
        />
        <span className="mid">{t("compare.to")}</span>
        <Day
          label={t("compare.until")}
          day={momentOf(until)?.day ?? today}
          said={weekdayIn(until) ?? t("common.now")}
          onChoose={(day) => set({ until: day === "" || day >= today ? null : day })}
        >
          {until !== null && (
            <button type="button" className="textlink" onClick={() => set({ until: null })}>
              {t("common.now")}
            </button>
          )}
        </Day>
      </div>
      {error !== null && <Failed error={error} />}
      {isPending && <Loading />}
      {data !== undefined && error === null && (
        <Differences changes={changesIn(data)} isUntilNow={until === null} />
      )}
    </>
  );
}

interface DayProps {
  readonly label: string;
  readonly day: string;
  /** The same in words. */
  readonly said: string | undefined;
  readonly onChoose: (day: string) => void;
  readonly children?: ReactNode;
}

function Day({ label, day, said, onChoose, children }: DayProps) {
  const id = useId();
  return (
    <div className="card">
      <label className="f" htmlFor={id}>
        {label}
      </label>
      <div className="row">
        <input
          id={id}
          type="date"
          className="field fit"
          max={dayOf(Date.now())}
          value={day}
          onChange={({ target }) => onChoose(target.value)}
        />
        {said !== undefined && <span className="m">{said}</span>}
        {children}
      </div>
    </div>
  );
}

function Differences({
  changes,
  isUntilNow,
}: {
  readonly changes: readonly Change[];
  readonly isUntilNow: boolean;
}) {
  const { t } = useReader();
  const { params, set } = useAddress();
  const kind = (params.get("show") ?? "all") as Kind;
  const isApart = params.has("side");
  const [most, setMost] = useState(PAGE_SIZE);
  const of = (name: Kind) => (name === "all" ? changes : changes.filter((change) => change.kind === name));
  const shown = of(kind);
  const textOf = (name: Kind) => t(name === "all" ? "common.all" : `compare.${name}`, { n: of(name).length });
  return (
    <>
      <div className="row wrapx tools">
        <Segment
          label={t("memories.filters")}
          chosen={kind}
          choices={KINDS.map((name) => [name, textOf(name)])}
          onChoose={(name) => set({ show: name === "all" ? null : name })}
        />
        <span className="grow" />
        <Segment
          label={t("compare.how")}
          chosen={isApart ? "apart" : "words"}
          choices={[
            ["words", t("compare.inWords")],
            ["apart", t("compare.apart")],
          ]}
          onChoose={(name) => set({ side: name === "apart" ? "1" : null })}
        />
      </div>
      {shown.length === 0 && <Empty title={t("compare.same")} />}
      {shown.slice(0, most).map((change) => (
        <ChangeRow key={change.memory.id} change={change} isApart={isApart}>
          {isUntilNow && change.kind === "gone" && <BringBack id={change.memory.id} />}
        </ChangeRow>
      ))}
      {shown.length > most && (
        <div className="row note">
          <span className="f">{t("compare.showing", { shown: most, n: shown.length })}</span>
          <button type="button" className="btn s" onClick={() => setMost(most + PAGE_SIZE * 4)}>
            {t("common.more")}
          </button>
        </div>
      )}
    </>
  );
}

function BringBack({ id }: { readonly id: string }) {
  const { t } = useReader();
  const { space, branch } = useAddress();
  const write = useWrite();
  return (
    <button
      type="button"
      className="textlink"
      onClick={() => void write("restore", { space, branch, id }, { done: "done.restored" })}
    >
      {t("change.bringBack")}
    </button>
  );
}
