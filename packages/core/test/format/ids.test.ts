import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  actorId,
  bytesToHex,
  catalogDocumentId,
  deriveSpaceKeys,
  documentIdFromHex,
  documentIdToHex,
  importedMemoryId,
  isUuid,
  type MemoryId,
  mainBranchId,
  newUuid,
  parseActorId,
  type ReplicaId,
  type SpaceId,
  uuidToBytes,
} from "../../src/index.js";
import { START_TIME, seededPlatform } from "../support/seeded-platform.js";

const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const hex16 = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(bytesToHex);

describe("ids", () => {
  test("[CO16] new ids are UUIDv7 and sort by the time they were made", () => {
    const clock = { now: START_TIME };
    const platform = seededPlatform(1, clock);
    const ids = Array.from({ length: 50 }, () => {
      clock.now += 1;
      return newUuid<MemoryId>(platform);
    });
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids) {
      expect(isUuid(id)).toBe(true);
      expect(id).toMatch(/^.{14}7.{4}[89ab]/);
    }
    const [first] = ids as [MemoryId];
    expect(Number.parseInt(first.replaceAll("-", "").slice(0, 12), 16)).toBe(START_TIME + 1);
  });

  /** Made once with automerge-repo 2.5.6, `stringifyAutomergeUrl`. */
  const known: Record<string, string> = {
    "00000000000000000000000000000000": "11111111111111114Ki9Gx",
    ffffffffffffffffffffffffffffffff: "4ZrjxJnU1LA5xSyrWMNuXTozYEvA",
    "000102030405060708090a0b0c0d0e0f": "1Bhh3pU9gLXZiNDL6PEa1Gs9fh",
    "0198c2a47d3e7c519f003c5e8a1b2d4f": "2HqGP1kJxj9W9JC1ZnSxQ3VBB5s",
    "00000000000000000000000000000001": "1111111111111118k14cG",
  };

  test("[CO17] document ids are those of automerge-repo", () => {
    for (const [hex, id] of Object.entries(known)) {
      expect(documentIdFromHex(hex)).toBe(id);
      expect(documentIdToHex(id)).toBe(hex);
    }
    expect(catalogDocumentId("0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f" as SpaceId)).toBe(
      "2HqGP1kJxj9W9JC1ZnSxQ3VBB5s",
    );
  });

  test("[CO17] document ids and bytes are each other's text", () => {
    fc.assert(
      fc.property(hex16, (hex) => {
        expect(documentIdToHex(documentIdFromHex(hex))).toBe(hex);
      }),
    );
  });

  test("[CO17] a text with a wrong character, checksum or length is no document id", () => {
    const [id] = Object.values(known).slice(3) as [string];
    const wrong = [
      "",
      "0",
      id.slice(1),
      `1${id}`,
      `${id}1`,
      id.replace("H", "I"),
      id.replace("k", "j"),
      "l".repeat(1e6),
    ];
    for (const text of wrong) {
      expect(() => documentIdToHex(text)).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
    }
  });

  test("[CO18] an imported memory has the same id on every device of the space, and nobody else can tell it", () => {
    const secret = new Uint8Array(32).fill(7);
    const { imports } = deriveSpaceKeys(SPACE, secret);
    expect(importedMemoryId(imports, "notes.md#Tea")).toBe("d3d00047-816f-86dd-a320-f0d5197e3713");
    expect(importedMemoryId(imports, "notes.md#Coffee")).not.toBe(importedMemoryId(imports, "notes.md#Tea"));
    const others = deriveSpaceKeys(SPACE, new Uint8Array(32).fill(8));
    expect(importedMemoryId(others.imports, "notes.md#Tea")).not.toBe(
      importedMemoryId(imports, "notes.md#Tea"),
    );
  });

  test("[CO19] main's id is computed from the space, and actors tell document, replica and epoch", () => {
    expect(mainBranchId(SPACE)).toBe("e664dc920fb4fe1b0f103fc2be2f6e95");
    fc.assert(
      fc.property(hex16, fc.integer({ min: 0, max: 65_535 }), (document, epoch) => {
        const parts = { document, replica: SPACE as string as ReplicaId, epoch };
        expect(parseActorId(actorId(parts))).toEqual(parts);
        expect(actorId(parts)).toHaveLength(68);
      }),
    );
    expect(parseActorId("aa".repeat(16))).toBeUndefined();
  });

  test("[CO19] what is no UUID is refused with an example of one", () => {
    for (const text of ["", "x", "0198C2A4-7d3e-7c51-9f00-3c5e8a1b2d4f", `${SPACE}0`]) {
      expect(() => uuidToBytes(text)).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
    }
  });
});
