/**
 * Vectors in a SQLite file of their own beside the index: the index may be thrown away and rebuilt, vectors cost
 * time or money. They are still derived: a file that cannot be used is set aside and begun again.
 *
 * @module
 */
import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { CambiumError } from "@cambium/core";
import {
  derivedStoreError,
  isUnusable,
  openDerivedDatabase,
  setAside,
  setAsidePath,
} from "../storage/derived-database.js";
import { type ContentKey, contentKeyToBytes } from "./content-key.js";
import { LoadedVectors } from "./loaded-vectors.js";
import { normalise, quantise } from "./quantise.js";
import type { Nearest } from "./top-list.js";
import { VECTOR_FILE } from "./vector-database.js";
import {
  type ModelRow,
  prepareVectorStatements,
  readModels,
  toContentKey,
  type VectorRow,
  type VectorStatements,
} from "./vector-rows.js";

export interface VectorEntry {
  readonly key: ContentKey;
  /** Of any length but zero. */
  readonly vector: Float32Array;
}

export interface NearestQuestion {
  readonly model: string;
  /** Of any length but zero. */
  readonly query: Float32Array;
  /** Compares these only; everything of the model, if undefined. */
  readonly candidates?: Iterable<ContentKey> | undefined;
  readonly limit: number;
}

export interface VectorStoreOptions {
  /** Made, readable by its owner only, if it does not exist. */
  readonly path: string;
  /**
   * About how much memory vectors may take. Default: 128 MiB: 146,000 vectors of 384 numbers, or 41,000 of 1,536. What
   * does not fit is read from the file by every search, which is exact all the same, but slower.
   */
  readonly memoryLimitBytes?: number | undefined;
}

const MEMORY_LIMIT_BYTES = 128 * 2 ** 20;

/** Everything that hangs on one file, and goes with it. */
interface OpenFile {
  readonly database: DatabaseSync;
  readonly statements: VectorStatements;
  models: ReadonlyMap<string, ModelRow>;
  /** The vectors of the model that was searched last. */
  loaded: { readonly model: string; readonly vectors: LoadedVectors } | undefined;
}

export class VectorStore implements Disposable {
  readonly #path: string;
  readonly #limitBytes: number;
  #file: OpenFile;
  #rebuildCount = 0;

  /**
   * Holds the file exclusively until closed.
   *
   * @throws {CambiumError} REPLICA_LOCKED when it is open elsewhere, STORE_FAILED when nothing can be stored there
   */
  constructor({ path, memoryLimitBytes = MEMORY_LIMIT_BYTES }: VectorStoreOptions) {
    this.#path = path;
    this.#limitBytes = memoryLimitBytes;
    try {
      this.#file = openFile(path);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      setAside(path);
      this.#rebuildCount += 1;
      this.#file = openFile(path);
    }
  }

  /** Grows whenever all vectors were lost with a file that could not be used. */
  get rebuildCount(): number {
    return this.#rebuildCount;
  }

  /**
   * Adds vectors, all or none. A text that has one by this model keeps it.
   *
   * @throws {CambiumError} EMBEDDER_REFUSED when their size is not that of the model's earlier ones: whatever
   * has its name now is another model, and to have all vectors made again may cost money, so a person decides
   */
  put(model: string, entries: readonly VectorEntry[]): void {
    if (entries.length === 0) return;
    this.#run((file) => {
      const rows = this.#inTransaction(file, () => writeVectors(file, model, entries));
      if (file.loaded?.model === model) for (const row of rows) file.loaded.vectors.add(row);
    });
  }

  has(model: string, key: ContentKey): boolean {
    return this.missing(model, [key]).length === 0;
  }

  /** Returns those that have no vector by this model. */
  missing(model: string, keys: Iterable<ContentKey>): readonly ContentKey[] {
    const asked = [...keys];
    return this.#run(({ models, statements }) => {
      const id = models.get(model)?.id;
      if (id === undefined) return asked;
      return asked.filter((key) => statements.has.get(contentKeyToBytes(key), id) === undefined);
    });
  }

  count(model: string): number {
    return this.#file.models.get(model)?.count ?? 0;
  }

  /** Destroys the vectors of these texts, by every model, in memory and on disk. Returns how many texts had one. */
  remove(keys: Iterable<ContentKey>): number {
    const asked = new Set(keys);
    return this.#run((file) => this.#remove(file, asked));
  }

  /**
   * Destroys the vectors of all texts but these, and returns how many texts had one. It has to be given every text
   * there is, on all branches and in all versions that can be recalled.
   */
  forgetExcept(keys: Iterable<ContentKey>): number {
    const kept = new Set(keys);
    return this.#run((file) => {
      const stored = new Set(file.statements.keys.all().map(toContentKey));
      return this.#remove(file, stored.difference(kept));
    });
  }

  /** Destroys what other models made, and returns how many vectors that were. */
  dropOtherModels(model: string): number {
    return this.#run((file) => {
      const others = [...file.models].filter(([name]) => name !== model).map(([, other]) => other);
      if (others.length === 0) return 0;
      this.#inTransaction(file, () => {
        for (const { id } of others) {
          file.statements.removeVectorsOf.run(id);
          file.statements.removeModel.run(id);
        }
      });
      if (file.loaded?.model !== model) file.loaded = undefined;
      this.#eraseTraces(file);
      return others.reduce((sum, { count }) => sum + count, 0);
    });
  }

  /**
   * Returns the most similar, most similar first. Exact: every vector that is asked for is compared.
   *
   * @throws {CambiumError} EMBEDDER_REFUSED when the query's size is not that of the model's vectors
   */
  nearest({ model, query, candidates, limit }: NearestQuestion): readonly Nearest[] {
    const asked = candidates === undefined ? undefined : [...candidates];
    return this.#run((file) => {
      const known = file.models.get(model);
      if (known === undefined) return [];
      if (query.length !== known.dimensions) throw otherSize(model, query.length, known.dimensions);
      if (file.loaded?.model !== model) {
        const { statements } = file;
        file.loaded = undefined; // never two in memory
        const vectors = new LoadedVectors({ model: known, statements, limitBytes: this.#limitBytes });
        file.loaded = { model, vectors };
      }
      return file.loaded.vectors.search({ query: normalise(query), candidates: asked, limit });
    });
  }

  /** Nothing may be called afterwards. */
  close(): void {
    closeFile(this.#file);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #remove(file: OpenFile, keys: ReadonlySet<ContentKey>): number {
    const { remove } = file.statements;
    const removed = this.#inTransaction(file, () =>
      [...keys].filter((key) => remove.run(contentKeyToBytes(key)).changes !== 0),
    );
    for (const key of removed) file.loaded?.vectors.remove(key);
    this.#eraseTraces(file);
    return removed.length;
  }

  /** What was deleted must be nowhere: the write-ahead log still has its pages, a file set aside may have it too. */
  #eraseTraces({ database }: OpenFile): void {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    rmSync(setAsidePath(this.#path), { force: true, recursive: true });
  }

  #inTransaction<Result>(file: OpenFile, work: () => Result): Result {
    file.database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      file.database.exec("COMMIT");
      return result;
    } catch (error) {
      if (file.database.isTransaction) file.database.exec("ROLLBACK");
      throw error;
    } finally {
      file.models = readModels(file.statements);
    }
  }

  /** Does the work; once more on a new file, if this one turns out to be damaged. */
  #run<Result>(work: (file: OpenFile) => Result): Result {
    try {
      return work(this.#file);
    } catch (error) {
      if (!isUnusable(error)) throw derivedStoreError(this.#path, VECTOR_FILE, error);
    }
    closeFile(this.#file);
    setAside(this.#path);
    this.#rebuildCount += 1;
    this.#file = openFile(this.#path);
    try {
      return work(this.#file);
    } catch (error) {
      throw derivedStoreError(this.#path, VECTOR_FILE, error);
    }
  }
}

function openFile(path: string): OpenFile {
  const database = openDerivedDatabase(path, VECTOR_FILE);
  try {
    const statements = prepareVectorStatements(database);
    return { database, statements, models: readModels(statements), loaded: undefined };
  } catch (error) {
    database.close();
    throw error;
  }
}

function closeFile({ database }: OpenFile): void {
  if (database.isOpen) database.close();
}

/** Returns the rows that were not there before. */
function writeVectors(
  { models, statements }: OpenFile,
  name: string,
  entries: readonly VectorEntry[],
): readonly VectorRow[] {
  const dimensions = models.get(name)?.dimensions ?? entries[0]?.vector.length ?? 0;
  const model = models.get(name)?.id ?? Number(statements.putModel.run(name, dimensions).lastInsertRowid);
  return entries.flatMap(({ key, vector }) => {
    if (vector.length !== dimensions) throw otherSize(name, vector.length, dimensions);
    const { scale, codes } = quantise(vector);
    const codeBytes = new Uint8Array(codes.buffer);
    const { changes, lastInsertRowid } = statements.put.run(contentKeyToBytes(key), model, scale, codeBytes);
    return changes === 0 ? [] : [{ id: Number(lastInsertRowid), key, scale, codeBytes }];
  });
}

const otherSize = (model: string, got: number, expected: number): CambiumError =>
  new CambiumError(
    "EMBEDDER_REFUSED",
    `The model ${model} now gives vectors of ${got} numbers; its earlier ones have ${expected}.`,
    { hint: "Name the model that made them, or delete vectors.sqlite to compute all of them again." },
  );
