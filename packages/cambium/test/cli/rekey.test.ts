/** `rekey` from the command line: what it asks of the library, when it syncs, and what it says. */
import type { RekeyOptions, RekeyResult } from "@cambium/client";
import { expect, test } from "vitest";
import { cambium, healthy } from "./run-cambium.js";

const RESULT: RekeyResult = {
  ...{ status: "rekeyed", epoch: 1, resealed: 12, records: 40, earlier: 0, waiting: 0, bytes: 0 },
  relay: "destroyed",
};

/** Answers one call after the other, the last one again and again. */
function answering(...results: readonly Partial<RekeyResult>[]) {
  const asked: RekeyOptions[] = [];
  const rekey = async (options: RekeyOptions): Promise<RekeyResult> => {
    const result = results[Math.min(asked.length, results.length - 1)];
    asked.push(options);
    return { ...RESULT, ...result };
  };
  let syncs = 0;
  const sync = {
    start: () => {},
    whenSynced: async () => {
      syncs += 1;
    },
    status: async () => ({ ...healthy, relay: { ...healthy.relay, state: "synced" } }),
  };
  const space = { sync, subscribe: () => () => {}, status: async () => healthy } as never;
  return { answers: { agent: { rekey }, space }, asked, syncs: () => syncs };
}

test("[KE12] rekey --status counts and writes nothing", async () => {
  const { answers, asked } = answering({ status: "preview", earlier: 30, waiting: 2, bytes: 5_000_000 });
  const shown = await cambium(["rekey", "--status"], answers);
  expect([shown.code, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toContain("30 are under an earlier key only, 2 wait for the relay (5.0 MB)");
  expect(asked).toEqual([{ preview: true }]);
});

test("[KE12] rekey syncs between its steps, and says what it does not reach", async () => {
  const steps = answering(
    { status: "waiting", resealed: 12, waiting: 12, relay: "pending" },
    { status: "rekeyed", resealed: 0, relay: "pending" },
    { status: "preview", relay: "destroyed" },
  );
  const done = await cambium(["rekey"], steps.answers);
  expect([done.code, done.stderr]).toEqual([0, ""]);
  expect(steps.syncs()).toBe(2);
  for (const text of [
    "Sealed 12 versions anew under key 1",
    "has destroyed the old bytes",
    "what they copied before",
  ])
    expect(done.stdout).toContain(text);
  const one = await cambium(["rekey"], answering({ status: "one-key", relay: "none" }).answers);
  expect(one.stdout).toContain("has had one key only");
});
