import { hash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { mayBeSigned } from "../../src/format/message.js";

const tools = {
  sha256: (bytes: Uint8Array) => hash("sha256", bytes, "buffer"),
  inflate: (bytes: Uint8Array, maxBytes: number) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
};

test("[RL195] a change has a member's code, or is none, by its message alone", () => {
  const written = (message: string | undefined, text = "short"): boolean => {
    const doc = A.change(
      A.init<Record<string, string>>(),
      { time: 1, ...(message && { message }) },
      (draft) => {
        draft.text = text;
      },
    );
    return mayBeSigned(A.getLastLocalChange(doc) as Uint8Array, tools);
  };
  const coded = JSON.stringify({ v: 1, type: "remember", memories: [], mac: "AAAA" });
  expect(written(coded)).toBe(true);
  expect(written(coded, "a long text, deflated ".repeat(100))).toBe(true);
  const others = [undefined, "", "{}", "null", "free text", JSON.stringify({ v: 1, type: "remember" })];
  for (const other of [...others, coded.replace("remember", "unknown")]) expect(written(other)).toBe(false);
});
