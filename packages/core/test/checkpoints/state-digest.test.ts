import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addToDigest,
  bytesFromHex,
  bytesToHex,
  emptyDigest,
  type MemoryId,
  memoryDigest,
  shownNames,
  takeFromDigest,
  uuidFromBytes,
} from "../../src/index.js";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const toNumber = (digest: Uint8Array): bigint => BigInt(`0x${bytesToHex(digest)}`);
const MODULUS = 1n << 256n;
const ID = "01900000-0000-7000-8000-000000000001" as MemoryId;

describe("the digest of a state", () => {
  test("[CP10] is a sum modulo 2^256: in any order, and what is taken away is as if it had never been added", () => {
    fc.assert(
      fc.property(
        fc.array(bytes(32), { maxLength: 20 }),
        fc.array(bytes(32), { maxLength: 20 }),
        (kept, gone) => {
          const sum = emptyDigest();
          for (const term of [...gone, ...kept]) addToDigest(sum, term);
          for (const term of gone) takeFromDigest(sum, term);
          expect(toNumber(sum)).toBe(kept.reduce((total, term) => total + toNumber(term), 0n) % MODULUS);
        },
      ),
    );
  });

  test("[CP11] a memory counts by its id and its references, each once, in whatever values they stand", () => {
    const reference = bytes(48);
    fc.assert(
      fc.property(fc.array(reference, { minLength: 1, maxLength: 5 }), bytes(16), (references, id) => {
        const memory = uuidFromBytes(id) as MemoryId;
        const apart = memoryDigest(memory, references);
        expect(apart).toHaveLength(32);
        expect(memoryDigest(memory, [Buffer.concat(references.toReversed())])).toEqual(apart);
        expect(memoryDigest(memory, [...references, references[0] as Uint8Array])).toEqual(apart);
        const other = (references[0] as Uint8Array).map((byte) => byte ^ 1);
        expect(memoryDigest(memory, [other, ...references.slice(1)])).not.toEqual(apart);
        expect(memoryDigest(uuidFromBytes(id.map((byte) => byte ^ 1)) as MemoryId, references)).not.toEqual(
          apart,
        );
      }),
    );
    expect(memoryDigest(ID, [])).toBeUndefined();
    expect(memoryDigest(ID, [new Uint8Array(47)])).toBeUndefined();
  });

  test("[CP12] a digest is part of the format", () => {
    const value = bytesFromHex("00112233445566778899aabbccddeeff".repeat(3));
    const digest = memoryDigest(ID, [value]) as Uint8Array;
    expect(bytesToHex(digest)).toBe("02a8ef8c9aec03f711cf908ef8f40fdcfa48d4e01adfff3973f1e557c24d1d83");
  });
});

describe("names of checkpoints", () => {
  test("[CP02] of several kept under one name the smallest id has it, and every shown name is another", () => {
    const named = fc.record({
      id: bytes(16).map(bytesToHex),
      ownName: fc.constantFrom("a", "b"),
      state: fc.constantFrom("kept" as const, "deleted" as const),
    });
    fc.assert(
      fc.property(fc.uniqueArray(named, { maxLength: 12, selector: ({ id }) => id.slice(0, 4) }), (list) => {
        const shown = shownNames(list);
        const kept = list.filter(({ state }) => state === "kept");
        expect(new Set(kept.map(({ id }) => shown.get(id))).size).toBe(kept.length);
        for (const name of ["a", "b"]) {
          const [first] = kept
            .filter(({ ownName }) => ownName === name)
            .sort((a, b) => (a.id < b.id ? -1 : 1));
          if (first !== undefined) expect(shown.get(first.id)).toBe(name);
        }
      }),
    );
  });
});
