import { describe, expect, test } from "vitest";
import {
  type CatalogValue,
  PRESET_NAMES,
  presetChanges,
  presetOf,
  readSettings,
  SETTING_NAMES,
  SETTING_PREFIX,
  SETTINGS,
  type SettingEntry,
  type SettingValue,
  settingEntry,
  settingKey,
  settingOf,
  settingValue,
} from "../../src/index.js";

type Stored = readonly [key: string, value: SettingValue | null, ...others: (SettingValue | null)[]];

const by = { at: 1, by: "replica" };

function stored(...settings: readonly Stored[]): ReadonlyMap<string, CatalogValue<SettingEntry>> {
  return new Map(
    settings.map(([key, value, ...others]) => [
      SETTING_PREFIX + key,
      { value: settingEntry(value, by), others: others.map((other) => settingEntry(other, by)) },
    ]),
  );
}

const valuesOf = (...settings: readonly Stored[]) =>
  Object.fromEntries([...readSettings(stored(...settings))].map(([key, { value }]) => [key, value]));

describe("settings", () => {
  test("[RT1] each has a default that it takes itself, and what makes no sense is refused with what it takes", () => {
    for (const name of SETTING_NAMES)
      expect(settingValue(name, SETTINGS[name].byDefault)).toBe(SETTINGS[name].byDefault);
    expect(settingValue("retention.days", " 90 ")).toBe(90);
    const wrong: readonly (readonly [string, unknown])[] = [
      ["retention.days", -1],
      ["retention.days", 1.5],
      ["retention.days", "soon"],
      ["retention.contents", 0],
      ["retention.run", 3],
      ["retention.months", 3],
      ["retention.days@tag:health", 3],
      ["retention.days@category:", 3],
      ["branches.open@category:health", 3],
      ["retention.days", null],
    ];
    for (const [key, value] of wrong)
      expect(() => settingValue(key, value), `${key} ${value}`).toThrow(
        expect.objectContaining({ code: "BAD_SETTING", details: expect.objectContaining({ setting: key }) }),
      );
  });

  test("[RT2] a key names a category or an area, whatever is in its label", () => {
    expect(settingKey("retention.days@category:a:b@c")).toEqual({
      name: "retention.days",
      scope: { of: "category", label: "a:b@c" },
    });
    expect(settingKey("branches.open")).toEqual({ name: "branches.open" });
  });

  test("[RT3] what a member wrote and nobody understands is passed over; what is unset has its default", () => {
    expect(
      valuesOf(
        ["retention.days", 30],
        ["retention.contents", null],
        ["retention.depth", "???"],
        ["of later", 1],
      ),
    ).toEqual({ "retention.days": 30 });
    expect(settingOf(readSettings(stored()), "retention.days")).toBe("never");
    const odd = new Map([[`${SETTING_PREFIX}retention.days`, { value: { value: [] }, others: [] }]]);
    expect(readSettings(odd).size).toBe(0);
  });

  test("[RT4] of what two devices set at once, in any order, the one counts that keeps more", () => {
    const cases: readonly (readonly [
      string,
      SettingValue | null,
      SettingValue | null,
      SettingValue | undefined,
    ])[] = [
      ["retention.days", 30, 90, 90],
      ["retention.days", 30, "never", "never"],
      ["retention.contents", 5, null, undefined],
      ["retention.run", "daily", "off", "off"],
      ["retention.run", "daily", "weekly", "weekly"],
      ["retention.differences", "no", "yes", "yes"],
      ["retention.differences", "no", null, undefined],
    ];
    for (const [key, one, other, counts] of cases)
      for (const pair of [
        [one, other],
        [other, one],
      ] as const)
        expect(valuesOf([key, ...pair])[key], `${key}: ${pair}`).toBe(counts);
    const [setting] = readSettings(stored(["retention.days", 30, 90])).values();
    expect(setting?.others).toEqual([30]);
  });

  test("[RT5] a preset replaces the rules of the whole space, and is recognised by them", () => {
    for (const preset of PRESET_NAMES) {
      const changes = presetChanges(preset);
      expect(presetOf(readSettings(stored(...changes)))).toBe(preset);
      expect([...changes.keys()]).not.toContain("retention.run");
    }
    expect(presetOf(readSettings(stored(["retention.days", 31])))).toBeUndefined();
    expect(() => presetChanges("tiny")).toThrow(expect.objectContaining({ code: "BAD_SETTING" }));
  });
});
