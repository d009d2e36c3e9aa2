/** Homes that nothing can be written to, for whatever reason: said as such, never as something unexpected. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openReplica } from "../../src/replica/open-replica.js";
import { writePrivateFile } from "../../src/replica/private-files.js";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "cambium-unwritable-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("[MA2] a replica whose lock cannot be written says where, and what to do", async () => {
  mkdirSync(join(dir, "lock"));
  await expect(openReplica({ dir, stateDir: join(dir, "state") })).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringContaining(dir),
    hint: expect.stringContaining("CAMBIUM_HOME"),
  });
});

test("[MA2] a private file that cannot be written is named, and says what it said before", () => {
  const path = join(dir, "note.json");
  writeFileSync(path, "before");
  mkdirSync(`${path}.new`);
  expect(() => writePrivateFile(path, "after")).toThrow(
    expect.objectContaining({ code: "STORE_FAILED", message: expect.stringContaining(path) }),
  );
  expect(readFileSync(path, "utf8")).toBe("before");
});
