import { useAddress } from "../address/use-address.ts";
import { useLive } from "../api/live.tsx";
import { useCall } from "../api/use-call.ts";
import { ago } from "../i18n/dates.ts";
import { useReader } from "../i18n/text.ts";
import { Popup } from "../ui/popup.tsx";

/** Where the memories stand with other devices, in one word; a click says the rest. */
export function SyncWord({ isShort = false }: { readonly isShort?: boolean }) {
  const reader = useReader();
  const { t } = reader;
  const { space, branch } = useAddress();
  const { lost } = useLive();
  const { data } = useCall("status", { space, branch });
  if (data === undefined) return <span className="sync" />;
  const { relay } = data;
  const word = lost === undefined ? t(`sync.${relay.state}`) : t("sync.unreached");
  const button = (
    <>
      <strong>
        <span className={`dot ${lost === undefined ? relay.state : "offline"}`} />
        {word}
      </strong>
      {!isShort && relay.pending > 0 && <span className="f">{t("sync.waits", { n: relay.pending })}</span>}
    </>
  );
  const facts = [
    ...(relay.pending > 0 ? [t("sync.waits", { n: relay.pending })] : []),
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
