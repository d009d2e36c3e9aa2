import { expect, test } from "vitest";
import type { encodeCanonical } from "../../src/format/encoding.js";
import { encodeHeader } from "../../src/format/header-codec.js";
import type { MemoryId, PackId, PartHash, RecordHash, ReplicaId, SpaceId } from "../../src/format/ids.js";
import { deriveSpaceKeys } from "../../src/format/keys.js";
import { encodePart, partHash, type RecordHeader, recordHash } from "../../src/format/record.js";
import { openRecord } from "../../src/format/record-codec.js";
import { seal } from "../../src/format/seal.js";
import { webPlatform } from "../../src/web-platform.js";

const platform = webPlatform();
const space = "01900000-0000-7000-8000-000000000001" as SpaceId;
const memory = "01900000-0000-7000-8000-000000000002" as MemoryId;
const pack = "00".repeat(16) as PackId;
const keys = deriveSpaceKeys(space, new Uint8Array(32).fill(7));

/** Opens a record as a member with other code might have sealed it. */
async function opened(content: unknown, meta: unknown): Promise<Awaited<ReturnType<typeof openRecord>>> {
  const sealed = new Map<string, Uint8Array>();
  const put = async (place: string, bytes: Uint8Array): Promise<void> => {
    sealed.set(
      place,
      await seal(platform, { space, key: keys.pack(pack), place: `pack/${pack}/${place}` }, bytes),
    );
  };
  const part = async (value: unknown): Promise<{ readonly hash: PartHash; readonly pack: PackId }> => {
    const bytes = encodePart(new Uint8Array(16), value as Parameters<typeof encodeCanonical>[0]);
    await put(`parts/${partHash(bytes)}`, bytes);
    return { hash: partHash(bytes), pack };
  };
  const header: RecordHeader = {
    ...{ space, memory, parents: [], at: 1, type: "create", decides: [], deleted: false },
    author: { replica: "01900000-0000-7000-8000-000000000003" as ReplicaId },
    content: await part(content),
    meta: await part(meta),
  };
  const bytes = encodeHeader(header);
  const record: RecordHash = recordHash(bytes);
  await put(`headers/${record}`, bytes);
  const source = {
    header: (_pack: PackId, hash: RecordHash) => sealed.get(`headers/${hash}`),
    part: (_pack: PackId, hash: PartHash) => sealed.get(`parts/${hash}`),
  };
  return openRecord({ platform, keys }, source, { record, pack }, memory);
}

test("[CO40] a record whose fields have the shapes of a memory opens, without what later versions add", async () => {
  const reading = await opened("text", { tags: ["a"], importance: 0.5, mood: "sunny" });
  expect(reading).toMatchObject({ status: "here", record: { fields: { content: "text", tags: ["a"] } } });
  expect(JSON.stringify(reading)).not.toContain("sunny");
});

test.each([
  ["tags as a number", "text", { tags: 5 }],
  ["a link without an end", "text", { links: [{ rel: "uses" }] }],
  ["an importance of 7", "text", { importance: 7 }],
  ["content that is no text", 12, {}],
  ["origins that are no ids", "text", { derivedFrom: ["x"] }],
  ["a list for a meta part", "text", ["tags"]],
])("[CO40] %s is refused as invalid, and breaks nothing", async (_name, content, meta) => {
  expect((await opened(content, meta)).status).toBe("invalid");
});
