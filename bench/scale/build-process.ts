/**
 * A process of its own that rebuilds the index of a space, so that its memory can be measured. Prints one
 * line of JSON.
 */
import { openReplica } from "@cambium/client";
import { peakMemoryBytes } from "../support/peak-memory.ts";
import type { Build } from "./scale.ts";

const [dir = "", stateDir = "", now = ""] = process.argv.slice(2);
const replica = await openReplica({ dir, stateDir, clock: () => Number(now), connect: false });
const space = await replica.openSpace();
const start = performance.now();
const { records } = await space.reindex();
const ms = performance.now() - start;
const peakBytes = peakMemoryBytes();
console.log(JSON.stringify({ records, ms, peakBytes } satisfies Build));
await replica.close();
