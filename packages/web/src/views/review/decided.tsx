import { useAddress } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { when } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By, useAuthorName } from "../../ui/author.tsx";
import { Empty } from "../../ui/states.tsx";
import { askName } from "./ask-of.ts";

type Request = Schemas["ApprovalRequest"];

/** Who decided what. */
export function Decided({ most = 200 }: { readonly most?: number }) {
  const { t } = useReader();
  const { space } = useAddress();
  const { data } = useCall("requestsList", { space });
  const decided = (data?.requests ?? []).filter(({ state }) => state !== "open");
  if (decided.length === 0) return most === 1 ? null : <Empty title={t("review.noneDecided")} />;
  return (
    <section>
      {most === 1 && <h2>{t("review.lastDecided")}</h2>}
      {decided
        .toSorted((one, other) => (other.decision?.at ?? other.at) - (one.decision?.at ?? one.at))
        .slice(0, most)
        .map((request) => (
          <DecidedRow key={request.id} request={request} />
        ))}
    </section>
  );
}

function DecidedRow({ request }: { readonly request: Request }) {
  const { state, by, at, decision, preview } = request;
  const reader = useReader();
  const { t } = reader;
  const nameOf = useAuthorName();
  const isGranted = state === "approved";
  return (
    <div className="chg">
      <span className={isGranted ? "k a" : "k x"}>{state === "open" ? "" : t(`review.${state}`)}</span>
      <div>
        <p className="txt">{askName(t, request.operation)}</p>
        <p className="f">{t("review.touches", { n: preview.ids.length })}</p>
      </div>
      <div>
        <By by={by} />
        <p className="f">
          {decision === undefined ? when(reader, at) : `${nameOf(decision.by)}, ${when(reader, decision.at)}`}
        </p>
      </div>
    </div>
  );
}
