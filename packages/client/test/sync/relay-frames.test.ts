import { encode } from "cborg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFrame } from "../../src/sync/relay-frames.js";
import { DOCUMENT_A, DOCUMENT_B, syncData } from "./support/adapter-harness.js";
import { SPACE } from "./support/scripted-relay.js";

const HEAD = "ab".repeat(32);
const frames: readonly Record<string, unknown>[] = [
  {
    type: "peer",
    senderId: "relay-1",
    targetId: "me",
    peerMetadata: { isEphemeral: true },
    selectedProtocolVersion: "1",
  },
  { type: "error", message: "no" },
  { type: "welcome", space: SPACE, role: "write", generation: "g", time: 1.5, lastSeq: 3, protocol: 1 },
  { type: "sync", senderId: "r", targetId: "m", documentId: DOCUMENT_A, data: syncData(1) },
  { type: "doc-unavailable", documentId: DOCUMENT_A },
  {
    type: "heads",
    generation: "g",
    entries: [{ documentId: DOCUMENT_A, heads: [HEAD], seq: 1 }],
    lastSeq: 1,
    complete: true,
  },
  { type: "receipt", documentId: DOCUMENT_A, heads: [HEAD], seq: 1, generation: "g" },
  { type: "forked", documentId: DOCUMENT_B, from: DOCUMENT_A, heads: [HEAD] },
  { type: "refused", code: "ROLE_REFUSED", message: "no" },
];

const kindOf = (frame: unknown) => readFrame(encode(frame)).kind;

describe("frames", () => {
  test("[NW5] every frame of the protocol is read, and its heads are sorted", () => {
    for (const frame of frames) expect(kindOf(frame)).toBe("frame");
    const heads = ["cd".repeat(32), HEAD, HEAD];
    const read = readFrame(
      encode({ type: "receipt", documentId: DOCUMENT_A, heads, seq: 1, generation: "g" }),
    );
    expect(read).toMatchObject({ frame: { heads: [HEAD, "cd".repeat(32)] } });
  });

  test("[NW5] frames of other kinds are told from frames that are wrong", () => {
    expect(kindOf({ type: "presence" })).toBe("unknown");
    for (const wrong of [{}, [], "sync", null, { type: 1 }, { type: "sync" }])
      expect(kindOf(wrong)).toBe("invalid");
    const receipt = { type: "receipt", documentId: DOCUMENT_A, heads: [HEAD], seq: 1, generation: "g" };
    for (const wrong of [
      { seq: -1 },
      { seq: 0.5 },
      { seq: 2 ** 60 },
      { heads: ["AB".repeat(32)] },
      { heads: HEAD },
      { documentId: DOCUMENT_A.slice(1) },
      { documentId: "z".repeat(1_000_000) },
      { generation: "" },
    ]) {
      expect(kindOf({ ...receipt, ...wrong })).toBe("invalid");
    }
    expect(kindOf({ type: "sync", documentId: DOCUMENT_A, data: new Uint8Array([1, 2, 3]) })).toBe("invalid");
  });

  test("[NW5] any bytes are a frame, of another kind, or invalid; nothing is thrown", () => {
    const mangled = fc
      .tuple(
        fc.constantFrom(...frames),
        fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      )
      .map(([frame, edits]) => {
        const bytes = encode(frame);
        for (const [at, byte] of edits) bytes[at % bytes.length] = byte;
        return bytes;
      });
    const swapped = fc
      .tuple(fc.constantFrom(...frames), fc.constantFrom(...frames.flatMap(Object.keys)), fc.anything())
      .map(([frame, key, value]) => {
        try {
          return encode({ ...frame, [key]: value });
        } catch {
          // Not everything has a form in CBOR.
          return new Uint8Array(1);
        }
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), mangled, swapped), (bytes) => {
        expect(["frame", "unknown", "invalid"]).toContain(readFrame(bytes).kind);
      }),
      { seed: 5, numRuns: 5_000 },
    );
  });

  test("[NW5] a small frame cannot cost much: neither nesting nor millions of empty arrays", () => {
    const nested = new Uint8Array(1_000_000).fill(0x81);
    const many = new Uint8Array(8_000_000).fill(0x80);
    many.set([0x9a, 0x00, 0x7a, 0x11, 0xfb]);
    const promised = Uint8Array.of(0x9b, 0, 0, 0, 1, 0, 0, 0, 0);
    for (const bytes of [nested, many, promised]) expect(readFrame(bytes).kind).toBe("invalid");
  });
});
