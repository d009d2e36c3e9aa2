/**
 * A process of its own with a relay and two devices, on a space that begins with a part of the reference
 * workload. Prints one line of JSON.
 */
import { join } from "node:path";
import { openReplica } from "@cambium/client";
import { startRelay } from "@cambium/sync-server";
import { measureFirstSync, measureShown } from "./devices.ts";
import type { TwoDevices } from "./starts.ts";
import { Workload, type WorkloadSize, YEAR_START } from "./workload.ts";

const [root = "", sizeText = "", seed = ""] = process.argv.slice(2);
const size = JSON.parse(sizeText) as WorkloadSize;
const clock = { now: YEAR_START };
const now = (): number => clock.now;
const device = (name: string) => ({
  dir: join(root, name),
  stateDir: join(root, `${name}-state`),
  clock: now,
});

await using relay = await startRelay({ dataDir: join(root, "relay"), clock: now });
const workload = new Workload(size, Number(seed), clock);
await using writer = await openReplica({ ...device("sender"), connect: false });
await using reader = await openReplica(device("receiver"));
const here = await writer.createSpace({
  name: "devices",
  relay: { url: relay.url, token: relay.adminToken ?? "" },
});
await workload.write(here, () => {});
const { there, uploadMs, downloadMs } = await measureFirstSync(here, async () =>
  reader.joinSpace(await here.invite({ role: "write" })),
);
const shown = await measureShown(here, there, workload);
const report: TwoDevices = { size, figures: [shown], firstSync: { uploadMs, downloadMs } };
console.log(JSON.stringify(report));
