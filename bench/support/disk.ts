/**
 * How much room a directory takes.
 *
 * @module
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of all files below `dir`, by their lengths. */
export async function directoryBytes(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
