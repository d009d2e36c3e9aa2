/**
 * The settings of a space: what each is called, which values it takes, and what counts where nobody has set it. The
 * catalog holds one entry for each that was ever set, so that what two devices set side by side is merged one by one.
 *
 * @module
 */
import type { CatalogValue, SettingEntry } from "../catalog.js";
import { CambiumError } from "../errors.js";
import { compareText } from "../format/bytes.js";
import type { Encodable } from "../format/encoding.js";
import { isObject } from "../format/is-object.js";

/** A number, or a word that the setting knows. */
export type SettingValue = number | string;

interface SettingMeaning {
  /** A sentence for people. */
  readonly about: string;
  /** The smallest and the greatest number; absent where only words are known. */
  readonly numbers?: readonly [least: number, most: number];
  /** Words that it takes beside numbers. */
  readonly words?: readonly string[];
  /** What counts where nobody has set it. */
  readonly byDefault: SettingValue;
  /** It may also be set for a category or an area. */
  readonly isScoped?: true;
}

const DAYS = 36_500;
const COUNT = 100_000;

/** The one table that checks, the command line and the docs read. */
export const SETTINGS = {
  "retention.contents": {
    about: "how many texts of a memory stay whole, the newest first",
    ...{ numbers: [1, COUNT], words: ["all"], byDefault: "all", isScoped: true },
  },
  "retention.days": {
    about: "after how many days an older text may be pruned",
    ...{ numbers: [0, DAYS], words: ["never"], byDefault: "never", isScoped: true },
  },
  "retention.versions": {
    about: "how many texts of a memory stay at most, however young they are",
    ...{ numbers: [1, COUNT], words: ["all"], byDefault: "all", isScoped: true },
  },
  "retention.depth": {
    about: "after how many days a text is pruned that was replaced, whatever its place",
    ...{ numbers: [1, DAYS], words: ["all"], byDefault: "all", isScoped: true },
  },
  "retention.differences": {
    about: "whether of a pruned text stays what it differs by from a later one, to rebuild it",
    ...{ words: ["yes", "no"], byDefault: "yes", isScoped: true },
  },
  "retention.wait": {
    about: "for how many days a device is waited for that has not said what it has",
    ...{ numbers: [1, DAYS], byDefault: 365 },
  },
  "retention.run": {
    about: "how often the daemon prunes",
    ...{ words: ["off", "daily", "weekly"], byDefault: "weekly" },
  },
  "branches.open": {
    about: "how many branches may be open beside main",
    ...{ numbers: [0, COUNT], words: ["all"], byDefault: "all" },
  },
  "checkpoints.byHand": {
    about: "how many checkpoints made by hand may stand at once",
    ...{ numbers: [0, COUNT], byDefault: 50 },
  },
  "checkpoints.bulk": {
    about: "an operation that touches more memories than this is preceded by a checkpoint",
    ...{ numbers: [0, COUNT], byDefault: 25 },
  },
  "checkpoints.weekly": {
    about: "whether the first write of a week is preceded by a checkpoint",
    ...{ words: ["yes", "no"], byDefault: "yes" },
  },
  "checkpoints.days": {
    about: "for how many days every automatic checkpoint stays",
    ...{ numbers: [0, COUNT], byDefault: 7 },
  },
  "checkpoints.weeks": {
    about: "after those days, for how many weeks one a week stays",
    ...{ numbers: [0, COUNT], byDefault: 4 },
  },
  "checkpoints.months": {
    about: "after those weeks, for how many months one a month stays",
    ...{ numbers: [0, COUNT], byDefault: 12 },
  },
  "checkpoints.years": {
    about: "after those months, for how many years one a year stays",
    ...{ numbers: [0, COUNT], words: ["for ever"], byDefault: "for ever" },
  },
} as const satisfies Record<string, SettingMeaning>;

/** The name of a setting, without a category or an area. */
export type SettingName = keyof typeof SETTINGS;

/** All of them, in the order of the table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** For which memories a setting counts: those of one category or area. */
export interface SettingScope {
  /** What kind of label it is. */
  readonly of: "category" | "area";
  /** The label. */
  readonly label: string;
}

/** A setting as it is named: `retention.days`, or `retention.days@category:health`. */
export interface SettingKey {
  /** Without the scope. */
  readonly name: SettingName;
  /** Absent: the whole space. */
  readonly scope?: SettingScope;
}

/** A setting that somebody set. */
export interface SetSetting {
  /** As it is named. */
  readonly key: string;
  /** What counts. */
  readonly value: SettingValue;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The replica that set it. */
  readonly by: string;
  /** The agent that set it. */
  readonly agent?: string;
  /** What others set at the same time, and does not count. */
  readonly others: readonly SettingValue[];
}

/** Begins the keys of the catalog under which settings stand. */
export const SETTING_PREFIX = "set:";
const MAX_KEY = 200;

/** @throws {CambiumError} BAD_SETTING when there is no such setting */
export function settingKey(text: string): SettingKey {
  const at = text.indexOf("@");
  const name = at < 0 ? text : text.slice(0, at);
  if (!isSettingName(name))
    throw badSetting(text, `There is no setting ${JSON.stringify(name)}.`, SETTING_NAMES.join(", "));
  if (at < 0) return { name };
  const [of = "", ...rest] = text.slice(at + 1).split(":");
  const label = rest.join(":");
  const { isScoped }: SettingMeaning = SETTINGS[name];
  if (isScoped !== true)
    throw badSetting(text, `${name} holds for the whole space.`, `${name} without a category or an area`);
  if ((of !== "category" && of !== "area") || label.trim() === "" || text.length > MAX_KEY)
    throw badSetting(text, "A setting is named for one category or area.", `${name}@category:<label>`);
  return { name, scope: { of, label } };
}

const isSettingName = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);

/**
 * Returns a value as it is stored: numbers as numbers, words as words.
 *
 * @throws {CambiumError} BAD_SETTING when it makes no sense for this setting
 */
export function settingValue(key: string, value: unknown): SettingValue {
  const { name } = settingKey(key);
  const { numbers, words = [] }: SettingMeaning = SETTINGS[name];
  const plain = typeof value === "string" && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
  const isNumber = typeof plain === "number" && Number.isInteger(plain) && numbers !== undefined;
  if (isNumber && plain >= numbers[0] && plain <= numbers[1]) return plain;
  if (typeof plain === "string" && words.includes(plain)) return plain;
  throw badSetting(key, `${JSON.stringify(value)} makes no sense for ${name}.`, expectationOf(name));
}

/** Returns in words which values a setting takes. */
export function expectationOf(name: SettingName): string {
  const { numbers, words = [] }: SettingMeaning = SETTINGS[name];
  const range = numbers === undefined ? [] : [`a whole number from ${numbers[0]} to ${numbers[1]}`];
  return [...range, ...words].join(", or ");
}

function badSetting(setting: string, message: string, expected: string): CambiumError {
  return new CambiumError("BAD_SETTING", `${message} It takes ${expected}.`, {
    hint: "See all settings and what they take with `cambium settings`.",
    details: { setting, expected },
  });
}

/**
 * Returns what somebody has set, by its key. A member may run other code than ours: what makes no sense here is passed
 * over. Of values that two devices set at the same time, the one counts that keeps more.
 */
export function readSettings(
  stored: ReadonlyMap<string, CatalogValue<SettingEntry>>,
): ReadonlyMap<string, SetSetting> {
  const settings = new Map<string, SetSetting>();
  for (const [place, { value, others }] of stored) {
    if (!place.startsWith(SETTING_PREFIX)) continue;
    const key = place.slice(SETTING_PREFIX.length);
    const [first, ...rest] = [value, ...others]
      .flatMap((entry) => storedSetting(key, entry.value))
      .sort(keepsMore);
    if (first === undefined || first.value === null) continue;
    const differing = rest.flatMap((other) => (other.value === first.value ? [] : [other.value ?? "unset"]));
    settings.set(key, { ...first, value: first.value, key, others: [...new Set(differing)] });
  }
  return new Map([...settings].sort(([a], [b]) => compareText(a, b)));
}

/** Returns the last change of each setting, of those that were unset again as well. */
export function lastSet(stored: ReadonlyMap<string, CatalogValue<SettingEntry>>): readonly LastSetting[] {
  return [...stored].flatMap(([place, { value, others }]) => {
    if (!place.startsWith(SETTING_PREFIX)) return [];
    const key = place.slice(SETTING_PREFIX.length);
    const [last] = [value, ...others].flatMap((entry) => storedSetting(key, entry.value)).sort(keepsMore);
    return last === undefined ? [] : [{ ...last, key }];
  });
}

/** The last change of a setting. */
export interface LastSetting extends StoredSetting {
  /** As it is named. */
  readonly key: string;
}

/** As it lies in the catalog. Null: unset again. */
interface StoredSetting {
  /** Null: the default counts. */
  readonly value: SettingValue | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The replica that set it. */
  readonly by: string;
  /** The agent that set it. Absent for a person. */
  readonly agent?: string;
}

/** Returns an entry of the catalog for what somebody sets, or unsets with null. */
export function settingEntry(
  value: SettingValue | null,
  { at, by, agent }: { readonly at: number; readonly by: string; readonly agent?: string | undefined },
): SettingEntry {
  return { value: { value, at, by, ...(agent === undefined ? {} : { agent }) } as Encodable };
}

function storedSetting(key: string, entry: unknown): readonly StoredSetting[] {
  if (!isObject(entry)) return [];
  const { value, at, by, agent } = entry as Partial<StoredSetting>;
  try {
    const checked = value === null ? null : settingValue(key, value);
    if (checked === null) settingKey(key);
    return [
      {
        ...{ value: checked, at: Number(at) || 0, by: String(by) },
        ...(typeof agent === "string" ? { agent } : {}),
      },
    ];
  } catch {
    return [];
  }
}

/** What is not set keeps everything, and so do the words that stand beside numbers. */
function keepsMore(a: StoredSetting, b: StoredSetting): number {
  return amountKept(b.value) - amountKept(a.value) || b.at - a.at || compareText(a.by, b.by);
}

const amountKept = (value: SettingValue | null): number =>
  typeof value === "number"
    ? value
    : value === "weekly"
      ? 1
      : value === "daily" || value === "no"
        ? 0
        : COUNT * 2;

/** What counts of a setting: what somebody set, or else its default. */
export function settingOf(settings: ReadonlyMap<string, SetSetting>, name: SettingName): SettingValue {
  return settings.get(name)?.value ?? SETTINGS[name].byDefault;
}

/** Several settings under a name. */
export const PRESETS = {
  "keep-everything": {},
  year: { "retention.contents": 5, "retention.days": 365 },
  lean: { "retention.contents": 2, "retention.days": 30, "retention.versions": 12, "retention.depth": 365 },
} as const satisfies Record<string, Partial<Record<SettingName, SettingValue>>>;

/** The name of a preset. */
export type PresetName = keyof typeof PRESETS;

/** All presets. */
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];

/** Settings that a preset replaces: the rules of retention, and none that was made for a category or an area. */
const PRESET_SETTINGS = SETTING_NAMES.filter((name) => "isScoped" in SETTINGS[name]);

/** What is to be set (a value) or unset (null), by key. */
export type SettingChanges = ReadonlyMap<string, SettingValue | null>;

/**
 * Returns what choosing a preset sets and unsets. `lean@category:health` is for one category alone: there, what the preset
 * does not limit is said in words, since without a value the rule of the space would count.
 *
 * @throws {CambiumError} BAD_SETTING when there is no such preset, or no such category or area
 */
export function presetChanges(preset: string): SettingChanges {
  const [name = ""] = preset.split("@", 1);
  const scope = preset.slice(name.length);
  if (!Object.hasOwn(PRESETS, name))
    throw badSetting("preset", `There is no preset ${JSON.stringify(name)}.`, PRESET_NAMES.join(", or "));
  const values: Partial<Record<SettingName, SettingValue>> = PRESETS[name as PresetName];
  return new Map(
    PRESET_SETTINGS.map((setting) => {
      const key = setting + scope;
      settingKey(key);
      const unlimited =
        scope === "" || setting === "retention.differences" ? null : SETTINGS[setting].byDefault;
      return [key, values[setting] ?? unlimited];
    }),
  );
}

/** Returns the preset that the settings of the space are; undefined when they are none, or some have a scope. */
export function presetOf(settings: ReadonlyMap<string, SetSetting>): PresetName | undefined {
  const isRule = (key: string): boolean => PRESET_SETTINGS.includes(settingKey(key).name);
  const rules = new Map([...settings].flatMap(([key, { value }]) => (isRule(key) ? [[key, value]] : [])));
  return PRESET_NAMES.find((preset) => {
    const values = Object.entries(PRESETS[preset]);
    return values.length === rules.size && values.every(([name, value]) => rules.get(name) === value);
  });
}
