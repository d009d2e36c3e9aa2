/**
 * The rules of retention as a reader chooses them: three that have names, for everything or for one category.
 *
 * @module
 */
import type { Input } from "../../api/client.ts";
import type { Schemas } from "../../api/interface.ts";

export type Setting = Schemas["SpaceSettings"]["settings"][number];
export type SettingsChange = Pick<Input<"changeSettings">, "set" | "unset" | "preset">;

/** What somebody has chosen and not yet saved. */
export interface Draft {
  /** Under what it is shown: a setting, a category, or `preset`. */
  readonly place: string;
  readonly change: SettingsChange;
}

/** As `cambium settings --preset` has them, each value said. */
export const RULES = {
  "keep-everything": {
    ...{ "retention.contents": "all", "retention.days": "never" },
    ...{ "retention.versions": "all", "retention.depth": "all" },
  },
  year: {
    ...{ "retention.contents": 5, "retention.days": 365 },
    ...{ "retention.versions": "all", "retention.depth": "all" },
  },
  lean: {
    ...{ "retention.contents": 2, "retention.days": 30 },
    ...{ "retention.versions": 12, "retention.depth": 365 },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, number | string>>>>;

export type RuleName = keyof typeof RULES;
export const RULE_NAMES = Object.keys(RULES) as readonly RuleName[];
const NAMES = Object.keys(RULES.year);

/** Such as `category:health`; undefined for everything. */
export type Scope = string | undefined;

const keyOf = (name: string, scope: Scope) => (scope === undefined ? name : `${name}@${scope}`);

/** Which of the three holds; undefined where the values are none of them. */
export function ruleOf(settings: readonly Setting[], scope?: Scope): RuleName | undefined {
  const values = new Map(settings.map(({ key, value }) => [key, value]));
  return RULE_NAMES.find((rule) =>
    Object.entries(RULES[rule]).every(([name, value]) => values.get(keyOf(name, scope)) === value),
  );
}

/** Categories and areas that have rules of their own. */
export function scopesIn(settings: readonly Setting[]): readonly string[] {
  const scopes = settings.flatMap(({ key }) => (key.includes("@") ? [key.slice(key.indexOf("@") + 1)] : []));
  return [...new Set(scopes)].sort();
}

/** @param rule - undefined: what holds for everything */
export function changeTo(
  rule: RuleName | undefined,
  scope: Scope,
  settings: readonly Setting[],
): SettingsChange {
  if (scope === undefined) return { preset: rule ?? "keep-everything" };
  const keys = NAMES.map((name) => keyOf(name, scope));
  if (rule === undefined) return { unset: keys.filter((key) => settings.some((set) => set.key === key)) };
  return {
    set: Object.fromEntries(Object.entries(RULES[rule]).map(([name, value]) => [keyOf(name, scope), value])),
  };
}

/** Takes a change back: each setting as it was. */
export function changeBack(
  before: readonly Setting[],
  after: readonly Setting[],
): Pick<SettingsChange, "set" | "unset"> {
  const wasSet = before.filter(({ set }) => set !== undefined);
  const unset = after.filter(
    ({ key, set }) => set !== undefined && !wasSet.some((setting) => setting.key === key),
  );
  return {
    set: Object.fromEntries(wasSet.map(({ key, value }) => [key, value])),
    unset: unset.map(({ key }) => key),
  };
}

/** Without a category or area. */
export const nameOf = (key: string): string => key.split("@", 1)[0] ?? key;

/** Whether texts may go because of it. */
export const isRule = ({ set = {}, unset = [], preset }: SettingsChange): boolean =>
  preset !== undefined || [...Object.keys(set), ...unset].some((key) => NAMES.includes(nameOf(key)));
