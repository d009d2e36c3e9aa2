import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Catalog,
  type Change,
  type DocumentId,
  joinUsage,
  type MemoryId,
  type ReplicaId,
  type Usage,
  usageDocumentsOf,
  usageIn,
  usageKey,
} from "../../src/index.js";

const idOf = (number: number): MemoryId =>
  `01900000-0000-7000-8000-00000000000${number.toString(16)}` as MemoryId;

const changeOf = (time: number, writes: readonly (readonly [string, number])[], isSigned = true): Change =>
  ({
    time,
    statement: isSigned ? { type: "uses", memories: [] } : undefined,
    writes: writes.map(([key, value]) => ({ key, value })),
  }) as unknown as Change;

describe("what uses documents tell", () => {
  test("[US20] a count is the greatest that was written, in whatever order and portions the changes come", () => {
    const change = fc
      .tuple(
        fc.nat({ max: 1_000 }),
        fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 9 })), { maxLength: 3 }),
      )
      .map(([time, writes]) =>
        changeOf(
          time,
          writes.map(([memory, count]) => [usageKey(idOf(memory)), count] as const),
        ),
      );
    fc.assert(
      fc.property(fc.array(change), fc.nat(), (changes, cut) => {
        const whole = usageIn(changes);
        const portions = [changes.toReversed().slice(cut % 5), changes, changes.slice(cut % 3)];
        const joined = new Map<MemoryId, Usage>();
        for (const portion of portions) {
          for (const [id, uses] of usageIn(portion)) joined.set(id, joinUsage(joined.get(id), uses));
        }
        expect(joined).toEqual(whole);
        for (const [id, { count, lastUsedAt }] of whole) {
          const own = changes.flatMap(({ writes, time }) =>
            writes
              .filter(({ key }) => key === usageKey(id))
              .map(({ value }) => ({ value: Number(value), time })),
          );
          expect(count).toBe(Math.max(...own.map(({ value }) => value)));
          expect(lastUsedAt).toBe(Math.max(...own.map(({ time }) => time)));
        }
      }),
    );
  });

  test("[US21] unsigned changes, other places and what is no count say nothing", () => {
    const key = usageKey(idOf(1));
    expect(key).toBe("counts/01/01900000-0000-7000-8000-000000000001");
    expect(usageIn([changeOf(1, [[key, 5]], false)]).size).toBe(0);
    for (const write of [
      [key, -1],
      [key, 1.5],
      [key, 2 ** 53],
      ["counts/02/01900000-0000-7000-8000-000000000001", 1],
      ["counts/01/x", 1],
    ] as const) {
      expect(usageIn([changeOf(1, [write])]).size).toBe(0);
    }
  });

  test("[US22] the documents of a replica are all that any value of its entry lists, oldest year first", () => {
    const replica = "01900000-0000-7000-8000-00000000000a" as ReplicaId;
    const about = { name: "laptop", publicKey: new Uint8Array(32) };
    const listed = (year: number, document: string) => ({ year, document: document as DocumentId });
    const catalog = {
      replicas: new Map([
        [
          replica,
          {
            value: { ...about, uses: [listed(2027, "b"), listed(2026, "a")] },
            others: [
              { ...about, uses: [listed(2026, "a"), listed(2026, "c")] },
              about,
              { ...about, uses: "?" },
            ],
          },
        ],
      ]),
    } as unknown as Catalog;
    expect(usageDocumentsOf(catalog, replica)).toEqual([
      listed(2026, "a"),
      listed(2026, "c"),
      listed(2027, "b"),
    ]);
    expect(usageDocumentsOf(catalog, "other" as ReplicaId)).toEqual([]);
  });
});
