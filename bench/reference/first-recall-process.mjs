/**
 * A process of its own that opens the reference space and recalls once: how long a person waits for the
 * first answer. Prints one line of JSON. JavaScript, because Node takes 40 ms to load what strips types.
 */
import { enableCompileCache } from "node:module";

enableCompileCache(); // as the command does
const { openReplica } = await import("@cambium/client");
const [dir = "", stateDir = "", now = "", query = ""] = process.argv.slice(2);
const replica = await openReplica({ dir, stateDir, clock: () => Number(now), connect: false });
const space = await replica.openSpace();
const openMs = performance.now(); // since the process began
const memories = await space.recall(query);
console.log(JSON.stringify({ openMs, recallMs: performance.now(), found: memories.length }));
await replica.close();
