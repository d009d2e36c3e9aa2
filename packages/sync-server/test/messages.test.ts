import { EventEmitter, once } from "node:events";
import { PassThrough, type Writable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as ws from "ws";
import { Channel } from "../src/sessions/channel.js";
import { messagesOf, piecesOf, prepare } from "../src/sessions/messages.js";
import { passOn, wakeSome } from "../src/sessions/pass-on.js";

/** The types do not know it. */
const { Receiver } = ws as unknown as { readonly Receiver: new (options: object) => Writable };

/** What a client of the library reads. */
function readBy(bytes: Uint8Array): readonly Uint8Array[] {
  const frames: Uint8Array[] = [];
  const receiver = new Receiver({ isServer: false, allowSynchronousEvents: true });
  receiver.on("message", (data: Buffer) => frames.push(data));
  receiver.write(bytes);
  return frames;
}

const lengths = fc.constantFrom(0, 1, 125, 126, 127, 65_535, 65_536, 70_000);

test("[RL146] messages that are put together here are read as they were sent, prepared or not", () => {
  const frame = lengths.map((length) => new Uint8Array(length).fill(length % 251));
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 5 }), fc.boolean(), (frames, isPrepared) => {
      if (isPrepared) for (const one of frames) prepare(one);
      expect(Buffer.compare(Buffer.concat(readBy(messagesOf(frames))), Buffer.concat(frames))).toBe(0);
      expect(readBy(messagesOf(frames)).map(({ length }) => length)).toEqual(
        frames.map(({ length }) => length),
      );
      const apart = Buffer.concat(frames.flatMap(piecesOf));
      expect(Buffer.compare(apart, messagesOf(frames))).toBe(0);
      const made = [0, 1].map(() => messagesOf(frames.slice(0, 1)));
      expect(made[0] === made[1]).toBe(isPrepared);
    }),
    { numRuns: 40 },
  );
});

test("[RL136] what is long is given to fewer in one step, and made once for all", async () => {
  const heard: Uint8Array[] = [];
  const hearers = Array.from({ length: 5 }, () => ({ hear: (frame: Uint8Array) => heard.push(frame) }));
  const steps = passOn(hearers, { type: "ephemeral", bytes: new Uint8Array(100_000) });
  const counts: number[] = [];
  while (!(await steps.next()).done) counts.push(heard.length);
  expect(counts).toEqual([2, 4]);
  const [first] = heard as [Uint8Array];
  expect(heard.every((frame) => frame === first)).toBe(true);
  expect(piecesOf(first)).toHaveLength(1);
  const woken = (length: number, bytes: number): number => {
    const sessions = Array.from({ length }, () => ({ wake: () => bytes }));
    return length - wakeSome(sessions).length;
  };
  expect([woken(300, 0), woken(300, 100_000), woken(2, 1_000_000)]).toEqual([128, 3, 1]);
});

test("[RL146] what a client is sent in one moment leaves in one piece, in order, counted until it is written, before the close", async () => {
  const raw = new PassThrough();
  const writes: Uint8Array[] = [];
  raw.on("data", (bytes: Uint8Array) => writes.push(bytes));
  const closes: number[] = [];
  const socket = Object.assign(new EventEmitter(), {
    ...{ OPEN: 1, CLOSED: 3, readyState: 1, bufferedAmount: 0, isPaused: false },
    pause: () => Object.assign(socket, { isPaused: true }),
    resume: () => Object.assign(socket, { isPaused: false }),
    close: () => closes.push(writes.length),
  });
  let counted = 0;
  const count = (bytes: number): void => {
    counted += bytes;
  };
  const flight = { add: count, isTight: false };
  const ignore = { frame: () => {}, malformed: () => {}, drained: () => {}, closed: () => {} };
  const channel = new Channel(socket as unknown as ws.WebSocket, ignore, { raw, flight });
  for (const byte of [1, 2, 3]) channel.send(Uint8Array.of(byte));
  expect([writes.length, counted]).toEqual([0, 3]);
  await once(raw, "data");
  expect(readBy(writes.splice(0, 1)[0] as Uint8Array).map(([byte]) => byte)).toEqual([1, 2, 3]);
  channel.send(new Uint8Array(2 * 1024 * 1024));
  expect([channel.isFull, socket.isPaused]).toEqual([true, true]);
  await once(raw, "data");
  await new Promise(setImmediate);
  expect([channel.isFull, socket.isPaused, counted]).toEqual([false, false, 0]);
  writes.length = 0;
  channel.send(Uint8Array.of(4));
  channel.close(1000, "");
  expect(closes).toEqual([1]);
});
