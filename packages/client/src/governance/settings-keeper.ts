/**
 * The settings of a space as the catalog holds them: shown, and changed one by one.
 *
 * @module
 */
import {
  expectationOf,
  impliedRule,
  presetChanges,
  presetOf,
  type ReplicaId,
  readSettings,
  SETTING_NAMES,
  SETTING_PREFIX,
  SETTINGS,
  type SetSetting,
  type SettingChanges,
  type SettingValue,
  settingEntry,
  settingKey,
  settingOf,
  settingValue,
} from "@cambium/core";
import type { SettingsChange, ShownSetting, SpaceSettings } from "../api.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { Documents } from "../documents/documents.js";

export interface SettingsServices {
  readonly catalog: CatalogKeeper;
  readonly documents: Documents;
  readonly replica: () => ReplicaId;
  readonly now: () => number;
}

export class SettingsKeeper {
  readonly #services: SettingsServices;

  constructor(services: SettingsServices) {
    this.#services = services;
  }

  /** What somebody set, by key. */
  get current(): ReadonlyMap<string, SetSetting> {
    return readSettings(this.#services.catalog.current.settings);
  }

  show(): SpaceSettings {
    const set = this.current;
    const preset = presetOf(set);
    const scoped = [...set.keys()].flatMap((key) => withImplied(key, set));
    return {
      settings: [...SETTING_NAMES, ...scoped].map((key) => this.#shown(key, set)),
      ...(preset === undefined ? {} : { preset }),
    };
  }

  #shown(key: string, all: ReadonlyMap<string, SetSetting>): ShownSetting {
    const { name, scope } = settingKey(key);
    const set = all.get(key);
    const value = set?.value ?? impliedRule(all, name, scope) ?? settingOf(all, name);
    const { about, byDefault, ...range } = SETTINGS[name];
    const device = set && this.#services.catalog.current.replicas.get(set.by)?.value.name;
    return {
      ...{ key, value, byDefault, about, takes: expectationOf(name) },
      ...("numbers" in range ? { numbers: range.numbers } : {}),
      ...("words" in range ? { words: range.words } : {}),
      ...(set === undefined
        ? {}
        : {
            set: {
              ...{ at: set.at, replica: set.by },
              ...(device === undefined ? {} : { device }),
              ...(set.agent === undefined ? {} : { agent: set.agent }),
            },
          }),
      ...(set === undefined || set.others.length === 0 ? {} : { others: set.others }),
    };
  }

  /**
   * What would be set after a change that nobody makes.
   *
   * @throws {CambiumError} BAD_SETTING
   */
  after(change: SettingsChange): ReadonlyMap<string, SetSetting> {
    const { replica, now } = this.#services;
    const settings = new Map(this.current);
    for (const [key, value] of settingChanges(change)) {
      if (value === null) settings.delete(key);
      else if (settings.get(key)?.value !== value)
        settings.set(key, { key, value, at: now(), by: replica(), others: [] });
    }
    return settings;
  }

  /**
   * Durable when it resolves. What stands as it is meant to be is not written again.
   *
   * @throws {CambiumError} BAD_SETTING, and then nothing is set
   */
  async change(change: SettingsChange, agent: string | undefined): Promise<SpaceSettings> {
    const changes = settingChanges(change);
    const { catalog, documents, replica, now } = this.#services;
    await catalog.put(({ settings }) => {
      const set = readSettings(settings);
      const by = { at: now(), by: replica(), agent };
      return [...changes].flatMap(([key, value]) => {
        const known = set.get(key);
        const isSo = (known?.value ?? null) === value && (known?.others.length ?? 0) === 0;
        const entry = settingEntry(value, by);
        return isSo ? [] : [{ map: "settings", key: SETTING_PREFIX + key, entry } as const];
      });
    });
    await documents.flush();
    return this.show();
  }
}

/** Returns the key of a category's or area's setting, and of the one beside it where this gives that a value. */
function withImplied(key: string, all: ReadonlyMap<string, SetSetting>): readonly string[] {
  const { name, scope } = settingKey(key);
  if (scope === undefined) return [];
  if (name !== "retention.days" && name !== "retention.contents") return [key];
  const other = name === "retention.days" ? "retention.contents" : "retention.days";
  return impliedRule(all, other, scope) === undefined ? [key] : [key, other + key.slice(name.length)];
}

/** Checked as a whole before anything is written. */
function settingChanges({ set = {}, unset = [], preset }: SettingsChange): SettingChanges {
  const changes = new Map<string, SettingValue | null>(preset === undefined ? [] : presetChanges(preset));
  for (const key of unset) {
    settingKey(key);
    changes.set(key, null);
  }
  for (const [key, value] of Object.entries(set)) changes.set(key, settingValue(key, value));
  return changes;
}
