import { hash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { newDocument } from "../../src/automerge.js";
import { plainChange } from "../../src/format/change-header.js";
import { changeKeys } from "../../src/format/change-keys.js";
import { draws, randomChanges } from "../support/random-documents.js";

const tools = {
  sha256: (bytes: Uint8Array) => hash("sha256", bytes, "buffer"),
  inflate: (bytes: Uint8Array, maxBytes: number) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
};
const keysOf = (chunk: Uint8Array): readonly string[] => [...changeKeys(plainChange(chunk, tools))].sort();
const keysByAutomerge = (chunk: Uint8Array): readonly string[] =>
  [...new Set(A.decodeChange(chunk).ops.flatMap(({ key }) => key ?? []))].sort();

test("[RL116] the keys of every change that Automerge writes are read as Automerge reads them", () => {
  for (const seed of [11, 12, 13, 14])
    for (const chunk of randomChanges(seed, 60)) expect(keysOf(chunk)).toEqual(keysByAutomerge(chunk));
});

test("[RL116] every record that was ever in a pack shows in the keys of its changes, also one that was removed", () => {
  const draw = draws(116);
  const name = (): string => draw(6).toString(16).padStart(64, "0");
  let doc = newDocument("pack", "ab".repeat(17));
  const written = new Set<string>();
  for (let step = 0; step < 40; step += 1)
    doc = A.change(doc, (pack) => {
      for (let more = draw(5); more >= 0; more -= 1) {
        const [map, key] = [pack[draw(2) === 0 ? "headers" : "parts"] as Record<string, Uint8Array>, name()];
        written.add(key);
        if (draw(4) === 0) delete map[key];
        else map[key] = Uint8Array.of(draw(256));
      }
    });
  const chunks = A.getAllChanges(doc);
  const keys = new Set(chunks.flatMap(keysOf));
  for (const chunk of chunks) expect(keysOf(chunk)).toEqual(keysByAutomerge(chunk));
  expect([...keys].filter((key) => key.length === 64).every((key) => written.has(key))).toBe(true);
  for (const map of [doc.headers, doc.parts]) for (const key of Object.keys(map)) expect(keys).toContain(key);
});
