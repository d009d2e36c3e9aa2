/**
 * A program that embeds the library and only reads: says, as one line of JSON, what it found and which modules of
 * others it loaded meanwhile. Runs on the build.
 */
import { registerHooks } from "node:module";

const loaded = new Set();
registerHooks({
  load(url, context, nextLoad) {
    const [name] = url
      .split("/node_modules/")
      .at(-1)
      .match(/^(@[^/]+\/)?[^/]+/);
    if (url.includes("/node_modules/")) loaded.add(name);
    return nextLoad(url, context);
  },
});

const { openReplica } = await import("../../../dist/index.js");
const { dir, stateDir, now } = JSON.parse(process.argv[2]);
const replica = await openReplica({ dir, stateDir, clock: () => now, connect: false });
const space = await replica.openSpace();
const { memories } = await space.list();
const [{ id }] = memories;
const found = {
  listed: memories.length,
  recalled: (await space.recall("whole")).length,
  got: (await space.get(id)).id === id,
  past: (await space.at(`main@${now}`).list()).memories.length,
  versions: (await space.history(id)).length,
  changes: (await space.log()).changes.length,
  branches: (await space.branches.list()).length,
};
await replica.close();
process.stdout.write(`${JSON.stringify({ found, loaded: [...loaded].sort() })}\n`);
