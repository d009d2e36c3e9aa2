/** Where the indexes of a test file lie. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** To be called once in a test file. @returns a function that names a new path each time; all go with the file */
export function indexPaths(): () => string {
  const dir = mkdtempSync(join(tmpdir(), "cambium-index-"));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  let files = 0;
  return () => {
    files += 1;
    return join(dir, `${files}.sqlite`);
  };
}
