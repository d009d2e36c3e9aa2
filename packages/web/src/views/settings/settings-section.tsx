import { useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { useText } from "../../i18n/text.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { AllSettings } from "./all-settings.tsx";
import { FreeNow } from "./free-now.tsx";
import { PresetChoice } from "./preset-choice.tsx";
import type { Draft } from "./rules.ts";
import { ScopedRules } from "./scoped-rules.tsx";

/** How much of the past stays, and everything else that can be set. */
export function SettingsSection() {
  const t = useText();
  const { space } = useAddress();
  const { data, error, isPending, refetch } = useCall("settings", { space });
  const [draft, setDraft] = useState<Draft>();
  const parts = { draft, onDraft: setDraft };
  return (
    <section className="sect">
      <h2>{t("settings.title")}</h2>
      <p className="m">{t("settings.lead")}</p>
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data !== undefined && error === null && (
        <>
          <PresetChoice shown={data} {...parts} />
          <FreeNow settings={data.settings} />
          <ScopedRules settings={data.settings} {...parts} />
          <AllSettings settings={data.settings} {...parts} />
        </>
      )}
    </section>
  );
}
