import { once } from "node:events";
import { createServer } from "node:net";
import { isCambiumError } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { FORK_TIMEOUT_MS } from "../../src/sync/fork-requests.js";
import { WELCOME_TIMEOUT_MS } from "../../src/sync/relay-adapter.js";
import { HEARTBEAT_MS } from "../../src/sync/relay-socket.js";
import { AdapterHarness, DOCUMENT_A, DOCUMENT_B, syncData } from "./support/adapter-harness.js";
import { ScriptedRelay, type ScriptedSession, SPACE, WELCOME } from "./support/scripted-relay.js";

/** A port where nobody listens. */
async function deadPort(): Promise<number> {
  await using relay = await ScriptedRelay.start();
  return relay.port;
}

/** Lets every promise and every byte that is under way arrive. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("connecting", () => {
  test("[NW2] says its token in the header, names itself, and becomes a peer after the welcome", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new AdapterHarness(`${relay.url}/`, {
      space: SPACE,
      userAgent: "cambium/0",
    }).connect();
    const session = await relay.sessions.next();
    expect(session.request.url).toBe("/sync");
    expect(session.request.headers).toMatchObject({
      authorization: "Bearer token-1",
      "user-agent": "cambium/0",
    });
    expect(replica.peers.size).toBe(0);
    await session.welcome({ lastSeq: 7 });
    expect(await replica.peers.next()).toBe("+relay-1");
    expect(await replica.welcomes.next()).toMatchObject({ space: SPACE, lastSeq: 7, generation: "g1" });
    expect([await replica.states.next(), await replica.states.next()]).toMatchObject([
      { state: "connecting" },
      { state: "online" },
    ]);
  });

  test("[NW1] tries again after each failure, later each time, and no sooner", async () => {
    const port = await deadPort();
    await using replica = new AdapterHarness(`http://127.0.0.1:${port}`).connect();
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
    await using replica = new AdapterHarness(`http://127.0.0.1:${port}`).connect();
    await replica.state("offline");
    let answer: 101 | 401 = 401;
    await using relay = await ScriptedRelay.start({ port, answer: () => answer });
    replica.adapter.retry();
    await replica.state("refused");
    expect(replica.timers.waitingMs()).toEqual([]);
    answer = 101;
    replica.adapter.retry();
    await relay.nextSession();
    await replica.state("online");
    replica.adapter.retry();
    expect(relay.upgrades).toBe(2);
  });

  test("[NW1] begins again with short delays once a connection has proved itself", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new AdapterHarness(relay.url).connect();
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
      await using replica = new AdapterHarness(url).connect();
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
      await using replica = new AdapterHarness(relay.url).connect();
      expect((await replica.state("refused")).reason).toMatchObject({ code });
      expect(replica.timers.waitingMs()).toEqual([]);
      replica.connect();
      expect(relay.upgrades).toBe(1);
    }
    await using relay = await ScriptedRelay.start();
    await using replica = new AdapterHarness(relay.url).connect();
    (await relay.nextSession()).close(4401);
    expect((await replica.state("refused")).reason).toMatchObject({ code: "TOKEN_REFUSED" });
    expect(await replica.peers.until((peer) => peer.startsWith("-"))).toBe("-relay-1");
    expect(replica.timers.waitingMs()).toEqual([]);
  });

  test("[NW3] so are a token for another space, and a protocol of another version", async () => {
    for (const welcome of [{ space: "0198c2a4-7d3e-7c51-9f00-000000000000" }, { protocol: 2 }]) {
      await using relay = await ScriptedRelay.start();
      await using replica = new AdapterHarness(relay.url, { space: SPACE }).connect();
      const session = await relay.sessions.next();
      await session.welcome(welcome);
      await replica.state("refused");
      await session.ended;
      expect([replica.peers.size, replica.timers.waitingMs()]).toEqual([0, []]);
    }
  });

  test("[NW4] gives up a relay that says nothing after the upgrade, and one that stops answering", async () => {
    await using relay = await ScriptedRelay.start({ autoPong: false });
    await using replica = new AdapterHarness(relay.url).connect();
    const silent = await relay.sessions.next();
    await silent.frames.next();
    replica.timers.advance(WELCOME_TIMEOUT_MS);
    await replica.state("offline");
    replica.timers.advance(50);
    await relay.nextSession();
    await replica.state("online");
    replica.timers.advance(HEARTBEAT_MS);
    replica.timers.advance(HEARTBEAT_MS);
    expect((await replica.state("offline")).reason?.message).toContain("no sign of life");
  });

  test("[NW4] a relay that answers pings is kept", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new AdapterHarness(relay.url).connect();
    const session = await relay.nextSession();
    await replica.state("online");
    for (let beat = 0; beat < 4; beat += 1) {
      replica.timers.advance(HEARTBEAT_MS);
      // The relay answers pings in order with frames: once the receipt is here, so is the pong.
      await settled();
      session.send({ type: "receipt", documentId: DOCUMENT_A, heads: [], seq: beat, generation: "g1" });
      await replica.receipts.next();
    }
    expect(replica.adapter.invalidFrames).toBe(0);
    expect(replica.states.size).toBe(0);
  });

  test("[NW14] ends for good when closed, in whatever state", async () => {
    await using relay = await ScriptedRelay.start();
    const online = new AdapterHarness(relay.url).connect();
    const session = await relay.nextSession();
    await online.state("online");
    await online.adapter.close();
    expect(await session.ended).toBe(1000);
    await online.adapter.close();
    online.connect();
    const connecting = new AdapterHarness(relay.url).connect();
    await connecting.adapter.close();
    const waiting = new AdapterHarness(`http://127.0.0.1:${await deadPort()}`).connect();
    await waiting.state("offline");
    await waiting.adapter.close();
    for (const { timers } of [online, connecting, waiting]) expect(timers.waitingMs()).toEqual([]);
  });

  test("[NW14] disconnects and connects again, as a Repo may ask it to", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new AdapterHarness(relay.url).connect();
    await relay.nextSession();
    await replica.state("online");
    replica.adapter.disconnect();
    replica.connect();
    await relay.nextSession();
    await replica.state("online");
    expect([await replica.peers.next(), await replica.peers.next(), await replica.peers.next()]).toEqual([
      "+relay-1",
      "-relay-1",
      "+relay-2",
    ]);
  });
});

async function online(
  relay: ScriptedRelay,
  options: ConstructorParameters<typeof AdapterHarness>[1] = {},
): Promise<{ readonly replica: AdapterHarness; readonly session: ScriptedSession }> {
  const replica = new AdapterHarness(relay.url, options).connect();
  const session = await relay.nextSession();
  await replica.state("online");
  await replica.peers.next();
  return { replica, session };
}

describe("sending", () => {
  test("[NW6] what waits at its gate is overtaken by other documents, and by nothing of its own", async () => {
    await using relay = await ScriptedRelay.start();
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = syncData(1);
    const { replica, session } = await online(relay, {
      sendCheck: (_documentId, { data }) => (data === first ? promise : undefined),
    });
    await using _ = replica;
    replica.sync(DOCUMENT_A, first);
    replica.sync(DOCUMENT_A, syncData(2));
    replica.sync(DOCUMENT_B, syncData(3));
    expect(await session.frames.next()).toMatchObject({ documentId: DOCUMENT_B });
    resolve();
    expect(await session.frames.next()).toMatchObject({ documentId: DOCUMENT_A, data: first });
    expect(await session.frames.next()).toMatchObject({
      documentId: DOCUMENT_A,
      data: syncData(2),
      senderId: "replica-1",
    });
  });

  test("[NW7] a disconnect drops the queue; nothing of it reaches the next session", async () => {
    await using relay = await ScriptedRelay.start();
    const sendCheck = Promise.withResolvers<void>();
    const { replica, session } = await online(relay, {
      sendCheck: (documentId) => (documentId === DOCUMENT_A ? sendCheck.promise : undefined),
    });
    await using _ = replica;
    replica.sync(DOCUMENT_A, syncData(1));
    replica.sync(DOCUMENT_A, syncData(2));
    session.terminate();
    await replica.state("offline");
    replica.sync(DOCUMENT_B, syncData(3));
    replica.timers.advance(50);
    const next = await relay.nextSession();
    await replica.peers.until((peer) => peer === "+relay-2");
    sendCheck.resolve();
    await settled();
    replica.sync(DOCUMENT_B, syncData(4));
    expect(await next.frames.next()).toMatchObject({
      type: "sync",
      documentId: DOCUMENT_B,
      data: syncData(4),
    });
  });

  test("[NW7] sending while the socket closes is no error", async () => {
    await using relay = await ScriptedRelay.start();
    const { replica, session } = await online(relay);
    session.terminate();
    for (let value = 0; value < 20; value += 1) replica.sync(DOCUMENT_A, syncData(value));
    const closing = replica.adapter.close();
    replica.sync(DOCUMENT_A, syncData(1));
    replica.adapter.requestList();
    await closing;
  });

  test("[NW6] presence and gossip stay here, and so does the id of our store", async () => {
    await using relay = await ScriptedRelay.start();
    await using replica = new AdapterHarness(relay.url).connect();
    const session = await relay.sessions.next();
    const join = await session.frames.next();
    expect(join).toEqual({
      type: "join",
      senderId: "replica-1",
      peerMetadata: { isEphemeral: true },
      supportedProtocolVersions: ["1"],
    });
    session.send({ type: "peer", senderId: "relay-1", targetId: "x", selectedProtocolVersion: "1" });
    session.send(WELCOME);
    await replica.peers.next();
    for (const type of ["ephemeral", "remote-heads-changed", "remote-subscription-change"]) {
      replica.send(type, DOCUMENT_B, Uint8Array.of(1));
    }
    replica.sync(DOCUMENT_A, syncData(1));
    expect(await session.frames.next()).toMatchObject({ type: "sync", documentId: DOCUMENT_A });
  });

  test("[NW13] asks for the list from where it is known", async () => {
    await using relay = await ScriptedRelay.start();
    const { replica, session } = await online(relay);
    await using _ = replica;
    replica.adapter.requestList();
    replica.adapter.requestList({ generation: "g1", seq: 4 });
    expect(await session.frames.next()).toEqual({ type: "list" });
    expect(await session.frames.next()).toEqual({ type: "list", after: { generation: "g1", seq: 4 } });
  });

  test("[NW13] a fork is made, refused, cut off or forgotten, and says which", async () => {
    await using relay = await ScriptedRelay.start();
    const { replica, session } = await online(relay);
    await using _ = replica;
    const fork = { documentId: DOCUMENT_B, from: DOCUMENT_A, heads: ["ab".repeat(32)] };
    const made = replica.adapter.requestFork(fork);
    expect(await session.frames.next()).toEqual({ type: "fork", ...fork });
    session.send({ type: "forked", ...fork });
    await made;

    const refused = replica.adapter.requestFork(fork);
    session.send({
      type: "refused",
      documentId: DOCUMENT_B,
      code: "HEADS_NOT_HERE",
      message: "Unknown heads.",
    });
    await expect(refused).rejects.toMatchObject({ code: "HEADS_NOT_HERE", message: "Unknown heads." });

    const forgotten = replica.adapter.requestFork(fork);
    replica.timers.advance(FORK_TIMEOUT_MS);
    await expect(forgotten).rejects.toMatchObject({ code: "TIMED_OUT" });

    const cutOff = replica.adapter.requestFork(fork);
    session.terminate();
    await expect(cutOff).rejects.toMatchObject({ code: "RELAY_UNREACHABLE" });
    await expect(replica.adapter.requestFork(fork)).rejects.toMatchObject({ code: "RELAY_UNREACHABLE" });
  });
});

describe("receiving", () => {
  test("[NW5] only what was sent for reaches the Repo, and in the name of the session's relay", async () => {
    await using relay = await ScriptedRelay.start();
    const { replica, session } = await online(relay);
    await using _ = replica;
    replica.sync(DOCUMENT_A, syncData(1));
    await session.frames.next();
    session.send({
      type: "sync",
      senderId: "someone",
      targetId: "x",
      documentId: DOCUMENT_B,
      data: syncData(2),
    });
    session.send({
      type: "sync",
      senderId: "someone",
      targetId: "x",
      documentId: DOCUMENT_A,
      data: syncData(3),
    });
    expect(await replica.messages.next()).toMatchObject({
      documentId: DOCUMENT_A,
      senderId: "relay-1",
      targetId: "replica-1",
    });
  });

  test("[NW5] garbage is counted and passed over; too much of it ends the session", async () => {
    await using relay = await ScriptedRelay.start();
    const { replica, session } = await online(relay);
    await using _ = replica;
    session.sendText("hello");
    session.sendBytes(new Uint8Array(0));
    session.send({ type: "receipt", documentId: "nonsense", heads: [], seq: 1, generation: "g1" });
    session.send({ type: "something-new", any: [1] });
    session.send({ type: "receipt", documentId: DOCUMENT_A, heads: [], seq: 1, generation: "g1" });
    expect(await replica.receipts.next()).toMatchObject({ documentId: DOCUMENT_A });
    expect(replica.adapter.invalidFrames).toBe(3);
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
    session.sendBytes(new Uint8Array(64 * 1024 * 1024 + 1));
    await replica.state("offline");
    replica.timers.advance(50);
    await relay.nextSession();
    await replica.state("online");
  });

  test("[NW5] a listener that throws is reported, and the session goes on", async () => {
    await using relay = await ScriptedRelay.start();
    const failure = new Error("listener");
    const { replica, session } = await online(relay, {
      onHeads: () => {
        throw failure;
      },
    });
    await using _ = replica;
    session.send({ type: "heads", generation: "g1", entries: [], lastSeq: 0, complete: true });
    session.send({ type: "receipt", documentId: DOCUMENT_A, heads: [], seq: 1, generation: "g1" });
    await replica.receipts.next();
    expect(await replica.notices.next()).toMatchObject({ kind: "listener-failed", cause: failure });
  });

  test("[NW2] an address or token that cannot be one is refused when given", () => {
    const isBadInput = (error: unknown) => isCambiumError(error, "BAD_INPUT");
    for (const url of ["", "relay", "ftp://relay", "http://me:secret@relay", "http://relay/?a"]) {
      expect(() => new AdapterHarness(url)).toThrow(expect.toSatisfy(isBadInput));
    }
    expect(() => new AdapterHarness("http://relay", { token: "two words" })).toThrow(
      expect.toSatisfy(isBadInput),
    );
  });
});
