import { useAddress } from "../address/use-address.ts";
import { dayOf, fullDate } from "../i18n/dates.ts";
import { useReader } from "../i18n/text.ts";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Popup } from "../ui/popup.tsx";
import { TimeLine } from "./time-line.tsx";

/** Below Memories and one memory: the moment that they show. */
export function TimeStrip() {
  const reader = useReader();
  const { moment, set } = useAddress();
  const today = dayOf(Date.now());
  return (
    <section className="strip" aria-label={reader.t("strip.label")}>
      <div className="at">
        <Popup
          className="moment"
          button={
            <>
              <b>{moment === undefined ? reader.t("common.now") : fullDate(reader, moment.time)}</b>
              <Icon name="down" />
              <span className="vh">{reader.t("strip.choose")}</span>
            </>
          }
        >
          {(close) => (
            <div className="menu-text">
              <Field
                label={reader.t("strip.choose")}
                type="date"
                max={today}
                value={moment?.day ?? ""}
                onChange={(day) => {
                  set({ at: day === "" || day >= today ? null : day });
                  if (day === "") close();
                }}
              />
            </div>
          )}
        </Popup>
        <span className="f">{reader.t(moment === undefined ? "strip.drag" : "strip.looking")}</span>
      </div>
      <TimeLine size={7} />
    </section>
  );
}
