import { Link } from "wouter";
import { useAddress, useShown } from "../address/use-address.ts";
import { useCall } from "../api/use-call.ts";
import { fullDate } from "../i18n/dates.ts";
import { useReader } from "../i18n/text.ts";
import { useSince } from "../time/use-since.ts";

/** Says that the page shows the past, and leads back. */
export function Banner() {
  const reader = useReader();
  const { t } = reader;
  const { moment, to, set } = useAddress();
  if (moment === undefined) return null;
  return (
    <div className="banner" role="status">
      <div className="grow">
        <b>{t("past.known", { date: fullDate(reader, moment.time) })}</b>
        <Since />
      </div>
      <Link className="btn wide" href={to("/compare", { from: moment.text, at: null })}>
        {t("past.what")}
      </Link>
      <Link className="btn wide" href={to("/goback", { to: moment.text, at: null })}>
        {t("past.goback")}
      </Link>
      <button type="button" className="btn p" onClick={() => set({ at: null })}>
        {t("past.now")} <kbd>Esc</kbd>
      </button>
    </div>
  );
}

function Since() {
  const { t } = useReader();
  const data = useSince();
  const facets = useCall("facets", useShown()).data;
  if (data === undefined) return <span>{t("strip.looking")}</span>;
  const { created, changed, deleted } = data;
  const then = facets === undefined ? "" : `${t("past.counts", { n: facets.total })} `;
  return (
    <span>
      {then}
      {t("past.since", { added: created, changed, gone: deleted })}
    </span>
  );
}
