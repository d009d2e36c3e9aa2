import { useLayoutEffect, useRef, useState } from "react";
import { useAddress } from "../../address/use-address.ts";
import { numberFormat } from "../../i18n/formats.ts";
import { useReader } from "../../i18n/text.ts";
import { useCounts } from "../../shell/use-counts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Popup } from "../../ui/popup.tsx";
import { CHOSEN, CONVERSATION, FILTERS, type Filter, isNarrowed } from "./filters.ts";
import { type Facet, useFacets } from "./use-facets.ts";
import { useShownValue } from "./use-shown-value.ts";

const MOST_SHOWN = 60;

export function Filters() {
  const { t } = useReader();
  const { params, moment, set } = useAddress();
  const { conflicts } = useCounts();
  const hasConflicts = moment === undefined && conflicts > 0;
  const hasAny = isNarrowed(params);
  const bar = useChosenInSight(`${params} ${hasConflicts}`);
  const conversations = params.getAll(CONVERSATION);
  const toggle = (name: string) => () => set({ [name]: params.has(name) ? null : "1" });
  return (
    <fieldset className="filters" ref={bar}>
      <legend className="vh">{t("memories.filters")}</legend>
      {FILTERS.map((name) => (
        <FilterButton key={name} name={name} />
      ))}
      {conversations.length > 0 && (
        <button type="button" className="fl on" aria-pressed="true" onClick={toggle(CONVERSATION)}>
          <bdi>{t("memory.conversation", { name: `“${conversations.join("”, “")}”` })}</bdi>
        </button>
      )}
      {(hasConflicts || params.has("conflict")) && (
        <button
          type="button"
          className={params.has("conflict") ? "fl on" : "fl"}
          aria-pressed={params.has("conflict")}
          onClick={toggle("conflict")}
        >
          {t("memories.conflict")} <span className="m">{conflicts}</span>
        </button>
      )}
      <button
        type="button"
        className={params.has("forgotten") ? "fl on" : "fl"}
        aria-pressed={params.has("forgotten")}
        onClick={toggle("forgotten")}
      >
        {t("memories.forgotten")}
      </button>
      {hasAny && (
        <button
          type="button"
          className="fl"
          onClick={() => set(Object.fromEntries(CHOSEN.map((name) => [name, null])))}
        >
          {t("memories.clear")}
        </button>
      )}
    </fieldset>
  );
}

/** Where the bar is wider than the screen, what is chosen is no secret. @param shown - what decides where it stands */
function useChosenInSight(shown: string) {
  const bar = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bar moves when what it shows does
  useLayoutEffect(() => {
    const first = bar.current?.querySelector(".on");
    if (bar.current === null || first === null || first === undefined) return;
    const [frame, button] = [bar.current.getBoundingClientRect(), first.getBoundingClientRect()];
    if (button.right > frame.right || button.left < frame.left)
      bar.current.scrollLeft += button.left - frame.left - frame.width / 4;
  }, [shown]);
  return bar;
}

export function FilterButton({ name }: { readonly name: Filter }) {
  const { t } = useReader();
  const { params } = useAddress();
  const chosen = params.getAll(name).map(useShownValue(name));
  const label = t(`filter.${name}`);
  const button = (
    <>
      {chosen.length === 0 ? label : chosen.join(", ")}
      <Icon name="down" />
    </>
  );
  return (
    <Popup
      className={chosen.length === 0 ? "fl" : "fl on"}
      label={chosen.length === 0 ? undefined : `${label}: ${chosen.join(", ")}`}
      button={button}
    >
      {() => <Choices name={name} />}
    </Popup>
  );
}

function Choices({ name }: { readonly name: Filter }) {
  const { locale, t } = useReader();
  const shown = useShownValue(name);
  const { params, set } = useAddress();
  const [sought, setSought] = useState("");
  const facets = useFacets(name);
  const chosen = params.getAll(name);
  const found = facets.filter(({ value }) =>
    [value, shown(value)].some((text) => text.toLowerCase().includes(sought.toLowerCase())),
  );
  const toggle = ({ value }: Facet) =>
    set({ [name]: chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value] });
  return (
    <div className="choices">
      {facets.length > 8 && (
        <input
          className="field"
          type="search"
          aria-label={t("filter.find")}
          placeholder={t("filter.find")}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
      )}
      {facets.length === 0 && <p className="f">{t("filter.none")}</p>}
      <div>
        {found.slice(0, MOST_SHOWN).map((facet) => (
          <label key={facet.value}>
            <input type="checkbox" checked={chosen.includes(facet.value)} onChange={() => toggle(facet)} />
            <bdi className="grow">{shown(facet.value)}</bdi>
            <span className="f">{numberFormat(locale).format(facet.count)}</span>
          </label>
        ))}
        {found.length > MOST_SHOWN && (
          <p className="f">{t("event.more", { n: found.length - MOST_SHOWN })}</p>
        )}
      </div>
    </div>
  );
}
