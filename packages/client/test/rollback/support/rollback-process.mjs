/**
 * A program that rolls a branch back and takes that back, again and again, until it is killed; says a line
 * before and after each. Runs on the build.
 */
import { openReplica } from "../../../dist/index.js";

const { dir, stateDir, to } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

const replica = await openReplica({ dir, stateDir, connect: false });
const space = await replica.openSpace();
say("open");
for (;;) {
  say("begin");
  await space.as({ confirmed: true }).rollback({ to });
  say("back");
  await space.as({ confirmed: true }).undo();
  say("forward");
}
