import * as A from "@automerge/automerge";
import { decode, encode } from "cborg";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { decodeClientFrame, encodeFrame } from "../src/stock/stock-frames.js";
import { RawClient } from "./support/raw-client.js";
import { RelayFixture } from "./support/relay-fixture.js";
import { StockDocument, testDocumentId } from "./support/stock-document.js";

const DOCUMENT = testDocumentId(1);
const SEED = 20_261_121;

const isProtocolError = expect.objectContaining({ code: "RELAY_PROTOCOL" });
const JOIN = encode({ type: "join", senderId: "fuzz", supportedProtocolVersions: ["1"] });

function validFrames(): Uint8Array[] {
  const doc = A.from({ a: "1" }, { actor: "ab".repeat(16) });
  const [, first] = A.generateSyncMessage(doc, A.initSyncState());
  const full = A.encodeSyncMessage({
    heads: A.getHeads(doc),
    need: [],
    have: [],
    changes: A.getAllChanges(doc),
  });
  const ids = { senderId: "fuzz", targetId: "relay", documentId: DOCUMENT };
  return [
    JOIN,
    encode({ type: "sync", ...ids, data: first }),
    encode({ type: "sync", ...ids, data: full }),
    encode({ type: "request", ...ids, data: full }),
    encode({ type: "ephemeral", ...ids, count: 1, sessionId: "s", data: Uint8Array.of(1) }),
    encode({ type: "doc-unavailable", ...ids }),
  ];
}

/** A frame as it may arrive from a broken or hostile client: cut, with bytes changed, or made up. */
function hostileFrame(frames: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const frame = fc.constantFrom(...frames);
  const flip = fc.tuple(
    frame,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }),
  );
  return fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.tuple(frame, fc.nat()).map(([bytes, length]) => bytes.slice(0, length % bytes.length)),
    flip.map(([bytes, flips]) => {
      const copy = bytes.slice();
      for (const [at, mask] of flips) copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ mask;
      return copy;
    }),
  );
}

let frames: Uint8Array[];
beforeAll(() => {
  frames = validFrames();
});

test("[RL18] reading a frame gives a message or a typed error, never anything else", () => {
  fc.assert(
    fc.property(hostileFrame(frames), (bytes) => {
      try {
        expect(typeof decodeClientFrame(bytes).type).toBe("string");
      } catch (error) {
        expect(error).toEqual(isProtocolError);
      }
    }),
    { numRuns: 3_000, seed: SEED },
  );
});

test.each([
  ["nothing", new Uint8Array()],
  ["a number", encode(1)],
  ["a list", encode(["sync"])],
  ["no type", encode({ documentId: DOCUMENT })],
  ["an unknown type", encode({ type: "take-over" })],
  [
    "a document id with a wrong checksum",
    encode({ type: "sync", documentId: `${DOCUMENT.slice(0, -1)}z`, data: new Uint8Array(1) }),
  ],
  ["a very long document id", encode({ type: "sync", documentId: "z".repeat(1e6), data: new Uint8Array(1) })],
  ["data that is no bytes", encode({ type: "sync", documentId: DOCUMENT, data: "text" })],
  [
    "a sync message that ends too soon",
    encode({ type: "sync", documentId: DOCUMENT, data: Uint8Array.of(0x43, 2, 1) }),
  ],
  [
    "a filter without bits",
    encode({ type: "sync", documentId: DOCUMENT, data: Uint8Array.of(0x43, 0, 0, 1, 0, 3, 10, 0, 0) }),
  ],
  [
    "a filter of four billion probes",
    encode({
      type: "sync",
      documentId: DOCUMENT,
      data: Uint8Array.of(0x43, 0, 0, 1, 0, 8, 1, 1, 255, 255, 255, 255, 15, 1),
    }),
  ],
  ["a million values", encode({ type: "ephemeral", more: Array.from({ length: 1e6 }, () => 1) })],
  ["deep nesting", new Uint8Array(100_000).fill(0x81)],
  ["a list longer than the frame", Uint8Array.from([0x9b, 0, 0, 0, 1, 0, 0, 0, 0])],
  [
    "a field said twice",
    Uint8Array.from([0xa2, ...encode("type"), ...encode("leave"), ...encode("type"), ...encode("leave")]),
  ],
  ["a field by prototype", Uint8Array.from([0xa1, ...encode("__proto__"), ...encode({ type: "leave" })])],
])("[RL18] %s is not a message", (_name, bytes) => {
  expect(() => decodeClientFrame(bytes)).toThrow(isProtocolError);
});

test("[RL18] hostile frames end their own session with 4400 and leave the relay serving", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  await using witness = await RawClient.join(fixture.url, token);
  const steady = new StockDocument(witness, testDocumentId(9));
  steady.write("before", "the storm");
  await steady.stored();
  const codes = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(hostileFrame(frames), { minLength: 1, maxLength: 5 }), async (storm) => {
      const client = await RawClient.open(fixture.url, token);
      client.sendBytes(JOIN);
      for (const bytes of storm) client.sendBytes(bytes);
      client.sendText("the end");
      codes.add(await client.closed);
    }),
    { numRuns: 150, seed: SEED },
  );
  expect([...codes]).toEqual([4400]);
  steady.write("after", "the storm");
  await steady.stored();
  expect((await fetch(`${fixture.url}/readyz`)).status).toBe(200);
  expect(fixture.events.filter(({ type }) => type === "failed" || type === "commit-failed")).toEqual([]);
});

test("[RL19] long numbers are sent so that stock clients read them as numbers", () => {
  const after = {
    ...({ type: "ephemeral", senderId: "a", targetId: "b", documentId: DOCUMENT } as const),
    ...{ count: 2 ** 40 + 1, sessionId: "s", data: Uint8Array.of(1) },
  };
  expect(encodeFrame(after)).toContain(0xfb); // a float of 64 bits
  expect(decode(encodeFrame(after))).toEqual(after);
});

test("[RL18] nothing counts before a join, and a second join is one too many", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  const early = await RawClient.open(fixture.url, token);
  early.send({ type: "leave" });
  expect(await early.closed).toBe(4400);
  expect(early.frames.map(({ type }) => type)).toEqual(["error"]);
  const twice = await RawClient.join(fixture.url, token);
  twice.sendBytes(JOIN);
  expect(await twice.closed).toBe(4400);
  const other = await RawClient.open(fixture.url, token);
  other.send({ type: "join", senderId: "future", supportedProtocolVersions: ["2"] });
  await other.next("error");
  expect(await other.closed).toBe(4400);
});

test("[RL18] a frame over the limit ends the session with 1009", async () => {
  await using fixture = await RelayFixture.start({ maxPayloadBytes: 1_000 });
  const client = await RawClient.join(fixture.url, await fixture.makeSpace("space-a"));
  client.sendBytes(new Uint8Array(1_001));
  expect(await client.closed).toBe(1009);
});
