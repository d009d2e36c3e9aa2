/** A garden, a broken thermometer and a bad week that is taken back, without losing the two good memories in it. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type RollbackResult } from "@cambium/client";

await using home = await mkdtempDisposable(join(tmpdir(), "cambium-example-"));
let now = Date.UTC(2027, 4, 1, 8);
const clock = () => now++; // time passes when somebody looks at it
const dirs = { dir: join(home.path, "garden"), stateDir: join(home.path, "state") };
await using shed = await openReplica({ ...dirs, clock, name: "garden shed" });
const space = await shed.createSpace({ name: "garden" });
const noor = space.as({ agent: "Noor" });
const planner = space.as({ agent: "planner" });
const weather = space.as({ agent: "weather-bot" });
const WORDS: Readonly<Record<string, string>> = {
  created: "created",
  changed: "changed",
  broughtBack: "brought back",
  hidden: "hidden",
};

on(5, 1, "What Noor and her planner know in May");
const beds = await noor.remember({ content: "Water the beds every third evening.", category: "water" });
const frost = await noor.remember({ content: "Frost can come until the 15th of May.", category: "weather" });
const beans = await planner.remember({ content: "Beans go out on the 20th of May.", category: "plan" });
await noor.remember({ content: "Mr. Okafor next door lends his ladder.", category: "people" });
await space.checkpoints.create({ name: "early-may", description: "Before anything is planted out" });
await show("main");

on(5, 10, "The thermometer falls into the compost, and reads 38 degrees for a week");
await weather.revise(beds.id, { content: "Water the beds three times a day." });
await weather.forget(frost.id, { reason: "38 degrees" });
await weather.remember({ content: "A heatwave began on the 10th of May.", category: "weather" });
now += 86_400_000;
await planner.revise(beans.id, { content: "Beans go out today, it is warm." });
await weather.remember({ content: "The lawn should be shaded with sheets.", category: "plan" });

on(5, 13, "In the same week, two things happen that are worth keeping");
const pear = await noor.remember({ content: "The old pear tree has flowered again.", category: "tree" });
const bees = await noor.remember({ content: "Mr. Okafor's bees arrive in June.", category: "people" });
await show("main");

on(5, 17, "Noor finds the thermometer, and asks what going back would do");
const whole = await space.rollback({ to: "main@checkpoint:early-may", preview: true });
print(whole);
assert.deepEqual(
  whole.deleted.filter(({ id }) => id === pear.id || id === bees.id).length,
  2,
  "going back whole would hide the two good memories",
);
console.log("  Whole, it would also hide the pear tree and the bees. So only what the weather-bot wrote:");
const theirs = await space.rollback({ only: { agent: "weather-bot", since: "2027-05-10" }, preview: true });
print(theirs);

on(5, 17, "She tries it on a branch first");
await noor.rollback({ only: { agent: "weather-bot" }, onBranch: "without-the-bot" });
await show("without-the-bot");
console.log(
  "  Good. Only the beans are left, which the planner moved: they go back to the checkpoint by themselves.",
);

on(5, 17, "And then for good, each as one change, with a checkpoint before it");
const back = await noor.rollback({
  only: { agent: "weather-bot" },
  reason: "the thermometer lay in the compost",
});
const planned = await noor.rollback({ to: "main@checkpoint:early-may", only: { ids: [beans.id] } });
print(back);
print(planned);
await show("main");
const { memories } = await space.list();
for (const good of [pear, bees]) assert(memories.some(({ id }) => id === good.id));
assert.equal((await space.get(beds.id)).content, "Water the beds every third evening.");
assert.equal((await space.get(frost.id)).deleted, false);
assert.equal((await space.get(beans.id)).content, "Beans go out on the 20th of May.");

on(5, 18, "Was that too much? An undo, and an undo of the undo");
const undone = await noor.undo({ last: 2 });
assert.equal((await space.get(beans.id)).content, "Beans go out today, it is warm.");
await noor.undo({ change: undone.change });
assert.deepEqual(
  (await space.list()).memories.map(({ content }) => content).toSorted(),
  memories.map(({ content }) => content).toSorted(),
);
console.log("  Everything is as it was before the question.");

console.log("\nThe checkpoints, newest first\n");
for (const { name, description, cause, branch } of await space.checkpoints.list()) {
  console.log(`  ${branch}: ${cause === "manual" ? `${name} (${description})` : `before a ${cause}`}`);
}
console.log("\nThe bad week can still be asked about: main on the 14th of May\n");
await show("main@2027-05-14");

async function show(ref: string): Promise<void> {
  console.log(`  ${ref}`);
  for (const { content } of (await space.at(ref).list()).memories) console.log(`    ${content}`);
}

function print({ status, counts, checkpoint }: RollbackResult): void {
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  const what = told.map(([name, count]) => `${count} ${WORDS[name]}`).join(", ");
  const before = checkpoint === undefined ? "" : ", with a checkpoint before it";
  console.log(`  ${status === "preview" ? "would be" : "were"} ${what}${before}`);
}

function on(month: number, date: number, title: string): void {
  now = Math.max(now, Date.UTC(2027, month - 1, date, 8));
  console.log(`\n${new Date(now).toISOString().slice(0, 10)}  ${title}\n`);
}
