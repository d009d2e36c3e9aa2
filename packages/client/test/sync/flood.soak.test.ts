/** 20,000 changes that no member made, while a device is closed. */
import { mainBranchId } from "@cambium/core";
import { expect, test } from "vitest";
import { Liar } from "../support/liar.js";
import { tradedToken } from "../support/stranger.js";
import { contentsOf, converged, type Device, World } from "../support/world.js";

const FLOOD = 20_000;
const MINUTES = 60_000;

const synced = ({ space }: Device): Promise<void> =>
  space.sync.whenSynced({ signal: AbortSignal.timeout(5 * MINUTES) });

test(
  "[RL194] a flood is told of, costs bounded memory, and can be cleaned away",
  async (context) => {
    await using world = await World.withRelay(694);
    const first = await world.found("first");
    await first.space.as({ agent: "ann" }).remember({ content: "kept" });
    const second = await world.join(first, "second");
    await converged(first, second);
    const token = await tradedToken(await first.space.invite({ role: "write" }));
    await second.replica.close();
    await first.replica.close();
    const main = mainBranchId(first.space.id);
    await using liar = new Liar({ url: world.relay.url, token, space: first.space.id });
    await liar.addUnsigned(main, FLOOD);
    const heapBefore = process.memoryUsage().heapUsed;
    const times: Record<string, number> = {};
    const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
      const before = performance.now();
      const result = await work();
      times[what] = Math.round(performance.now() - before);
      return result;
    };
    const again = await timed("open", () => world.reopen(second.home));
    await timed("read", () => synced(again));
    const told = (await timed("status", () => again.space.status())).notices.join();
    expect(told).toContain(`In main, ${FLOOD} changes that no member made`);
    await timed("remember", () => again.space.as({ agent: "ben" }).remember({ content: "after" }));
    await again.replica.close();
    const third = await timed("open again", () => world.reopen(second.home));
    await timed("sync again", () => synced(third));
    expect(await contentsOf(third)).toEqual(["after", "kept"]);
    const grownMb = Math.round((process.memoryUsage().heapUsed - heapBefore) / 1e6);
    const cleaning = await timed("clean", () => third.space.verify({ clean: true }));
    expect(cleaning).toMatchObject({ ok: true, cleaned: FLOOD });
    expect((await third.space.status()).notices.join()).not.toContain("no member");
    await context.annotate(JSON.stringify({ flood: FLOOD, milliseconds: times, grownMb }));
    expect(grownMb).toBeLessThan(150);
  },
  10 * MINUTES,
);
