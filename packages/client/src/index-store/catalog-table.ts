/**
 * The catalog as it was last opened, for a session that only reads: its document need not be loaded, nor
 * its entries opened again. It counts only for the very heads it was read at.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type Catalog, type ChangeHash, catalogFromBytes, catalogToBytes } from "@cambium/core";
import type { CatalogMemory, OpenedCatalog } from "../documents/catalog-keeper.js";
import { DatabaseSync } from "../platform/sqlite.js";
import type { IndexDatabase } from "./index-database.js";

export class CatalogTable implements CatalogMemory {
  readonly #index: IndexDatabase;

  constructor(index: IndexDatabase) {
    this.#index = index;
  }

  read(heads: readonly ChangeHash[]): OpenedCatalog | undefined {
    const row = this.#row();
    if (row === undefined || heads.length === 0) return undefined;
    const [known, foreignChanges, content, checksum] = row;
    // SQLite notices pages that make no sense, not bytes that changed.
    if (known !== heads.join() || checksumOf(known, foreignChanges, content) !== checksum) return undefined;
    const catalog = catalogFromBytes(content);
    return catalog && { catalog, heads, foreignChanges };
  }

  write({ catalog, heads, foreignChanges }: OpenedCatalog): void {
    const known = heads.join();
    if (this.#row()?.[0] === known || this.#index.isDamaged) return;
    const content = catalogToBytes(catalog);
    const isAlone = !this.#index.database.isTransaction;
    this.#index.begin();
    this.#index
      .prepare(
        "INSERT OR REPLACE INTO catalog (id, heads, foreign_changes, content, checksum) VALUES (1, ?, ?, ?, ?)",
      )
      .run(known, foreignChanges, content, checksumOf(known, foreignChanges, content));
    if (isAlone) this.#index.commit();
  }

  /** Nothing when the file turns out to be damaged: it is thrown away when the first branch is read. */
  #row(): CatalogColumns | undefined {
    try {
      return this.#index.prepare(KEPT).get() as unknown as CatalogColumns | undefined;
    } catch (error) {
      if (!this.#index.isDamaged) throw error;
      return undefined;
    }
  }
}

/**
 * What the file of an index keeps of the catalog, at whatever heads: where nothing else can be read.
 *
 * @param path - of a copy: looking changes it
 */
export function keptCatalogIn(path: string): Catalog | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    const found = database.prepare(KEPT);
    found.setReturnArrays(true);
    const row = found.get() as unknown as CatalogColumns | undefined;
    if (row === undefined) return undefined;
    const [known, foreignChanges, content, checksum] = row;
    return checksumOf(known, foreignChanges, content) === checksum ? catalogFromBytes(content) : undefined;
  } catch {
    return undefined; // no database, or a damaged one
  } finally {
    database?.close();
  }
}

const KEPT = "SELECT heads, foreign_changes, content, checksum FROM catalog";

type CatalogColumns = [heads: string, foreignChanges: number, content: Uint8Array, checksum: string];

const checksumOf = (heads: string, foreignChanges: number, content: Uint8Array): string =>
  createHash("sha256").update(`${heads} ${foreignChanges} `).update(content).digest("hex");
