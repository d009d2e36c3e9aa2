import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAddress } from "../../address/use-address.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { when } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { deviceOf, shownAuthor, useAuthorName } from "../../ui/author.tsx";
import { useHere } from "../../ui/here.tsx";
import { Empty } from "../../ui/states.tsx";
import { languageOf } from "../../ui/words.tsx";
import { askName } from "./ask-of.ts";

type Request = Schemas["ApprovalRequest"];
type Decision = Schemas["ProposalDecision"];
type Caller = Schemas["Caller"];

const MOST_READ = 200;
const MOST_WORDED = 3;

/** What was decided on any device, and by whom: requests and proposals. */
export function Decided({ most = MOST_READ }: { readonly most?: number }) {
  const { t } = useReader();
  const { space } = useAddress();
  const asked = useCall("requestsList", { space });
  const proposed = useCall("proposalDecisions", { space, limit: Math.min(most, MOST_READ) });
  if (asked.data === undefined || proposed.data === undefined) return null;
  const decided = [
    ...asked.data.requests
      .filter(({ state }) => state !== "open")
      .map((request) => ({
        at: request.decision?.at ?? request.at,
        row: <DecidedRequest key={request.id} request={request} />,
      })),
    ...proposed.data.decisions.map((decision) => ({
      at: decision.at,
      row: <DecidedProposals key={decision.id} decision={decision} />,
    })),
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

/** Proposals that were decided together: the first ones in words. */
function DecidedProposals({ decision: { decision, by, at, count, proposals, agents } }: DecidedProps) {
  const { t } = useReader();
  const nameOf = useAuthorName();
  const names = agents.map((agent) => nameOf({ agent })).join(", ");
  const worded = proposals.slice(0, MOST_WORDED);
  return (
    <DecidedRow isGood={decision !== "reject"} word={t(`review.decided.${decision}`)} by={by} at={at}>
      {worded.map((proposal) => (
        <Proposed key={proposal.id} proposal={proposal} isRejected={decision === "reject"} />
      ))}
      {count > worded.length && <p className="m">{t("review.andMore", { n: count - worded.length })}</p>}
      {names !== "" && <p className="f">{t("review.proposedBy", { names })}</p>}
    </DecidedRow>
  );
}

interface DecidedProps {
  readonly decision: Decision;
}

interface ProposedProps {
  readonly proposal: Decision["proposals"][number];
  readonly isRejected: boolean;
}

/** A memory that was only proposed is nowhere to be opened. */
function Proposed({ proposal: { id, kind, text }, isRejected }: ProposedProps) {
  const { t } = useReader();
  const { to } = useAddress();
  const words = text === undefined ? t("review.noWords") : <bdi lang={languageOf(text)}>{text}</bdi>;
  return (
    <p className="txt clip">
      {kind === "hidden" && <span className="m">{t("review.toHide")} </span>}
      {kind === "added" && isRejected ? (
        words
      ) : (
        <Link className="textlink" href={to(`/memory/${id}`)}>
          {words}
        </Link>
      )}
    </p>
  );
}

function DecidedRequest({ request }: { readonly request: Request }) {
  const { t } = useReader();
  const nameOf = useAuthorName();
  const { state, by, at, decision, preview, operation } = request;
  if (state === "open") return null;
  return (
    <DecidedRow
      isGood={state === "approved"}
      word={t(`review.${state}`)}
      by={decision?.by}
      at={decision?.at ?? at}
    >
      <p className="txt">{askName(t, operation)}</p>
      <p className="f">
        {t("review.askedBy", { name: nameOf(by) })} {t("review.touches", { n: preview.ids.length })}
      </p>
    </DecidedRow>
  );
}

interface RowProps {
  readonly isGood: boolean;
  readonly word: string;
  /** Nobody, where time has decided. */
  readonly by: Caller | undefined;
  readonly at: number;
  readonly children: ReactNode;
}

/** What was decided, about what, and by whom on which device. */
function DecidedRow({ isGood, word, by, at, children }: RowProps) {
  const reader = useReader();
  const here = useHere();
  const author = by && shownAuthor(reader, by, here);
  return (
    <div className="chg said">
      <span className={isGood ? "k a" : "k x"}>{word}</span>
      <div>{children}</div>
      <div>
        {by !== undefined && author !== undefined && (
          <>
            <span className={author.hue === undefined ? "by you" : `by h${author.hue}`}>{author.name}</span>
            <p className="f">{deviceOf(reader, by)}</p>
          </>
        )}
        <p className="f">{when(reader, at)}</p>
      </div>
    </div>
  );
}
