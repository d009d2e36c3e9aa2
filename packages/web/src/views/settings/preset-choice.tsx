import { useId } from "react";
import type { Schemas } from "../../api/interface.ts";
import { useText } from "../../i18n/text.ts";
import { DraftCard } from "./draft-card.tsx";
import { changeTo, type Draft, RULE_NAMES, type RuleName, ruleOf } from "./rules.ts";

interface PresetChoiceProps {
  readonly shown: Schemas["SpaceSettings"];
  readonly draft: Draft | undefined;
  readonly onDraft: (draft: Draft | undefined) => void;
}

const PLACE = "preset";

/** One of three rules for everything. */
export function PresetChoice({ shown: { settings, preset }, draft, onDraft }: PresetChoiceProps) {
  const t = useText();
  const id = useId();
  const holds = preset ?? ruleOf(settings);
  const own = draft?.place === PLACE ? draft : undefined;
  const chosen = own?.change.preset ?? holds;
  const choose = (rule: RuleName) =>
    onDraft(rule === holds ? undefined : { place: PLACE, change: changeTo(rule, undefined, settings) });
  return (
    <>
      <fieldset className="presets">
        <legend className="vh">{t("settings.title")}</legend>
        {RULE_NAMES.map((rule) => (
          <label key={rule} className={rule === chosen ? "preset on" : "preset"}>
            <input
              type="radio"
              name={id}
              checked={rule === chosen}
              onChange={() => choose(rule)}
              aria-describedby={`${id}-${rule}`}
            />
            <b>{t(`rule.${rule}`)}</b>
            <span id={`${id}-${rule}`} className="f">
              {t(`rule.${rule}Hint`)}
            </span>
          </label>
        ))}
      </fieldset>
      {holds === undefined && <p className="f">{t("settings.ownRules")}</p>}
      {own !== undefined && (
        <DraftCard change={own.change} settings={settings} onDone={() => onDraft(undefined)} />
      )}
    </>
  );
}
