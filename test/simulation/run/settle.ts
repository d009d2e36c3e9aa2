/**
 * Ends all faults, and waits until every device has what the others have.
 *
 * @module
 */
import { CheckFailure } from "../checks/check-failure.ts";
import { isCambiumError } from "../checks/coded-error.ts";
import type { Cluster } from "../cluster.ts";
import { HangError } from "../in-process.ts";
import type { WriteBook } from "../steps/write-book.ts";

/** What one device hears may make another have something to say. */
const ROUNDS = 3;

export async function settle(cluster: Cluster, book: WriteBook): Promise<void> {
  await heal(cluster);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const device of cluster.devices) {
      try {
        await device.call((space) => space.sync.whenSynced());
      } catch (error) {
        if (!(error instanceof HangError) && !isCambiumError(error)) throw error;
        const { relay, documents } = await device.call((space) => space.sync.status());
        const behind = documents.filter((document) => document.behind > 0 || document.pending > 0);
        throw new CheckFailure(
          "settle",
          `${device.name}: ${error.message} ${JSON.stringify({ relay, behind })}`,
        );
      }
    }
  }
  book.spread(["relay", ...cluster.devices.map(({ name }) => name)]);
}

/** Machines up, disks with room, connections as they should be. Clocks stay as they are. */
async function heal(cluster: Cluster): Promise<void> {
  const { network } = cluster.world;
  network.conditions.latencyMs = 20;
  network.conditions.breaksOnceIn = 0;
  network.conditions.garblesOnceIn = 0;
  cluster.relay.disk.disarm();
  if (cluster.relay.disk.isFull) cluster.relay.kill("kill");
  cluster.relay.disk.isFull = false;
  if (!cluster.relay.isRunning) await cluster.relay.start();
  for (const device of cluster.devices) {
    network.rejoin(device.name);
    device.disk.disarm();
    device.disk.isFull = false;
    // What could not write any more opens its store again.
    if (device.isRunning) device.kill("kill");
    await device.open();
  }
}
