import { hash } from "node:crypto";
import { deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { changeHash, plainChange } from "../../src/format/change-header.js";
import * as wire from "../../src/wire.js";
import { draws, randomChanges } from "../support/random-documents.js";

const tools: wire.EntryTools = {
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  inflate: (bytes, maxBytes) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
  decompress: {
    deflate: (bytes, maxBytes) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
    zstd: (bytes, maxBytes) => zstdDecompressSync(bytes, { maxOutputLength: maxBytes }),
  },
};

const documentHex = (number: number): string => number.toString(16).padStart(32, "0");

/** Changes of several documents, in turn, with other entries and erased ones between them. */
function randomEntries(seed: number): readonly wire.SegmentEntry[] {
  const draw = draws(seed);
  const histories = [1, 2, 3].map((number) => ({
    document: documentHex(number),
    left: randomChanges(seed * 10 + number, 30).map((chunk) => plainChange(chunk, tools)),
  }));
  const entries: wire.SegmentEntry[] = [];
  while (histories.some(({ left }) => left.length > 0)) {
    const { document, left } = histories[draw(3)] as (typeof histories)[number];
    const bytes = left.shift();
    if (bytes === undefined) continue;
    const isGone = draw(9) === 0;
    entries.push({ kind: 1, document, hash: changeHash(bytes, tools), bytes: isGone ? undefined : bytes });
    if (draw(6) > 0) continue;
    const body = Uint8Array.from({ length: draw(50) + 1 }, () => draw(256));
    const of = Buffer.from(tools.sha256(body)).toString("hex");
    entries.push({ kind: 4 + draw(9), document: documentHex(draw(9)), hash: of, bytes: body });
  }
  return entries;
}

function packed(entries: readonly wire.SegmentEntry[]): Uint8Array {
  const writer = new wire.SegmentWriter();
  for (const entry of entries) writer.add(entry);
  return writer.done();
}

test("[RL122] a segment gives every entry back byte by byte, in order or any of them alone", () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    // A stretch from the middle: what it depends on is partly before it.
    const all = randomEntries(seed);
    const entries = all.slice(draws(seed)(20));
    const reader = new wire.SegmentReader(packed(entries), tools.sha256);
    expect(reader.count).toBe(entries.length);
    const read = (at: number) => reader.entry(at, (place) => (entries[place] as wire.SegmentEntry).hash);
    for (const at of [...entries.keys()].toReversed()) {
      const { bytes, ...entry } = read(at);
      const { bytes: expected, ...rest } = entries[at] as wire.SegmentEntry;
      expect(entry).toEqual(rest);
      expect(bytes && Buffer.from(bytes)).toEqual(expected && Buffer.from(expected));
    }
  }
});

test("[RL125] an entries frame with a segment is read as one with items, however it is compressed", () => {
  const entries = randomEntries(7);
  const bytes = packed(entries);
  const forms = {
    "segment-deflate": deflateRawSync(bytes),
    "segment-zstd": zstdCompressSync(bytes),
  } as const;
  for (const [form, compressed] of Object.entries(forms) as [keyof typeof forms, Uint8Array][]) {
    const frame = wire.encodeRelayFrame({
      ...{ type: "entries", from: 4, upTo: { position: 4 + entries.length, mark: new Uint8Array(16) } },
      items: { form, inflatedBytes: bytes.length, bytes: compressed },
    });
    const decoded = wire.decodeRelayFrame(frame) as wire.EntriesFrame;
    const read = wire.readEntries(decoded.items, tools);
    expect(read.map(({ hash, kind, item: { document } }) => [hash, kind, document])).toEqual(
      entries.map(({ hash, kind, document }) => [hash, kind, document]),
    );
    const items = read.map(({ item }) => item);
    const again = wire.encodeItems(items);
    expect(wire.decodeEntryItems(again).map((item) => wire.markedEntry(item, tools).hash)).toEqual(
      entries.map(({ hash }) => hash),
    );
    expect(() => wire.readEntries(decoded.items, { ...tools, decompress: {} })).toThrow(
      expect.objectContaining({ code: "RELAY_PROTOCOL" }),
    );
    expect(() => wire.readEntries({ ...decoded.items, inflatedBytes: bytes.length - 1 }, tools)).toThrow(
      expect.objectContaining({ code: "RELAY_PROTOCOL" }),
    );
  }
});

test("[RL122] whatever bytes come as a segment, they are one or RELAY_PROTOCOL, and never more than a frame holds", () => {
  const bytes = packed(randomEntries(8).slice(0, 12));
  const read = (segment: Uint8Array): void => {
    try {
      wire.readEntries(
        { form: "segment-deflate", inflatedBytes: segment.length, bytes: deflateRawSync(segment) },
        tools,
      );
    } catch (error) {
      expect(error).toMatchObject({ code: "RELAY_PROTOCOL" });
    }
  };
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: bytes.length - 1 }),
      fc.integer({ min: 0, max: 255 }),
      (at, value) => {
        const altered = Uint8Array.from(bytes);
        altered[at] = value;
        read(altered);
      },
    ),
    { numRuns: 300, seed: 122 },
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), read), { numRuns: 200, seed: 123 });
  // One long actor that every entry names.
  const actor = new Uint8Array(1_000_000);
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
  const entries = 200;
  const each = (value: number): number[] => Array.from({ length: entries }, () => value);
  const bomb = Buffer.concat([
    Uint8Array.from([1, ...new Uint8Array(16), 1, ...varint(actor.length)]),
    actor,
    Uint8Array.from([0, ...varint(entries), ...each(0), ...each(0), ...each(0), ...each(0), ...each(0)]),
  ]);
  expect(() =>
    wire.readEntries(
      { form: "segment-deflate", inflatedBytes: bomb.length, bytes: deflateRawSync(bomb) },
      tools,
    ),
  ).toThrow("its entries are too large");
});
