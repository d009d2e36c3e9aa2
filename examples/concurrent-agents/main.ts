/** Two agents on two devices plan one birthday at the same moment, and nothing either of them says is lost. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Memory, openReplica, type Space } from "@cambium/client";
import { startRelay } from "@cambium/sync-server";

await using home = await mkdtempDisposable(join(tmpdir(), "cambium-example-"));
let now = Date.UTC(2027, 2, 3, 18); // the evening of 3 March 2027
const clock = () => now++; // time passes when somebody looks at it
const device = { stateDir: join(home.path, "state"), clock };

await using relay = await startRelay({ dataDir: join(home.path, "relay"), clock });
const access = { url: relay.url, token: relay.adminToken ?? "" };
await using tablet = await openReplica({ ...device, dir: join(home.path, "tablet"), name: "kitchen tablet" });
await using phone = await openReplica({ ...device, dir: join(home.path, "phone"), name: "Jonas's phone" });

const kitchen = await tablet.createSpace({ name: "nonna-is-90", relay: access });
const street = await phone.joinSpace(await kitchen.invite({ role: "write" }));
const chef = kitchen.as({ agent: "chef" });
const scout = street.as({ agent: "scout" });

say("Nonna turns 90 in June. Two agents plan it on two devices, through a relay that reads nothing.");

const plan = await chef.remember({
  content: "The party starts at noon.\nLunch is for 24 guests.\nMusic by cousin Pietro.",
  category: "plan",
  tags: ["nonna"],
});
await synced();

say("Both write at once, without asking each other:");
now += 60_000;
const dishes = ["Risotto for 24, no nuts: Elsa is allergic.", "Lemon cake, from Nonna's own recipe."];
const errands = ["The garden is ours until ten at night.", "Uncle Beppe needs a lift from the station."];
await Promise.all([
  ...dishes.map((content) => chef.remember({ content, category: "food" })),
  ...errands.map((content) => scout.remember({ content, category: "errand" })),
]);
await synced();
const written = (await all(street)).filter(({ id }) => id !== plan.id);
const inOrder = written.toSorted((a, b) => a.content.localeCompare(b.content)); // who was first is chance
for (const { by, content } of byAgent(inOrder)) line(by.agent, content);
assert.equal((await all(kitchen)).length, 5);

say("Now both change the same memory at once, in different places:");
now += 60_000;
const more = plan.content.replace("24 guests", "26 guests");
await Promise.all([
  chef.revise(plan.id, { content: more, reason: "the twins said yes" }),
  scout.revise(plan.id, { tags: ["nonna", "garden"], reason: "found the place" }),
]);
await synced();
const united = await kitchen.get(plan.id);
for (const text of united.content.split("\n")) console.log(`    ${text}`);
console.log(`    (tags: ${united.tags.join(", ")}; both changes are in it)`);
assert.match(united.content, /26 guests/);
assert.deepEqual([united.tags, united.conflicts], [["garden", "nonna"], []]);

say("And then they disagree about the same words. Neither wins in silence:");
now += 60_000;
const start = (time: string) => united.content.replace("at noon", time);
await Promise.all([
  chef.revise(plan.id, { content: start("at one"), reason: "risotto needs the hour" }),
  scout.revise(plan.id, { content: start("at eleven"), reason: "shade is gone by two" }),
]);
await synced();
const [conflict] = (await street.get(plan.id)).conflicts;
assert.equal(conflict?.values.length, 2);
for (const { by, value } of byAgent(conflict.values)) line(by.agent, value);
line("before", conflict.base);

say("A person decides, having seen both. The decision travels like everything else:");
now += 60_000;
const [chefs, scouts] = byAgent(conflict.values).map(({ record }) => record);
assert(chefs !== undefined && scouts !== undefined);
const jonas = street.as({ agent: "Jonas" });
await jonas.resolve(plan.id, { keep: chefs, discard: [scouts], reason: "Nonna likes to sleep in" });
await synced();
const settled = await kitchen.get(plan.id);
show(settled);
assert.deepEqual([settled.conflicts.length, settled.versions], [0, 6]);
assert.deepEqual(await all(kitchen), await all(street));

say("Both devices hold the same five memories, and every version anyone ever wrote.");

async function synced(): Promise<void> {
  // What the tablet has sent by the end of its turn, the phone fetches in its own, and the other way round.
  for (const space of [kitchen, street, kitchen]) await space.sync.whenSynced();
}

async function all(space: Space): Promise<readonly Memory[]> {
  return (await space.list()).memories;
}

/** Who was first is chance when both write at once; a transcript should not be. */
function byAgent<Item extends Pick<Memory, "by">>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => String(a.by.agent).localeCompare(String(b.by.agent)));
}

function show({ content, tags, by, reason }: Memory): void {
  for (const text of content.split("\n")) console.log(`    ${text}`);
  console.log(`    (tags: ${tags.join(", ")}; last word by ${by.agent}: ${reason})`);
}

function say(text: string): void {
  console.log(`\n${text}\n`);
}

function line(who: string | undefined, value: unknown): void {
  const [first] = String(value).split("\n");
  console.log(`    ${`${who}:`.padEnd(8)} ${first}`);
}
