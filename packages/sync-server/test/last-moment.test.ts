/** What is asked for in the moment in which nothing seems left to do. */
import { LOG_START } from "@cambium/core/wire";
import { describe, expect, test } from "vitest";
import { Hints } from "../src/log/postgres/hints.js";
import type { StoreHint } from "../src/log/relay-log.js";
import { WhileAsked } from "../src/platform/while-asked.js";
import { OtherRelays, type OtherRelaysOptions } from "../src/sessions/other-relays.js";
import type { AnySession } from "../src/sessions/session-hub.js";

const HOPS = Array.from({ length: 10 }, (_, hops) => hops);

const fails = (error: unknown): never => expect.unreachable(String(error));

async function afterHops(hops: number, act: () => void): Promise<void> {
  for (let hop = 0; hop < hops; hop += 1) await undefined;
  act();
}

describe("[RL201] what comes in the last moment is not forgotten", () => {
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

  test.for(HOPS)("a hint of another relay, %i steps after the store has answered", async (hops) => {
    let hear: (hint: StoreHint) => void = () => {};
    const hint: StoreHint = { kind: "appended", space: "space" };
    let looks = 0;
    const shared = {
      onHint: (heard: typeof hear) => {
        hear = heard;
      },
      look: async () => {
        looks += 1;
        if (looks === 1) void afterHops(hops, () => hear(hint));
        return new Map([["space", { upTo: LOG_START, isContinued: true }]]);
      },
    };
    const others = new OtherRelays({
      shared: shared as unknown as OtherRelaysOptions["shared"],
      ...{ timers: { every: () => () => {} } as unknown as OtherRelaysOptions["timers"], now: () => 0 },
      sessions: () => [{ member: { space: "space" } } as unknown as AnySession],
      ...{ onAppended: () => {}, onMoved: () => {}, onError: fails },
    });
    others.start();
    hear(hint);
    await new Promise((resolve) => setImmediate(resolve));
    await others.settled();
    expect(looks).toBe(2);
  });

  test.for(HOPS)("what a session says, %i steps after what was said before has been sent", async (hops) => {
    const sent: string[][] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const say = (): void => hints.broadcast("space", Uint8Array.of(1));
    const database = {
      using: async () => {
        sent.push([]);
        if (sent.length === 1) void afterHops(hops, say);
        else resolve();
      },
    };
    const hints = new Hints(database as unknown as ConstructorParameters<typeof Hints>[0], fails);
    say();
    const wait = setInterval(() => {}, 1_000); // its own timers keep no process alive
    await promise;
    clearInterval(wait);
    expect(sent).toHaveLength(2);
  });
});
