import { useAddress } from "../address/use-address.ts";
import { type Answer, type ApiError, NO_SESSION, UNREACHED } from "../api/client.ts";
import { useLive } from "../api/live.tsx";
import { useCall } from "../api/use-call.ts";
import { ago, lengthOf } from "../i18n/dates.ts";
import { refusalText } from "../i18n/refusals.ts";
import { type Translate, useReader } from "../i18n/text.ts";
import { Popup } from "../ui/popup.tsx";
import { wordsOf } from "../ui/states.tsx";
import { useBehind } from "./use-behind.ts";

function lostWord({ code }: ApiError) {
  if (code === UNREACHED) return "sync.unreached";
  return code === NO_SESSION ? "sync.signedOut" : "sync.unread";
}

interface LostProps {
  readonly lost: ApiError;
  readonly isShort: boolean;
}

/** What is shown may be old, and what to do about it. */
function Lost({ lost, isShort }: LostProps) {
  const { t, language } = useReader();
  const word = t(lostWord(lost));
  const [, key] = wordsOf(lost);
  const hint = key === undefined ? refusalText(lost, language) : t(key);
  const button = (
    <>
      <strong>
        <span className="dot offline" />
        {word}
      </strong>
      {!isShort && <span className="f">{hint}</span>}
    </>
  );
  return (
    <Popup className="sync" button={button}>
      {() => (
        <div className="menu-text">
          <h2>{word}</h2>
          <p>{hint}</p>
        </div>
      )}
    </Popup>
  );
}

/**
 * A branch that nobody else has repeats the changes of the one that it was made from, so only those of the branch that
 * is shown are counted.
 */
function waitsOf(t: Translate, { relay, branch, documents }: Answer<"status">): string | undefined {
  if (relay.pending === 0) return undefined;
  const shown = documents.find(({ kind, name }) => kind === "branch" && name === branch.name);
  const n = shown?.pending ?? 0;
  return n === 0 ? t("sync.waitsSome") : t("sync.waits", { n });
}

/** Where the memories stand with other devices, in one word; a click says the rest. */
export function SyncWord({ isShort = false }: { readonly isShort?: boolean }) {
  const reader = useReader();
  const { t } = reader;
  const { space, branch } = useAddress();
  const { lost } = useLive();
  const { data } = useCall("status", { space, branch });
  const behind = useBehind();
  if (lost !== undefined) return <Lost {...{ lost, isShort }} />;
  if (data === undefined) return <span className="sync" role="status" />;
  const { relay } = data;
  const waits = waitsOf(t, data);
  const [latest] = behind.toSorted((one, other) => one.since - other.since);
  const word = t(`sync.${relay.state}`);
  const button = (
    <>
      <strong>
        <span className={`dot ${relay.state}`} />
        {word}
      </strong>
      {!isShort && waits !== undefined && <span className="f">{waits}</span>}
      {!isShort && waits === undefined && latest !== undefined && (
        <span className="f">
          {t("sync.behind", { name: latest.name, time: lengthOf(reader, Date.now() - latest.since) })}
        </span>
      )}
    </>
  );
  const facts = [
    ...(waits === undefined ? [] : [waits]),
    ...behind.map(({ name, since }) =>
      t("sync.behind", { name, time: lengthOf(reader, Date.now() - since) }),
    ),
    ...(relay.missing > 0 ? [t("sync.missing", { n: relay.missing })] : []),
    ...(relay.reason === undefined ? [] : [relay.reason]),
    ...data.notices,
  ];
  return (
    <Popup className="sync" button={button}>
      {() => (
        <div className="menu-text">
          <h2>{word}</h2>
          {relay.state === "none" && <p>{t("sync.alone")}</p>}
          {facts.map((fact) => (
            <p key={fact}>{fact}</p>
          ))}
          {relay.state !== "none" && facts.length === 0 && <p>{t("sync.nothing")}</p>}
          {relay.state === "offline" && <p>{t("sync.here")}</p>}
          {relay.lastReceiptAt !== null && (
            <p className="f">{t("sync.last", { when: ago(reader, relay.lastReceiptAt) })}</p>
          )}
        </div>
      )}
    </Popup>
  );
}
