/** Damages stored bytes as a failing disk does: one bit, behind the store's back. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Flips one bit in the newest chunk of a document stored below `dir`. */
export async function flipStoredBit(dir: string): Promise<void> {
  const names = await readdir(dir, { recursive: true });
  const store = names.find((name) => name.endsWith("store.sqlite"));
  if (store === undefined) throw new Error(`No store is below ${dir}.`);
  using database = new DatabaseSync(join(dir, store));
  const newest = `SELECT contents.id, bytes FROM contents JOIN chunks ON content = contents.id
    WHERE key NOT LIKE '%audit-end%' ORDER BY contents.id DESC LIMIT 1`;
  const row = database.prepare(newest).get();
  const { id, bytes } = row as { id: number; bytes: Uint8Array };
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  database.prepare("UPDATE contents SET bytes = ? WHERE id = ?").run(bytes, id);
}
