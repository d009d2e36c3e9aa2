import { useAddress } from "../../address/use-address.ts";
import { type Answer, call } from "../../api/client.ts";
import type { Schemas } from "../../api/interface.ts";
import { useCall } from "../../api/use-call.ts";
import { when } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { By, deviceOf } from "../../ui/author.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { useWrite } from "../../ui/use-write.ts";
import { Words } from "../../ui/words.tsx";
import { askName } from "./ask-of.ts";
import { Inbox } from "./inbox.tsx";
import { NothingWaits } from "./nothing-waits.tsx";

type Request = Schemas["ApprovalRequest"];

/** What agents ask to be allowed. */
export function Asks() {
  const { t } = useReader();
  const { space } = useAddress();
  const { data, error, isPending } = useCall("requestsList", { space, state: "open" });
  const decide = useDecide();
  if (error !== null) return <Failed error={error} />;
  if (isPending) return <Loading />;
  const requests = data.requests;
  if (requests.length === 0) return <NothingWaits />;
  return (
    <Inbox
      items={requests.map((request) => ({
        id: request.id,
        row: <Row request={request} />,
        isStale: request.moved,
      }))}
      acceptText={() => t("review.approve")}
      rejectText={t("review.decline")}
      onAccept={decide("requestsApprove")}
      onReject={decide("requestsDecline")}
    >
      {(id) => {
        const request = requests.find((each) => each.id === id);
        return request === undefined ? null : <Opened request={request} />;
      }}
    </Inbox>
  );
}

function useDecide() {
  const { space } = useAddress();
  const write = useWrite();
  return (name: "requestsApprove" | "requestsDecline") => async (ids: readonly string[]) => {
    const isGranted = name === "requestsApprove";
    const done = isGranted ? "review.doneAccept" : "review.doneReject";
    const undos: (() => Promise<unknown>)[] = [];
    for (const [index, request] of ids.entries()) {
      const values = () => ({ n: index + 1 });
      const undo = async () => {
        for (const each of undos.toReversed()) await each();
      };
      const answer = await write(
        name,
        { space, request },
        {
          done,
          values,
          undoFor: (made) => {
            const own = undoOf(space, made);
            if (own !== undefined) undos.push(own);
            return own === undefined ? undefined : undo;
          },
        },
      );
      if (answer === undefined) return;
    }
  };
}

/** Of what was done in an agent's name; undefined where that was no change, or nothing was done. */
function undoOf(space: string, made: Answer<"requestsApprove" | "requestsDecline">) {
  if (!("request" in made)) return undefined;
  const { change, request } = made;
  const { branch = "main", operation } = request;
  if (change !== undefined) return () => call("undo", { space, branch, change });
  if (operation !== "delete-branch" || request.branch === undefined) return undefined;
  return () => call("branchesRestore", { space, branch });
}

function Row({ request }: { readonly request: Request }) {
  const reader = useReader();
  return (
    <>
      <span className="txt">{askName(reader.t, request.operation)}</span>
      <span className="f block">
        <By by={request.by} />, {when(reader, request.at)}
      </span>
    </>
  );
}

const MOST_SHOWN = 8;

function Opened({ request }: { readonly request: Request }) {
  const reader = useReader();
  const { t } = reader;
  const { space, moment } = useAddress();
  const decide = useDecide();
  const { data } = useCall("requestsPreview", { space, request: request.id });
  const ids = data?.now?.ids ?? request.preview.ids;
  return (
    <section className="card">
      <p className="row">
        <By by={request.by} />
        <span className="f">{deviceOf(reader, request.by)}</span>
      </p>
      <h2 className="lead">{askName(t, request.operation)}</h2>
      {request.reason !== undefined && <Words text={request.reason} />}
      <p className="m">{t("review.touches", { n: ids.length })}</p>
      {request.moved && <p className="warn">{t("review.moved")}</p>}
      {!request.moved && data?.problem !== undefined && <p className="warn">{data.problem}</p>}
      {ids.slice(0, MOST_SHOWN).map((id) => (
        <Touched key={id} id={id} branch={request.branch ?? "main"} />
      ))}
      {ids.length > MOST_SHOWN && <p className="f">{t("event.more", { n: ids.length - MOST_SHOWN })}</p>}
      <p className="f">
        {t("review.until", { when: when(reader, request.at), until: when(reader, request.expiresAt) })}
      </p>
      {moment === undefined && (
        <div className="row wrapx decide">
          <button
            type="button"
            className="btn p"
            disabled={request.moved}
            onClick={() => void decide("requestsApprove")([request.id])}
          >
            {t("review.approve")} <kbd>A</kbd>
          </button>
          <button type="button" className="btn" onClick={() => void decide("requestsDecline")([request.id])}>
            {t("review.decline")} <kbd>X</kbd>
          </button>
          <p className="f">{t("review.final")}</p>
        </div>
      )}
    </section>
  );
}

function Touched({ id, branch }: { readonly id: string; readonly branch: string }) {
  const { space } = useAddress();
  const { data } = useCall("get", { space, branch, id });
  return data === undefined ? null : (
    <div className="touched">
      <Words text={data.content} className="txt clamp" />
    </div>
  );
}
