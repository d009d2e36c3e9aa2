import { EventEmitter, once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import * as A from "@automerge/automerge";
import { plainChange } from "@cambium/core";
import { encodeClientFrame, encodeItems, LOG_PROTOCOL, pack } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { chunkTools } from "../src/chunk-tools.js";
import { InFlight, watchArrivals } from "../src/limits/in-flight.js";
import { BatchReader } from "../src/sessions/batch-reader.js";
import { Channel } from "../src/sessions/channel.js";
import { ChangeMaker, documentHex } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { RelayFixture } from "./support/relay-fixture.js";

const [MIB, DOCUMENT] = [2 ** 20, documentHex(1)] as const;

/** A socket that has sent the beginning of a frame of 2 MiB, and stops there. */
async function halfSent(url: string, token: string, bytes: number): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  const headers = [
    ...["Host: relay", "Upgrade: websocket", "Connection: Upgrade", `Authorization: Bearer ${token}`],
    ...["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"],
    `Sec-WebSocket-Protocol: ${LOG_PROTOCOL}`,
  ];
  socket.write(`GET /sync HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0]);
  socket.write(Buffer.concat([head, Buffer.alloc(bytes, 2)]));
  return socket;
}

/** It may be closed already, or with an error: `events.once` would wait for ever, or reject. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.once("close", () => resolve())));

test("[RL92] halves of frames take no more memory than a space may have under way, and other spaces do not feel it", async () => {
  await using fixture = await RelayFixture.start({ limits: { bytesInFlightPerSpace: 3 * MIB } });
  const hostile = await fixture.makeSpace("hostile");
  const sockets = [];
  for (let count = 0; count < 3; count += 1) sockets.push(await halfSent(fixture.url, hostile, 1.8 * MIB));
  await Promise.race(sockets.map(closed));
  await using client = await LogClient.open(fixture.url, await fixture.makeSpace("innocent"));
  const doc = A.change(A.init<{ a?: string }>("aa".repeat(16)), { message: "x".repeat(MIB) }, (notes) => {
    notes.a = "1";
  });
  const large = plainChange(A.getLastLocalChange(doc) as Uint8Array, chunkTools);
  expect(await client.write(DOCUMENT, large)).toMatchObject({ positions: [1] });
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map(closed));
  await using again = await LogClient.open(fixture.url, hostile);
  expect(await again.write(DOCUMENT, large)).toMatchObject({ positions: [1] });
});

test("[RL92] what is under way is counted for each space, and a space with little is not held back by others", () => {
  const inFlight = new InFlight({ bytesInFlight: 20 * MIB, bytesInFlightPerSpace: 10 * MIB });
  const [a, b, c] = ["a", "b", "c"].map((space) => inFlight.of(space));
  a?.add(11 * MIB);
  b?.add(9 * MIB);
  c?.add(3 * MIB);
  expect([a, b, c].map((flight) => flight?.isTight)).toEqual([true, true, false]);
  a?.add(-11 * MIB);
  expect([a, b, c].map((flight) => flight?.isTight)).toEqual([false, false, false]);
  b?.add(-9 * MIB);
  c?.add(-3 * MIB);
  expect(inFlight.bytes).toBe(0);
});

const fakeSocket = () => {
  const socket = Object.assign(new EventEmitter(), {
    ...{ OPEN: 1, CLOSED: 3, readyState: 1, bufferedAmount: 0, isPaused: false, pongs: 0 },
    pause: () => Object.assign(socket, { isPaused: true }),
    resume: () => Object.assign(socket, { isPaused: false }),
    pong: () => {
      socket.pongs += 1;
    },
  });
  return socket;
};
const ignore = { frame: () => {}, malformed: () => {}, drained: () => {}, closed: () => {} };

test("[RL92] a client that pings and does not read is not answered, and pings keep the pace of messages", () => {
  const socket = fakeSocket();
  const spent: number[] = [];
  new Channel(socket as unknown as WebSocket, ignore, {
    pace: { spend: (bytes) => spent.push(bytes) * 0, resume: () => 0 },
  });
  socket.emit("ping", Buffer.alloc(3));
  socket.bufferedAmount = 2 * MIB;
  for (let count = 0; count < 100; count += 1) socket.emit("ping", Buffer.alloc(3));
  expect([socket.pongs, socket.isPaused, spent.length]).toEqual([1, true, 101]);
});

test("[RL92] where a space has too much under way, its sockets hold little more, and all is given back at their end", () => {
  const inFlight = new InFlight({ bytesInFlight: 20 * MIB, bytesInFlightPerSpace: MIB });
  const [socket, raw] = [fakeSocket(), new EventEmitter()];
  const flight = inFlight.of("a");
  watchArrivals(raw as Socket, socket as unknown as WebSocket, flight);
  const channel = new Channel(socket as unknown as WebSocket, ignore, { flight });
  socket.emit("message", Buffer.alloc(70_000), true);
  socket.bufferedAmount = 70_000;
  expect([channel.isBusy, channel.isFull]).toEqual([false, false]);
  inFlight.of("a").add(MIB);
  expect([channel.isBusy, channel.isFull]).toEqual([true, true]);
  raw.emit("data", Buffer.alloc(1_000));
  expect(inFlight.bytes).toBe(MIB + 71_000);
  socket.readyState = socket.CLOSED;
  for (const emitter of [socket, raw]) emitter.emit("close", 1006);
  channel.processed(70_000);
  expect(inFlight.bytes).toBe(MIB);
});

test("[RL92] a batch that finds no room is answered BUSY in its place, and stops the line as any refusal does", async () => {
  const sent: object[] = [];
  const submitted: { read(): unknown; sizeBytes: number }[] = [];
  const reader = new BatchReader({
    member: { kind: "member", tokenId: "t", space: "s", role: "write", hash: "h", expiresAt: undefined },
    appender: { submit: (submission) => void submitted.push(submission) },
    ...{ now: () => 0, quotaRefusal: async () => undefined, isEnded: () => false },
    send: ({ type, ...frame }) => sent.push({ type, ...("n" in frame ? { n: frame.n } : {}) }),
    ...{ onStored: () => {}, onMalformed: () => {}, onFailed: () => {} },
  });
  const chunk = new ChangeMaker("aa").write("1", "1");
  const items = pack(encodeItems([{ kind: "change", document: DOCUMENT, chunk }]));
  const take = (n: number, isBusy: boolean, resume = 0) =>
    reader.take({ type: "batch", n, resume, items }, 100, isBusy, () => {});
  take(1, false);
  take(2, true);
  take(3, false);
  take(4, false, 2);
  const read = [];
  for (const submission of submitted) read.push((await submission.read()) !== undefined);
  expect([read, sent]).toEqual([[true, false, false, true], [{ type: "refused", n: 2 }]]);
  expect(submitted[1]?.sizeBytes).toBe(0);
});

test("[RL92] a frame comes in few pieces, and answers wait until their client reads", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${fixture.url.replace("http", "ws")}/sync`, LOG_PROTOCOL, { headers });
  await once(socket, "open");
  for (let piece = 0; piece < 100; piece += 1) socket.send(Buffer.of(1), { fin: false });
  expect((await once(socket, "close"))[0]).toBe(1008);
  await using client = await LogClient.open(fixture.url, token);
  const frame = encodeClientFrame({ type: "subscribe", marks: [], credit: 0 });
  for (let count = 0; count < 200; count += 1) client.sendBytes(frame);
  await client.until(() => client.frames.filter(({ type }) => type === "state").length === 200);
});

test("[RL206] a client that is gone is noticed while nothing more is read from it, by whatever it ended", async () => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const part of ["terminate", "resetAndDestroy"] as const) {
    const accepted = once(server, "connection");
    const client = new WebSocket(`ws://127.0.0.1:${port}`);
    const [[socket]] = (await Promise.all([accepted, once(client, "open")])) as unknown as [
      [WebSocket],
      unknown,
    ];
    const isFull = Promise.withResolvers<void>();
    const isOver = Promise.withResolvers<number>();
    let taken = 0;
    new Channel(socket, {
      frame: () => {
        taken += 1;
        if (taken === 65) isFull.resolve();
      },
      ...{ malformed: () => {}, drained: () => {}, closed: isOver.resolve },
    });
    for (let sent = 0; sent < 30_000; sent += 1) client.send(Uint8Array.of(1));
    await isFull.promise;
    expect(socket.isPaused).toBe(true);
    if (part === "terminate") client.terminate();
    else (client as unknown as { _socket: Socket })._socket.resetAndDestroy();
    expect(await isOver.promise).toBe(1006);
  }
  server.close();
});
