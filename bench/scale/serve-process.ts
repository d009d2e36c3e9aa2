/**
 * A process of its own that only reads, so that its memory can be told. Prints one line of JSON.
 */
import { openReplica } from "@cambium/client";
import { peakMemoryBytes } from "../support/peak-memory.ts";
import { quantiles, timed } from "../support/statistics.ts";
import type { Serving } from "./scale.ts";

const YEAR_MS = 365 * 86_400_000;

const [dir = "", stateDir = "", now = "", queries = "[]", ids = "[]"] = process.argv.slice(2);
const replica = await openReplica({ dir, stateDir, clock: () => Number(now), connect: false });
const space = await replica.openSpace();
const middle = `main@${new Date(Number(now) - YEAR_MS / 2).toISOString()}`;

const measure = async (inputs: readonly string[], read: (input: string) => Promise<unknown>) => {
  const times: number[] = [];
  for (const input of inputs) times.push((await timed(() => read(input))).ms);
  return quantiles(times);
};

const words = JSON.parse(queries) as readonly string[];
const recall = await measure(words, (query) => space.recall(query));
const past = await measure(words.slice(0, 50), (query) => space.recall(query, { at: middle }));
const get = await measure(JSON.parse(ids) as readonly string[], (id) => space.get(id));
await space.list({ limit: 100 });
const peakBytes = peakMemoryBytes();
console.log(JSON.stringify({ recall, past, get, peakBytes } satisfies Serving));
await replica.close();
