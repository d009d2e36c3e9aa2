/**
 * The settings of a space as a table.
 *
 * @module
 */
import type { ShownSetting, SpaceSettings } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
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
  const contested = settings.filter(({ others }) => others !== undefined);
  return [
    table(settings, columns, style),
    "",
    preset === undefined
      ? "The rules of retention are the space's own."
      : `The rules of retention are those of the preset ${preset}.`,
    ...(settings.some(({ set }) => set !== undefined) ? ["* was set, and is no default."] : []),
    ...contested.map(({ key, value, others = [] }) =>
      colors.yellow(
        `${oneLine(key)} was set on two devices at once: ${value} counts, and not ${others.join(", ")}.`,
      ),
    ),
  ].join("\n");
}
