import { useAddress } from "../../address/use-address.ts";
import { clock, dayName } from "../../i18n/dates.ts";
import { type Reader, useReader } from "../../i18n/text.ts";
import { deviceOf, shownAuthor } from "../../ui/author.tsx";
import { useHere } from "../../ui/here.tsx";
import { Diff } from "../../ui/words.tsx";
import { type ChosenVersions, nameOf } from "./use-chosen-versions.ts";
import { newestFirst, type ShownVersion, type Version, versionDays } from "./versions.ts";

interface HistoryProps {
  readonly versions: readonly Version[];
  readonly chosen: ChosenVersions;
  /** The record whose words are shown when none is chosen. */
  readonly current: string;
}

/** How a memory came to be: a click looks at a version, and never brings it back. */
export function History({ versions, chosen, current }: HistoryProps) {
  const reader = useReader();
  const { set } = useAddress();
  const [newest, before] = newestFirst(versions);
  const shown = chosen.seen?.record ?? current;
  return (
    <section className="history">
      <div className="row">
        <h2 className="grow">{reader.t("memory.history")}</h2>
        {newest !== undefined && before !== undefined && (
          <button
            type="button"
            className="btn q s"
            onClick={() => set({ from: nameOf(before), to: nameOf(newest), version: null })}
          >
            {reader.t("memory.compareTwo")}
          </button>
        )}
      </div>
      {versionDays(versions).map(({ day, versions: ofDay }) => (
        <div key={day}>
          <p className="f verday">
            {dayName(reader, day)}
            {ofDay.some(({ isApart }) => isApart) && `, ${reader.t("memory.apart")}`}
          </p>
          <div className={ofDay.some(({ isApart }) => isApart) ? "fork" : ""}>
            {ofDay.map((each) => (
              <Step key={each.version.record} shown={each} isChosen={each.version.record === shown} />
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}

function Step({ shown, isChosen }: { readonly shown: ShownVersion; readonly isChosen: boolean }) {
  const reader = useReader();
  const here = useHere();
  const { moment, set } = useAddress();
  const { version, before } = shown;
  const { name, hue } = shownAuthor(reader, version.by, here);
  const isLater = moment !== undefined && version.at > moment.time;
  const choose = () => set({ version: nameOf(version), from: null, to: null });
  return (
    <button
      type="button"
      className={`ver${isChosen ? " on" : ""}${isLater ? " later" : ""}`}
      aria-pressed={isChosen}
      title={isLater ? reader.t("memory.later") : undefined}
      onClick={choose}
    >
      <span className={`num ${hue === undefined ? "you" : `h${hue}`}`}>{version.version}</span>
      <span>
        <span className="row">
          <b className="grow">{name}</b>
          <span className="f">{clock(reader, version.at)}</span>
        </span>
        <span className="f block">
          {deviceOf(reader, version.by)}
          {version.reason !== undefined && <bdi> “{version.reason}”</bdi>}
        </span>
        <What reader={reader} version={version} before={before} />
      </span>
    </button>
  );
}

interface WhatProps {
  readonly reader: Reader;
  readonly version: Version;
  readonly before: Version | undefined;
}

function What({ reader: { t }, version, before }: WhatProps) {
  if (version.erased !== undefined) return <span className="m block">{t("memory.erased")}</span>;
  if (before === undefined) return <span className="m block">{t("memory.first")}</span>;
  if (version.content !== before.content)
    return <Diff before={before.content} after={version.content} className="verdiff" isShort />;
  const fields = version.changed.map((field) => t(`field.${field}`)).join(", ");
  return (
    <span className="m block">{fields === "" ? version.change.summary : t("memory.fields", { fields })}</span>
  );
}
