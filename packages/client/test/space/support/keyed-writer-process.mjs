/**
 * A program that writes memories under keys, a few at a time, until it is killed; says `try` and the key before
 * each call, and `done` after it. Runs on the build.
 */
import { openReplica } from "../../../dist/index.js";

const { dir, stateDir, storage, round } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

const replica = await openReplica({ dir, stateDir, storage, connect: false });
const space = await replica.openSpace();
say("open");

async function write(lane) {
  for (let number = 0; ; number += 1) {
    const key = `${round}-${lane}-${number}`;
    const request = { key, fingerprint: `what ${key} says` };
    say(`try ${key}`);
    await space.as({ agent: "ada", request }).remember({ content: key });
    say(`done ${key}`);
  }
}

await Promise.all(["a", "b", "c"].map(write));
