import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { type Answer, ApiError, call } from "../../api/client.ts";
import { useCall, useRefresh } from "../../api/use-call.ts";
import { useText } from "../../i18n/text.ts";
import { Failed } from "../../ui/states.tsx";
import { Copies } from "./copies.tsx";

type Checked = Answer<"verify">;

/** Whether all that is stored on this device can be read; where it cannot, what is fine and where a copy is. */
export function StoreSection() {
  const t = useText();
  const { space } = useAddress();
  const damage = useCall("status", { space }).data?.damage;
  const refresh = useRefresh();
  const [checked, setChecked] = useState<Checked>();
  const [error, setError] = useState<ApiError>();
  const [isChecking, setChecking] = useState(false);
  const check = async () => {
    setChecking(true);
    setError(undefined);
    try {
      setChecked(await call("verify", { space }));
      await refresh("status");
    } catch (reason) {
      if (!(reason instanceof ApiError)) throw reason;
      setError(reason);
    }
    setChecking(false);
  };
  const isDamaged = damage !== undefined || checked?.ok === false;
  return (
    <section className="sect" id="stored">
      <h2>{t("damage.title")}</h2>
      {damage === undefined ? (
        <p className="m">{t("damage.lead")}</p>
      ) : (
        <div className="warn">
          {damage.parts > 0 && <p>{t("damage.parts", { n: damage.parts })}</p>}
          {damage.writes > 0 && <p>{t("damage.writes", { n: damage.writes })}</p>}
        </div>
      )}
      <div className="row tools">
        <button type="button" className="btn s" disabled={isChecking} onClick={() => void check()}>
          {t(isChecking ? "damage.checking" : "damage.check")}
        </button>
      </div>
      {error !== undefined && <Failed error={error} />}
      {checked !== undefined && <Findings checked={checked} />}
      {isDamaged && <Copies isOpen />}
    </section>
  );
}

function Findings({ checked: { ok, chunks, records, damaged, lost } }: { readonly checked: Checked }) {
  const t = useText();
  const found = [...damaged, ...(lost?.parts ?? [])];
  return (
    <div role="status">
      <p>{t(ok ? "damage.fine" : "damage.rest", { parts: chunks - damaged.length, n: records })}</p>
      {found.length > 0 && (
        <details>
          <summary>{t("damage.which")}</summary>
          {found.map(({ what, reason }) => (
            <p key={`${what} ${reason}`} className="f breaks">
              <bdi>{what}</bdi>: {reason}
            </p>
          ))}
        </details>
      )}
    </div>
  );
}
