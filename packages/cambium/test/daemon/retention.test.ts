import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type Replica } from "@cambium/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type PrunedSpace, prunedSpacesIn, RetentionRunner } from "../../src/daemon/retention-runner.js";

const DAY_MS = 86_400_000;
let root = "";
let replica: Replica;
let now = Date.parse("2026-08-01T00:00:00Z");

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "cambium-retention-"));
  replica = await openReplica({ dir: join(root, "home"), stateDir: join(root, "state"), clock: () => now });
});
afterEach(async () => {
  await replica.close();
  rmSync(root, { recursive: true, force: true });
});

/** @param broken - an id of a space that cannot be asked */
function runnerOf(broken: string) {
  const [infos, errors, opened]: [string[], string[], string[]] = [[], [], []];
  const log = { info: (line: string) => infos.push(line), error: (line: string) => errors.push(line) };
  // Its own timers never fire here.
  const timers = { after: () => () => {} };
  const options = {
    ...{ home: root, timers: timers as never, now: () => now, log: log as never },
    spaces: () => [broken, ...prunedSpacesIn(join(root, "home"))],
    openSpace: async (id: string): Promise<PrunedSpace> => {
      opened.push(id);
      if (id === broken) throw new Error("no");
      return replica.openSpace(id);
    },
  };
  return { infos, errors, opened, runner: new RetentionRunner(options) };
}

test("[RT17] the daemon prunes once a week or as told, across its restarts, and one space keeps no other from it", async () => {
  const space = await replica.createSpace({ name: "notes" });
  const owner = space.as({ role: "owner" });
  expect((await space.settings()).settings.find(({ key }) => key === "retention.run")?.value).toBe("weekly");
  const { id } = await owner.remember({ content: "one" });
  await owner.revise(id, { content: "two" });
  const erased = async () =>
    (await space.history(id)).filter((version) => version.erased === "pruned").length;

  const first = runnerOf("broken");
  await first.runner.runDue();
  expect(await erased()).toBe(0);
  expect(first.opened).toEqual(["broken"]); // no rules: not even opened
  await owner.changeSettings({ set: { "retention.contents": 1 } });
  await first.runner.runDue();
  expect(await erased()).toBe(1);
  expect(first.infos).toEqual(["Pruned 1 text of notes."]);
  expect(first.errors).toEqual(["Retention failed: no", "Retention failed: no"]);
  await owner.revise(id, { content: "three" });
  await first.runner.stop();

  const second = runnerOf("broken");
  await second.runner.runDue();
  expect(second.opened).toEqual(["broken"]); // not again on the same day
  now += DAY_MS;
  await second.runner.runDue();
  expect(await erased()).toBe(1); // nor on the next
  await owner.changeSettings({ set: { "retention.run": "off" } });
  now += 30 * DAY_MS;
  await second.runner.runDue();
  expect(await erased()).toBe(1);
  await owner.changeSettings({ unset: ["retention.run"] });
  await second.runner.runDue();
  expect(await erased()).toBe(2);
  await second.runner.stop();
});
