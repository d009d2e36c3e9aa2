import { useAddress } from "../address/use-address.ts";
import { fullDate } from "../i18n/dates.ts";
import { useReader } from "../i18n/text.ts";
import { TimeLine } from "./time-line.tsx";

/** Below Memories and one memory: the moment that they show. */
export function TimeStrip() {
  const reader = useReader();
  const { moment } = useAddress();
  return (
    <section className="strip" aria-label={reader.t("strip.label")}>
      <div className="at">
        <b>{moment === undefined ? reader.t("common.now") : fullDate(reader, moment.time)}</b>
        <span className="f">{reader.t(moment === undefined ? "strip.drag" : "strip.looking")}</span>
      </div>
      <TimeLine size={7} />
    </section>
  );
}
