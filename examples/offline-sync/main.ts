/** A laptop on a night train writes where there is no network, is closed in the tunnel, and syncs in the morning. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type Space } from "@cambium/client";
import { startRelay } from "@cambium/sync-server";

await using home = await mkdtempDisposable(join(tmpdir(), "cambium-example-"));
let now = Date.UTC(2027, 0, 15, 19, 40);
const clock = () => now++; // time passes when somebody looks at it
const device = { stateDir: join(home.path, "state"), clock };
const dataDir = join(home.path, "relay");

const evening = await startRelay({ dataDir, clock });
const access = { url: evening.url, token: evening.adminToken ?? "" };
const laptopHome = { ...device, dir: join(home.path, "laptop"), name: "Lea's laptop" };
const laptop = await openReplica(laptopHome);
await using studio = await openReplica({ ...device, dir: join(home.path, "studio"), name: "studio" });

const onTrain = await laptop.createSpace({ name: "radio-play", relay: access });
const atStudio = await studio.joinSpace(await onTrain.invite({ role: "write" }));
const lea = onTrain.as({ agent: "Lea" });
const sami = atStudio.as({ agent: "Sami" });

at(Date.UTC(2027, 0, 15, 19, 40), "Zürich, platform 9. Everything is in step.");
const scene = await lea.remember({
  content: "Scene 4: the lighthouse keeper hears the fog horn.",
  category: "scene",
});
for (const space of [onTrain, atStudio, onTrain]) await space.sync.whenSynced();
await showStatus("laptop", onTrain);
await showStatus("studio", atStudio);

at(Date.UTC(2027, 0, 15, 22, 15), "A storm takes the line down: the relay is gone, for both of them.");
const { port } = evening;
await evening.close();
await lea.revise(scene.id, {
  content: `${scene.content} He counts: one, two, and no third.`,
  reason: "in the tunnel",
});
await lea.remember({ content: "The fog horn is a tuba, played into a bucket.", category: "sound" });
await lea.remember({ content: "Ending: the third one comes, after the applause.", category: "scene" });
await sami.revise(scene.id, { tags: ["needs-tuba"], reason: "booking musicians" });
await sami.remember({ content: "Studio B is free on the 20th.", category: "plan" });
console.log("  Both write on. Every write is on the disk of its device before it is acknowledged.");
await showStatus("laptop", onTrain, { state: "offline", pending: 3 });
await showStatus("studio", atStudio, { state: "offline", pending: 2 });
const [found] = await onTrain.recall("tuba");
assert.match(found?.content ?? "", /into a bucket/);
console.log(`  Recall needs no network either: "tuba" finds "${found?.content}"`);

at(Date.UTC(2027, 0, 16, 1, 30), "The battery is low. Lea closes the laptop.");
await laptop.close();
console.log("  Nothing has left it yet, and nothing had to: it is all on the disk.");

at(Date.UTC(2027, 0, 16, 7, 55), "Hamburg. The line is back, and the laptop wakes up.");
await using morning = await startRelay({ dataDir, clock, port });
assert.equal(morning.url, access.url);
await using woken = await openReplica(laptopHome);
const inHamburg = await woken.openSpace("radio-play", { connect: false });
await showStatus("laptop", inHamburg, { state: "offline", pending: 3 });
for (const space of [inHamburg, atStudio, inHamburg]) await space.sync.whenSynced();
console.log("  … a cup of coffee later:");
await showStatus("laptop", inHamburg, { state: "synced", pending: 0 });
await showStatus("studio", atStudio, { state: "synced", pending: 0 });

at(Date.UTC(2027, 0, 16, 8, 5), "What the studio reads in the morning:");
const { memories } = await atStudio.list();
for (const { by, content, tags } of memories) {
  console.log(`  ${by.agent?.padEnd(5)} ${content}${tags.length > 0 ? ` [${tags.join(", ")}]` : ""}`);
}
const together = await atStudio.get(scene.id);
assert.match(together.content, /no third/);
assert.deepEqual([together.tags, together.conflicts], [["needs-tuba"], []]);
assert.deepEqual((await inHamburg.list()).memories, memories);
assert.equal(memories.length, 4);
console.log("\n  Lea's sentence and Sami's tag met in one memory. Nothing was lost, and nobody was asked.\n");

async function showStatus(
  device: string,
  space: Space,
  expected: { readonly state: string; readonly pending: number } = { state: "synced", pending: 0 },
): Promise<void> {
  const { relay } = await space.sync.status();
  const waiting = relay.pending === 1 ? "1 change waits" : `${relay.pending} changes wait`;
  console.log(`  ${device}: ${relay.state}, ${relay.pending === 0 ? "nothing waits" : waiting} to be sent`);
  assert.deepEqual({ state: relay.state, pending: relay.pending }, expected);
}

function at(time: number, text: string): void {
  now = time;
  console.log(`\n${new Date(time).toISOString().slice(0, 16).replace("T", " ")}  ${text}\n`);
}
