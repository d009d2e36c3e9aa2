import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { BlockList } from "node:net";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { clientAddress } from "../src/limits/client-address.js";
import { Connections } from "../src/limits/connections.js";
import { Entrance } from "../src/limits/entrance.js";
import { STANDARD_LIMITS } from "../src/limits/limits.js";
import { Pace } from "../src/limits/pace.js";
import { Quotas } from "../src/limits/quotas.js";
import { Channel } from "../src/sessions/channel.js";

const requestFrom = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

const codeOf = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return "fine";
};

test.each<[string, string | undefined, string]>([
  ["10.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"],
  ["10.0.0.1", "1.1.1.1, 198.51.100.7, 10.0.0.9", "198.51.100.7"],
  ["10.0.0.1", "nonsense", "10.0.0.1"],
  ["10.0.0.1", undefined, "10.0.0.1"],
  ["198.51.100.9", "203.0.113.1", "198.51.100.9"],
  ["10.0.0.1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["10.0.0.1", "2001:db8::6", "2001:db8:0:0::/64"],
])("[RO13] from %s with X-Forwarded-For %s, the client is %s", (remote, forwarded, client) => {
  const trusted = new BlockList();
  trusted.addSubnet("10.0.0.0", 8);
  expect(clientAddress(requestFrom(remote, forwarded), trusted)).toBe(client);
  expect(clientAddress(requestFrom("192.0.2.1", forwarded), undefined)).toBe("192.0.2.1");
});

test("[RO13] an address that tries many different tokens has to wait; one that repeats its own does not", async () => {
  let now = 0;
  const shut: string[] = [];
  const entrance = new Entrance({
    ...{ wrongTokens: 3, now: () => now, onShut: (address: string) => void shut.push(address) },
    bearerOf: async (token) => (token === "right" ? { kind: "relay-admin" } : undefined),
  });
  const tried = (token: string, address: string) =>
    entrance.bearerOf(token, address).then(
      (bearer) => bearer?.kind,
      (error: { code: string }) => error.code,
    );
  for (let round = 0; round < 10; round += 1) expect(await tried("revoked", "a")).toBeUndefined();
  expect(await tried("", "a")).toBeUndefined();
  expect(await tried("right", "a")).toBe("relay-admin");
  for (const guess of ["g1", "g2"]) expect(await tried(guess, "a")).toBeUndefined();
  expect([await tried("g3", "a"), await tried("right", "a"), shut]).toEqual([
    "RATE_LIMITED",
    "RATE_LIMITED",
    ["a"],
  ]);
  expect(await tried("right", "b")).toBe("relay-admin");
  now += 600_000;
  expect(await tried("right", "a")).toBe("relay-admin");
});

test("[RO14] connections are counted by token, by address and in all, and given back once", () => {
  const connections = new Connections({
    ...STANDARD_LIMITS,
    ...{ connections: 4, connectionsPerToken: 2, connectionsPerAddress: 3 },
  });
  const first = connections.take("t1", "a");
  connections.take("t1", "a");
  expect(codeOf(() => connections.take("t1", "b"))).toBe("RATE_LIMITED");
  connections.take("t2", "a");
  expect(codeOf(() => connections.take("t3", "a"))).toBe("RATE_LIMITED");
  connections.take("t3", "b");
  expect(codeOf(() => connections.take("t4", "c"))).toBe("RATE_LIMITED");
  first();
  first();
  expect([connections.open, connections.ofToken("t1")]).toEqual([3, 1]);
  connections.take("t1", "c");
});

test("[RO16] a burst passes, and for long nobody sends more than the pace", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 3_000 })), {
        maxLength: 200,
      }),
      (sent) => {
        let now = 0;
        const pace = new Pace({ messagesPerSecond: 10, bytesPerSecond: 1_000, now: () => now });
        let bytes = 0;
        let longest = 0;
        for (const [gap, size] of sent) {
          now += gap;
          bytes += size;
          longest = Math.max(longest, size);
          now += pace.spend("t", size);
        }
        // What comes at once after a pause, and the message that went over it.
        expect(bytes).toBeLessThanOrEqual((now / 1_000 + 10) * 1_000 + longest + 1);
        expect(sent.length).toBeLessThanOrEqual((now / 1_000 + 10) * 10 + 1);
      },
    ),
    { numRuns: 50 },
  );
  const pace = new Pace({ messagesPerSecond: 10, bytesPerSecond: 1_000, now: () => 0 });
  expect([pace.spend("t", 9_000), pace.spend("t", 2_000), pace.spend("other", 1)]).toEqual([0, 1_000, 0]);
});

test("[RO16] a client over its pace is not read for as long as it has to wait, and what it sent is taken", () => {
  vi.useFakeTimers();
  try {
    const socket = Object.assign(new EventEmitter(), {
      ...{ OPEN: 1, readyState: 1, bufferedAmount: 0, isPaused: false },
      pause: () => Object.assign(socket, { isPaused: true }),
      resume: () => Object.assign(socket, { isPaused: false }),
      ping: () => {},
    });
    const frames: number[] = [];
    const waits = [0, 300];
    const channel = new Channel(
      socket as unknown as WebSocket,
      {
        frame: (bytes) => {
          frames.push(bytes.length);
          channel.processed(bytes.length);
        },
        ...{ malformed: () => {}, drained: () => {}, closed: () => {} },
      },
      { pace: { spend: () => waits.shift() ?? 0, resume: () => 0 } },
    );
    socket.emit("message", new Uint8Array(1), true);
    expect(socket.isPaused).toBe(false);
    socket.emit("message", new Uint8Array(2), true);
    expect([socket.isPaused, frames]).toEqual([true, [1, 2]]);
    vi.advanceTimersByTime(299);
    expect(socket.isPaused).toBe(true);
    vi.advanceTimersByTime(1);
    expect(socket.isPaused).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test("[RL137] of many sockets over one pace, one is read at a time, and the others wait for what it brings", () => {
  vi.useFakeTimers();
  try {
    const pace = new Pace({ messagesPerSecond: 1_000, bytesPerSecond: 2 ** 25, now: () => Date.now() });
    const sockets = Array.from({ length: 20 }, () => {
      const socket = Object.assign(new EventEmitter(), {
        ...{ OPEN: 1, readyState: 1, bufferedAmount: 0, isPaused: false },
        pause: () => Object.assign(socket, { isPaused: true }),
        resume: () => Object.assign(socket, { isPaused: false }),
        ping: () => {},
      });
      const channel: Channel = new Channel(
        socket as unknown as WebSocket,
        {
          frame: (bytes) => channel.processed(bytes.length),
          ...{ malformed: () => {}, drained: () => {}, closed: () => {} },
        },
        { pace: pace.of("t") },
      );
      return socket;
    });
    const flood = (socket: EventEmitter): void => {
      for (let sent = 0; sent < 2_000; sent += 1) socket.emit("message", new Uint8Array(20), true);
    };
    for (const socket of sockets) flood(socket);
    expect(sockets.filter(({ isPaused }) => isPaused)).toHaveLength(15);
    for (const socket of sockets.slice(0, 5)) flood(socket);
    let most = 0;
    for (let ms = 0; ms < 60_000; ms += 1) {
      vi.advanceTimersByTime(1);
      const read = sockets.filter(({ isPaused }) => !isPaused);
      most = Math.max(most, read.length);
      for (const socket of read) flood(socket);
    }
    expect(most).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test("[RO15] what is let through while a space is counted is not lost", async () => {
  let now = 0;
  const readings: ((usage: { documents: number; bytes: number }) => void)[] = [];
  const quotas = new Quotas({
    ...{ documentsPerSpace: 10, bytesPerSpace: 1_000, now: () => now },
    usage: () => new Promise((resolve) => readings.push(resolve)),
    has: async () => false,
  });
  const asked = (size: number) => quotas.refusal("s", "d", size).then((refusal) => refusal?.code);
  const first = Promise.all([asked(300), asked(300), asked(300), asked(300)]);
  readings.shift()?.({ documents: 0, bytes: 0 });
  expect(await first).toEqual([undefined, undefined, undefined, "QUOTA_EXCEEDED"]);
  expect(readings).toEqual([]);
  now = 10_000;
  const full = asked(300);
  await expect.poll(() => readings).toHaveLength(1);
  expect(await asked(90)).toBeUndefined();
  readings.shift()?.({ documents: 1, bytes: 700 });
  expect(await full).toBe("QUOTA_EXCEEDED");
  expect(await asked(220)).toBe("QUOTA_EXCEEDED");
  expect(await asked(210)).toBeUndefined();
});

test("[RO15] of a space that nobody writes to, nothing is remembered after ten minutes", async () => {
  let now = 0;
  const read: string[] = [];
  const usage = async (space: string) => {
    read.push(space);
    return { documents: 0, bytes: 0 };
  };
  const quotas = new Quotas({
    ...{ documentsPerSpace: 10, bytesPerSpace: 1_000, now: () => now },
    ...{ usage, has: async () => false },
  });
  const write = async (...spaces: readonly string[]): Promise<void> => {
    for (const space of spaces) await quotas.refusal(space, "d", 1);
  };
  await write("quiet", "busy");
  now += 599_999;
  await write("busy");
  now += 1;
  await write("busy", "quiet");
  expect(read).toEqual(["quiet", "busy", "quiet"]);
});

test("[RO15] a quota is never passed, and is read again before anything is refused", async () => {
  let now = 0;
  const stored = { documents: 1, bytes: 600 };
  const quotas = new Quotas({
    ...{ documentsPerSpace: 2, bytesPerSpace: 1_000, now: () => now },
    usage: async () => ({ ...stored }),
    has: async (_space, documentId) => documentId !== "newer",
  });
  const asked = async (documentId: string, size: number) =>
    (await quotas.refusal("s", documentId, size))?.code;
  expect(await asked("old", 300)).toBeUndefined();
  expect(await asked("old", 200)).toBe("QUOTA_EXCEEDED");
  // It took less than was sent.
  stored.bytes = 700;
  now += 5_000;
  expect(await asked("old", 200)).toBeUndefined();
  now += 5_000;
  expect(await asked("new", 1)).toBeUndefined();
  stored.documents = 2;
  now += 5_000;
  expect([await asked("newer", 1), await asked("old", 1), await asked("new", 1)]).toEqual([
    "QUOTA_EXCEEDED",
    undefined,
    undefined,
  ]);
});

test("[RO15] a clock that is set back by a year keeps no space full that has room again", async () => {
  let now = 400 * 86_400_000;
  const stored = { documents: 1, bytes: 900 };
  const quotas = new Quotas({
    ...{ documentsPerSpace: 2, bytesPerSpace: 1_000, now: () => now },
    usage: async () => ({ ...stored }),
    has: async () => true,
  });
  const asked = async (size: number) => (await quotas.refusal("s", "old", size))?.code;
  expect([await asked(100), await asked(100)]).toEqual([undefined, "QUOTA_EXCEEDED"]);
  now -= 365 * 86_400_000;
  stored.bytes = 300;
  expect(await asked(100)).toBe("QUOTA_EXCEEDED");
  now += 5_000;
  // What was let through before that is stored by now, and does not count twice.
  for (const size of [350, 350]) expect(await asked(size)).toBeUndefined();
  expect(await asked(1)).toBe("QUOTA_EXCEEDED");
});

test("[RO15] what is let through and not stored yet counts, also when the log is read again", async () => {
  let now = 0;
  const quotas = new Quotas({
    ...{ documentsPerSpace: 2, bytesPerSpace: 1_000, now: () => now },
    usage: async () => ({ documents: 0, bytes: 0 }),
    has: async () => false,
  });
  const asked = async (documentId: string, size: number) =>
    (await quotas.refusal("s", documentId, size))?.code;
  await asked("x", 0);
  now = 4_900;
  expect(await asked("a", 500)).toBeUndefined();
  now = 5_000;
  // What was not stored after two seconds was refused for something else.
  expect([await asked("b", 400), await asked("c", 1), await asked("b", 200)]).toEqual([
    ...[undefined, "QUOTA_EXCEEDED", "QUOTA_EXCEEDED"],
  ]);
});
