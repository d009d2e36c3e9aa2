/**
 * What the whole is for: many agents, each a process of its own, write to one memory at once, and nothing of it is
 * lost or there twice, although the daemon that they share is killed again and again meanwhile.
 *
 * @module
 */
import { type FSWatcher, watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { daemonsIn, endDaemons } from "../packages/cambium/test/cli/daemons.js";
import { type Device, Scratch } from "../packages/cambium/test/cli/processes.js";
import { openReplica } from "../packages/client/src/replica/open-replica.js";
import { daemonProcesses } from "./support/daemon-processes.js";
import {
  type Acknowledged,
  McpAgent,
  ScriptedAgent,
  type WritingAgent,
  withoutWaits,
} from "./support/writing-agents.js";

const WRITES_EACH = process.env.CAMBIUM_SOAK === "1" ? 50 : 10;
/** Servers are cheap once they run; scripts start a process for each write, and the machine has two processors. */
const SERVERS = 28;
const SCRIPTS = 4;
const AGENTS = SERVERS + SCRIPTS;
const ALL = AGENTS * WRITES_EACH;
/** After how many acknowledged writes the daemon is killed; by the last, only scripts still write. */
const KILLS = [0.125, 0.3, 0.5, 0.7, 0.91].map((share) => Math.round(ALL * share));

let scratch: Scratch;
let device: Device;
const agents: WritingAgent[] = [];
const watchers: FSWatcher[] = [];

beforeEach(async () => {
  scratch = await Scratch.make("on");
  device = scratch.device();
});

afterEach(async () => {
  for (const watcher of watchers.splice(0)) watcher.close();
  for (const agent of agents.splice(0)) agent.kill();
  for (const pid of daemonProcesses(scratch.dir)) process.kill(pid, "SIGKILL");
  await scratch[Symbol.asyncDispose]();
});

/** What was done is noted there when it is stored, and before it is answered. */
const AUDIT_LOG = ".jsonl";

/** Counts what is acknowledged, and kills the daemon whenever it is due. */
class Witness {
  readonly acknowledged: Acknowledged[] = [];
  readonly killed: number[] = [];

  take(written: Acknowledged): void {
    this.acknowledged.push(written);
    if (KILLS.includes(this.acknowledged.length)) this.#killAtNextCommit();
  }

  /** When something has just been stored, but hardly told to anybody: the worst moment there is. */
  #killAtNextCommit(): void {
    const home = join(device.home, "cambium");
    const watcher: FSWatcher = watch(home, { recursive: true }, (_event, path) => {
      if (path?.endsWith(AUDIT_LOG) !== true) return;
      watcher.close();
      for (const pid of daemonsIn(scratch.dir)) {
        process.kill(pid, "SIGKILL");
        this.killed.push(pid);
      }
    });
    watchers.push(watcher);
  }
}

async function startAgent(number: number): Promise<WritingAgent> {
  const agent = number < SERVERS ? new McpAgent(device) : new ScriptedAgent(device);
  agents.push(agent); // at once, so that it ends whatever fails
  if (agent instanceof McpAgent) await agent.greet(`agent-${number}`);
  return agent;
}

async function live(number: number, witness: Witness): Promise<void> {
  const agent = await startAgent(number);
  for (let write = 1; write <= WRITES_EACH; write += 1)
    witness.take(await agent.remember(`Agent ${number} wrote its memory ${write}`));
  await agent.end();
}

const byContent = (memories: readonly Acknowledged[]): readonly Acknowledged[] =>
  memories
    .map(({ id, content }) => ({ id, content }))
    .toSorted((one, other) => (one.content < other.content ? -1 : 1));

test("[MA1] 32 processes write many memories each while their daemon is killed five times: each is kept, once", {
  timeout: 240_000,
}, async () => {
  await device.json("init", "notes");
  const witness = new Witness();
  await Promise.all(Array.from({ length: AGENTS }, (_, number) => live(number, witness)));
  expect(new Set(witness.killed).size).toBe(KILLS.length);
  expect(witness.acknowledged).toHaveLength(ALL);
  expect(new Set(witness.acknowledged.map(({ content }) => content)).size).toBe(ALL);

  // As whoever comes next finds it, through the daemon that is left.
  const acknowledged = byContent(witness.acknowledged);
  const listed = await device.json<Listed>("list", "--limit", "10000");
  expect(byContent(listed.memories)).toEqual(acknowledged);
  await expect.poll(() => daemonProcesses(scratch.dir)).toEqual(daemonsIn(scratch.dir));
  expect(daemonsIn(scratch.dir)).toHaveLength(1);
  const log = await readFile(join(device.home, "cambium", "daemon.log"), "utf8");
  expect(log.match(/ INFO Started/g)).toHaveLength(KILLS.length + 1);
  expect(log).not.toContain(" ERROR ");

  // And as it is on disk, without any daemon.
  await endDaemons(scratch.dir);
  expect(await keptOnDisk()).toEqual(acknowledged.map((written) => ({ ...written, versions: 1 })));
  const verified = await device.run(["verify"], { env: { CAMBIUM_DAEMON: "off" } });
  expect(withoutWaits(verified.stderr)).toBe("");
  expect(verified.code).toBe(0);
});

interface Listed {
  readonly memories: readonly Acknowledged[];
}

/** Everything a program finds that opens the home by itself, with the length of its history. */
async function keptOnDisk(): Promise<readonly (Acknowledged & { readonly versions: number })[]> {
  await using replica = await openReplica({
    dir: join(device.home, "cambium"),
    stateDir: join(device.home, "state"),
  });
  const space = await replica.openSpace("notes");
  const { memories } = await space.list({ limit: 10_000 });
  const found = [];
  for (const { id, content } of byContent(memories)) {
    const { length } = await space.history(id);
    found.push({ id, content, versions: length });
  }
  return found;
}
