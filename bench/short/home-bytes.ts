/**
 * Where the bytes of a closed home lie: by file, and in SQLite's files by table.
 *
 * @module
 */
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export interface TableBytes {
  readonly name: string;
  /** Of the pages it takes, its indexes not included: they stand beside it. */
  readonly bytes: number;
  /** Of these, what its rows say; the rest is room within pages and what SQLite notes in them. */
  readonly payloadBytes: number;
  readonly rows: number;
}

export interface FileBytes {
  /** Below the home. Numbers of segments and ids are left as they are. */
  readonly name: string;
  readonly part: "store" | "index" | "audit log" | "other";
  readonly bytes: number;
  /** Only of SQLite's files. */
  readonly tables: readonly TableBytes[];
}

const SQLITE = /\.sqlite$/;
const UNUSED = "(unused pages)";

export async function homeBytes(dir: string): Promise<readonly FileBytes[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const measured = await Promise.all(
    files.map(async (path): Promise<FileBytes> => {
      const { size } = await stat(path);
      const name = relative(dir, path);
      return { name, part: partOf(name), bytes: size, tables: SQLITE.test(name) ? tablesOf(path, size) : [] };
    }),
  );
  return measured.toSorted((a, b) => b.bytes - a.bytes);
}

function partOf(name: string): FileBytes["part"] {
  if (/(^|\/)audit\//.test(name)) return "audit log";
  if (/index[^/]*$/.test(name)) return "index";
  if (/store[^/]*$/.test(name)) return "store";
  return "other";
}

/** Read from a file that nobody has open: nothing of it lies in a log any more. */
function tablesOf(path: string, size: number): readonly TableBytes[] {
  // As a file that nobody changes: otherwise SQLite makes files of its own beside it, which would be counted later.
  const database = new DatabaseSync(new URL(`${pathToFileURL(path)}?immutable=1`), { readOnly: true });
  try {
    const rows = database
      .prepare(
        `SELECT name, sum(pgsize) AS bytes, sum(payload) AS payloadBytes, sum(iif(pagetype = 'leaf', ncell, 0)) AS rows
         FROM dbstat GROUP BY name ORDER BY bytes DESC`,
      )
      .all() as unknown as readonly TableBytes[];
    const used = rows.reduce((sum, { bytes }) => sum + bytes, 0);
    const unused = { name: UNUSED, bytes: size - used, payloadBytes: 0, rows: 0 };
    return unused.bytes === 0
      ? rows.map((row) => ({ ...row }))
      : [...rows.map((row) => ({ ...row })), unused];
  } finally {
    database.close();
  }
}
