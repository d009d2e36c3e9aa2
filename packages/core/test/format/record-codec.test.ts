import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { encodeHeader } from "../../src/format/header-codec.js";
import { encodePart, recordHash, STATE_FIELDS } from "../../src/format/record.js";
import {
  type Codec,
  deriveSpaceKeys,
  type MemoryId,
  type MemoryRecord,
  memoryOf,
  open,
  openRecord,
  type PackId,
  type PlannedWrite,
  parseFields,
  planCreate,
  planRestore,
  planRevise,
  planRollback,
  type RecordDraft,
  type RecordHash,
  type Reference,
  type ReplicaId,
  type SealedRecord,
  type SealedSource,
  type Source,
  type SpaceId,
  seal,
  sealRecord,
  versionSource,
} from "../../src/index.js";
import { START_TIME, seededPlatform } from "../support/seeded-platform.js";
import { SimulatedSpace } from "../support/simulated-space.js";

const platform = seededPlatform(1);
const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const MEMORY = "01900000-0000-7000-8000-000000000002" as MemoryId;
const REPLICA = "01900000-0000-7000-8000-000000000003" as ReplicaId;
const PACK = "0f".repeat(16) as PackId;
const secret = new Uint8Array(32).fill(7);
const codec: Codec = { platform, keys: deriveSpaceKeys(SPACE, secret) };
const context = { at: START_TIME, author: { replica: REPLICA, agent: "tester" } };
const shortDraft = planCreate(MEMORY, { content: "tea" }, context).draft;

type Parts = Pick<SealedRecord, "header" | "parts">;

const sourceOf = (...records: readonly Parts[]): SealedSource => ({
  header: () => records.at(-1)?.header,
  part: (_pack, hash) => records.map(({ parts }) => parts.get(hash)).find((part) => part !== undefined),
});

const referenceTo = ({ hash, pack }: MemoryRecord): Reference => ({ record: hash, pack });

describe("sealed records", () => {
  let sealed: SealedRecord;
  beforeAll(async () => {
    sealed = await sealRecord(codec, PACK, shortDraft);
  });

  const openedAs = (from: Codec, parts: Parts, reference: Reference, memory = MEMORY) =>
    openRecord(from, sourceOf(parts), reference, memory);

  test("[CO6] open to what was sealed, whatever the fields", async () => {
    const short = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
      .filter((text) => text.trim() !== "");
    const input = fc.record(
      {
        content: fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== ""),
        ...{ kind: short, area: short, category: short, tags: fc.array(short, { maxLength: 5 }) },
        ...{ importance: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0) },
        ...{ occurredAt: fc.integer({ min: 0, max: 8.64e15 }), pins: fc.array(short, { maxLength: 3 }) },
        ...{ links: fc.array(fc.record({ rel: short, to: short }), { maxLength: 3 }) },
        ...{ git: fc.record({ commit: fc.constant("0123abc") }), reason: short, summary: short },
        source: fc.record({ kind: short, line: fc.nat() }),
      },
      { requiredKeys: ["content"] },
    );
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const { draft } = planCreate(MEMORY, given, context, { derivedFrom: [MEMORY] });
        const made = await sealRecord(codec, PACK, draft);
        const reading = await openedAs(codec, made, referenceTo(made.record));
        expect(reading).toEqual({ status: "here", record: made.record });
        expect(JSON.stringify(reading)).toBe(JSON.stringify({ status: "here", record: made.record }));
      }),
    );
  });

  test("[CO6] sealing gives what opening gives, to the order of lists and names, also where parts are named again", async () => {
    const hash = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString("hex") as RecordHash);
    const text = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 });
    const author = fc
      .tuple(fc.shuffledSubarray(["agent", "model", "session", "human", "a", "zz"]), text)
      .map(([names, value]) => Object.fromEntries(names.map((name) => [name, value])));
    const shapes = fc.record({
      author,
      parents: fc.uniqueArray(hash, { maxLength: 4 }),
      decides: fc.shuffledSubarray([...STATE_FIELDS]),
      tags: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d")),
    });
    await fc.assert(
      fc.asyncProperty(shapes, async ({ author: names, parents, decides, tags }) => {
        const { draft } = planCreate(MEMORY, { content: "tea", tags }, context);
        const shaped = { ...draft, parents, decides, author: { ...names, replica: REPLICA } };
        const first = await sealRecord(codec, PACK, shaped);
        const second = await sealRecord(codec, PACK, { ...shaped, reuse: [first.record] });
        expect(second.parts.size).toBe(0);
        for (const { record, header } of [first, second]) {
          const reading = await openedAs(codec, { header, parts: first.parts }, referenceTo(record));
          expect(JSON.stringify(reading)).toBe(JSON.stringify({ status: "here", record }));
        }
      }),
    );
  });

  test("[CO7] the name of a record is the hash of its header's bytes", () => {
    const { record } = sealed;
    const { fields, parts, hash, pack, notes, ...about } = record;
    const header = { ...about, deleted: fields.deleted, content: parts.content, meta: parts.meta };
    expect(recordHash(encodeHeader(header))).toBe(hash);
  });

  test("[CO7] a member who seals other bytes under a record's name, or a part's, is found out", async () => {
    const { hash, fields, parts, pack, notes, ...about } = sealed.record;
    const key = codec.keys.pack(PACK);
    const sealAs = (place: string, bytes: Uint8Array) =>
      seal(platform, { space: SPACE, key, place: `pack/${PACK}/${place}` }, bytes);
    const header = { ...about, at: 1, deleted: false, content: parts.content, meta: parts.meta };
    const poison = encodePart(new Uint8Array(16), "poison");
    const content = parts.content.hash;
    for (const forged of [
      { ...sealed, header: await sealAs(`headers/${hash}`, encodeHeader(header)) },
      { ...sealed, parts: new Map(sealed.parts).set(content, await sealAs(`parts/${content}`, poison)) },
    ]) {
      expect(await openedAs(codec, forged, referenceTo(sealed.record))).toMatchObject({
        status: "invalid",
        reason: expect.stringContaining("do not hash"),
      });
    }
  });

  test("[CO8] with any byte of any part changed they never open", async () => {
    const places: [string, Uint8Array, (bytes: Uint8Array) => Parts][] = [
      ["header", sealed.header, (header) => ({ ...sealed, header })],
      ...[...sealed.parts].map(([hash, part]): [string, Uint8Array, (bytes: Uint8Array) => Parts] => [
        hash,
        part,
        (bytes) => ({ ...sealed, parts: new Map(sealed.parts).set(hash, bytes) }),
      ]),
    ];
    for (const [, bytes, place] of places) {
      for (let index = 0; index < bytes.length; index += 1) {
        const flipped = Uint8Array.from(bytes);
        flipped[index] = (flipped[index] as number) ^ (1 << (index % 8));
        const reading = await openedAs(codec, place(flipped), referenceTo(sealed.record));
        expect(reading.status).toBe("invalid");
      }
      for (const length of [0, 3, 31, bytes.length - 1]) {
        expect(
          (await openedAs(codec, place(bytes.slice(0, length)), referenceTo(sealed.record))).status,
        ).toBe("invalid");
      }
    }
  });

  test("[CO9] they open in their own pack, space, memory and entry only", async () => {
    const { record } = sealed;
    const otherPack = "1f".repeat(16) as PackId;
    const otherSpace = "01900000-0000-7000-8000-0000000000ff" as SpaceId;
    const elsewhere = { platform, keys: deriveSpaceKeys(otherSpace, secret) };
    const strangers = { platform, keys: deriveSpaceKeys(SPACE, new Uint8Array(32)) };
    const nextEpoch = { platform, keys: deriveSpaceKeys(SPACE, secret, 1) };
    const otherName = "ab".repeat(32) as RecordHash;
    expect((await openedAs(codec, sealed, referenceTo(record))).status).toBe("here");
    for (const reading of [
      await openedAs(codec, sealed, { ...referenceTo(record), pack: otherPack }),
      await openedAs(codec, sealed, { ...referenceTo(record), record: otherName }),
      await openedAs(codec, sealed, referenceTo(record), REPLICA as string as MemoryId),
      await openedAs(elsewhere, sealed, referenceTo(record)),
      await openedAs(strangers, sealed, referenceTo(record)),
      await openedAs(nextEpoch, sealed, referenceTo(record)),
    ]) {
      expect(reading.status).toBe("invalid");
    }
  });

  test("[CO9] a part of another record does not pass for this one's", async () => {
    const other = await sealRecord(codec, PACK, {
      ...shortDraft,
      fields: { ...shortDraft.fields, content: "poison" },
    });
    const { content } = sealed.record.parts;
    const poison = other.parts.get(other.record.parts.content.hash) as Uint8Array;
    const swapped = { ...sealed, parts: new Map(sealed.parts).set(content.hash, poison) };
    expect(await openedAs(codec, swapped, referenceTo(sealed.record))).toMatchObject({ status: "invalid" });
  });

  test("[CO10] a part that has not arrived makes the record missing, not wrong, and says where it lies", async () => {
    for (const hash of sealed.parts.keys()) {
      const parts = new Map(sealed.parts);
      parts.delete(hash);
      expect(await openedAs(codec, { ...sealed, parts }, referenceTo(sealed.record))).toMatchObject({
        status: "missing",
        pack: sealed.record.pack,
      });
    }
  });

  test("[CO11] a small forgery cannot inflate to fill the memory", async () => {
    const place = { space: SPACE, key: new Uint8Array(32), place: "bomb" };
    const bomb = await seal(platform, place, new Uint8Array(20_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    let inflated = 0;
    const { deflate, inflate } = platform.compression;
    const counting = {
      deflate,
      inflate: async (bytes: Uint8Array, maxBytes: number) => {
        const result = await inflate(bytes, maxBytes);
        inflated = result.length;
        return result;
      },
    };
    await expect(open({ ...platform, compression: counting }, place, bomb, 1_000_000)).rejects.toMatchObject({
      code: "STORE_DAMAGED",
    });
    expect(inflated).toBe(0);
    expect(await open(platform, place, bomb, 20_000_000)).toHaveLength(20_000_000);
    await expect(
      open(platform, place, await seal(platform, place, new Uint8Array(40)), 39),
    ).rejects.toMatchObject({
      code: "STORE_DAMAGED",
    });
  });

  test("[CO12] a tag costs less than 400 bytes, because the content is named again and not written again", async () => {
    using space = new SimulatedSpace();
    const replica = space.addReplica();
    const content = Array.from({ length: 300 }, (_, index) => `word${index}`).join(" ");
    const id = await replica.remember(space.main, { content });
    const before = await replica.reading(space.main, id);
    const { draft } = planRevise(before, { tags: ["urgent"] }, replica.context());
    const made = await sealRecord(space.codec, replica.pack, draft);
    expect(made.sizeBytes).toBeLessThan(400);
    expect(made.record.parts.content).toEqual(before.records.get(before.resolved.shown)?.parts.content);
    replica.keep(made);
    expect(await replica.load(referenceTo(made.record), id)).toMatchObject({
      status: "here",
      record: { fields: { content } },
    });
  });

  test("[CO12] a content that comes back names the part it was first written in", async () => {
    using space = new SimulatedSpace();
    const replica = space.addReplica();
    const id = await replica.remember(space.main, { content: "tea ".repeat(200) });
    const first = await replica.reading(space.main, id);
    await replica.revise(space.main, id, { content: "coffee" });
    const now = await replica.reading(space.main, id);
    const { draft } = planRestore(now, first.resolved.fields, replica.context());
    const made = await sealRecord(space.codec, replica.pack, draft);
    expect(made.sizeBytes).toBeLessThan(400);
    expect(made.record.parts.content).toEqual(first.records.get(first.resolved.shown)?.parts.content);
  });

  test("[CO100] what is brought back writes no part to say which version it was, and everyone reads it", async () => {
    using space = new SimulatedSpace();
    const replica = space.addReplica();
    const source = { kind: "email", thread: "t1" };
    const id = await replica.remember(space.main, { content: "tea ".repeat(200), source });
    const first = memoryOf(await replica.reading(space.main, id));
    await replica.revise(space.main, id, { content: "coffee" });
    const now = await replica.reading(space.main, id);
    const plan = planRollback({ id, now, past: first, context: replica.context() });
    const made = await sealRecord(space.codec, replica.pack, (plan as PlannedWrite).draft);
    expect(made.parts.size).toBe(0);
    expect(made.sizeBytes).toBeLessThan(400);
    expect(made.record.notes.source).toEqual(versionSource(first, "rollback"));
    replica.keep(made);
    const read = await replica.load(referenceTo(made.record), id);
    expect(read).toEqual({ status: "here", record: made.record });

    // A source that says more, or of another memory, stays beside the text.
    const sources: Source[] = [
      { ...versionSource(first, "rollback"), line: 3 },
      versionSource({ ...first, id: MEMORY }, "restore"),
      { kind: "version", memory: id, record: first.record },
    ];
    for (const other of sources) {
      const { draft } = planRevise(now, { tags: ["a"], source: other }, replica.context());
      const written = await sealRecord(space.codec, replica.pack, draft);
      expect([written.parts.size, written.record.notes.source]).toEqual([1, other]);
      replica.keep(written);
      expect(await replica.load(referenceTo(written.record), id)).toEqual({
        ...{ status: "here", record: written.record },
      });
    }
  });

  test("[CO13] equal contents have different hashes, and show no common bytes", async () => {
    const again = await sealRecord(codec, PACK, shortDraft);
    expect(again.record.parts.content.hash).not.toBe(sealed.record.parts.content.hash);
    expect(again.record.hash).not.toBe(sealed.record.hash);
  });

  test("[CO14] a record holds at most 1 MiB, all of it counted", async () => {
    const large = (bytes: number) => "x".repeat(bytes);
    const tooLarge: RecordDraft[] = [
      planCreate(MEMORY, { content: large(1_048_576) }, context).draft,
      planCreate(MEMORY, { content: large(600_000), reason: large(600_000) }, context).draft,
      { ...shortDraft, author: { replica: REPLICA, agent: large(1_100_000) } },
    ];
    for (const draft of tooLarge) {
      await expect(sealRecord(codec, PACK, draft)).rejects.toMatchObject({ code: "RECORD_TOO_LARGE" });
    }
    const made = await sealRecord(
      codec,
      PACK,
      planCreate(MEMORY, { content: large(1_048_000) }, context).draft,
    );
    expect((await openedAs(codec, made, referenceTo(made.record))).status).toBe("here");
  });

  test("[CO15] what a merge united beyond what anyone may write at once stays readable", async () => {
    const base = planCreate(MEMORY, { content: "tea" }, context).draft;
    const tags = Array.from({ length: 1_500 }, (_, index) => `t${index}`).sort();
    for (const fields of [
      { ...base.fields, tags },
      { ...base.fields, content: " " },
      { ...base.fields, validFrom: 2, validUntil: 1 },
    ]) {
      const made = await sealRecord(codec, PACK, { ...base, fields });
      expect(await openedAs(codec, made, referenceTo(made.record))).toMatchObject({
        status: "here",
        record: { fields },
      });
    }
    expect(() => parseFields({ tags })).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
  });
});
