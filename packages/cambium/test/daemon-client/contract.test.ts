/** Every method of the interfaces, asked of a replica in this process and of one through a daemon: the same answers. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type Replica } from "@cambium/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectReplica } from "../../src/daemon-client/connect-replica.js";
import type { OperationName } from "../../src/operations/definitions/table.js";
import { ROUTES } from "../../src/operations/routes.js";
import { startDaemon } from "../daemon/support/daemon.js";
import { BRANCHES } from "./steps/branches.js";
import { GOVERNANCE } from "./steps/governance.js";
import { MEMORIES } from "./steps/memories.js";
import { SPACES } from "./steps/spaces.js";
import type { World } from "./steps/step.js";
import { UPKEEP } from "./steps/upkeep.js";
import { VERSIONS } from "./steps/versions.js";
import { Transcript } from "./support/transcript.js";

const STEPS = [...SPACES, ...MEMORIES, ...VERSIONS, ...BRANCHES, ...GOVERNANCE, ...UPKEEP];

const DAEMON_ITSELF: readonly OperationName[] = [
  ...([
    "daemon.status",
    "daemon.stop",
    "page.open",
    "page.close",
    "page.download",
    "page.sourceFile",
  ] as const),
  ...(["backups.show", "backups.make", "backups.set", "backups.end"] as const),
];
const START = 1_780_000_000_000;
let embedded: World;
let remote: World;
const clocks = { embedded: START, remote: START };
const closings: (() => PromiseLike<unknown>)[] = [];

beforeAll(async () => {
  const [dirA, dirB] = [await place(), await place()];
  const homeIn = (dir: string): string => join(dir, "home");
  const options = (dir: string) => ({
    ...{ dir: homeIn(dir), stateDir: join(dir, "state") },
    ...{ name: "desk", connect: false },
  });
  const replica = await openReplica({ ...options(dirA), clock: () => clocks.embedded });
  closings.push(() => replica.close());
  embedded = worldOf(replica, dirA);
  const daemon = await startDaemon({
    home: homeIn(dirB),
    openHome: () => openReplica({ ...options(dirB), clock: () => clocks.remote }),
  });
  const connected = await connectReplica({ dir: homeIn(dirB), start: false, env: {} });
  closings.push(
    () => connected.close(),
    () => daemon[Symbol.asyncDispose](),
  );
  remote = worldOf(connected, dirB);
});

afterAll(async () => {
  for (const close of closings) await close();
  for (const { dir } of [embedded, remote]) await rm(dir, { recursive: true, force: true });
});

async function place(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "cambium-remote-"));
  await mkdir(join(dir, "home"), { mode: 0o700 });
  await writeFile(join(dir, "notes.md"), "# Garden\n\nRoses want sun.\n\n- Water the figs\n");
  return dir;
}

const worldOf = (replica: Replica, dir: string): World =>
  ({ replica, dir, transcript: new Transcript(dir), kept: new Map() }) as unknown as World;

test("[RM2] a replica through the daemon answers every call as one in this process does", {
  timeout: 120_000,
}, async () => {
  for (const [place, [name, call]] of STEPS.entries()) {
    clocks.embedded += 1_000;
    clocks.remote += 1_000;
    const expected = await embedded.transcript.of(() => call(embedded));
    const found = await remote.transcript.of(() => call(remote));
    expect.soft({ place, name, ...(found as object) }).toEqual({ place, name, ...(expected as object) });
  }
  expect(remote.kept.get("asked")).toEqual(embedded.kept.get("asked"));
});

test("[RM2] no operation is left out of that comparison", () => {
  const asked = new Set(STEPS.map(([name]) => name));
  const missing = Object.keys(ROUTES).filter(
    (name) => !asked.has(name as OperationName) && !DAEMON_ITSELF.includes(name as OperationName),
  );
  expect(missing).toEqual([]);
});
