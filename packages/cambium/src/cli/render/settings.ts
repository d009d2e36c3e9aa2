/**
 * The settings of a space as a table.
 *
 * @module
 */
import type { SettingsChange, ShownSetting, SpaceSettings } from "@cambium/client";
import { oneLine, shellWord } from "@cambium/core/text";
import type { Style } from "./style.js";
import { type Column, table } from "./table.js";

export function settingsText({ settings, preset }: SpaceSettings, style: Style): string {
  const { colors } = style;
  const columns: readonly Column<ShownSetting>[] = [
    { title: "setting", text: ({ key }) => oneLine(key) },
    {
      title: "value",
      text: ({ value, set }) => `${value}${set === undefined ? "" : " *"}`,
      paint: (text, { set }) => (set === undefined ? colors.dim(text) : colors.green(text)),
    },
    { title: "what it is", text: ({ about }) => about, flexible: true },
    { title: "takes", text: ({ takes }) => takes, paint: (text) => colors.dim(text) },
  ];
  const implied = settings.filter(({ set, value, byDefault }) => set === undefined && value !== byDefault);
  const contested = settings.filter(({ others }) => others !== undefined);
  return [
    // Where no terminal has to hold them, the descriptions are whole: they stand nowhere else.
    table(settings, columns, { colors, columns: style.columns ?? Number.POSITIVE_INFINITY }),
    "",
    preset === undefined
      ? "The rules of retention are the space's own."
      : `The rules of retention are those of the preset ${preset}.`,
    ...(settings.some(({ set }) => set !== undefined) ? ["* was set, and is no default."] : []),
    ...implied.map(
      ({ key, value }) =>
        `${oneLine(key)} is not set. It counts as ${value}, because the rule beside it is set.`,
    ),
    ...contested.map(({ key, value, others = [] }) =>
      colors.yellow(
        `${oneLine(key)} was set on two devices at once: ${value} counts, and not ${others.join(", ")}.`,
      ),
    ),
  ].join("\n");
}

/**
 * What counts now that did not before; a warning where texts go sooner although nobody has asked for that: a rule that
 * was taken away leaves the one beside it to decide.
 *
 * @param change - of single settings; undefined: a preset
 */
export function changedLines(
  before: SpaceSettings,
  after: SpaceSettings,
  change: SettingsChange | undefined,
  { colors }: Style,
): readonly string[] {
  const was = new Map(before.settings.map((setting) => [setting.key, setting]));
  const changed = after.settings.filter(({ key, value }) => was.get(key)?.value !== value);
  const lines = changed.map(
    ({ key, value }) => `${oneLine(key)}: ${was.get(key)?.value ?? "not set"} → ${value}`,
  );
  const gone = before.settings.filter(({ key }) => !after.settings.some((one) => one.key === key));
  const harsher = changed.filter(({ key, value }) => {
    const isAsked = change === undefined || Object.hasOwn(change.set ?? {}, key);
    return !isAsked && key.startsWith("retention.") && isHarsher(value, was.get(key)?.value);
  });
  return [
    ...(lines.length + gone.length === 0 ? ["Nothing has changed."] : lines),
    ...gone.map(({ key, value }) => `${oneLine(key)}: ${value} → not set`),
    ...harsher.map(({ key, value }) => {
      const old = was.get(key)?.value;
      return colors.yellow(
        `${oneLine(key)} is ${value} now, so texts are pruned sooner than before. To have it as it was: cambium settings set ${shellWord(key)} ${old ?? "never"}`,
      );
    }),
  ];
}

/** Rules with a number prune, and the sooner the smaller it is; a word keeps. */
const isHarsher = (now: unknown, before: unknown): boolean =>
  typeof now === "number" && (typeof before !== "number" || now < before);

const RULES: readonly string[] = ["contents", "days", "versions", "depth"].map((rule) => `retention.${rule}`);

const isRule = ({ key, set }: ShownSetting): boolean =>
  set !== undefined && RULES.includes(key.split("@", 1)[0] ?? "");

/** After a change of the rules: what comes of it, and what a preset left as it is. */
export function letsGoLines({ settings }: SpaceSettings, preset: string | undefined): readonly string[] {
  const rules = settings.filter(isRule);
  const scoped = rules.filter(({ key }) => key.includes("@"));
  const run = settings.find(({ key }) => key === "retention.run")?.value;
  const often = run === "daily" ? "once a day" : "once a week";
  return [
    ...(preset === undefined || scoped.length === 0
      ? []
      : [
          `These stay as they are: ${scoped.map(({ key, value }) => `${oneLine(key)} ${value}`).join(", ")}.`,
        ]),
    ...(rules.every(({ value }) => typeof value !== "number")
      ? []
      : run === "off"
        ? ["Nothing goes by itself (retention.run is off). `cambium retention` shows what would go."]
        : [`The daemon prunes by itself ${often}. \`cambium retention\` shows what goes.`]),
  ];
}
