/**
 * Bytes that must never change silently: documents, records and message codes that exist on disks
 * everywhere. A new format gets a new number, a migration, and pins of its own beside these.
 */
import * as A from "@automerge/automerge";
import { sha256 } from "@noble/hashes/sha2.js";
import { describe, expect, test } from "vitest";
import { genesis, mapPaths, newDocument } from "../../src/automerge.js";
import {
  type ActorId,
  actorId,
  type BranchId,
  bytesFromHex,
  bytesToHex,
  type ChangeHash,
  type Codec,
  type DocumentKind,
  deriveSpaceKeys,
  EMPTY_SETS,
  encodeReferences,
  type MemoryId,
  openRecord,
  PACK_GENESIS_HASH,
  type PackId,
  type PartHash,
  type RecordHash,
  type ReplicaId,
  type Sealed,
  type SpaceId,
  sealRecord,
  signMessage,
  versionSource,
} from "../../src/index.js";
import { START_TIME, seededPlatform } from "../support/seeded-platform.js";

const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const MEMORY = "01900000-0000-7000-8000-000000000002" as MemoryId;
const REPLICA = "01900000-0000-7000-8000-000000000003" as ReplicaId;
const PACK = "0f".repeat(16) as PackId;
const keys = deriveSpaceKeys(SPACE, new Uint8Array(32).fill(7));

const digest = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

describe("pinned formats", () => {
  const genesisByKind: Record<DocumentKind, string> = {
    catalog: "b9a70c253b8924490c0fc2467faa580d5f4f3f28c9304d15aa0b0a183a91d783",
    branch: "df72c9a81d78e497eeecde4c490fc2c266f4259b83195d050e930c2cc2c3e5e5",
    pack: "b6266711be2ab846ad5e51669da1c2191d58dc9f1b478914f202537f2580dbf8",
    uses: "fafc866a6addf465b184ecb0e253ca4bd07b3d863ef455d71c9b7f1bfcb0593c",
  };

  for (const kind of Object.keys(genesisByKind) as DocumentKind[]) {
    test(`[CO26] every ${kind} document begins with the same change`, () => {
      const doc = A.load<{ schema: number; kind: unknown }>(genesis(kind));
      expect(doc.schema).toBe(1);
      expect(String(doc.kind)).toBe(kind);
      const [change, ...others] = A.getAllChanges(doc);
      expect(others).toEqual([]);
      expect(A.decodeChange(change as Uint8Array)).toMatchObject({
        ...{ actor: "00".repeat(34), seq: 1, time: 0, deps: [], message: null },
      });
      expect(A.getHeads(doc)).toEqual([genesisByKind[kind]]);
      if (kind === "pack") expect(PACK_GENESIS_HASH).toBe(genesisByKind[kind]);
    });
  }

  test("[CO26] two documents made apart merge without hidden entries: their maps are the same maps", () => {
    const [one, two] = [newDocument("branch", "aa".repeat(34)), newDocument("branch", "bb".repeat(34))].map(
      (doc, index) =>
        A.change(doc, { time: 0 }, (draft) => {
          (draft.memories["02"] as Record<string, Uint8Array>)[`${index}`] = Uint8Array.of(index);
        }),
    ) as [ReturnType<typeof newDocument<"branch">>, ReturnType<typeof newDocument<"branch">>];
    const merged = A.merge(one, two);
    expect(Object.keys(merged.memories["02"] ?? {})).toEqual(["0", "1"]);
    expect(Object.keys(merged.memories)).toHaveLength(256);
    expect(A.getConflicts(merged, "memories")).toBeUndefined();
  });

  test("[CO26] the ids of a branch's maps are constants", () => {
    const paths = [...mapPaths("branch")];
    expect(digest(new TextEncoder().encode(JSON.stringify(paths)))).toBe(
      "2fa57bdd59155403cc1f9fb58e9a496c75a26786efcc44f4b8c72e2f2de4a3a6",
    );
  });

  test("[CO27] a golden record: same header, same parts, same name", async () => {
    const platform = seededPlatform(42);
    const codec: Codec = { platform, keys };
    const made = await sealRecord(codec, PACK, {
      memory: MEMORY,
      parents: ["cd".repeat(32), "ab".repeat(32)] as RecordHash[],
      at: START_TIME,
      type: "update",
      decides: ["tags", "content"],
      author: { replica: REPLICA, agent: "tester", session: "one", conversation: "two", trigger: "three" },
      fields: {
        ...{ content: "Grüße, 世界 👋", kind: "fact", area: "home", category: "drinks", tags: ["a", "b"] },
        ...{
          importance: 0.5,
          confidence: 1,
          occurredAt: 1,
          validFrom: 2,
          validUntil: 3,
          aliases: [],
          pins: ["p"],
        },
        ...{ git: { commit: "0123abc" }, links: [{ rel: "uses", to: "x" }], deleted: false },
      },
      notes: { derivedFrom: [MEMORY], source: { kind: "file", line: 3 }, summary: "s", reason: "r" },
    });
    expect(made.record.hash).toBe("f36a9e3c899689209ed14592c87b8f1b289d1316d07b706025f0643a2774e9ce");
    expect([...made.parts.keys()]).toEqual([
      "130057ca19d886958273126af5f4e02339f5f15b42c6c988f3ac34cf572d6569",
      "d939334ec529220fdf8ca5cda12c61fc03fd8b59bc8ea80b8726f02d659f2f6e",
    ]);
    expect(bytesToHex(encodeReferences([{ record: made.record.hash, pack: PACK }]))).toBe(
      made.record.hash + PACK,
    );
  });

  test("[CO27] a golden record that brings back an earlier version names it in its header", async () => {
    const record = "ab".repeat(32);
    const made = [];
    for (const by of ["restore", "rollback"] as const) {
      const { record: sealed } = await sealRecord({ platform: seededPlatform(42), keys }, PACK, {
        ...{ memory: MEMORY, parents: ["cd".repeat(32)] as RecordHash[], at: START_TIME, type: by },
        ...{ decides: ["content"], author: { replica: REPLICA } },
        fields: { ...EMPTY_SETS, content: "tea", deleted: false },
        notes: { source: versionSource({ id: MEMORY, record }, by) },
      });
      made.push(sealed.hash);
    }
    expect(made).toEqual([
      "fb5a8cf10ff7e39099feb97faebc4f226f8d53c4c37bbd9f5a3d5c47da9afb2e",
      "1fabb90354e141748edf6793f9eeae511ad4b5bd036e07e50137e45efda40bab",
    ]);
  });

  test("[CO27] a record sealed by the first version opens for ever", async () => {
    const header: Sealed = bytesFromHex(
      [
        "0100000130a1560bafeb8cd3a7eb1d87a07975168c801ff0d3a9386f71ef00ac52498d2013f3eae9eff824799981",
        "a48a8920fd23634fef5123917682a3ef3848cf58af9dcf77e1df8dd027db33babac3f76f8c5ef6595e99c82be1b3",
        "d3bad3bf1da22143fb3276521c12dae6790dacafc03c4d779298c7386ac7b9cdf507a79e6c74f1d98b84de5b2198",
        "28df66f104d02bf75ab661a17dc6c7ef64dfcbb7244b6dbc5fbd5cd3ca16f24d24e999d397f0e2a36cf51c",
      ].join(""),
    );
    const content: Sealed = bytesFromHex(
      "010000004b884bfa3fe03024274a8cc31556c52f51d9cb1d25106ca7ee2c39c18dda2d863b517fb3afbc0c2281ab85458788a8ec209c",
    );
    const meta: Sealed = bytesFromHex(
      "010000005e6d77f2b4b0545b2322e95200aa730dd995ef0b7a7269a1ff8b22b97fe668170f30737d225ff80be46cb4df71192ed4d87f2c8ecc44f473c0",
    );
    const names = {
      header: "8182c5b286b0729186c10fa453d52524537d17e6c40f47506b8166695b2cdc66" as RecordHash,
      content: "526691623645bfe39188d496519c276c13c5b849b8ac3a11a9cd3ba48e05252d" as PartHash,
    };
    const source = {
      header: () => header,
      part: (_pack: PackId, hash: PartHash) => (hash === names.content ? content : meta),
    };
    const reading = await openRecord(
      { platform: seededPlatform(1), keys },
      source,
      { record: names.header, pack: PACK },
      MEMORY,
    );
    expect(reading).toMatchObject({
      status: "here",
      record: { fields: { content: "tea", tags: ["hot"] }, author: { replica: REPLICA }, at: START_TIME },
    });
  });

  test("[CO28] a golden message: what a member signs for a change", () => {
    const message = signMessage(
      keys.changes,
      {
        type: "merge",
        memories: [MEMORY],
        from: "0a".repeat(16) as BranchId,
        heads: ["ef".repeat(32)] as ChangeHash[],
      },
      {
        actor: actorId({ document: "0b".repeat(16), replica: REPLICA, epoch: 1 }) as ActorId,
        seq: 3,
        deps: ["cd".repeat(32), "ab".repeat(32)] as ChangeHash[],
        time: START_TIME,
        writes: [
          { key: "memories/02/b", value: Uint8Array.of(2) },
          { key: "memories/01/a", value: 1 },
        ],
      },
    );
    expect(JSON.parse(message)).toEqual({
      ...{ v: 1, type: "merge", memories: [MEMORY], from: "0a".repeat(16), heads: ["ef".repeat(32)] },
      mac: "AInhY1Gh30xc37S2d0ON2Q",
    });
  });

  test("[CO29] every purpose has a key of its own, and each epoch others", () => {
    const all = [0, 1].flatMap((epoch) => {
      const { catalog, changes, imports, pack } = deriveSpaceKeys(SPACE, new Uint8Array(32).fill(7), epoch);
      return [catalog, changes, imports, pack(PACK), pack("1f".repeat(16) as PackId)].map(bytesToHex);
    });
    expect(new Set(all).size).toBe(10);
    expect(digest(new TextEncoder().encode(all.join()))).toBe(
      "bf539c01779e31ac70eecee08e8c14e869fe494ea83c4d1638acc603ad53d536",
    );
    expect(() => deriveSpaceKeys(SPACE, new Uint8Array(31))).toThrow(
      expect.objectContaining({ code: "BAD_INPUT" }),
    );
  });
});
