import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type Replica, type Space, verifyArchive } from "@cambium/client";
import { manualTimers } from "@cambium/client/host";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type BackupPlan,
  readBackupFailures,
  readBackupPlans,
  writeBackupPlan,
} from "../../src/backup/backup-settings.js";
import { backupsIn, isDue, makeBackup } from "../../src/backup/make-backup.js";
import { BackupRunner } from "../../src/daemon/backup-runner.js";
import { checkBackups } from "../../src/doctor/check-backups.js";
import { cambium } from "../cli/run-cambium.js";

const DAY_MS = 24 * 3_600_000;
const START = Date.UTC(2026, 7, 1, 10);

let root: string;
let replica: Replica;
let space: Space;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "cambium-backups-"));
  replica = await openReplica({ dir: join(root, "home"), stateDir: join(root, "state"), name: "laptop" });
  space = await replica.createSpace({ name: "my notes" });
  await space.as({ agent: "ada" }).remember({ content: "tea at four" });
});
afterAll(async () => {
  await replica.close();
  rmSync(root, { recursive: true, force: true });
});

const planIn = (name: string, more: Partial<BackupPlan> = {}): BackupPlan => ({
  ...{ space: space.id, dir: join(root, name), everyMs: DAY_MS, keep: 2, passphraseFile: null },
  ...more,
});

test("[AR13] a backup is an archive named by its time; the newest stay, and what else is in the folder", async () => {
  const plan = planIn("kept");
  expect(isDue(plan, START)).toBe(true);
  for (let day = 0; day < 4; day += 1) await makeBackup(plan, space, { now: START + day * DAY_MS });
  writeFileSync(join(plan.dir, "mine.cambium"), "not yours");
  await makeBackup(plan, space, { now: START + 4 * DAY_MS });
  const found = backupsIn(plan);
  expect(found.map(({ at }) => at)).toEqual([START + 4 * DAY_MS, START + 3 * DAY_MS]);
  expect(readdirSync(plan.dir)).toHaveLength(3);
  expect(found[0]?.path).toContain("my-notes-");
  expect(await verifyArchive(found[0]?.path ?? "")).toMatchObject({ space: { id: space.id } });
  expect(isDue(plan, START + 5 * DAY_MS - 1)).toBe(false);
  expect(isDue(plan, START + 5 * DAY_MS)).toBe(true);
  expect(backupsIn({ ...plan, space: "01a2085a-a002-77d8-a6c4-0ba390c2a728" })).toEqual([]);
});

test("[AR13] those dated later than now count for nothing, and go first; so does what was cut short", async () => {
  const plan = planIn("later");
  for (const day of [30, 31]) await makeBackup(plan, space, { now: START + day * DAY_MS });
  expect(isDue(plan, START)).toBe(true);
  const [later] = backupsIn(plan);
  const halves = [`${later?.path}.part`, join(plan.dir, "mine.cambium.part")];
  for (const half of halves) writeFileSync(half, "half of it");
  await makeBackup(plan, space, { now: START });
  expect(backupsIn(plan).map(({ at }) => at)).toEqual([START + 31 * DAY_MS, START]);
  expect(isDue(plan, START + 1)).toBe(false);
  await makeBackup(plan, space, { now: START + DAY_MS });
  expect(backupsIn(plan).map(({ at }) => at)).toEqual([START + DAY_MS, START]);
  expect(halves.map((half) => existsSync(half))).toEqual([false, true]);
});

test("[AR14] the daemon makes those that are due; one that fails is told, and keeps no other from being made", async () => {
  const home = join(root, "home");
  const [good, bad] = [planIn("good"), planIn("bad", { space: "01a2085a-a002-77d8-a6c4-0ba390c2a728" })];
  writeBackupPlan(home, bad.space, bad);
  writeBackupPlan(home, good.space, good);
  let now = START;
  const errors: string[] = [];
  const runner = new BackupRunner({
    ...{ home, timers: manualTimers(), now: () => now },
    log: { info: () => undefined, error: (text: string) => errors.push(text) } as never,
    openSpace: (id) => replica.openSpace(id),
  });
  await runner.makeDue();
  await runner.makeDue();
  expect(backupsIn(good)).toHaveLength(1);
  expect(readBackupFailures(home)).toMatchObject([{ space: bad.space, at: START }]);
  expect(errors[0]).toContain("failed");
  now += DAY_MS;
  await runner.makeDue();
  expect(backupsIn(good)).toHaveLength(2);

  const spaces = [{ id: space.id, name: "my notes" }] as never;
  const states = (at: number) =>
    checkBackups(spaces, { home, now: () => at }).map(({ state, subject }) => [subject, state]);
  expect(states(now)).toEqual([
    [bad.space, "warn"],
    ["my notes", "ok"],
  ]);
  expect(states(now + 3 * DAY_MS)).toContainEqual(["my notes", "warn"]);
  await runner.stop();
  for (const { space: id } of readBackupPlans(home)) writeBackupPlan(home, id, undefined);
  expect(checkBackups(spaces, { home, now: () => now })).toEqual([]);
});

test("[AR15] backup makes the first one at once, lists them, and ends them", async () => {
  const home = join(root, "cli-home");
  mkdirSync(home);
  const dir = join(root, "cli");
  const answers = { space: { id: space.id, name: "my notes", archive: space.archive.bind(space) } };
  const run = (...line: readonly string[]) =>
    cambium(["backup", ...line], answers, { env: { CAMBIUM_HOME: home }, now: () => START });
  for (const wrong of [
    [dir],
    [dir, "--clear", "--passphrase-file", "x"],
    [dir, "--passphrase-file", "-"],
    [],
  ])
    expect((await run(...wrong)).code).toBe(2);
  const missing = await run(dir, "--passphrase-file", join(root, "none"));
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("cannot be read")]);
  expect(existsSync(join(home, "backups.json"))).toBe(false);

  const first = await run(dir, "--clear", "--every", "week", "--keep", "3");
  expect(first.stdout).toContain("The daemon makes one every week while it runs, and keeps the newest 3.");
  expect(JSON.parse((await run("--list", "--json")).stdout)).toMatchObject({
    ...{ plan: { dir, keep: 3, everyMs: 7 * DAY_MS }, backups: [{ at: START }], failure: null },
  });
  expect((await run("--list")).stdout).toContain("2026-08-01T10:00:00.000Z");
  expect((await run("--off")).stdout).toContain("Those that are there stay.");
  expect(readdirSync(dir)).toHaveLength(1);
  expect((await run("--list")).stdout).toContain("not set");
  const agent = await cambium(["backup", dir, "--clear"], answers, { env: { CAMBIUM_AGENT: "claude-code" } });
  expect(agent.code).toBe(5);
});
