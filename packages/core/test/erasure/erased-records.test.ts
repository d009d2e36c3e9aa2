import { describe, expect, test } from "vitest";
import {
  type Codec,
  deriveSpaceKeys,
  ErasureRules,
  type MemoryId,
  openRecord,
  type PackId,
  packHashes,
  packIds,
  planCreate,
  type ReplicaId,
  type SealedSource,
  type SpaceId,
  sealRecord,
} from "../../src/index.js";
import { Story } from "../merge/records.js";
import { START_TIME, seededPlatform } from "../support/seeded-platform.js";

const MEMORY = "01900000-0000-7000-8000-000000000002" as MemoryId;
const PACK = "0f".repeat(16) as PackId;
const codec: Codec = {
  platform: seededPlatform(1),
  keys: deriveSpaceKeys("01900000-0000-7000-8000-000000000001" as SpaceId, new Uint8Array(32).fill(7)),
};
const author = { replica: "01900000-0000-7000-8000-000000000003" as ReplicaId };

describe("an erased record", () => {
  test("[ER6] reads without its parts: it is neither missing nor invalid, and says when and by whom", async () => {
    const { draft } = planCreate(MEMORY, { content: "tea", tags: ["warm"] }, { at: START_TIME, author });
    const { record, header, parts } = await sealRecord(codec, PACK, draft);
    const read = (rule: object, left: SealedSource["part"]) => {
      const rules = new ErasureRules([{ texts: new Uint8Array(), ...rule }]);
      const source: SealedSource = {
        ...{ header: () => header, part: left },
        erasedExtent: (hash, of) => rules.extentOf(hash, of),
      };
      return openRecord(codec, source, { record: record.hash, pack: PACK }, MEMORY);
    };
    const gone = await read({ memories: packIds([MEMORY]) }, () => undefined);
    const { fields } = record;
    expect(gone).toMatchObject({
      status: "here",
      record: { erased: "whole", at: START_TIME, author, fields: { content: "", tags: [] }, notes: {} },
    });
    const onlyText = await read({ parts: packHashes([record.parts.content.hash]) }, (_pack, hash) =>
      hash === record.parts.meta.hash ? parts.get(hash) : undefined,
    );
    expect(onlyText).toMatchObject({
      record: { erased: "content", fields: { content: "", tags: fields.tags } },
    });
    expect(await read({ until: START_TIME }, (_pack, hash) => parts.get(hash))).toEqual({
      status: "here",
      record,
    });
  });

  test("[ER7] is no side of a conflict and no base: what can be read is shown, and two edits of it conflict", () => {
    const story = new Story().write("a", [], { content: "one; two; three" });
    story.write("b", ["a"], { content: "one; two; four" }).write("c", ["a"], { content: "zero; two; three" });
    expect(story.at("b", "c").fields.content).toBe("zero; two; four");
    const erase = (name: "a" | "b" | "c") => {
      const record = story.records.get(name as never);
      if (record === undefined) throw new Error("no such record");
      const fields = { ...record.fields, content: "" };
      story.records.set(record.hash, { ...record, fields, erased: "whole" });
    };
    erase("a");
    expect(story.at("b", "c").conflicts.map(({ values }) => values.map(({ value }) => value))).toEqual([
      ["zero; two; three", "one; two; four"],
    ]);
    erase("b");
    expect(story.at("b", "c")).toMatchObject({ fields: { content: "zero; two; three" }, conflicts: [] });
    erase("c");
    expect(story.at("b", "c")).toMatchObject({ fields: { content: "" }, conflicts: [] });
  });
});
