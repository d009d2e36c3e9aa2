import { hash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { encode } from "cborg";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChunkTools } from "../../src/format/change-header.js";
import * as wire from "../../src/wire.js";

const tools: ChunkTools = {
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  inflate: (bytes, maxBytes) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
};

const RUNS = { numRuns: 60, seed: 20261123 };
const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => Buffer.from(bytes).toString("hex"));
const [id, changeHash] = [hex(16), hex(32)];
const bytes = fc.uint8Array({ minLength: 1, maxLength: 900 });
const number = fc.maxSafeNat();
const n = fc.integer({ min: 1, max: 0xffff_ffff });
const hashes = fc.array(changeHash, { maxLength: 4 });
const point = fc.record({ position: number, mark: fc.uint8Array({ minLength: 16, maxLength: 16 }) });

const batchItem: fc.Arbitrary<wire.BatchItem> = fc.oneof(
  fc.record({ kind: fc.constant("change" as const), document: id, chunk: bytes }),
  fc.record({
    ...{ kind: fc.constant("fork" as const), document: id, from: id },
    heads: fc.array(changeHash, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    ...{ kind: fc.constant("retire" as const), document: id, erased: hashes },
    carriedIn: fc.array(id, { maxLength: 3 }),
  }),
);
const entryItem: fc.Arbitrary<wire.EntryItem> = fc.oneof(
  batchItem,
  fc.record({
    ...{ kind: fc.constantFrom("own" as const, "gone" as const), of: fc.integer({ min: 1, max: 63 }) },
    ...{ document: id, hash: changeHash },
  }),
  fc.record({
    ...{ kind: fc.constant("other" as const), of: fc.integer({ min: 4, max: 63 }) },
    ...{ document: id, bytes },
  }),
);
const packedItems = (item: fc.Arbitrary<wire.EntryItem>) =>
  fc
    .tuple(fc.array(item, { maxLength: 6 }), fc.boolean())
    .map(([items, isDeflated]) =>
      wire.pack(wire.encodeItems(items), isDeflated ? (plain) => deflateRawSync(plain) : undefined),
    );

const clientFrame: fc.Arbitrary<wire.LogClientFrame> = fc.oneof(
  fc.record({
    ...{ type: fc.constant("subscribe" as const), credit: number },
    marks: fc.array(point, { maxLength: 64 }),
  }),
  fc.record({
    ...{ type: fc.constant("subscribe" as const), credit: number, marks: fc.constant([]) },
    reads: fc.array(fc.constantFrom("zstd", "deflate", "another"), { maxLength: 3 }),
  }),
  fc.record({ type: fc.constant("batch" as const), n, resume: n, items: packedItems(batchItem) }),
  fc.record({
    ...{ type: fc.constant("heads" as const), ask: number },
    of: fc.oneof(fc.record({ after: number }), fc.record({ documents: fc.array(id, { maxLength: 40 }) })),
  }),
  fc.record({ type: fc.constant("fetch" as const), ask: number, document: id, have: hashes }),
  fc.record({ type: fc.constant("credit" as const), bytes: number }),
  fc.record({ type: fc.constant("ephemeral" as const), bytes }),
  fc.record({ type: fc.constant("slot" as const), replica: id, bytes }),
);
const text = fc.string({ maxLength: 80, unit: "grapheme" });
const relayFrame: fc.Arbitrary<wire.LogRelayFrame> = fc.oneof(
  fc.record({
    ...{ type: fc.constant("welcome" as const), space: text, role: text, time: number },
    limits: fc
      .dictionary(fc.stringMatching(/^[a-z]{1,9}$/), number, { maxKeys: 5 })
      .map((map) => ({ ...map })),
  }),
  fc.record({ type: fc.constant("state" as const), common: point, upTo: point }),
  fc.record({
    type: fc.constant("entries" as const),
    from: number,
    upTo: point,
    items: packedItems(entryItem),
  }),
  fc.record({ type: fc.constant("receipt" as const), n: number, positions: fc.array(number) }),
  fc.record(
    {
      ...{ type: fc.constant("refused" as const), code: text, message: text },
      ...{ n, ask: number, item: number, document: id, hashes },
    },
    { requiredKeys: ["type", "code", "message"] },
  ),
  fc.record({
    ...{ type: fc.constant("heads" as const), ask: number, complete: fc.boolean() },
    documents: fc.array(fc.record({ document: id, heads: hashes, position: number })),
  }),
  fc.record({
    ...{ type: fc.constant("fetched" as const), ask: number, complete: fc.boolean() },
    items: packedItems(entryItem),
  }),
  fc.record({ type: fc.constant("ephemeral" as const), bytes }),
  fc.record({
    type: fc.constant("slots" as const),
    slots: fc.array(fc.record({ replica: id, bytes })),
  }),
);

test("[CO96] every frame is read as it was written", () => {
  fc.assert(
    fc.property(clientFrame, (frame) => {
      expect(wire.decodeClientFrame(wire.encodeClientFrame(frame))).toEqual(frame);
    }),
    RUNS,
  );
  fc.assert(
    fc.property(relayFrame, (frame) => {
      expect(wire.decodeRelayFrame(wire.encodeRelayFrame(frame))).toEqual(frame);
    }),
    RUNS,
  );
});

test("[CO96] items are read as they were written, deflated or not", () => {
  fc.assert(
    fc.property(fc.array(entryItem, { maxLength: 30 }), fc.boolean(), (items, isDeflated) => {
      const packed = wire.pack(wire.encodeItems(items), isDeflated ? deflateRawSync : undefined);
      expect(wire.decodeEntryItems(wire.unpack(packed, tools.inflate))).toEqual(items);
    }),
    RUNS,
  );
});

/** Reads a frame as far as it can be read. */
function readAll(
  frame: Uint8Array,
  decode: (bytes: Uint8Array) => wire.LogClientFrame | wire.LogRelayFrame,
): void {
  const decoded = decode(frame);
  if (!("items" in decoded)) return;
  if (decoded.type === "batch") wire.decodeBatchItems(wire.unpack(decoded.items, tools.inflate));
  else wire.readEntries(decoded.items, { ...tools, decompress: { deflate: tools.inflate } });
}

test("[CO97] whatever bytes come, they are a frame or RELAY_PROTOCOL", () => {
  const [clients, relays] = [clientFrame.map(wire.encodeClientFrame), relayFrame.map(wire.encodeRelayFrame)];
  const change = fc.record({ at: fc.nat(), by: fc.integer({ min: 1, max: 255 }), cut: fc.nat({ max: 5 }) });
  const mutated = (frames: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
    fc.tuple(frames, fc.array(change, { minLength: 1, maxLength: 4 })).map(([frame, changes]) => {
      let altered = frame.slice();
      for (const { at, by, cut } of changes) {
        const place = at % altered.length;
        altered[place] = (altered[place] as number) ^ by;
        if (cut === 0 && place > 0) altered = altered.slice(0, place);
      }
      return altered;
    });
  const check = (frame: Uint8Array, decode: Parameters<typeof readAll>[1]): void => {
    try {
      readAll(frame, decode);
    } catch (error) {
      expect(error).toMatchObject({ code: "RELAY_PROTOCOL" });
    }
  };
  const runs = { ...RUNS, numRuns: 600 };
  fc.assert(
    fc.property(mutated(clients), (frame) => check(frame, wire.decodeClientFrame)),
    runs,
  );
  fc.assert(
    fc.property(mutated(relays), (frame) => check(frame, wire.decodeRelayFrame)),
    runs,
  );
});

const refused = expect.objectContaining({ code: "RELAY_PROTOCOL" });

test("[CO97] what claims more than it may hold is refused before anything is made of it", () => {
  const control = (body: unknown) => Buffer.concat([Buffer.of(5), encode(body)]);
  const deep = { bytes: 1, a: [[[[[1]]]]] };
  const many = { bytes: 1, a: Array.from({ length: 3_000 }, () => 0) };
  expect(wire.decodeClientFrame(control({ bytes: 1, later: "field" }))).toEqual({ type: "credit", bytes: 1 });
  for (const body of [deep, many, { bytes: -1 }, { bytes: 2 ** 60 }, { bytes: 0.5 }, [1], { __proto__: 1 }])
    expect(() => wire.decodeClientFrame(control(body))).toThrow(refused);
  const claims: readonly (readonly number[])[] = [
    [], // no type
    [200], // an unknown type
    [5, 0xbb, 0, 0, 0, 0xff, 0, 0, 0, 0], // a map of a trillion
    [5, 0xbf, 0xff], // of no length
    [2, 1, 0, 1, 0xff, 0xff, 0xff, 0x7f], // a batch of 256 MiB
    [2, 0, 0, 0, 0], // without a number
  ];
  for (const claim of claims) expect(() => wire.decodeClientFrame(Uint8Array.from(claim))).toThrow(refused);
  const counts = Uint8Array.of(0, 0xff, 0xff, 0xff, 0x7f); // no documents, and 268 million items
  expect(() => wire.decodeEntryItems(counts)).toThrow(refused);
  expect(() => wire.decodeClientFrame(new Uint8Array(9 * 1024 * 1024).fill(2, 0, 1))).toThrow(refused);
  expect(() => wire.decodeClientFrame(new Uint8Array(70_000).fill(1, 0, 1))).toThrow(refused);
});

test("[CO97] a deflate bomb is not inflated beyond what it says", () => {
  const bytes = deflateRawSync(Buffer.alloc(20_000_000));
  expect(() => wire.unpack({ form: "deflated", inflatedBytes: 1_000, bytes }, tools.inflate)).toThrow(
    refused,
  );
  expect(() =>
    wire.unpack({ form: "deflated", inflatedBytes: 2, bytes: Buffer.of(3, 0) }, tools.inflate),
  ).toThrow(refused);
});

test("[CO97] a batch with an item that is sent by relays only is refused", () => {
  const items = wire.encodeItems([{ kind: "gone", of: 1, document: "ab".repeat(16), hash: "cd".repeat(32) }]);
  expect(() => wire.decodeBatchItems(items)).toThrow(refused);
});

test("[CO98] the mark of a point is that of all entries before it, and of no others", () => {
  const chunk = A.getLastLocalChange(
    A.change(A.init<{ a?: number }>(), (doc) => {
      doc.a = 1;
    }),
  ) as Uint8Array;
  const document = "ab".repeat(16);
  const change = wire.markedEntry({ kind: "change", document, chunk }, tools);
  expect(change).toEqual({ kind: 1, document, hash: A.decodeChange(chunk).hash });
  const own = wire.markedEntry({ kind: "own", of: 1, document, hash: change.hash }, tools);
  const fork = wire.markedEntry(
    { kind: "fork", document, from: "cd".repeat(16), heads: [change.hash] },
    tools,
  );
  const along = (...entries: wire.MarkedEntry[]) =>
    entries.reduce((point, entry) => wire.nextPoint(point, entry, tools.sha256), wire.LOG_START);
  expect(along(change, fork)).toEqual(along(own, fork));
  expect(wire.samePoint(along(change, fork), along(fork, change))).toBe(false);
  expect(wire.samePoint(along(fork), along({ ...fork, kind: 2 }))).toBe(true);
  expect(wire.samePoint(along(fork), along({ ...fork, kind: 3 }))).toBe(false);
});

test("[CO98] of the points that were reached, at most 64 are kept, and at any distance there is one", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 300 }), (steps) => {
      let kept: readonly wire.LogPoint[] = [];
      const reached: number[] = [];
      for (const step of steps) {
        const position = (reached.at(-1) ?? 0) + step;
        reached.push(position);
        kept = wire.sparsePoints([...kept, { position, mark: new Uint8Array(16) }]);
      }
      const newest = reached.at(-1) as number;
      expect(kept[0]?.position).toBe(newest);
      expect(kept.length).toBeLessThanOrEqual(64);
      expect(kept.at(-1)?.position).toBe(reached[0]);
      // The log was cut off somewhere: of what is left, not much is sent again.
      for (const left of reached) {
        const common = kept.find(({ position }) => position <= left)?.position ?? 0;
        expect(newest - common).toBeLessThanOrEqual(17 * (newest - left) + 17 * 50_000);
      }
    }),
    RUNS,
  );
});

test("[CO99] a frame of each type is pinned", () => {
  const document = "00112233445566778899aabbccddeeff";
  const hashText = "0123456789abcdef".repeat(4);
  const point = { position: 300, mark: new Uint8Array(16).fill(7) };
  const items = wire.pack(
    wire.encodeItems([
      { kind: "change", document, chunk: Uint8Array.of(1, 2, 3) },
      { kind: "fork", document, from: document, heads: [hashText] },
      { kind: "retire", document, carriedIn: [document], erased: [hashText] },
    ]),
  );
  const known = wire.pack(wire.encodeItems([{ kind: "own", of: 1, document, hash: hashText }]));
  const clients: readonly wire.LogClientFrame[] = [
    { type: "subscribe", marks: [point], credit: 1_048_576 },
    { type: "batch", n: 1, resume: 0, items },
    { type: "batch", n: 2, resume: 1, items, makesRoom: true },
    { type: "heads", ask: 1, of: { after: 300 } },
    { type: "heads", ask: 1, of: { documents: [document] } },
    { type: "fetch", ask: 2, document, have: [hashText] },
    { type: "credit", bytes: 1_000 },
    { type: "ephemeral", bytes: Uint8Array.of(9) },
    { type: "slot", replica: document, bytes: Uint8Array.of(9) },
  ];
  const relays: readonly wire.LogRelayFrame[] = [
    { type: "welcome", space: "s", role: "write", time: 1, limits: { batchItems: 4_096 } },
    { type: "state", common: point, upTo: point },
    { type: "entries", from: 299, upTo: point, items: known },
    { type: "receipt", n: 1, positions: [300] },
    { type: "refused", n: 1, code: "MISSING", item: 0, document, hashes: [hashText], message: "Send it." },
    { type: "heads", ask: 1, complete: true, documents: [{ document, heads: [hashText], position: 300 }] },
    { type: "fetched", ask: 2, complete: false, items },
    { type: "ephemeral", bytes: Uint8Array.of(9) },
    { type: "slots", slots: [{ replica: document, bytes: Uint8Array.of(9) }] },
  ];
  const frames = [...clients.map(wire.encodeClientFrame), ...relays.map(wire.encodeRelayFrame)];
  expect(frames.map((frame) => Buffer.from(frame).toString("hex"))).toMatchInlineSnapshot(`
    [
      "01a2656d61726b73818219012c5007070707070707070707070707070707666372656469741a00100000",
      "020100007f0100112233445566778899aabbccddeeff0301000301020302003000112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0300310100112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      "080201007f0100112233445566778899aabbccddeeff0301000301020302003000112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0300310100112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      "03a26361736b0165616674657219012c",
      "03a26361736b0169646f63756d656e7473815000112233445566778899aabbccddeeff",
      "04a36361736b0264686176658158200123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef68646f63756d656e745000112233445566778899aabbccddeeff",
      "05a16562797465731903e8",
      "0609",
      "0700112233445566778899aabbccddeeff09",
      "41a464726f6c656577726974656474696d65016573706163656173666c696d697473a16a62617463684974656d73191000",
      "42a2647570546f8219012c500707070707070707070707070707070766636f6d6d6f6e8219012c5007070707070707070707070707070707",
      "43ab02ac020707070707070707070707070707070700350100112233445566778899aabbccddeeff018100200123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      "440101ac02",
      "45a6616e0164636f6465674d495353494e47646974656d00666861736865738158200123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef676d6573736167656853656e642069742e68646f63756d656e745000112233445566778899aabbccddeeff",
      "4601010100112233445566778899aabbccddeeffac02010123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      "470200007f0100112233445566778899aabbccddeeff0301000301020302003000112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0300310100112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      "4809",
      "490100112233445566778899aabbccddeeff0109",
    ]
  `);
});
