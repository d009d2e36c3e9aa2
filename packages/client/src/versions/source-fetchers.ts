/**
 * What reads a text again where it once came from. Each is asked only when the caller allows it.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, isAbsolute, join, resolve, sep } from "node:path";
import type { SourceFetcher } from "../api.js";
import type { ImportFolders } from "../import/import-folders.js";

/** A text that is longer was no memory. */
const MAX_BYTES = 8 * 1_048_576;
const TIMEOUT_MS = 2_000;

/** Reads files of this device, by the absolute path that a source names. */
export const fileFetcher: SourceFetcher = {
  async fetch({ kind, path, file, name }) {
    if (kind !== "file") return undefined;
    const named = [path, file, name].filter((one) => typeof one === "string");
    const found = named.find((one) => isAbsolute(one));
    if (found !== undefined) return await readWhole(found);
    throw new Error(`Its source does not say where the file is, only that it is ${named[0] ?? "one"}.`);
  },
};

/** Reads files that were imported, where this device knows their folder. */
export const importFetcher = (folders: Pick<ImportFolders, "find">): SourceFetcher => ({
  async fetch({ kind, format, name, file }) {
    if (kind !== "import") return undefined;
    if (format !== "markdown" || typeof name !== "string" || typeof file !== "string")
      throw new Error("Of what was imported, only Markdown and text files can be read again.");
    const known = folders.find(name);
    if (known.length === 0)
      throw new Error(
        `This device does not know where the folder ${name} of the file ${file} is. Import it here again as it is now, then ask again.`,
      );
    const paths = known.map((folder) => within(folder, file)).filter((path) => path !== undefined);
    return await readWhole(
      paths.find((path) => existsSync(path)) ?? paths[0] ?? join(known[0] as string, basename(file)),
    );
  },
});

/** What other devices wrote does not lead out of the folder. */
function within(folder: string, file: string): string | undefined {
  const path = resolve(folder, file);
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? path : undefined;
}

async function readWhole(path: string): Promise<string> {
  try {
    await using file = await open(path, "r");
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${path} is no file.`);
    if (found.size > MAX_BYTES) throw new Error(`The file ${path} is larger than ${MAX_BYTES} bytes.`);
    return await file.readFile("utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const why = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new Error(`The file ${path} ${why}.`, { cause: error });
  }
}

/** Asks the address that a source names, for two seconds at most. */
export const urlFetcher: SourceFetcher = {
  async fetch({ kind, url }, { signal } = {}) {
    if (kind !== "url" || typeof url !== "string" || !/^https?:/.test(url)) return undefined;
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
    if (!response.ok || Number(response.headers.get("content-length") ?? 0) > MAX_BYTES) return undefined;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > MAX_BYTES) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  },
};
