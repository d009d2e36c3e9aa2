import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type Replica, type SpaceSettings } from "@cambium/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CATALOGUE } from "../src/i18n/catalogue.ts";
import {
  changeBack,
  changeTo,
  isRule,
  RULE_NAMES,
  ruleOf,
  type Setting,
  scopesIn,
} from "../src/views/settings/rules.ts";

const HEALTH = "category:health";

let folder: string;
let replica: Replica;
let change: (change: object) => Promise<readonly Setting[]>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cambium-settings-"));
  replica = await openReplica({ dir: join(folder, "home") });
  const owner = (await replica.createSpace({ name: "notes" })).as({ role: "owner" });
  change = async (asked) => listed(await owner.changeSettings(asked));
});
afterAll(async () => {
  await replica.close();
  rmSync(folder, { recursive: true, force: true });
});

const listed = ({ settings }: SpaceSettings) => settings as readonly Setting[];

it("[PG25] names the three rules as the space does, for everything and for one category", async () => {
  for (const preset of RULE_NAMES) expect(ruleOf(await change({ preset }))).toBe(preset);
  const plain = await change({ preset: "year" });
  const scoped = await change(changeTo("lean", HEALTH, plain));
  expect([ruleOf(scoped), ruleOf(scoped, HEALTH), scopesIn(scoped)]).toEqual(["year", "lean", [HEALTH]]);
  const odd = await change({ set: { "retention.days@category:health": 7 } });
  expect(ruleOf(odd, HEALTH)).toBeUndefined();
  expect(scopesIn(await change(changeTo(undefined, HEALTH, odd)))).toEqual([]);
});

it("[PG25] has words of its own for every setting, and for each word that it can be", async () => {
  for (const { key, words = [] } of await change({}))
    for (const sentence of [`setting.${key.split("@")[0]}`, ...words.map((word) => `word.${word}`)])
      expect(Object.keys(CATALOGUE)).toContain(sentence);
});

it("[PG25] takes a change of settings back, whatever it was", async () => {
  const before = await change({ preset: "lean", set: { "checkpoints.days": 3 } });
  const after = await change({
    ...{ preset: "keep-everything", set: { "retention.days@area:garden": 1, "branches.open": 2 } },
    unset: ["checkpoints.days"],
  });
  const values = (settings: readonly Setting[]) => settings.map(({ key, value }) => [key, value]);
  expect(values(await change(changeBack(before, after)))).toEqual(values(before));
});

it("[PG25] looks for what would go where a rule of retention changes, and only there", () => {
  expect(isRule({ preset: "lean" })).toBe(true);
  expect(isRule({ unset: ["retention.days@category:health"] })).toBe(true);
  expect(isRule({ set: { "checkpoints.days": 3, "retention.run": "off" } })).toBe(false);
});
