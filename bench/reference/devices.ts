/**
 * Two devices and a relay: the first sync, and how soon a change made on one is seen on the other.
 *
 * @module
 */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { isCambiumError, type Space } from "@cambium/client";
import { quantiles, timed } from "../support/statistics.ts";
import { type Figure, figure } from "./budgets.ts";
import type { Workload } from "./workload.ts";

export interface FirstSync {
  readonly uploadMs: number;
  readonly downloadMs: number;
}

const SHOWN = 100;
const QUIET_MS = 250;
const MAX_PAGE = 10_000;

/** Everything to the relay, then everything to a device that has nothing yet. */
export async function measureFirstSync(
  here: Space,
  join: () => Promise<Space>,
): Promise<FirstSync & { readonly there: Space }> {
  const upload = await timed(() => here.sync.whenSynced());
  const download = await timed(async () => {
    const space = await join();
    await space.sync.whenSynced();
    return space;
  });
  await here.sync.whenSynced();
  assert.deepEqual(await recordsOf(download.result), await recordsOf(here));
  return { uploadMs: Math.round(upload.ms), downloadMs: Math.round(download.ms), there: download.result };
}

/** From the call that writes on one device until the other returns what was written. Single changes, after a quiet while. */
export async function measureShown(here: Space, there: Space, workload: Workload): Promise<Figure> {
  const agent = here.as({ agent: "bench" });
  const values: number[] = [];
  for (let round = 0; round < Math.min(SHOWN, workload.size.samples); round += 1) {
    const input = workload.input();
    await delay(QUIET_MS);
    const { ms, result } = await timed(async () => {
      const seen = Promise.withResolvers<string>();
      const look = () => void readInto(there, id, seen.resolve);
      let id = "";
      const stop = there.subscribe(({ type }) => type === "changed" && look());
      ({ id } = await agent.remember(input));
      look();
      const content = await seen.promise;
      stop();
      return content;
    });
    assert.equal(result, input.content);
    values.push(ms);
  }
  return figure("shown", quantiles(values));
}

async function readInto(space: Space, id: string, found: (content: string) => void): Promise<void> {
  if (id === "") return;
  try {
    found((await space.get(id)).content);
  } catch (error) {
    if (!isCambiumError(error, "MEMORY_NOT_FOUND") && !isCambiumError(error, "CONTENT_NOT_HERE")) throw error;
  }
}

async function recordsOf(space: Space): Promise<ReadonlyMap<string, string>> {
  const { memories } = await space.list({ limit: MAX_PAGE });
  return new Map(memories.map(({ id, record }) => [id, record]));
}
