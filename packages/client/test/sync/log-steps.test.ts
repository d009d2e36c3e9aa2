import { type DocumentId, documentIdFromHex } from "@cambium/core";
import type { EntryItem } from "@cambium/core/wire";
import { expect, test } from "vitest";
import { type LogEntry, stepsOf } from "../../src/sync/log-steps.js";

const idOf = (name: string): string => Buffer.from(name.padEnd(16, ".")).toString("hex");
const nameOf = (document: DocumentId): string =>
  names.find((name) => documentIdFromHex(idOf(name)) === document) ?? "";
const names = ["catalog", "pack", "other pack", "main", "fork", "own"];

let position = 0;
function entry(kind: EntryItem["kind"], name: string): LogEntry {
  position += 1;
  return { item: { kind, document: idOf(name) } as unknown as EntryItem, hash: `${position}`, position };
}

test("[NW26] what comes of one document is taken in together: the catalog first, then packs, then branches", () => {
  const entries = [
    ...[entry("change", "main"), entry("change", "pack"), entry("own", "own"), entry("change", "main")],
    ...[entry("change", "catalog"), entry("gone", "other pack"), entry("fork", "fork")],
    ...[
      entry("change", "fork"),
      entry("change", "main"),
      entry("change", "pack"),
      entry("change", "catalog"),
    ],
  ];
  let isCatalogHere = false;
  const steps: string[] = [];
  const isPack = (document: DocumentId): boolean => isCatalogHere && nameOf(document).endsWith("pack");
  for (const step of stepsOf(entries, { catalog: documentIdFromHex(idOf("catalog")), isPack })) {
    isCatalogHere ||= nameOf(step.document) === "catalog";
    steps.push(`${step.kind} ${nameOf(step.document)} ${step.entries.length}`);
  }
  expect(steps).toEqual([
    ...["own own 1", "group catalog 1", "group pack 1", "group other pack 1", "group main 2", "fork fork 1"],
    ...["group catalog 1", "group pack 1", "group fork 1", "group main 1"],
  ]);
});
