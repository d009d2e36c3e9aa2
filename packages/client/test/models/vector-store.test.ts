import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ContentKey, contentKeyOf } from "../../src/models/content-key.js";
import { quantise } from "../../src/models/quantise.js";
import { VectorStore } from "../../src/models/vector-store.js";
import { ngramVector } from "./support/ngram-embedder.js";
import { vectorPaths } from "./support/places.js";

const newPath = vectorPaths();
const MODEL = "m";
const TEXTS = ["the ring of a tree", "the rings of trees", "a boat at sea", "눈이 온다"] as const;
const [RING, RINGS, BOAT, SNOW] = TEXTS;
const entry = (text: string) => ({ key: contentKeyOf(text), vector: ngramVector(text) });
const entries = TEXTS.map(entry);
const ask = (text: string, limit = 2) => ({ model: MODEL, query: ngramVector(text), limit });

function storeWith(path: string, model = MODEL): VectorStore {
  const store = new VectorStore({ path });
  store.put(model, entries);
  return store;
}

/** Rows, write-ahead log and whatever lies beside them. */
const bytesAt = (path: string): Buffer =>
  Buffer.concat(
    ["", "-wal", ".set-aside"]
      .map((suffix) => path + suffix)
      .map((file) => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0))),
  );

describe("the vectors' file", () => {
  test("[VE1] gives the nearest first, among all or among candidates, before and after a restart", () => {
    const path = newPath();
    const expectNearest = (store: VectorStore) => {
      expect(store.nearest(ask(RING)).map(({ key }) => key)).toEqual([RING, RINGS].map(contentKeyOf));
      expect(store.nearest(ask(RING))[0]?.similarity).toBeCloseTo(1, 4);
      const candidates = [BOAT, SNOW, "never seen", BOAT].map(contentKeyOf);
      const among = store.nearest({ ...ask(RING, 9), candidates });
      expect(among.map(({ key }) => key).sort()).toEqual([BOAT, SNOW].map(contentKeyOf).sort());
      expect(store.nearest({ ...ask(RING), model: "other" })).toEqual([]);
      expect(store.nearest({ ...ask(RING), limit: 0 })).toEqual([]);
    };
    {
      using store = storeWith(path);
      expectNearest(store);
    }
    using reopened = new VectorStore({ path });
    expectNearest(reopened);
    expect(reopened.count(MODEL)).toBe(4);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("[VE1] knows what is missing, and keeps the vector a text has", () => {
    using store = storeWith(newPath());
    const asked = [RING, "new"].map(contentKeyOf);
    expect(store.missing(MODEL, asked)).toEqual([contentKeyOf("new")]);
    expect(store.missing("other", asked)).toEqual(asked);
    store.put(MODEL, [{ key: contentKeyOf(RING), vector: ngramVector(BOAT) }, entry("new")]);
    expect(store.count(MODEL)).toBe(5);
    expect(store.nearest(ask(RING, 1))[0]?.key).toBe(contentKeyOf(RING));
    expect(store.has(MODEL, contentKeyOf("new"))).toBe(true);
  });

  test("[VE2] what does not fit into memory is found in the file", () => {
    const path = newPath();
    using store = new VectorStore({ path, memoryLimitBytes: 600 }); // two of 64 numbers
    store.put(MODEL, entries.slice(0, 1));
    expect(store.nearest(ask(RING, 9))).toHaveLength(1);
    store.put(MODEL, entries.slice(1));
    using whole = storeWith(newPath());
    for (const text of TEXTS) {
      expect(store.nearest(ask(text, 9))).toEqual(whole.nearest(ask(text, 9)));
      const candidates = [RINGS, SNOW].map(contentKeyOf);
      const among = { ...ask(text, 9), candidates };
      expect(store.nearest(among)).toEqual(whole.nearest(among));
    }
    store.remove([contentKeyOf(RING)]);
    store.put(MODEL, [entry("one more")]);
    expect(store.nearest(ask(RING, 9)).map(({ key }) => key)).toHaveLength(4);
  });

  test("[VE2] a vector takes 850 bytes of the file with 384 numbers, and 4 KB with 1,536", () => {
    for (const [size, bytes] of [
      [384, 850],
      [1_536, 4_096],
    ] as const) {
      const path = newPath();
      const count = 2_000;
      const all = Array.from({ length: count }, (_, at) => ({
        key: contentKeyOf(`text ${at}`),
        vector: Float32Array.from({ length: size }, (_value, place) => Math.sin(at + place)),
      }));
      new VectorStore({ path })[Symbol.dispose]();
      const empty = bytesAt(path).length;
      {
        using store = new VectorStore({ path });
        store.put(MODEL, all);
      }
      expect((bytesAt(path).length - empty) / count).toBeLessThanOrEqual(bytes * 1.02);
    }
  });

  test("[VE3] what was removed is nowhere: not in memory, file, log, or a file set aside", () => {
    const path = newPath();
    const codes = Buffer.from(quantise(ngramVector(BOAT)).codes.buffer);
    const key = Buffer.from(contentKeyOf(BOAT), "hex");
    writeFileSync(path, Buffer.concat([codes, key]));
    using store = storeWith(path);
    store.put("other model", [entry(BOAT)]);
    store.nearest(ask(BOAT));
    expect(bytesAt(path).includes(codes)).toBe(true);
    expect(store.remove([BOAT, "never seen"].map(contentKeyOf))).toBe(1);
    expect(bytesAt(path).includes(codes)).toBe(false);
    expect(bytesAt(path).includes(key)).toBe(false);
    expect(existsSync(`${path}.set-aside`)).toBe(false);
    expect(store.nearest(ask(BOAT, 9)).map(({ key }) => key)).not.toContain(contentKeyOf(BOAT));
    expect([store.count(MODEL), store.count("other model")]).toEqual([3, 0]);
  });

  test("[VE3] all texts but those that still exist are forgotten", () => {
    using store = storeWith(newPath());
    expect(store.forgetExcept([RING, SNOW, "never seen"].map(contentKeyOf))).toBe(2);
    expect(store.missing(MODEL, TEXTS.map(contentKeyOf))).toEqual([RINGS, BOAT].map(contentKeyOf));
  });

  test("[VE4] models do not mix, and all but one can be dropped", () => {
    using store = storeWith(newPath());
    store.put("wide", [{ key: contentKeyOf(RING), vector: ngramVector(RING, 128) }]);
    expect(store.nearest({ model: "wide", query: ngramVector(RING, 128), limit: 9 })).toHaveLength(1);
    expect(store.dropOtherModels("wide")).toBe(4);
    expect([store.count(MODEL), store.count("wide")]).toEqual([0, 1]);
    expect(store.nearest(ask(RING))).toEqual([]);
  });

  test("[VE4] a model that changes its size under its name is refused, and nothing of the batch is kept", () => {
    using store = storeWith(newPath());
    const wide = { key: contentKeyOf("new"), vector: ngramVector("new", 128) };
    const refused = expect.objectContaining({ code: "EMBEDDER_REFUSED" });
    expect(() => store.put(MODEL, [entry("also new"), wide])).toThrow(refused);
    expect(() => store.nearest({ ...ask(RING), query: wide.vector })).toThrow(refused);
    expect(store.count(MODEL)).toBe(4);
    expect(store.has(MODEL, contentKeyOf("also new"))).toBe(false);
    expect(() => store.put("fresh", [entry("also new"), wide])).toThrow(refused);
    expect(store.count("fresh")).toBe(0);
  });

  test.each<[string, (path: string) => void]>([
    ["is no database", (path) => writeFileSync(path, "not a database, but long enough to look".repeat(100))],
    [
      "is another program's",
      (path) => {
        using other = new DatabaseSync(path);
        other.exec("CREATE TABLE theirs (id INTEGER)");
      },
    ],
    [
      "is of another version",
      (path) => {
        storeWith(path).close();
        using database = new DatabaseSync(path);
        database.exec("PRAGMA user_version = 99");
      },
    ],
    [
      "has damaged pages",
      (path) => {
        storeWith(path).close();
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0xa5, 4_096));
      },
    ],
  ])("[VE5] a file that %s is set aside and begun anew", (_, spoil) => {
    const path = newPath();
    spoil(path);
    const spoilt = readFileSync(path);
    using store = new VectorStore({ path });
    expect(store.nearest(ask(RING))).toEqual([]);
    store.put(MODEL, entries);
    expect(store.nearest(ask(RING, 1))).toHaveLength(1);
    expect(store.rebuildCount).toBe(1);
    expect(readFileSync(`${path}.set-aside`).equals(spoilt)).toBe(true);
  });

  test("[VE5] a row that lost its end begins the file anew in the middle of a search", () => {
    const path = newPath();
    storeWith(path).close();
    {
      using database = new DatabaseSync(path);
      database.exec("UPDATE vectors SET codes = x'00' WHERE id = 2");
    }
    using store = new VectorStore({ path });
    expect(store.nearest(ask(RING))).toEqual([]);
    expect(store.rebuildCount).toBe(1);
    expect(store.missing(MODEL, TEXTS.map(contentKeyOf))).toHaveLength(4);
  });

  test("[VE5] one owner at a time, and a place that cannot hold a file says so", () => {
    const path = newPath();
    using store = storeWith(path);
    expect(() => new VectorStore({ path })).toThrow(expect.objectContaining({ code: "REPLICA_LOCKED" }));
    expect(store.count(MODEL)).toBe(4);
    const directory = newPath();
    mkdirSync(directory);
    const failed = expect.objectContaining({ code: "STORE_FAILED" });
    expect(() => new VectorStore({ path: directory })).toThrow(failed);
  });

  test("[VE6] a vector of zeros is near to nothing", () => {
    using store = storeWith(newPath());
    store.put(MODEL, [{ key: contentKeyOf("zero"), vector: new Float32Array(64) }]);
    const found = store.nearest(ask(RING, 9)).find(({ key }) => key === contentKeyOf("zero"));
    expect(found?.similarity).toBe(0);
    const blank = { model: MODEL, query: new Float32Array(64), limit: 9 };
    expect(store.nearest(blank).every(({ similarity }) => similarity === 0)).toBe(true);
  });
});

/** Wide enough for what 16 bits lose in 8 numbers, narrow enough to catch any slip. */
const TOLERANCE = 1e-3;
const DIMENSIONS = 8;
const number = fc.float({ min: -100, max: 100, noNaN: true, noDefaultInfinity: true });
const vector = fc
  .array(number, { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((numbers) => Float32Array.from(numbers))
  .filter((numbers) => Math.hypot(...numbers) > 0.01);
const name = fc.nat(7).map((id) => contentKeyOf(`text ${id}`));
const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("put" as const), key: name, vector }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("remove" as const), key: name }) },
  { weight: 1, arbitrary: fc.constant({ type: "reopen" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("search" as const),
      query: vector,
      candidates: fc.option(fc.array(name), { nil: undefined }),
      limit: fc.nat(8),
    }),
  },
);

const cosine = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b));

test("[VE1] nearest equals a plain sort by dot product, whatever was put, removed and reopened, and at any limit of memory", () => {
  const limits = fc.constantFrom(0, 700, 10_000);
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40, size: "max" }), limits, (commands, memoryLimitBytes) => {
      const path = newPath();
      const model = new Map<ContentKey, Float32Array>(); // oracle: a plain map
      let store = new VectorStore({ path, memoryLimitBytes });
      try {
        for (const step of commands) {
          if (step.type === "put") {
            store.put(MODEL, [step]);
            if (!model.has(step.key)) model.set(step.key, step.vector);
          } else if (step.type === "remove") {
            expect(store.remove([step.key])).toBe(model.delete(step.key) ? 1 : 0);
          } else if (step.type === "reopen") {
            store.close();
            store = new VectorStore({ path, memoryLimitBytes });
          } else {
            const { query, candidates, limit } = step;
            const found = store.nearest({ model: MODEL, query, candidates, limit });
            const sorted = [...model]
              .filter(([key]) => candidates === undefined || candidates.includes(key))
              .map(([key, other]) => ({ key, similarity: cosine(query, other) }))
              .sort((a, b) => b.similarity - a.similarity);
            expect(found).toHaveLength(Math.min(limit, sorted.length));
            found.forEach(({ key, similarity }, place) => {
              const exact = sorted.find((entry) => entry.key === key)?.similarity ?? Number.NaN;
              expect(Math.abs(similarity - exact)).toBeLessThan(TOLERANCE);
              expect(Math.abs(similarity - (sorted[place]?.similarity ?? Number.NaN))).toBeLessThan(
                TOLERANCE,
              );
            });
            expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
          }
          expect(store.count(MODEL)).toBe(model.size);
        }
      } finally {
        store.close();
      }
    }),
    { numRuns: 60 },
  );
});
