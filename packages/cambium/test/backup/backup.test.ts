import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ImportArchiveOptions,
  type ImportedArchive,
  openReplica,
  type Replica,
  type Space,
  verifyArchive,
} from "@cambium/client";
import { manualTimers } from "@cambium/client/host";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type BackupPlan,
  noteBackupFailure,
  readBackupFailures,
  readBackupPlans,
  writeBackupPlan,
} from "../../src/backup/backup-settings.js";
import { backupsIn, isDue, makeBackup } from "../../src/backup/make-backup.js";
import { BackupRunner } from "../../src/daemon/backup-runner.js";
import { checkBackups } from "../../src/doctor/check-backups.js";
import { cambium, healthy } from "../cli/run-cambium.js";

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
  const nowhere = planIn(join("nowhere", "kept"));
  await expect(makeBackup(nowhere, space, { home: join(root, "home"), now: START })).rejects.toThrow(
    "There is no folder",
  );
  expect(existsSync(join(root, "nowhere"))).toBe(false);
  const plan = planIn("kept");
  expect(isDue(plan, START)).toBe(true);
  for (let day = 0; day < 4; day += 1)
    await makeBackup(plan, space, { home: join(root, "home"), now: START + day * DAY_MS });
  writeFileSync(join(plan.dir, "mine.cambium"), "not yours");
  await makeBackup(plan, space, { home: join(root, "home"), now: START + 4 * DAY_MS });
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
  for (const day of [30, 31])
    await makeBackup(plan, space, { home: join(root, "home"), now: START + day * DAY_MS });
  expect(isDue(plan, START)).toBe(true);
  const [later] = backupsIn(plan);
  const halves = [`${later?.path}.part`, `${later?.path}.0f3a5b7c.part`, join(plan.dir, "mine.cambium.part")];
  for (const half of halves) writeFileSync(half, "half of it");
  await makeBackup(plan, space, { home: join(root, "home"), now: START });
  expect(backupsIn(plan).map(({ at }) => at)).toEqual([START + 31 * DAY_MS, START]);
  expect(isDue(plan, START + 1)).toBe(false);
  await makeBackup(plan, space, { home: join(root, "home"), now: START + DAY_MS });
  expect(backupsIn(plan).map(({ at }) => at)).toEqual([START + DAY_MS, START]);
  expect(halves.map((half) => existsSync(half))).toEqual([false, false, true]);
});

test("[AR14] the daemon makes those that are due; one that fails is told, and keeps no other from being made", async () => {
  const home = join(root, "home");
  const [good, bad] = [planIn("good"), planIn("bad", { space: "01a2085a-a002-77d8-a6c4-0ba390c2a728" })];
  writeBackupPlan(home, bad.space, bad);
  writeBackupPlan(home, good.space, good);
  mkdirSync(good.dir);
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

test("[AR33] a folder or a passphrase that went away is told before the next backup fails; no folder is made for it", async () => {
  const home = join(root, "gone-home");
  mkdirSync(home);
  const dir = join(root, "gone");
  const pass = join(root, "gone-pass");
  writeFileSync(pass, "three tall pines\n", { mode: 0o600 });
  const answers = {
    space: {
      ...{ id: space.id, name: "my notes", archive: space.archive.bind(space) },
      status: async () => healthy,
    },
  };
  const run = (...line: readonly string[]) =>
    cambium(line, answers, { env: { CAMBIUM_HOME: home }, now: () => START });
  const first = await run("backup", dir, "--passphrase-file", pass);
  expect(first.stdout).toContain(`The folder ${dir} was not there: it was made.`);
  expect((await run("backup")).stdout).not.toContain("it was made");
  const doctor = () =>
    checkBackups([{ id: space.id, name: "my notes" } as never], { home, now: () => START }).map(
      ({ state }) => state,
    );
  expect([doctor(), (await run("status")).stdout]).toEqual([["ok"], expect.not.stringContaining(pass)]);

  for (const spoil of [() => writeFileSync(pass, "\n"), () => rmSync(pass)]) {
    spoil();
    expect(doctor()).toEqual(["warn"]);
    expect((await run("status")).stdout).toContain(`The file ${pass}`);
  }
  writeFileSync(pass, "three tall pines\n", { mode: 0o600 });
  rmSync(dir, { recursive: true });
  const gone = await run("backup");
  expect([gone.code, gone.stderr]).toEqual([
    2,
    expect.stringContaining(`${dir} of the backups is not there`),
  ]);
  expect(existsSync(dir)).toBe(false);
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
  const open = join(root, "open");
  writeFileSync(open, "three tall pines\n", { mode: 0o644 });
  const warned = await run(join(root, "sealed"), "--passphrase-file", open);
  expect([warned.code, warned.stderr]).toEqual([0, expect.stringContaining(`can read ${open}`)]);

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

test("[AR18] a backup is taken back by day or time, after its preview was shown, on a machine without the space too", async () => {
  const home = join(root, "restoring");
  const dir = join(root, "restored");
  const passphraseFile = join(root, "pass");
  writeFileSync(passphraseFile, "three tall pines\n");
  const plan = planIn("restored", { passphraseFile, keep: 9 });
  const clear = { ...plan, passphraseFile: null };
  for (const day of [0, 1])
    await makeBackup(clear, space, { home: join(root, "home"), now: START + day * DAY_MS });
  await makeBackup(plan, space, { home: join(root, "home"), now: START + 2 * DAY_MS });
  mkdirSync(home);
  const asked: [path: string, options: ImportArchiveOptions][] = [];
  const brought: ImportedArchive["branches"] = [
    { branch: "main", isNew: false, changes: 1, created: [], changed: [], deleted: [], conflicts: 0 },
  ];
  const archive = await verifyArchive(backupsIn(plan)[0]?.path ?? "", { passphrase: "three tall pines" });
  const importArchive = async (path: string, options: ImportArchiveOptions): Promise<ImportedArchive> => {
    asked.push([path, options]);
    const status = options.preview === true ? "preview" : "imported";
    return { status, as: "merge", space: archive.space, archive, branches: brought };
  };
  const run = (...line: readonly string[]) =>
    cambium(["restore-backup", ...line], { replica: { importArchive } }, { env: { CAMBIUM_HOME: home } });
  const unset = await run("--list");
  expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining("--from <folder>")]);
  const there = ["--from", dir, "--passphrase-file", passphraseFile];
  expect(JSON.parse((await run("--list", "--from", dir, "--json")).stdout).backups).toHaveLength(3);
  expect((await run("2026-08-02", "--preview", ...there)).stdout).toContain("Would bring to main");
  expect(asked.map(([path, { preview, passphrase }]) => [path.slice(-29), preview, passphrase])).toEqual([
    ["-2026-08-02T10-00-00Z.cambium", true, undefined],
  ]);

  writeBackupPlan(home, space.id, plan);
  const refused = await run();
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--preview")]);
  expect(asked.at(-1)?.[1].preview).toBe(true);
  expect((await run("--yes")).stdout).toContain("Brought to main");
  expect(asked.at(-1)?.[0]).toContain("2026-08-03");
  expect(asked.at(-1)?.[1]).toMatchObject({ passphrase: "three tall pines" });
  expect((await run("2025")).stderr).toContain("There is no backup of 2025");
  await makeBackup(
    { ...clear, space: "x" },
    { ...spaceOf(), id: OTHER },
    { home: join(root, "home"), now: START },
  );
  expect((await run("--from", dir)).stderr).toContain("backups of several spaces");
  const agent = await cambium(["restore-backup"], {}, { env: { CAMBIUM_AGENT: "bot", CAMBIUM_HOME: home } });
  expect(agent.code).toBe(5);
});

const OTHER = "01a2085a-a002-77d8-a6c4-0ba390c2a728" as Space["id"];
const spaceOf = () => ({ id: space.id, name: space.name, archive: space.archive.bind(space) });

test("[AR19] status says that a backup failed, or is late", async () => {
  const home = join(root, "late-home");
  mkdirSync(home);
  const plan = planIn("late");
  await makeBackup(plan, space, { home: join(root, "home"), now: START });
  const notices = async (now: number) => {
    const answers = { space: { id: space.id, status: async () => healthy } };
    const env = { CAMBIUM_HOME: home };
    const { stdout } = await cambium(["status", "--json"], answers, { env, now: () => now });
    return (JSON.parse(stdout) as { notices: readonly string[] }).notices;
  };
  expect(await notices(START + 9 * DAY_MS)).toEqual([]);
  writeBackupPlan(home, space.id, plan);
  expect(await notices(START + DAY_MS)).toEqual([]);
  expect(await notices(START + 3 * DAY_MS)).toEqual([expect.stringMatching(/is late.*cambium backup/)]);
  noteBackupFailure(home, space.id, { space: space.id, at: START, message: "The disk is full." });
  expect(await notices(START + DAY_MS)).toEqual([expect.stringContaining("The disk is full.")]);
});
