/** A program that seals packs anew, and may be killed on the way: it says so with each pack. Runs on the build. */
import { openReplica } from "../../dist/index.js";

const { dir, stateDir } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

const replica = await openReplica({ dir, stateDir, connect: false });
const space = await replica.openSpace();
say("open");
const owner = space.as({ role: "owner", confirmed: true });
const { status } = await owner.rekey({ onProgress: ({ done }) => say(`pack ${done}`) });
say(status);
await replica.close();
