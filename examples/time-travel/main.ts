/** An old violin and what was known of it, when: states at dates, a merge and its undoing, and a forgotten photograph. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica } from "@cambium/client";
import { startRelay } from "@cambium/sync-server";

await using home = await mkdtempDisposable(join(tmpdir(), "cambium-example-"));
let now = Date.UTC(2027, 0, 10, 12);
const clock = () => now++; // time passes when somebody looks at it
const device = { stateDir: join(home.path, "state"), clock };

await using relay = await startRelay({ dataDir: join(home.path, "relay"), clock });
const access = { url: relay.url, token: relay.adminToken ?? "" };
await using attic = await openReplica({ ...device, dir: join(home.path, "attic"), name: "Mira's laptop" });
await using bench = await openReplica({ ...device, dir: join(home.path, "bench"), name: "luthier's bench" });
const space = await attic.createSpace({ name: "violin", relay: access });
const workshop = await bench.joinSpace(await space.invite({ role: "write" }));
const mira = space.as({ agent: "Mira" });
const luthier = workshop.as({ agent: "Ottavio" });

on(2027, 1, 10, "The attic");
const label = await mira.remember({
  content: "Label inside: Antonio Stradivari, Cremona 1721. Every copy says so.",
  category: "find",
});
const worth = await mira.remember({ content: "Worth perhaps 300 euros.", category: "value" });
const photo = await mira.remember({
  content: "Photograph in the case: grandfather, 1938, under a spruce.",
  category: "find",
});
await showState("main");
await space.sync.whenSynced();

on(2027, 2, 3, "The luthier takes a look, on a branch of his own");
await workshop.sync.whenSynced();
await luthier.branches.create("luthier", { from: "main" });
const onBench = { branch: "luthier" };
await luthier.revise(
  worth.id,
  { content: "Worth 900,000 euros, if the label is true.", reason: "the varnish" },
  onBench,
);
await luthier.remember({ content: "Youngest tree ring of the spruce top: 1709.", category: "find" }, onBench);
await workshop.sync.whenSynced();
await showState("luthier", workshop);

on(2027, 4, 2, "Mira tidies up, and puts the photograph away");
await mira.forget(photo.id, { reason: "not about the violin" });
await showState("main");

on(2027, 6, 20, "The luthier is sure. His branch is merged.");
await space.sync.whenSynced();
const merged = await mira.merge({ from: "luthier" });
assert.equal(merged.status, "merged");
await showState("main");

on(2027, 9, 1, "The insurer asks: what did you know on 15 May?");
const may = await space.at("main@2027-05-15").list();
assert.equal(may.memories.find(({ id }) => id === worth.id)?.content, "Worth perhaps 300 euros.");
await showState("main@2027-05-15");
console.log("  Ottavio had written his estimate in February, but main did not know of it before June:");
const { created, changed } = await space.diff("main@2027-05-15", "main@2027-07-01");
for (const { content } of created) console.log(`  + ${content}`);
for (const { before, after } of changed) console.log(`  ~ ${before.content} → ${after.content}`);
assert.deepEqual([created.length, changed.length], [1, 1]);

on(2027, 10, 11, "The laboratory calls. They had counted the rings of another violin.");
assert(merged.change !== undefined);
await mira.undo({ change: merged.change });
await showState("main");
assert.equal((await space.get(worth.id)).content, "Worth perhaps 300 euros.");
console.log("  An undo is a step forward: what main knew in July can still be asked.");
assert.match((await space.get(worth.id, { at: "main@2027-07-01" })).content, /900,000/);

on(2027, 12, 24, "Under a spruce of their own, somebody remembers the photograph");
await mira.restore(photo.id, { at: "main@2027-03-01", reason: "it was always about him" });
await mira.revise(label.id, { content: `${label.content} Grandfather played it anyway.` });
await showState("main");
assert.equal((await space.list()).memories.length, 3);

console.log("\nThe year of the violin, newest first\n");
const { changes } = await space.log();
for (const { at, by, type, reason } of changes) {
  console.log(
    `  ${day(at)}  ${(by.agent ?? "").padEnd(8)} ${type}${reason === undefined ? "" : `: ${reason}`}`,
  );
}
assert.equal(changes.filter(({ type }) => type === "merge").length, 1);
await space.sync.whenSynced();

async function showState(ref: string, from = space): Promise<void> {
  console.log(`  ${ref}`);
  for (const { content } of (await from.at(ref).list()).memories) console.log(`    ${content}`);
}

function on(year: number, month: number, date: number, title: string): void {
  now = Date.UTC(year, month - 1, date, 12);
  console.log(`\n${day(now)}  ${title}\n`);
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
