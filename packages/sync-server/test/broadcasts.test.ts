import { afterEach, describe, expect, test } from "vitest";
import { openPostgresLog } from "../src/index.js";
import { type Broadcast, Broadcasts } from "../src/sessions/broadcasts.js";
import { documentHex } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { hasPostgres, newPostgresStore } from "./support/postgres-server.js";
import { RelayFixture } from "./support/relay-fixture.js";

const open: RelayFixture[] = [];

afterEach(async () => {
  for (const relay of open.splice(0)) await relay[Symbol.asyncDispose]();
});

/** Relays whose store passes on what is said, at once and in this process. */
function speech(elapsed: () => number) {
  const heard: [string, Broadcast][] = [];
  const errors: unknown[] = [];
  const said: Uint8Array[] = [];
  let hear: (space: string, bytes: Uint8Array) => void = () => {};
  const far = new Broadcasts({
    shared: {
      broadcast: (space, bytes) => {
        said.push(bytes);
        hear(space, bytes);
      },
      onBroadcast: (listener) => {
        hear = listener;
      },
    },
    elapsed,
    onBroadcast: (space, words) => heard.push([space, words]),
    onError: (error) => errors.push(error),
  });
  return { far, heard, errors, said, receive: (bytes: Uint8Array) => hear("team", bytes) };
}

const words = (length: number): Broadcast => ({ kind: "ephemeral", bytes: new Uint8Array(length) });

test("[RL181] what a space says to other relays is bounded, for itself and for all", () => {
  let nowMs = 0;
  const { far, heard } = speech(() => nowMs);
  far.broadcast("team", words(5_001));
  expect(heard).toEqual([]);
  for (let at = 0; at < 10_000; at += 1) far.broadcast("team", words(10));
  const burst = heard.length;
  expect([burst > 100, burst <= 501]).toEqual([true, true]);
  far.broadcast("other", words(10));
  expect(heard.at(-1)).toEqual(["other", words(10)]);
  nowMs += 1_000;
  const before = heard.length;
  for (let at = 0; at < 10_000; at += 1) far.broadcast("team", words(10));
  expect([heard.length > before, heard.length <= before + 51]).toEqual([true, true]);
  for (let space = 0; space < 200; space += 1)
    for (let at = 0; at < 500; at += 1) far.broadcast(`hostile ${space}`, words(10));
  expect(heard.length).toBeLessThan(6_000);
});

test("[RL181] what a relay of another version says is passed over", () => {
  const { errors, heard, receive } = speech(() => 0);
  receive(Uint8Array.of(0xff, 0x00));
  expect([errors.length, heard.length]).toEqual([1, 0]);
});

describe.skipIf(!hasPostgres)("on one PostgreSQL database", () => {
  test("[RL181] ephemeral bytes and slots reach the sessions at another relay", async () => {
    const url = await newPostgresStore();
    const start = async (): Promise<RelayFixture> => {
      const relay = await RelayFixture.start({ log: await openPostgresLog(url) });
      open.push(relay);
      return relay;
    };
    const [one, two] = [await start(), await start()];
    const token = await one.makeSpace("team");
    const elsewhere = await one.makeSpace("elsewhere");
    await using a = await LogClient.subscribe(one.url, token);
    await using b = await LogClient.subscribe(two.url, token);
    await using other = await LogClient.subscribe(two.url, elsewhere);
    // A relay listens a moment after it has started; what is said before that is lost.
    const replica = documentHex(7);
    await expect
      .poll(() => {
        a.send({ type: "ephemeral", bytes: Uint8Array.of(1) });
        return b.frames.find(({ type }) => type === "ephemeral");
      })
      .toEqual({ type: "ephemeral", bytes: Buffer.of(1) });
    b.send({ type: "slot", replica, bytes: Uint8Array.of(2) });
    const slots = [{ replica, bytes: Buffer.of(2) }];
    expect(await a.next("slots")).toEqual({ type: "slots", slots });
    await using late = await LogClient.subscribe(one.url, token);
    expect(await late.next("slots")).toEqual({ type: "slots", slots });

    expect(other.frames.map(({ type }) => type)).toEqual(["welcome", "state"]);
    // Nobody hears themselves by way of the database.
    expect(a.frames.filter(({ type }) => type === "ephemeral")).toEqual([]);
  });
});
