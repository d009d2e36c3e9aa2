import { EventEmitter } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { fairRequests } from "../src/http/fair-requests.js";
import { Pace } from "../src/limits/pace.js";
import { RelayFixture } from "./support/relay-fixture.js";

test("[RL96] requests have their turns by address, and a connection that sends them in one piece is cut off", () => {
  const steps: { space: string; run(): Promise<void> }[] = [];
  const served: unknown[] = [];
  const listener = fairRequests(
    (request) => served.push(request),
    { add: (space, _line, run) => void steps.push({ space, run }) },
    () => "192.0.2.1",
  );
  const socket = { destroyed: false, destroy: () => Object.assign(socket, { destroyed: true }) };
  const responses = Array.from({ length: 4 }, () => new EventEmitter());
  const send = (response: EventEmitter) =>
    listener(
      { socket } as unknown as IncomingMessage,
      response as unknown as ServerResponse & { req: IncomingMessage },
    );
  for (const response of responses) send(response);
  expect([steps.length, steps[0]?.space, served.length, socket.destroyed]).toEqual([
    4,
    "http 192.0.2.1",
    0,
    false,
  ]);
  void steps[0]?.run();
  responses[0]?.emit("close");
  send(new EventEmitter());
  expect([served.length, socket.destroyed]).toEqual([1, false]);
  send(new EventEmitter());
  expect([steps.length, socket.destroyed]).toEqual([5, true]);
  void steps[1]?.run();
  expect(served).toHaveLength(1);
});

test("[RL96] of requests that come in one piece, few are made anything of", async () => {
  let taken = 0;
  const turns = { add: () => {} };
  const listener = fairRequests(
    () => {},
    turns,
    () => "192.0.2.1",
  );
  const server = createServer((request, response) => {
    taken += 1;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  socket.write(`GET /healthz HTTP/1.1\r\nHost: relay\r\n\r\n`.repeat(500));
  await new Promise((resolve) => socket.resume().once("close", resolve));
  expect(taken).toBe(5);
  server.close();
});

test("[RL96] requests and connections of a token keep its pace, and what is refused costs it nothing", () => {
  let now = 0;
  const pace = new Pace({ messagesPerSecond: 1_000, bytesPerSecond: 1_000, now: () => now });
  pace.require("t", 9_000);
  expect(() => pace.require("t", 2_000)).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
  pace.require("other", 2_000);
  now = 1_000;
  pace.require("t", 2_000);
});

test("[RL96] a relay answers 429 to a token that asks without end, and serves the others", async () => {
  await using fixture = await RelayFixture.start({ limits: { bytesPerSecond: 100_000 } });
  const [hostile, innocent] = [await fixture.makeSpace("hostile"), await fixture.makeSpace("innocent")];
  const statuses = [];
  for (let count = 0; count < 10; count += 1)
    statuses.push((await fixture.call("GET", "/space", hostile)).status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await fixture.call("GET", "/space", innocent)).status).toBe(200);
  const socket = connect(fixture.relay.port, "127.0.0.1").on("error", () => {});
  socket.write(`GET /healthz HTTP/1.1\r\nHost: relay\r\n\r\n`.repeat(200));
  await new Promise((resolve) => socket.resume().once("close", resolve));
  expect((await fixture.call("GET", "/healthz", innocent)).status).toBe(200);
});
