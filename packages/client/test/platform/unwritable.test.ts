/** Homes that nothing can be written to, for whatever reason: said as such, never as something unexpected. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makePrivateDirectory } from "../../src/platform/private-directory.js";
import { writePrivateFile } from "../../src/platform/private-files.js";
import { openReplica } from "../../src/replica/open-replica.js";

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

test("[MA2] a directory is made with those above it, for its owner alone, however often it is asked for", () => {
  const path = join(dir, "a", "b", "c");
  makePrivateDirectory(path);
  makePrivateDirectory(path);
  expect([path, join(dir, "a")].map((made) => statSync(made).mode & 0o777)).toEqual([0o700, 0o700]);
  writeFileSync(join(dir, "file"), "");
  expect(() => makePrivateDirectory(join(dir, "file", "below"))).toThrow("cannot be made: a file");
  expect(() => makePrivateDirectory(join(dir, "file"))).toThrow("cannot be made: a file");
});

test.runIf(existsSync("/proc/self"))("[MA2] what can never be made is not tried for ever", () => {
  expect(() => makePrivateDirectory("/proc/cambium/home")).toThrow("ENOENT");
});
