import { deflateRawSync } from "node:zlib";
import { encodeClientFrame, encodeItems, type LogClientFrame, pack } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { draws } from "../../core/test/support/random-documents.js";
import { ChangeMaker, documentHex } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";
import { RelayFixture } from "./support/relay-fixture.js";

const isSoak = process.env.CAMBIUM_SOAK === "1";
const FRAMES = isSoak ? 10_000 : 400;
const SEED = Number(process.env.CAMBIUM_SEED ?? 20_261_123);
/** Sent before the innocent one writes again. */
const STRETCH = 25;
const [DOCUMENT, OTHER, FORK] = [documentHex(1), documentHex(2), documentHex(3)] as const;

/** What a client of good will sends, one frame of each kind and more. */
function recorded(): readonly Uint8Array[] {
  const a = new ChangeMaker("aa");
  const chunks = ["1", "2", "3"].map((key) => a.write(key, `${key} `.repeat(300)));
  const batch = (n: number, items: Parameters<typeof encodeItems>[0], resume = 0): LogClientFrame => ({
    ...{ type: "batch", n, resume },
    items: pack(encodeItems(items), n % 2 === 0 ? deflateRawSync : undefined),
  });
  const changes = chunks.map((chunk) => ({ kind: "change", document: DOCUMENT, chunk }) as const);
  const frames: readonly LogClientFrame[] = [
    { type: "subscribe", marks: [{ position: 1, mark: new Uint8Array(16) }], credit: 100_000 },
    batch(1, changes.slice(0, 1)),
    batch(2, changes),
    batch(3, [{ kind: "fork", document: FORK, from: DOCUMENT, heads: a.heads }], 2),
    batch(4, [{ kind: "retire", document: OTHER, carriedIn: [DOCUMENT], erased: ["ab".repeat(32)] }]),
    { type: "heads", ask: 1, of: { after: 0 } },
    { type: "heads", ask: 2, of: { documents: [DOCUMENT, OTHER] } },
    { type: "fetch", ask: 3, document: DOCUMENT, have: [...a.heads] },
    { type: "credit", bytes: 1_000 },
    { type: "ephemeral", bytes: Uint8Array.of(1, 2, 3) },
    { type: "slot", replica: documentHex(7), bytes: Uint8Array.of(1, 2, 3) },
  ];
  return frames.map(encodeClientFrame);
}

/** One that is cut, changed in places, put together of two, given another type, or left as it is. */
function mutated(frames: readonly Uint8Array[], draw: (below: number) => number): Uint8Array {
  const some = (): Uint8Array => Buffer.from(frames[draw(frames.length)] as Uint8Array);
  const bytes = some();
  switch (draw(6)) {
    case 0:
      return bytes.subarray(0, draw(bytes.length));
    case 1: {
      const other = some();
      return Buffer.concat([bytes.subarray(0, draw(bytes.length)), other.subarray(draw(other.length))]);
    }
    case 2:
      return Buffer.concat([Buffer.of(draw(10)), bytes.subarray(1)]);
    case 3:
      return bytes;
    default:
      for (let left = 1 + draw(4); left > 0; left -= 1) bytes[draw(bytes.length)] = draw(256);
      return bytes;
  }
}

test(`[RL97] ${FRAMES} mutated frames (seed ${SEED}) end at most their own sessions, and the innocent one goes on`, async () => {
  await using fixture = await RelayFixture.start();
  const hostile = await fixture.makeSpace("hostile");
  await using innocent = await LogClient.subscribe(fixture.url, await fixture.makeSpace("innocent"));
  const maker = new ChangeMaker("bb");
  const [frames, draw] = [recorded(), draws(SEED)];
  const codes = new Map<number, number>();
  const memoryBefore = process.memoryUsage().rss;
  let client = await LogClient.open(fixture.url, hostile);
  let written = 0;
  for (let sent = 0; sent < FRAMES; sent += 1) {
    client.sendBytes(draw(4) === 0 ? (frames[draw(frames.length)] as Uint8Array) : mutated(frames, draw));
    if (sent % 5 === 4) await new Promise((resolve) => setImmediate(resolve));
    if (sent % STRETCH === STRETCH - 1) {
      written += 1;
      expect(await innocent.write(DOCUMENT, maker.write("k", `${written}`))).toMatchObject({
        positions: [written],
      });
      innocent.frames.length = 0;
    }
    if (client.hasClosed) {
      const code = await client.closed;
      codes.set(code, (codes.get(code) ?? 0) + 1);
      client = await LogClient.open(fixture.url, hostile);
    }
  }
  await client[Symbol.asyncDispose]();
  expect([...codes.keys()].filter((code) => code !== 4400)).toEqual([]);
  expect(fixture.events.filter(({ level }) => level === "error")).toEqual([]);
  if (isSoak) expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(300 * 2 ** 20);
  // What it wrote of good frames is there, and can be read to its end.
  await using reader = await LogClient.subscribe(fixture.url, hostile);
  await reader.reached((await reader.next("state")).upTo.position);
});
