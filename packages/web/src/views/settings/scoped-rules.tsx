import { useId, useState } from "react";
import { useText } from "../../i18n/text.ts";
import { useFacets } from "../memories/use-facets.ts";
import { DraftCard } from "./draft-card.tsx";
import { changeTo, type Draft, RULE_NAMES, type RuleName, ruleOf, type Setting, scopesIn } from "./rules.ts";

interface ScopedRulesProps {
  readonly settings: readonly Setting[];
  readonly draft: Draft | undefined;
  readonly onDraft: (draft: Draft | undefined) => void;
}

/** What stays of single categories, where that is something else. */
export function ScopedRules({ settings, draft, onDraft }: ScopedRulesProps) {
  const t = useText();
  const id = useId();
  const categories = useFacets("category");
  const [added, setAdded] = useState<string>();
  const having = scopesIn(settings);
  const scopes = added === undefined || having.includes(added) ? having : [...having, added];
  const others = categories.filter(({ value }) => !scopes.includes(`category:${value}`));
  if (categories.length === 0 && scopes.length === 0) return null;
  return (
    <div className="scoped">
      <h3>{t("settings.scoped")}</h3>
      {scopes.map((scope) => (
        <ScopeRow key={scope} {...{ scope, settings, draft, onDraft }} />
      ))}
      {others.length > 0 && (
        <div className="row wrapx">
          <label className="f" htmlFor={id}>
            {t("settings.another")}
          </label>
          <select
            id={id}
            className="field fit"
            value=""
            onChange={({ target }) => setAdded(`category:${target.value}`)}
          >
            <option value="">{t("settings.choose")}</option>
            {others.map(({ value }) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </div>
      )}
    </div>
  );
}

type ScopeRowProps = ScopedRulesProps & { readonly scope: string };

function ScopeRow({ scope, settings, draft, onDraft }: ScopeRowProps) {
  const t = useText();
  const [kind, ...label] = scope.split(":");
  const name = label.join(":");
  const isSet = scopesIn(settings).includes(scope);
  const holds = isSet ? (ruleOf(settings, scope) ?? "own") : "same";
  const own = draft?.place === scope ? draft : undefined;
  const [asked, setAsked] = useState<string>(holds);
  const chosen = own === undefined ? holds : asked;
  const choose = (rule: string) => {
    setAsked(rule);
    const change = changeTo(rule === "same" ? undefined : (rule as RuleName), scope, settings);
    onDraft(rule === holds ? undefined : { place: scope, change });
  };
  const title = t(kind === "area" ? "settings.area" : "settings.category", { name });
  return (
    <>
      <div className="row wrapx scope">
        <bdi className="grow">{title}</bdi>
        <select
          className="field fit"
          aria-label={title}
          value={chosen}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="same">{t("rule.same")}</option>
          {RULE_NAMES.map((rule) => (
            <option key={rule} value={rule}>
              {t(`rule.${rule}`)}
            </option>
          ))}
          {holds === "own" && <option value="own">{t("rule.own")}</option>}
        </select>
      </div>
      {own !== undefined && (
        <DraftCard change={own.change} settings={settings} onDone={() => onDraft(undefined)} />
      )}
    </>
  );
}
