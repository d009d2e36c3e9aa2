/** What is asked for in the moment in which nothing seems left to do. */
import type { DocumentId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { WhileAsked } from "../../src/platform/while-asked.js";
import { CollisionRepair, type CollisionRepairOptions } from "../../src/sync/collision-repair.js";

const HOPS = Array.from({ length: 10 }, (_, hops) => hops);

async function afterHops(hops: number, act: () => void): Promise<void> {
  for (let hop = 0; hop < hops; hop += 1) await undefined;
  act();
}

describe("[NW30] what comes in the last moment is not forgotten", () => {
  test.for(HOPS)("work that is asked for after %i steps of a run", async (hops) => {
    const waiting = ["first"];
    const done: string[] = [];
    const work = new WhileAsked(async () => void done.push(...waiting.splice(0)));
    work.ask();
    await afterHops(hops, () => {
      waiting.push("second");
      work.ask();
    });
    await work.settled();
    expect([done, work.isRunning]).toEqual([["first", "second"], false]);
  });

  test.for(HOPS)("a collision that shows %i steps after the documents were put right", async (hops) => {
    const [first, second] = ["first", "second"] as unknown as readonly [DocumentId, DocumentId];
    const fetched: DocumentId[] = [];
    let repaired = 0;
    const repair = new CollisionRepair({
      documents: { onCollision: () => {} },
      fetch: async (document: DocumentId) => {
        fetched.push(document);
        return [];
      },
      onNotice: expect.unreachable,
      onRepaired: () => {
        repaired += 1;
        if (repaired === 1) void afterHops(hops, () => repair.begin(second));
      },
      onFailed: expect.unreachable,
    } as unknown as CollisionRepairOptions);
    repair.begin(first);
    await new Promise((resolve) => setImmediate(resolve));
    expect([fetched, repair.isRunning]).toEqual([[first, second], false]);
  });
});
