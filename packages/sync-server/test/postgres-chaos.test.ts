import { describe, expect, test } from "vitest";
import { chaos } from "./support/chaos.js";
import { hasPostgres } from "./support/postgres-server.js";

const isSoak = process.env.CAMBIUM_SOAK === "1";
const SEED = Number(process.env.CAMBIUM_SEED ?? 20261123);
const MINUTES = Number(process.env.CAMBIUM_SOAK_MINUTES ?? 5);

describe.skipIf(!hasPostgres)("relays that are killed, paused and cut off from their database", () => {
  test.each(isSoak ? [2, 3] : [2])(
    "[RL109] %i relays: what was confirmed is in the log once, packed or not, and no reader misses any of it",
    async (relays) => {
      const report = await chaos({ seed: SEED, relays, forMs: isSoak ? (MINUTES * 60_000) / 2 : 1_500 });
      if (isSoak) process.stdout.write(`${JSON.stringify({ relays, ...report })}\n`);
      expect(report.faults).toEqual([]);
      expect([report.receipts > 0, report.segments > 0]).toEqual([true, true]);
    },
    isSoak ? 3_600_000 : 60_000,
  );
});
