import * as A from "@automerge/automerge";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { newDocument, readChange } from "../src/automerge.js";
import {
  actorId,
  type BranchStateEntry,
  type Catalog,
  type CatalogDocument,
  type CatalogEntries,
  type CatalogMap,
  type ChangeHash,
  catalogFromBytes,
  catalogKey,
  catalogToBytes,
  type DocumentEntry,
  type DocumentId,
  decodeCanonical,
  deriveSpaceKeys,
  type Encodable,
  encodeCanonical,
  History,
  type KnownMap,
  type PackId,
  type ReplicaId,
  readCatalog,
  type SpaceId,
  seal,
  sealEntry,
  signMessage,
} from "../src/index.js";
import { seededPlatform } from "./support/seeded-platform.js";

const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const PACK = "0f".repeat(16) as PackId;
const KEY = "0a".repeat(16);
const platform = seededPlatform(1);
const keys = deriveSpaceKeys(SPACE, new Uint8Array(32).fill(7));

/** One replica's copy of the catalog. */
class CatalogCopy {
  doc: A.Doc<CatalogDocument>;
  readonly #actor;
  #lastOwn: ChangeHash[] = [];
  #seq = 0;

  constructor(replica: number) {
    const id = `01900000-0000-7000-8000-00000000000${replica}` as ReplicaId;
    this.#actor = actorId({ document: SPACE.replaceAll("-", ""), replica: id, epoch: 0 });
    this.doc = newDocument("catalog", this.#actor);
  }

  async put<Map_ extends KnownMap>(map: Map_, key: string, entry: CatalogEntries[Map_]): Promise<void> {
    this.write(map, key, await sealEntry(platform, keys, map, key, entry));
  }

  write(map: CatalogMap, key: string, value: Uint8Array, sign = signMessage): void {
    this.#seq += 1;
    const deps = [...new Set([...(A.getHeads(this.doc) as ChangeHash[]), ...this.#lastOwn])];
    const writes = [{ key: catalogKey(map, key), value }];
    const frame = { actor: this.#actor, seq: this.#seq, deps, time: 0, writes };
    const message = sign(keys.changes, { type: "catalog", memories: [] }, frame);
    this.doc = A.change(this.doc, { message, time: 0 }, (draft) => {
      draft[map][key] = value;
    });
    this.#lastOwn = A.getHeads(this.doc) as ChangeHash[];
  }

  take(other: CatalogCopy): void {
    [this.doc] = A.applyChanges(this.doc, A.getAllChanges(other.doc));
  }

  read(): Promise<Catalog> {
    const history = new History();
    history.add(A.getAllChanges(this.doc).map((change) => readChange("catalog", keys.changes, change)));
    return readCatalog(platform, keys, history);
  }
}

const document = (state: DocumentEntry["state"]): DocumentEntry => ({ packs: [PACK], state });
const named = (status: BranchStateEntry["status"]): BranchStateEntry => ({ name: undefined, status });

describe("the catalog", () => {
  let one: CatalogCopy;
  let two: CatalogCopy;
  let three: CatalogCopy;
  beforeEach(() => {
    [one, two, three] = [new CatalogCopy(1), new CatalogCopy(2), new CatalogCopy(3)];
  });

  test("[CO80] entries of replicas that never met are all there", async () => {
    await one.put("packs", "a", { writer: "x" as ReplicaId, keyEpoch: 0 });
    await two.put("packs", "b", { writer: "y" as ReplicaId, keyEpoch: 1 });
    one.take(two);
    const { packs, ignored } = await one.read();
    expect([...packs.keys()].sort()).toEqual(["a", "b"]);
    expect(packs.get("b")).toEqual({ value: { writer: "y", keyEpoch: 1 }, others: [] });
    expect(ignored).toEqual([]);
  });

  test("[CO80] the entry of a replica may list its uses documents, or none", async () => {
    const laptop = { name: "laptop", publicKey: new Uint8Array(32).fill(1) };
    const uses = [{ year: 2026, document: "4NMNnkMhL8jXrdJ9jamS58PAVdXu" as DocumentId }];
    await one.put("replicas", "a", laptop);
    expect((await one.read()).replicas.get("a")).toEqual({ value: laptop, others: [] });
    await one.put("replicas", "a", { ...laptop, uses });
    expect((await one.read()).replicas.get("a")).toEqual({ value: { ...laptop, uses }, others: [] });
  });

  test("[CO81] retired wins over live, deleted over merged over open, whoever wrote last", async () => {
    for (const [first, second] of [
      ["live", "retired"],
      ["retired", "live"],
    ] as const) {
      const [a, b] = [new CatalogCopy(1), new CatalogCopy(2)];
      await a.put("documents", KEY, document(first));
      await b.put("documents", KEY, document(second));
      a.take(b);
      expect((await a.read()).documents.get(KEY)).toEqual({
        value: document("retired"),
        others: [document("live")],
      });
    }
    const statuses = ["merged", "open", "deleted"] as const;
    for (const [index, status] of statuses.entries())
      await [one, two, three][index]?.put("branchStates", KEY, named(status));
    one.take(two);
    one.take(three);
    const decided = (await one.read()).branchStates.get(KEY);
    expect([decided?.value, ...(decided?.others ?? [])].map((entry) => entry?.status)).toEqual([
      "deleted",
      "merged",
      "open",
    ]);
  });

  test("[CO82] what counts does not depend on the order in which changes come", async () => {
    const write = fc.record({
      replica: fc.nat({ max: 2 }),
      status: fc.constantFrom("open", "merged", "deleted"),
      name: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
      take: fc.nat({ max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 2, maxLength: 10 }), async (writes) => {
        const made = [1, 2, 3].map((replica) => new CatalogCopy(replica)) as [
          CatalogCopy,
          CatalogCopy,
          CatalogCopy,
        ];
        for (const { replica, status, name, take } of writes) {
          const reference = name === undefined ? undefined : { record: name.repeat(64) as never, pack: PACK };
          await made[replica]?.put("branchStates", KEY, { name: reference, status: status as "open" });
          if (take !== replica) made[replica]?.take(made[take] as CatalogCopy);
        }
        const [a, b, c] = made;
        const orders = [
          [a, b, c],
          [c, a, b],
          [b, c, a],
        ];
        const catalogs = [];
        for (const order of orders) {
          const reader = new CatalogCopy(9);
          for (const copy of order) reader.take(copy);
          catalogs.push(await reader.read());
        }
        expect(catalogs[1]).toEqual(catalogs[0]);
        expect(catalogs[2]).toEqual(catalogs[0]);
      }),
      { numRuns: 40 },
    );
  });

  test("[CO83] an entry that does not open is ignored and reported", async () => {
    await one.put("packs", KEY, { writer: "x" as ReplicaId, keyEpoch: 0 });
    const place = { space: SPACE, key: new Uint8Array(32), place: catalogKey("packs", KEY) };
    const strangers = await seal(platform, place, encodeCanonical({ writer: "mallory", keyEpoch: 0 }));
    two.take(one);
    two.write("packs", KEY, strangers);
    one.take(two);
    const { packs, ignored } = await one.read();
    expect(packs.get(KEY)).toBeUndefined();
    expect(ignored).toMatchObject([
      { key: `packs/${KEY}`, reason: expect.stringContaining("cannot be opened") },
    ]);
  });

  test("[CO83] a forged change is ignored and reported, and what it covered stays", async () => {
    await one.put("packs", KEY, { writer: "x" as ReplicaId, keyEpoch: 0 });
    const own = one.doc.packs[KEY] as Uint8Array;
    two.take(one);
    two.write("packs", KEY, own.slice(1), () => "");
    one.take(two);
    const { packs, ignored } = await one.read();
    expect(packs.get(KEY)?.value).toEqual({ writer: "x", keyEpoch: 0 });
    expect(ignored).toMatchObject([{ reason: expect.stringContaining("No member") }]);
  });

  test("[CO87] written down and read back, the catalog is the same, with what was ignored and what stands side by side", async () => {
    await one.put("settings", "policy", { value: [1, "two", null] });
    await two.put("settings", "policy", { value: { three: 3 } });
    await one.put("branchStates", "b", named("open"));
    await one.put("replicas", "a", { name: "laptop", publicKey: new Uint8Array(32).fill(1) });
    three.take(one);
    three.write("packs", KEY, Uint8Array.of(7));
    two.take(three);
    const catalog = await two.read();
    expect(catalog.settings.get("policy")?.others).toHaveLength(1);
    expect(catalog.ignored).toHaveLength(1);
    expect(catalogFromBytes(catalogToBytes(catalog))).toEqual(catalog);
  });

  test("[CO87] what was written down when other maps were known is not believed", async () => {
    const [maps, ignored] = decodeCanonical(catalogToBytes(await one.read())) as [Encodable[], Encodable];
    expect(catalogFromBytes(encodeCanonical([maps.slice(1), ignored]))).toBeUndefined();
    expect(catalogFromBytes(encodeCanonical([maps.toReversed(), ignored]))).toBeUndefined();
  });

  test("[CO84] an old sealed value written again by a change nobody signed does not roll an entry back", async () => {
    await one.put("settings", "policy", { value: "old" });
    const old = Uint8Array.from(one.doc.settings.policy as Uint8Array);
    await one.put("settings", "policy", { value: "new" });
    two.take(one);
    two.write("settings", "policy", old, () => "");
    one.take(two);
    expect((await one.read()).settings.get("policy")).toEqual({ value: { value: "new" }, others: [] });
    await one.put("settings", "policy", { value: "newer" });
    expect((await one.read()).settings.get("policy")).toEqual({ value: { value: "newer" }, others: [] });
  });

  test("[CO85] a sealed entry moved to another key or map does not open", async () => {
    await one.put("documents", KEY, document("live"));
    const sealed = Uint8Array.from(one.doc.documents[KEY] as Uint8Array);
    one.write("documents", "elsewhere", sealed);
    one.write("packs", KEY, sealed);
    const { documents, packs, ignored } = await one.read();
    expect([...documents.keys()]).toEqual([KEY]);
    expect(packs.size).toBe(0);
    expect(ignored).toHaveLength(2);
  });

  test.each<[string, Encodable]>([
    ["nothing", null],
    ["a number", 7],
    ["a list", ["live"]],
    ["bytes", Uint8Array.of(1)],
  ])("[CO86] an entry that holds %s is ignored and reported", async (_name, value) => {
    for (const map of ["documents", "branchStates", "clocks"] as const) {
      const place = { space: SPACE, key: keys.catalog, place: catalogKey(map, KEY) };
      one.write(map, KEY, await seal(platform, place, encodeCanonical(value)));
    }
    const { documents, branchStates, clocks, ignored } = await one.read();
    expect([documents.size, branchStates.size, clocks.size]).toEqual([0, 0, 0]);
    expect(ignored).toHaveLength(3);
  });
});
