import * as A from "@automerge/automerge";
import { beforeAll, expect, test } from "vitest";
import { loadAutomerge } from "../../src/documents/automerge.js";
import { ChangeList, listChanges, unpackChanges } from "../../src/index-store/packed-changes.js";

beforeAll(loadAutomerge);

test("a list of changes is what Automerge gives one by one, also of changes that it compresses", () => {
  let doc = A.init<Record<string, string>>();
  for (let count = 0; count < 20; count += 1) {
    doc = A.change(doc, (draft) => {
      draft[`key${count % 7}`] = "much of the same ".repeat(count * count);
    });
  }
  const heads = A.getHeads(doc);
  for (const since of [[], [A.decodeChange(A.getAllChanges(doc)[11] as Uint8Array).hash], heads]) {
    const expected = A.getChangesSince(doc, since);
    const list = new ChangeList({ pieces: listChanges(doc, since) ?? [] });
    expect(list.length).toBe(expected.length);
    const parts = [...list.parts(3)];
    expect(parts.every(({ ends }) => ends.length <= 3)).toBe(true);
    expect(parts.flatMap((part) => unpackChanges(part))).toEqual(expected);
    expect([...list.parts(3)]).toEqual([]);
  }
  expect(listChanges(doc, ["00".repeat(32)])).toBeUndefined();
});

test("[IX16] of large changes a part has few", () => {
  let doc = A.init<Record<string, Uint8Array>>();
  for (let count = 0; count < 12; count += 1) {
    doc = A.change(doc, (draft) => {
      draft[`key${count}`] = crypto.getRandomValues(new Uint8Array(count === 6 ? 65_536 : 30_000));
    });
  }
  const parts = [...new ChangeList({ pieces: listChanges(doc, []) ?? [] }).parts(128)];
  expect(parts.map(({ ends }) => ends.length)).toEqual([2, 2, 2, 1, 2, 2, 1]);
  expect(parts.flatMap((part) => unpackChanges(part))).toEqual(A.getAllChanges(doc));
});
