import { once } from "node:events";
import { createServer } from "node:net";
import { isCambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { WELCOME_TIMEOUT_MS } from "../../src/sync/relay-line.js";
import { HEARTBEAT_MS } from "../../src/sync/relay-socket.js";
import { LineHarness } from "./support/line-harness.js";
import { ScriptedRelay, type ScriptedSession, SPACE } from "./support/scripted-relay.js";

/** A port where nobody listens. */
async function deadPort(): Promise<number> {
  await using relay = await ScriptedRelay.start();
  return relay.port;
}

/** Lets every promise and every byte that is under way arrive. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("connecting", () => {
  test("[NW2] says its token and protocol in the headers, and is online after the welcome", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new LineHarness(`${relay.url}/`, {
      space: SPACE,
      userAgent: "cambium/0",
    }).connect();
    const session = await relay.sessions.next();
    expect(session.request.url).toBe("/sync");
    expect(session.request.headers).toMatchObject({
      authorization: "Bearer token-1",
      "user-agent": "cambium/0",
      "sec-websocket-protocol": "cambium-log.1",
    });
    session.send({ type: "receipt", n: 1, positions: [] });
    session.welcome({ time: 7 });
    expect(await replica.welcomes.next()).toMatchObject({ space: SPACE, time: 7, role: "write" });
    expect(replica.frames.size).toBe(0);
    expect([await replica.states.next(), await replica.states.next()]).toMatchObject([
      { state: "connecting" },
      { state: "online" },
    ]);
  });

  test("[NW1] tries again after each failure, later each time, and no sooner", async () => {
    const port = await deadPort();
    await using replica = new LineHarness(`http://127.0.0.1:${port}`).connect();
    for (const delayMs of [50, 100, 200, 400]) {
      const { reason } = await replica.state("offline");
      expect(reason).toMatchObject({ code: "RELAY_UNREACHABLE" });
      expect(replica.timers.waitingMs()).toEqual([delayMs]);
      replica.timers.advance(delayMs);
    }
    await replica.state("offline");
    await using relay = await ScriptedRelay.start({ port });
    replica.timers.advance(800);
    await relay.nextSession();
    await replica.state("online");
  });

  test("[NW1] whoever wants to know now need not wait, nor take an old refusal for an answer", async () => {
    const port = await deadPort();
    await using replica = new LineHarness(`http://127.0.0.1:${port}`).connect();
    await replica.state("offline");
    let answer: 101 | 401 = 401;
    await using relay = await ScriptedRelay.start({ port, answer: () => answer });
    replica.line.retry();
    await replica.state("refused");
    expect(replica.timers.waitingMs()).toEqual([]);
    answer = 101;
    replica.line.retry();
    await relay.nextSession();
    await replica.state("online");
    replica.line.retry();
    expect(relay.upgrades).toBe(2);
  });

  test("[NW1] begins again with short delays once a connection has proved itself", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new LineHarness(relay.url).connect();
    for (const delayMs of [50, 100]) {
      (await relay.nextSession()).terminate();
      await replica.state("offline");
      expect(replica.timers.waitingMs()).toEqual([delayMs]);
      replica.timers.advance(delayMs);
    }
    const session = await relay.nextSession();
    await replica.state("online");
    replica.timers.advance(HEARTBEAT_MS);
    session.terminate();
    await replica.state("offline");
    expect(replica.timers.waitingMs()).toEqual([50]);
  });

  test("[NW5] a name that does not resolve, a reset, an answer that is none: a reason, and another try", async () => {
    const resetter = createServer((socket) => socket.resetAndDestroy()).listen(0, "127.0.0.1");
    await once(resetter, "listening");
    const address = resetter.address();
    const port = typeof address === "object" ? address?.port : 0;
    await using busy = await ScriptedRelay.start({ answer: () => 503 });
    for (const url of ["http://nowhere.invalid", `http://127.0.0.1:${port}`, busy.url]) {
      await using replica = new LineHarness(url).connect();
      expect((await replica.state("offline")).reason).toMatchObject({ code: "RELAY_UNREACHABLE" });
      expect(replica.timers.waitingMs()).toEqual([50]);
    }
    resetter.close();
  });

  test("[NW3] 401, 403 and a token revoked meanwhile are final", async () => {
    for (const [status, code] of [
      [401, "TOKEN_REFUSED"],
      [403, "ROLE_REFUSED"],
    ] as const) {
      await using relay = await ScriptedRelay.start({ answer: () => status });
      await using replica = new LineHarness(relay.url).connect();
      expect((await replica.state("refused")).reason).toMatchObject({ code });
      expect(replica.timers.waitingMs()).toEqual([]);
      replica.connect();
      expect(relay.upgrades).toBe(1);
    }
    await using relay = await ScriptedRelay.start();
    await using replica = new LineHarness(relay.url).connect();
    (await relay.nextSession()).close(4401);
    expect((await replica.state("refused")).reason).toMatchObject({ code: "TOKEN_REFUSED" });
    expect(replica.timers.waitingMs()).toEqual([]);
  });

  test("[NW3] so are a token for another space, and a protocol of another version", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new LineHarness(relay.url, { space: SPACE }).connect();
    const session = await relay.sessions.next();
    session.welcome({ space: "0198c2a4-7d3e-7c51-9f00-000000000000" });
    expect((await replica.state("refused")).reason).toMatchObject({ code: "TOKEN_REFUSED" });
    await session.ended;
    await using other = await ScriptedRelay.start({ protocol: "cambium-log.2" });
    await using newer = new LineHarness(other.url).connect();
    expect((await newer.state("refused")).reason).toMatchObject({ code: "RELAY_PROTOCOL" });
    // An earlier relay takes every protocol by name, and understands nothing of it.
    await using earlier = await ScriptedRelay.start();
    await using left = new LineHarness(earlier.url).connect();
    (await earlier.sessions.next()).close(4400);
    expect((await left.state("refused")).reason).toMatchObject({
      ...{ code: "RELAY_PROTOCOL", hint: expect.stringContaining("update the older") },
    });
    for (const { welcomes, timers } of [replica, newer, left])
      expect([welcomes.size, timers.waitingMs()]).toEqual([0, []]);
  });

  test("[NW4] gives up a relay that says nothing after the upgrade, and one that stops answering", async () => {
    await using relay = await ScriptedRelay.start({ autoPong: false });
    await using replica = new LineHarness(relay.url).connect();
    await relay.sessions.next();
    while (replica.timers.waitingMs().length < 2) await settled(); // the upgrade is heard
    replica.timers.advance(WELCOME_TIMEOUT_MS);
    expect((await replica.state("offline")).reason?.message).toContain("of an earlier version");
    replica.timers.advance(50);
    await relay.nextSession();
    await replica.state("online");
    replica.timers.advance(HEARTBEAT_MS);
    replica.timers.advance(HEARTBEAT_MS);
    expect((await replica.state("offline")).reason?.message).toContain("no sign of life");
  });

  test("[NW4] a relay that answers pings is kept", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new LineHarness(relay.url).connect();
    const session = await relay.nextSession();
    await replica.state("online");
    for (let beat = 0; beat < 4; beat += 1) {
      replica.timers.advance(HEARTBEAT_MS);
      // The relay answers pings in order with frames: once the receipt is here, so is the pong.
      await settled();
      session.send({ type: "receipt", n: beat, positions: [] });
      await replica.frames.next();
    }
    expect(replica.line.invalidFrames).toBe(0);
    expect(replica.states.size).toBe(0);
  });

  test("[NW14] ends for good when closed, in whatever state", async () => {
    await using relay = await ScriptedRelay.start();
    const online = new LineHarness(relay.url).connect();
    const session = await relay.nextSession();
    await online.state("online");
    await online.line.close();
    expect(await session.ended).toBe(1000);
    await online.line.close();
    online.connect();
    const connecting = new LineHarness(relay.url).connect();
    await connecting.line.close();
    const waiting = new LineHarness(`http://127.0.0.1:${await deadPort()}`).connect();
    await waiting.state("offline");
    await waiting.line.close();
    for (const { timers } of [online, connecting, waiting]) expect(timers.waitingMs()).toEqual([]);
  });

  test("[NW14] hangs up and begins again, and sends nothing between", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new LineHarness(relay.url).connect();
    const first = await relay.nextSession();
    await replica.state("online");
    replica.line.hangUp();
    replica.line.send({ type: "credit", bytes: 1 });
    replica.connect();
    const second = await relay.nextSession();
    await replica.state("online");
    replica.line.send({ type: "credit", bytes: 2 });
    expect(await second.frames.next()).toMatchObject({ bytes: 2 });
    await first.ended;
    expect(first.frames.size).toBe(0);
  });
});

async function online(
  relay: ScriptedRelay,
  options: ConstructorParameters<typeof LineHarness>[1] = {},
): Promise<{ readonly replica: LineHarness; readonly session: ScriptedSession }> {
  const replica = new LineHarness(relay.url, options).connect();
  const session = await relay.nextSession();
  await replica.state("online");
  return { replica, session };
}

describe("what comes", () => {
  test("[NW5] garbage is counted and passed over; too much of it ends the session", async () => {
    await using relay = await ScriptedRelay.start();
    const { replica, session } = await online(relay);
    await using _ = replica;
    session.sendText("hello");
    session.sendBytes(new Uint8Array(0));
    session.sendBytes(new Uint8Array([200, 1, 2]));
    session.send({ type: "receipt", n: 3, positions: [] });
    expect(await replica.frames.next()).toMatchObject({ n: 3 });
    expect(replica.line.invalidFrames).toBe(3);
    expect((await replica.notices.next()).kind).toBe("invalid-frame");
    for (let count = 0; count < 97; count += 1) session.sendText("hello");
    expect((await replica.state("offline")).reason).toMatchObject({ code: "RELAY_PROTOCOL" });
    expect(await session.ended).toBe(4400);
    expect(replica.timers.waitingMs()).toEqual([50]);
  });

  test("[NW5] a frame beyond all bounds ends the session, and nothing else", async () => {
    await using relay = await ScriptedRelay.start();
    const { replica, session } = await online(relay);
    await using _ = replica;
    session.sendBytes(new Uint8Array(65 * 1024 * 1024 + 1));
    await replica.state("offline");
    replica.timers.advance(50);
    await relay.nextSession();
    await replica.state("online");
  });

  test("[NW5] a listener that throws is reported, and the session goes on", async () => {
    await using relay = await ScriptedRelay.start();
    const failure = new Error("listener");
    const { replica, session } = await online(relay, {
      onFrame: ({ type }) => {
        if (type === "slots") throw failure;
        replica.frames.put({ type: "receipt", n: 1, positions: [] });
      },
    });
    await using _ = replica;
    session.send({ type: "slots", slots: [] });
    session.send({ type: "receipt", n: 1, positions: [] });
    await replica.frames.next();
    expect(await replica.notices.next()).toMatchObject({ kind: "listener-failed", cause: failure });
  });

  test("[NW2] an address or token that cannot be one is refused when given", () => {
    const isBadInput = (error: unknown) => isCambiumError(error, "BAD_INPUT");
    for (const url of ["", "relay", "ftp://relay", "http://me:secret@relay", "http://relay/?a"]) {
      expect(() => new LineHarness(url)).toThrow(expect.toSatisfy(isBadInput));
    }
    expect(() => new LineHarness("http://relay", { token: "two words" })).toThrow(
      expect.toSatisfy(isBadInput),
    );
  });
});
