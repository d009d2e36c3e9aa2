import { momentOf } from "../../address/address.ts";
import { useAddress } from "../../address/use-address.ts";
import { useCall } from "../../api/use-call.ts";
import { dayOf, fullDate } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { Icon } from "../../ui/icon.tsx";
import { InRow } from "../../ui/in-row.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { useFacets } from "../memories/use-facets.ts";
import { useShownValue } from "../memories/use-shown-value.ts";
import { type Checkpoint, nameOf } from "./checkpoints.ts";
import { Consequence } from "./consequence.tsx";
import { localTime, rollbackIn, SCOPES, scopeIn } from "./scope.ts";

/** What going back would do, before the button that does it. */
export function PreviewCard({ checkpoints }: { readonly checkpoints: readonly Checkpoint[] }) {
  const reader = useReader();
  const { t } = reader;
  const { space, branch, params, moment, set } = useAddress();
  const scope = scopeIn(params);
  const asked = moment === undefined ? rollbackIn(params, branch) : undefined;
  const preview = useCall("rollback", asked && { space, branch, preview: true, ...asked });
  return (
    <section className="card" aria-live="polite">
      <div className="row">
        <h2 className="grow">{titleOf() ?? t("nav.goback.short")}</h2>
        <button
          type="button"
          className="btn q s sheet-close"
          aria-label={t("common.close")}
          onClick={() => set({ to: null, scope: null, of: null, since: null, until: null })}
        >
          <Icon name="close" />
        </button>
      </div>
      {scope !== "time" && <DateChoice />}
      <fieldset className="pills">
        <legend className="f">{t("goback.howMuch")}</legend>
        {SCOPES.map((name) => (
          <button
            key={name}
            type="button"
            className={name === scope ? "pill on" : "pill"}
            aria-pressed={name === scope}
            onClick={() => set({ scope: name === "all" ? null : name, of: null })}
          >
            {t(`goback.${name}`)}
          </button>
        ))}
      </fieldset>
      <Which />
      {asked === undefined && <p className="m note">{t("goback.choosePlease")}</p>}
      {asked !== undefined && preview.error !== null && <Failed error={preview.error} />}
      {asked !== undefined && preview.isPending && <Loading />}
      {asked !== undefined && preview.error === null && preview.data !== undefined && (
        <Consequence asked={asked} result={preview.data} isOld={preview.isPlaceholderData} />
      )}
    </section>
  );

  function titleOf(): string | undefined {
    const to = params.get("to");
    if (to === null || scope === "time") return undefined;
    const checkpoint = checkpoints.find(({ id }) => to === `checkpoint:${id}`);
    const time = momentOf(to)?.time;
    const name = checkpoint === undefined ? time && fullDate(reader, time) : nameOf(reader, checkpoint);
    return name === undefined || name === 0 ? undefined : t("goback.to", { name });
  }
}

function DateChoice() {
  const { t } = useReader();
  const { params, set } = useAddress();
  const day = momentOf(params.get("to"))?.day ?? "";
  return (
    <InRow label={t("goback.date")}>
      {(id) => (
        <input
          id={id}
          type="date"
          className="field fit"
          max={dayOf(Date.now())}
          value={day}
          onChange={({ target }) => set({ to: target.value === "" ? null : target.value })}
        />
      )}
    </InRow>
  );
}

/** Of which topic, category, agent or time. */
function Which() {
  const { t } = useReader();
  const { params, set } = useAddress();
  const scope = scopeIn(params);
  const value = params.get("of") ?? "";
  if (scope === "all") return null;
  if (scope === "time") return <Stretch />;
  if (scope === "query") {
    return (
      <input
        className="field"
        aria-label={t("goback.what")}
        placeholder={t("goback.query")}
        value={value}
        onChange={({ target }) => set({ of: target.value === "" ? null : target.value }, { replace: true })}
      />
    );
  }
  return <Choice name={scope} value={value} none={t("goback.what")} />;
}

interface ChoiceProps {
  readonly name: "category" | "agent";
  readonly value: string;
  /** What it says while none is chosen. */
  readonly none: string;
}

function Choice({ name, value, none }: ChoiceProps) {
  const { t } = useReader();
  const { set } = useAddress();
  const facets = useFacets(name);
  const shown = useShownValue(name);
  return (
    <select
      className="field"
      aria-label={t("goback.what")}
      value={value}
      onChange={({ target }) => set({ of: target.value === "" ? null : target.value })}
    >
      <option value="">{none}</option>
      {facets.map((facet) => (
        <option key={facet.value} value={facet.value}>
          {shown(facet.value)}
        </option>
      ))}
    </select>
  );
}

function Stretch() {
  const { t } = useReader();
  const { params, set } = useAddress();
  return (
    <div className="row wrapx">
      {(["since", "until"] as const).map((name) => (
        <label key={name} className="row">
          <span className="f">{t(`goback.${name}`)}</span>
          <input
            type="datetime-local"
            className="field fit"
            max={localTime(Date.now())}
            value={params.get(name) ?? ""}
            onChange={({ target }) => set({ [name]: target.value === "" ? null : target.value })}
          />
        </label>
      ))}
      <Choice name="agent" value={params.get("of") ?? ""} none={t("goback.anybody")} />
    </div>
  );
}
