import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { when } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By, useAuthorName } from "../../ui/author.tsx";
import { Empty } from "../../ui/states.tsx";
import { askName } from "./ask-of.ts";

type Request = Schemas["ApprovalRequest"];
type Entry = Schemas["AuditEntry"];

/** Of the newest, as the audit log of this device has them. */
const MOST_READ = 200;

/** What was decided, by whom: requests on any device, proposals on this one. */
export function Decided({ most = MOST_READ }: { readonly most?: number }) {
  const { t } = useReader();
  const { space } = useAddress();
  const limit = Math.min(most, MOST_READ);
  const requests = useCall("requestsList", { space }).data?.requests ?? [];
  const accepted = useCall("auditList", { space, operation: "accept", limit }).data?.entries ?? [];
  const rejected = useCall("auditList", { space, operation: "reject", limit }).data?.entries ?? [];
  const decided = [
    ...requests
      .filter(({ state }) => state !== "open")
      .map((request) => ({
        at: request.decision?.at ?? request.at,
        row: <DecidedRow key={request.id} request={request} />,
      })),
    ...[...accepted, ...rejected]
      .filter(({ of }) => of === "proposal")
      .map((entry) => ({ at: entry.at, row: <ProposalsRow key={entry.seq} entry={entry} /> })),
  ];
  if (decided.length === 0) return most === 1 ? null : <Empty title={t("review.noneDecided")} />;
  return (
    <section>
      {most === 1 && <h2>{t("review.lastDecided")}</h2>}
      {decided
        .toSorted((one, other) => other.at - one.at)
        .slice(0, most)
        .map(({ row }) => row)}
    </section>
  );
}

/** Proposals that were decided together. */
function ProposalsRow({ entry }: { readonly entry: Entry }) {
  const reader = useReader();
  const { t } = reader;
  const { to } = useAddress();
  const { operation, memories = 0, at } = entry;
  const isAccepted = operation === "accept";
  const n = typeof memories === "number" ? memories : memories.length;
  const [first] = typeof memories === "number" ? [] : memories;
  const text = t("review.proposalsN", { n });
  return (
    <div className="chg">
      <span className={isAccepted ? "k a" : "k x"}>
        {t(isAccepted ? "review.acceptedWord" : "review.rejectedWord")}
      </span>
      <div>
        {isAccepted && n === 1 && first !== undefined ? (
          <Link className="txt textlink" href={to(`/memory/${first}`)}>
            {text}
          </Link>
        ) : (
          <p className="txt">{text}</p>
        )}
      </div>
      <div>
        <By by={entry} />
        <p className="f">{when(reader, at)}</p>
      </div>
    </div>
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
