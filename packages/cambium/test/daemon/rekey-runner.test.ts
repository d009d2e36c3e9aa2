import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type Replica } from "@cambium/client";
import { startRelay } from "@cambium/sync-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RekeyedSpace, RekeyRunner } from "../../src/daemon/rekey-runner.js";

const ADMIN = "admin-token-for-tests-0123456789";
let root = "";
let replicas: Replica[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cambium-rekey-"));
});
afterEach(async () => {
  for (const replica of replicas) await replica.close();
  replicas = [];
  rmSync(root, { recursive: true, force: true });
});

async function home(name: string): Promise<Replica> {
  const replica = await openReplica({ dir: join(root, name), stateDir: join(root, "state"), name });
  replicas.push(replica);
  return replica;
}

function runnerOf(replica: Replica) {
  const [infos, errors, opened]: [string[], string[], string[]] = [[], [], []];
  const log = { info: (line: string) => infos.push(line), error: (line: string) => errors.push(line) };
  // Its own timers never fire here.
  const timers = { after: () => () => {} };
  const openSpace = async (id: string): Promise<RekeyedSpace> => {
    opened.push(id);
    return replica.openSpace(id);
  };
  return {
    ...{ infos, errors, opened },
    runner: new RekeyRunner({ home: replica.dir, timers: timers as never, log: log as never, openSpace }),
  };
}

test("[KE13] the daemon goes on with what the owner began, and begins nothing by itself", async () => {
  const relay = await startRelay({ dataDir: join(root, "relay"), adminToken: ADMIN });
  try {
    const ada = await home("ada");
    const space = await ada.createSpace({ name: "notes", relay: { url: relay.url, token: ADMIN } });
    const bob = await home("bob");
    const guest = await bob.joinSpace(await space.invite({ role: "write" }));
    await space.as({ agent: "ada" }).remember({ content: "under the first key" });
    for (const one of [space, guest, space]) await one.sync.whenSynced();
    await space.members.revoke("bob");
    await space.sync.whenSynced();

    const { runner, infos, errors, opened } = runnerOf(ada);
    await runner.runBegun();
    expect([opened, infos]).toEqual([[], []]);
    const told = async () => (await space.status()).notices.filter((one) => one.includes("cambium rekey"));
    // The relay has to confirm the new packs first: this call cannot end it.
    expect(await space.as({ role: "owner", confirmed: true }).rekey()).toMatchObject({ status: "waiting" });
    expect(await told()).toHaveLength(1);
    await space.sync.whenSynced();
    await runner.runBegun();
    expect(infos).toEqual(["Nothing of notes is under earlier keys any more."]);
    expect(await told()).toEqual([]);
    expect(await space.as({}).rekey({ preview: true })).toMatchObject({ earlier: 0, waiting: 0 });
    await runner.runBegun();
    expect([opened, errors]).toEqual([[space.id], []]);
    await runner.stop();
  } finally {
    for (const replica of replicas.splice(0)) await replica.close();
    await relay.close();
  }
});
