import { bytesToHex as joinedHex } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bytesEqual,
  bytesFromHex,
  bytesToHex,
  decodeCanonical,
  type Encodable,
  encodeCanonical,
} from "../../src/index.js";

const text = fc.string({ unit: "grapheme" });
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isEncodable),
);
const { value } = fc.letrec<{ value: Encodable }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 20 }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

function isEncodable(candidate: number): boolean {
  return !Number.isInteger(candidate) || Number.isSafeInteger(candidate);
}

describe("canonical encoding", () => {
  test("[CO1] gives back what went in", () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(decodeCanonical(encodeCanonical(given))).toEqual(withoutMinusZero(given));
      }),
    );
  });

  test("[CO2] is the same whatever order the keys were set in", () => {
    fc.assert(
      fc.property(fc.dictionary(text, value, { noNullPrototype: true }), (given) => {
        const reversed = Object.fromEntries(Object.entries(given).reverse());
        expect(bytesEqual(encodeCanonical(reversed), encodeCanonical(given))).toBe(true);
      }),
    );
  });

  test("[CO2] is different for different values", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const same =
          JSON.stringify([withoutMinusZero(a)], plain) === JSON.stringify([withoutMinusZero(b)], plain);
        if (!same) expect(bytesEqual(encodeCanonical(a), encodeCanonical(b))).toBe(false);
      }),
    );
  });

  test("[CO3] minus zero is zero, absent and undefined are one", () => {
    expect(encodeCanonical(-0)).toEqual(encodeCanonical(0));
    expect(encodeCanonical({ a: 1, b: undefined })).toEqual(encodeCanonical({ a: 1 }));
  });

  test.each([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["minus infinity", Number.NEGATIVE_INFINITY],
    ["2^53", 2 ** 53],
    ["-2^53", -(2 ** 53)],
    ["1e300", 1e300],
    ["half of a surrogate pair", "a\ud800"],
    ["such a half in a key", { "\udc00": 1 }],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["a function", () => 1],
    ["a bigint", 1n],
    ["undefined in a list", [undefined]],
  ])("[CO4] refuses %s, however deep", (_name, bad) => {
    for (const given of [bad, [bad], { a: [{ b: bad }] }]) {
      expect(() => encodeCanonical(given as Encodable)).toThrow(
        expect.objectContaining({ code: "BAD_INPUT" }),
      );
    }
  });

  test("[CO5] bytes that are no encoding of ours are STORE_DAMAGED", () => {
    const bad = ["", "ff", "62ff", "a2616101616102", "f97e00", "f97c00", "f7", "0000", "9f01ff00"];
    for (const hex of bad) {
      expect(() => decodeCanonical(Uint8Array.from(Buffer.from(hex, "hex")))).toThrow(
        expect.objectContaining({ code: "STORE_DAMAGED" }),
      );
    }
  });
});

function withoutMinusZero(given: unknown): unknown {
  if (typeof given === "number") return given === 0 ? 0 : given;
  if (Array.isArray(given)) return given.map(withoutMinusZero);
  if (typeof given !== "object" || given === null || given instanceof Uint8Array) return given;
  return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, withoutMinusZero(item)]));
}

function plain(_key: string, item: unknown): unknown {
  if (item instanceof Uint8Array) return { bytes: [...item] };
  if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
}

test("[CO7] hexadecimal digits are the same with Node and without, and what is none is refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const padded = new Uint8Array([1, ...bytes, 2]).subarray(1, -1);
      expect(bytesToHex(padded)).toBe(joinedHex(padded));
      expect(bytesFromHex(bytesToHex(padded))).toEqual(bytes);
    }),
  );
  for (const text of ["0", "0g", "aabbz0", "é0", "aa bb"])
    expect(() => bytesFromHex(text)).toThrow("hexadecimal");
});
