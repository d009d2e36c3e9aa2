/** Noor starts a new job. Her agents get a persona for work, live with it for a summer, and bring home what was learned. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica } from "@cambium/client";
import { startRelay } from "@cambium/sync-server";

await using home = await mkdtempDisposable(join(tmpdir(), "cambium-example-"));
let now = Date.UTC(2027, 2, 28, 20);
const clock = () => now++; // time passes when somebody looks at it
const device = { stateDir: join(home.path, "state"), clock };

await using relay = await startRelay({ dataDir: join(home.path, "relay"), clock });
const access = { url: relay.url, token: relay.adminToken ?? "" };
await using couch = await openReplica({ ...device, dir: join(home.path, "couch"), name: "home laptop" });
await using desk = await openReplica({ ...device, dir: join(home.path, "desk"), name: "office laptop" });
const space = await couch.createSpace({ name: "noor", relay: access });
const noor = space.as({ agent: "home agent" });

scene("An agent that has known her for years");
const tone = await noor.remember({ content: "Signs her letters with a drawing of a hedgehog." });
const hours = await noor.remember({ content: "Reach her whenever the kitchen light is on." });
await noor.remember({ content: "Takes her tea with cardamom, never with sugar." });
for (const { content } of (await space.list()).memories) console.log(`  ${content}`);

now = Date.UTC(2027, 3, 1, 8);
scene("A new job, and a branch of its own for it");
await noor.branches.create("work-persona");
await space.sync.whenSynced();
const office = await desk.joinSpace(await space.invite({ role: "write" }));
await office.sync.whenSynced();
const clerk = office.as({ agent: "office agent" });
const atWork = { branch: "work-persona" };
console.log("  work-persona forks from main and starts with everything main knows.");

now = Date.UTC(2027, 3, 12, 9);
scene("Spring at the office (on work-persona)");
await clerk.revise(tone.id, { content: 'Signs her letters "N. Haddad, Archive".' }, atWork);
await clerk.revise(hours.id, { content: "Reach her from nine to five, at the archive." }, atWork);
await clerk.remember({ content: "Reads every document twice before she signs it." }, atWork);
for (const { content } of (await office.list(atWork)).memories) console.log(`  ${content}`);

now = Date.UTC(2027, 5, 21, 21);
scene("Midsummer at home (on main)");
await noor.revise(hours.id, {
  content: "Reach her whenever the kitchen light is on, but not while the baby sleeps.",
  reason: "Lina was born",
});
await office.sync.whenSynced();
await space.sync.whenSynced();
console.log(`  ${(await space.get(hours.id)).content}`);
const [persona] = (await space.branches.list()).filter(({ name }) => name === "work-persona");
assert.deepEqual([persona?.ahead, persona?.behind], [3, 1]);
console.log(`  work-persona is ${persona?.ahead} changes ahead of main and ${persona?.behind} behind.`);

now = Date.UTC(2027, 8, 1, 19);
scene("September: what would a merge bring home?");
const preview = await space.merge({ from: "work-persona", preview: true });
for (const { content } of preview.created) console.log(`  new       ${content}`);
for (const { before, after, fields } of preview.changed) {
  if (after.conflicts.length === 0)
    console.log(`  changed   ${before.content}\n         to ${after.content} (${fields.join(", ")})`);
}
const [conflict] = preview.conflicts;
const [field] = conflict?.fields ?? [];
assert.equal(conflict?.id, hours.id);
assert.equal(field?.base, hours.content);
console.log(`  conflict  base: ${field.base}`);
for (const { value, by } of field.values) console.log(`            ${by.agent}: ${value}`);

const refused = await noor.merge({ from: "work-persona" });
assert.equal(refused.status, "conflict");
assert.equal((await space.list()).memories.length, 3);
console.log("  Merging without an answer writes nothing: a conflict is Noor's to decide.");

scene("Noor decides, and merges");
const answer =
  "Reach her at the archive from nine to five, and at home while the kitchen light is on and the baby awake.";
// Agents have to confirm what decides a conflict: Noor has seen the preview, and said so.
const confirmed = space.as({ agent: "home agent", confirmed: true });
const merged = await confirmed.merge({
  from: "work-persona",
  resolutions: { [hours.id]: { content: { value: answer } }, [tone.id]: "source" },
  expect: { from: preview.from.heads, into: preview.to.heads },
});
assert.equal(merged.status, "merged");
for (const { content } of (await space.list()).memories) console.log(`  ${content}`);
assert.equal((await space.get(hours.id)).content, answer);
assert.deepEqual((await space.conflicts()).length, 0);

scene("Nothing is gone");
const versions = await space.history(hours.id);
for (const { at, by, content } of versions)
  console.log(`  ${new Date(at).toISOString().slice(0, 10)}  ${by.agent}: ${content}`);
assert.equal(versions.length, 4);
assert.equal((await space.merge({ from: "work-persona" })).status, "up-to-date");

function scene(title: string): void {
  console.log(`\n${title}\n`);
}
