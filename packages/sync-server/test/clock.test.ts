import { expect, test } from "vitest";
import { neverBack, onwards } from "../src/timers.js";
import { ChangeMaker, documentHex } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { ADMIN_TOKEN, RelayFixture } from "./support/relay-fixture.js";

const DAY_MS = 86_400_000;

test("[RL22] time goes on from where it was where the clock is set back, and follows it once it has come as far", () => {
  let [clock, elapsed] = [1_000_000, 5];
  const now = onwards(
    () => clock,
    () => elapsed,
  );
  const after = (ms: number, set = 0): number => {
    elapsed += ms;
    clock += ms + set;
    return now();
  };
  expect(now()).toBe(1_000_000);
  expect(after(500)).toBe(1_000_500);
  expect(after(500, -DAY_MS)).toBe(1_001_000);
  expect(after(2_000)).toBe(1_003_000);
  // It is set right: no hour counts twice.
  expect(after(0, DAY_MS)).toBe(1_003_000);
  expect(after(100, 7_000)).toBe(1_010_100);
});

test("[RL22] a clock that a caller gives is its own measure of how time goes on", () => {
  let clock = 1_000;
  const now = onwards(
    () => clock,
    neverBack(() => clock),
  );
  const at = (next: number): number => {
    clock = next;
    return now();
  };
  expect([at(1_000), at(2_000), at(500), at(600), at(9_000)]).toEqual([1_000, 2_000, 2_000, 2_100, 10_500]);
});

test("[RL22] a clock that is set back brings no token and no invitation back to life", async () => {
  await using fixture = await RelayFixture.start();
  const admin = await fixture.makeSpace("team");
  const expiresAt = fixture.timeMs + 1_000;
  const { token } = await fixture.makeToken("team", "write", expiresAt);
  const invited = await fixture.call("POST", "/spaces/team/invitations", admin, { role: "write", expiresAt });
  const invitation = ((await invited.json()) as { token: string }).token;
  const trade = (hash: string) => fixture.call("POST", "/trade", invitation, { hash });
  expect((await trade("aa".repeat(32))).status).toBe(201);
  await using client = await LogClient.subscribe(fixture.url, token);
  fixture.timeMs += 1_000;
  for (const back of [0, 999, DAY_MS, 400 * DAY_MS]) {
    fixture.timeMs -= back;
    expect((await fixture.call("GET", "/space", token)).status).toBe(401);
    expect((await trade("bb".repeat(32))).status).toBe(401);
    await expect(LogClient.open(fixture.url, token)).rejects.toThrow("401");
  }
  fixture.timers.tick();
  expect(await client.closed).toBe(4401);
  const warned = fixture.events.filter(({ type }) => type === "clock-set-back");
  expect(warned).toEqual([{ level: "warn", type: "clock-set-back", seconds: 401 * 86_400 + 1 }]);
  // What is made now is judged by the same time.
  const later = await fixture.makeToken("team", "read", expiresAt + 5_000);
  expect((await fixture.call("GET", "/space", later.token)).status).toBe(200);
  fixture.timeMs += 6_000;
  expect((await fixture.call("GET", "/space", later.token)).status).toBe(401);
  const late = { role: "read", expiresAt: expiresAt + 1_000 };
  expect((await fixture.call("POST", "/spaces/team/tokens", ADMIN_TOKEN, late)).status).toBe(400);
});

test("[RL64] [RL22] nothing is sent to a session, or taken from it, once the clock is past the end of its token", async () => {
  await using fixture = await RelayFixture.start();
  const admin = await fixture.makeSpace("team");
  const ending = await fixture.makeToken("team", "write", fixture.timeMs + 60_000);
  await using writer = await LogClient.subscribe(fixture.url, admin);
  const sessions = await Promise.all([0, 1].map(() => LogClient.subscribe(fixture.url, ending.token)));
  const [reading, writing] = sessions as [LogClient, LogClient];
  const maker = new ChangeMaker("aa");
  await writer.write(documentHex(1), maker.write("a", "1"));
  for (const session of sessions) await session.reached(1);
  fixture.timeMs += 60_000;
  await writer.write(documentHex(1), maker.write("a", "2"));
  expect(await reading.closed).toBe(4401);
  const late = await writing.write(documentHex(1), new ChangeMaker("bb").write("b", "1")).catch(String);
  expect(late).toContain("4401");
  for (const { items } of sessions) expect(items.length).toBe(1);
  await writer.reached(2);
  expect(writer.point.position).toBe(2);
  for (const session of sessions) await session[Symbol.asyncDispose]();
});
