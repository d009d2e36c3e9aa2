/**
 * A program that erases a memory with the owner's code, and may be killed on the way: it says so once the rule is on
 * disk, and when it is done. Runs on the build.
 */
import { setImmediate } from "node:timers/promises";
import { openReplica } from "../../dist/index.js";

const { dir, stateDir, id, ownerCode } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

const replica = await openReplica({ dir, stateDir, connect: false });
const space = await replica.openSpace();
say("open");
const owner = space.as({ role: "owner", ownerCode, confirmed: true });
const known = (await space.erasures()).length;
let isDone = false;
const erasing = owner.erase({ ids: [id], confirm: 1 }).then(
  () => "erased",
  ({ code }) => code,
);
void erasing.then(() => {
  isDone = true;
});
for (; !isDone; await setImmediate())
  if ((await space.erasures()).length > known) {
    // What is acknowledged is on disk, and all before it.
    await space.as({ agent: "ada" }).remember({ content: "Ada drinks tea at four" });
    say("written");
    break;
  }
say(await erasing);
await replica.close();
