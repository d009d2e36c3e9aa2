import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Gives paths for vectors, each in a directory of its own; all are gone when the tests of this file are done. */
export function vectorPaths(): () => string {
  const root = mkdtempSync(join(tmpdir(), "cambium-vectors-"));
  afterAll(() => rmSync(root, { recursive: true }));
  return () => join(mkdtempSync(join(root, "place-")), "vectors.sqlite");
}
