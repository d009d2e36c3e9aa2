import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bytesToHex,
  type Codec,
  catalogKey,
  type DocumentId,
  deriveSpaceKeys,
  type Encodable,
  encodeCanonical,
  type MemoryId,
  openRecord,
  type PackId,
  type PartHash,
  partHash,
  type RecordHash,
  type RecordReading,
  type ReplicaId,
  readCatalog,
  recordHash,
  SCHEMA_VERSION,
  type Sealed,
  type SealPlace,
  type SpaceId,
  seal,
  sealEntry,
  sealRecord,
  uuidToBytes,
} from "../../src/index.js";
import { adaptedEntry, adaptedMeta } from "../../src/schema/adapters.js";
import { seededPlatform } from "../support/seeded-platform.js";

const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const MEMORY = "01900000-0000-7000-8000-000000000002" as MemoryId;
const REPLICA = "01900000-0000-7000-8000-000000000003" as ReplicaId;
const PACK = "0a".repeat(16) as PackId;
const platform = seededPlatform(7);
const keys = deriveSpaceKeys(SPACE, new Uint8Array(32).fill(9));
const codec: Codec = { platform, keys };
const SALT = new Uint8Array(16);

type Meta = Readonly<Record<string, Encodable>>;

/** A record as some version wrote it, in the bytes that it wrote. */
async function storedRecord(meta: Meta, v: number) {
  const sealedParts = new Map<string, Sealed>();
  const put = async (value: Encodable): Promise<Uint8Array> => {
    const bytes = encodeCanonical([SALT, value]);
    const hash = partHash(bytes);
    sealedParts.set(hash, await seal(platform, placeOf(`parts/${hash}`), bytes));
    return Buffer.concat([Buffer.from(hash, "hex"), Buffer.from(PACK, "hex")]);
  };
  const header = encodeCanonical({
    ...{ v, s: uuidToBytes(SPACE), m: uuidToBytes(MEMORY), p: [], t: 1, y: "import", f: [], d: false },
    ...{ a: { replica: uuidToBytes(REPLICA) }, c: await put("what it says"), x: await put(meta) },
  });
  const hash = recordHash(header);
  const sealedHeader = await seal(platform, placeOf(`headers/${hash}`), header);
  return { hash, header: sealedHeader, parts: sealedParts };
}

const placeOf = (place: string): SealPlace => ({
  space: SPACE,
  key: keys.pack(PACK),
  place: `pack/${PACK}/${place}`,
});

async function opened(meta: Meta, v: number): Promise<RecordReading> {
  const { hash, header, parts } = await storedRecord(meta, v);
  const source = { header: () => header, part: (_pack: PackId, part: PartHash) => parts.get(part) };
  return openRecord(codec, source, { record: hash, pack: PACK }, MEMORY);
}

async function sourceOf(source: Meta): Promise<unknown> {
  const reading = await opened({ kind: "note", source }, 1);
  expect(reading.status).toBe("here");
  return reading.status === "here" ? reading.record.notes.source : undefined;
}

describe("records of an older schema", () => {
  test("[CP50] the sources of both importers read as imports that say which reader made them; all others as they are", async () => {
    expect(await sourceOf({ kind: "import", name: "memory.jsonl", heading: "Mira" })).toEqual({
      ...{ kind: "import", format: "mcp-memory", name: "memory.jsonl", heading: "Mira" },
    });
    expect(await sourceOf({ kind: "import", name: "m.jsonl", heading: "Mira", key: "[]" })).toMatchObject({
      ...{ format: "mcp-memory", key: "[]" },
    });
    for (const heading of [{}, { heading: "Guide" }]) {
      expect(await sourceOf({ kind: "file", name: "notes", file: "a.md", ...heading })).toEqual({
        ...{ kind: "import", format: "markdown", name: "notes", file: "a.md", ...heading },
      });
    }
    for (const other of [
      { kind: "file", path: "a.md", heading: "Guide" },
      { kind: "file", name: "a.md" },
      { kind: "file", name: "notes", file: "a.md", line: 3 },
      { kind: "import", name: "by hand" },
      { kind: "email", thread: "7", name: "notes", file: "a.md" },
    ])
      expect(await sourceOf(other)).toEqual(other);
  });

  test("[CP51] what is written under our schema is read as it was written, whatever it looks like", async () => {
    fc.assert(
      fc.property(fc.constantFrom("import", "file"), fc.constantFrom("heading", "file"), (kind, key) => {
        const meta = { source: { kind, name: "notes", [key]: "a.md" } };
        expect(adaptedMeta({ ...meta, v: SCHEMA_VERSION })).toEqual(meta);
        expect(adaptedEntry("settings", { v: SCHEMA_VERSION, value: meta })).toEqual({ value: meta });
        expect(adaptedEntry("settings", { value: meta })).toEqual({ value: meta });
      }),
    );
  });

  test("[CP51] a part that an older record wrote is read by its own schema in a record that names it again", async () => {
    const old = await storedRecord({ source: { kind: "import", name: "m", heading: "h" } }, 1);
    const source = { header: () => old.header, part: (_pack: PackId, part: PartHash) => old.parts.get(part) };
    const reading = await openRecord(codec, source, { record: old.hash, pack: PACK }, MEMORY);
    if (reading.status !== "here") throw new Error("It opens.");
    const { fields, notes, parts } = reading.record;
    const next = await sealRecord(codec, PACK, {
      ...{ memory: MEMORY, parents: [old.hash], at: 2, type: "restore", decides: ["content"] },
      ...{
        author: { replica: REPLICA },
        fields: { ...fields, content: "anew" },
        notes,
        reuse: [reading.record],
      },
    });
    expect(next.record.parts.meta).toEqual(parts.meta);
    const both = {
      header: () => next.header,
      part: (_pack: PackId, part: PartHash) => next.parts.get(part) ?? old.parts.get(part),
    };
    const again = await openRecord(codec, both, { record: next.record.hash, pack: PACK }, MEMORY);
    expect(again).toMatchObject({ status: "here", record: { notes, fields: { content: "anew" } } });
  });

  test("[CP52] a record of a newer schema is named as such, by its header or by its part; nonsense is damage", async () => {
    const newer = SCHEMA_VERSION + 1;
    for (const reading of [await opened({}, newer), await opened({ v: newer }, SCHEMA_VERSION)]) {
      expect(reading).toMatchObject({
        ...{ status: "invalid", code: "SCHEMA_TOO_NEW", reason: expect.stringContaining(`schema ${newer}`) },
      });
    }
    for (const v of [0, 1.5, -1]) {
      const reading = await opened({}, v);
      expect(reading.status).toBe("invalid");
      expect(reading).not.toHaveProperty("code");
    }
  });

  test("[CP52] an entry of the catalog that a newer Cambium wrote is ignored, and named as such", async () => {
    const place = { space: SPACE, key: keys.catalog, place: catalogKey("settings", "policy") };
    const newer = await seal(platform, place, encodeCanonical({ v: SCHEMA_VERSION + 1, value: "new" }));
    const entry = { packs: [], state: "live" as const };
    const ours = await sealEntry(platform, keys, "documents", "d" as DocumentId, entry);
    const written = new Map([
      ["settings/policy", newer],
      ["documents/d", ours],
    ]);
    const history = {
      keys: () => written.keys(),
      valuesAt: (key: string) => [{ id: key, value: written.get(key) }],
      changes: [],
    };
    const { settings, documents, ignored } = await readCatalog(platform, keys, history as never);
    expect(settings.size).toBe(0);
    expect(documents.get("d")?.value).toEqual(entry);
    expect(ignored).toMatchObject([{ key: "settings/policy", code: "SCHEMA_TOO_NEW" }]);
  });

  test("[CP50] hashes are over the stored bytes", async () => {
    const { hash } = await storedRecord({ source: { kind: "import", name: "m", heading: "h" } }, 1);
    expect(hash).toBe(bytesToHex(Buffer.from(hash, "hex")) as RecordHash);
    const reading = await opened({ source: { kind: "import", name: "m", heading: "h" } }, 1);
    expect(reading).toMatchObject({ status: "here", record: { hash } });
  });
});
