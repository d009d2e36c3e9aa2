import { type FormEvent, useState } from "react";
import { SETTINGS } from "../../i18n/catalogue/settings.ts";
import type { Key } from "../../i18n/catalogue.ts";
import { ago } from "../../i18n/dates.ts";
import { useReader } from "../../i18n/text.ts";
import { useAuthorName } from "../../ui/author.tsx";
import { DraftCard } from "./draft-card.tsx";
import { type Draft, nameOf, type Setting } from "./rules.ts";

interface AllSettingsProps {
  readonly settings: readonly Setting[];
  readonly draft: Draft | undefined;
  readonly onDraft: (draft: Draft | undefined) => void;
}

/** Each setting by itself, for who wants another rule than the three. */
export function AllSettings({ settings, draft, onDraft }: AllSettingsProps) {
  const { t } = useReader();
  return (
    <details className="all-settings">
      <summary>{t("settings.all")}</summary>
      {settings.map((setting) => (
        <Row key={`${setting.key} ${setting.value}`} {...{ setting, settings, draft, onDraft }} />
      ))}
    </details>
  );
}

const NUMBER = "a number";

function Row({ setting, settings, draft, onDraft }: AllSettingsProps & { readonly setting: Setting }) {
  const reader = useReader();
  const { t } = reader;
  const authorName = useAuthorName();
  const { key, value, byDefault, set, others = [], words = [], numbers } = setting;
  const [word, setWord] = useState(typeof value === "number" ? NUMBER : value);
  const [number, setNumber] = useState(typeof value === "number" ? String(value) : "");
  const own = draft?.place === key ? draft : undefined;
  const typed = word === NUMBER ? number.trim() : word;
  const about = aboutOf(setting, t);
  const wordOf = (one: number | string) => shown(key, one, t);
  const offer = (event: FormEvent) => {
    event.preventDefault();
    onDraft({ place: key, change: { set: { [key]: typed } } });
  };
  return (
    <div className="setting">
      <form className="row wrapx" onSubmit={offer}>
        <div className="grow">
          <bdi>{about}</bdi>
          <p className="f">
            {set === undefined
              ? t("settings.byDefault")
              : t("settings.setBy", { who: authorName(set), when: ago(reader, set.at) })}
          </p>
          {others.length > 0 && (
            <p className="warn">
              {t("settings.contested", {
                value: wordOf(value),
                others: others.map(wordOf).join(", "),
              })}
            </p>
          )}
        </div>
        {words.length > 0 && (
          <select
            className="field fit"
            aria-label={about}
            value={word}
            onChange={({ target }) => setWord(target.value)}
          >
            {numbers !== undefined && <option value={NUMBER}>{t("settings.number")}</option>}
            {words.map((one) => (
              <option key={one} value={one}>
                {wordOf(one)}
              </option>
            ))}
          </select>
        )}
        {numbers !== undefined && word === NUMBER && (
          <input
            type="number"
            className="field number"
            aria-label={about}
            min={numbers[0]}
            max={numbers[1]}
            required
            value={number}
            onChange={({ target }) => setNumber(target.value)}
          />
        )}
        <button type="submit" className="btn s" disabled={typed === "" || typed === String(value)}>
          {t("settings.change")}
        </button>
        {set !== undefined && (
          <button
            type="button"
            className="btn q s"
            onClick={() => onDraft({ place: key, change: { unset: [key] } })}
          >
            {t("settings.default", { value: wordOf(byDefault) })}
          </button>
        )}
      </form>
      {own !== undefined && (
        <DraftCard change={own.change} settings={settings} onDone={() => onDraft(undefined)} />
      )}
    </div>
  );
}

type Say = (key: Key, values?: Readonly<Record<string, string | number>>) => string;

/** In the reader's language; a setting that this page does not know yet, in the daemon's words. */
function aboutOf({ key, about }: Setting, t: Say): string {
  const name = nameOf(key);
  const text = isKnown(`setting.${name}`) ? t(`setting.${name}` as Key) : about;
  return key.includes("@") ? `${key.slice(key.indexOf("@") + 1)}: ${text}` : text;
}

/** One word may say different things of different settings. */
function shown(key: string, value: number | string, t: Say): string {
  const found = [`word.${nameOf(key)}.${value}`, `word.${value}`].find(isKnown);
  return found === undefined ? String(value) : t(found as Key);
}

const isKnown = (key: string): boolean => Object.hasOwn(SETTINGS, key);
