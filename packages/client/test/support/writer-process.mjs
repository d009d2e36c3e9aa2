/**
 * A program that embeds the library: writes memories until it has written enough or is killed, and says the
 * id of each once it is acknowledged. Runs on the build.
 */
import { openReplica } from "../../dist/index.js";

const {
  dir,
  stateDir,
  storage,
  agent,
  count = Number.POSITIVE_INFINITY,
  sync,
  seed,
} = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

const replica = await whenFree(() => openReplica({ dir, stateDir, storage, connect: sync === true }));
const space = await replica.openSpace();
say("open");
const writer = space.as({ agent });
for (let number = 0; number < count; number += 1) {
  const { id } = await writer.remember({ content: `${agent} ${seed} ${number}` });
  say(id);
}
if (sync) await space.sync.whenSynced();
await replica.close();

/** Others may have the home for longer than a program waits: on a busy machine, a writer that syncs keeps it for as long. */
async function whenFree(open) {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (error.code !== "REPLICA_LOCKED") throw error;
    }
  }
}
