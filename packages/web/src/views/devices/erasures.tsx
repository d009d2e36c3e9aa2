import { useAddress } from "../../address/use-address.ts";
import type { Answer } from "../../api/client.ts";
import { useCall } from "../../api/use-call.ts";
import { date } from "../../i18n/dates.ts";
import { type Reader, useReader } from "../../i18n/text.ts";
import { useWrite } from "../../ui/use-write.ts";

type Erasure = Answer<"erasures">["erasures"][number];

/** What was erased, and who has not said that it is gone there. */
export function Erasures() {
  const reader = useReader();
  const { t } = reader;
  const { space } = useAddress();
  const erasures = useCall("erasures", { space }).data?.erasures ?? [];
  if (erasures.length === 0) return null;
  return (
    <section className="sect">
      <h2>{t("erasures.title")}</h2>
      <table className="tblx">
        <thead>
          <tr>
            <th scope="col">{t("erasures.when")}</th>
            <th scope="col">{t("erasures.what")}</th>
            <th scope="col">{t("erasures.confirmed")}</th>
            <th scope="col">{t("erasures.waiting")}</th>
          </tr>
        </thead>
        <tbody>
          {erasures
            .toSorted((one, other) => other.at - one.at)
            .map((erasure) => (
              <Row key={erasure.id} reader={reader} erasure={erasure} />
            ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ reader, erasure }: { readonly reader: Reader; readonly erasure: Erasure }) {
  const { t } = reader;
  const { at, by, counts, reason, acknowledged, waiting, ended, refused, here, relay } = erasure;
  const listed = (names: readonly string[]) => new Intl.ListFormat(reader.locale).format(names);
  const names = (devices: Erasure["waiting"]) => devices.map(({ name }) => name);
  const pending = [...names(waiting), ...(relay === "pending" ? [t("erasures.relay")] : [])];
  const done = [...names(acknowledged), ...(relay === "destroyed" ? [t("erasures.relay")] : [])];
  return (
    <tr>
      <th scope="row">{date(reader, at)}</th>
      <td>
        {t("erase.counts", { n: counts.memories, versions: t("erase.versions", { n: counts.versions }) })}
        <p className="f">
          {by.device}
          {reason !== undefined && <bdi> “{reason}”</bdi>}
        </p>
        {here === "held" && <Held erasure={erasure} />}
      </td>
      <td>{listed(done)}</td>
      <td>
        {pending.length > 0 ? listed(pending) : ended.length === 0 && t("erasures.everywhere")}
        {ended.length > 0 && <p>{t("erasures.ended", { names: listed(names(ended)) })}</p>}
        {refused.length > 0 && (
          <p className="warn">{t("erasures.refused", { names: listed(names(refused)) })}</p>
        )}
      </td>
    </tr>
  );
}

/** Another device wants to destroy much of what is here: a person decides. */
function Held({ erasure: { id, wouldTake = 0 } }: { readonly erasure: Erasure }) {
  const { t } = useReader();
  const { space } = useAddress();
  const write = useWrite();
  const decide = (name: "acceptErasure" | "refuseErasure") => () => {
    const sure = name === "acceptErasure" ? { confirm: wouldTake } : {};
    const done = name === "acceptErasure" ? "erasures.accepted" : "erasures.kept";
    void write(name, { space, erasure: id, ...sure }, { done, undo: "none" });
  };
  return (
    <div className="warn">
      <p>{t("erasures.held", { n: wouldTake })}</p>
      <div className="row wrapx">
        <button type="button" className="btn s d" onClick={decide("acceptErasure")}>
          {t("erasures.accept", { n: wouldTake })}
        </button>
        <button type="button" className="btn s" onClick={decide("refuseErasure")}>
          {t("erasures.keep")}
        </button>
      </div>
    </div>
  );
}
