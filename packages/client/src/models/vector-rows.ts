/**
 * The statements of the vectors' file, and its rows as values.
 *
 * @module
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { UnusableFileError } from "../storage/derived-database.js";
import { bytesToContentKey, type ContentKey } from "./content-key.js";

export interface ModelRow {
  readonly id: number;
  readonly dimensions: number;
  /** How many vectors it has. */
  readonly count: number;
}

export interface VectorRow {
  readonly id: number;
  readonly key: ContentKey;
  readonly scale: number;
  /** Codes as this machine lays out 16-bit integers; the file never leaves it. */
  readonly codeBytes: Uint8Array;
}

export type VectorStatements = ReturnType<typeof prepareVectorStatements>;
type SqlRow = Record<string, SQLOutputValue>;

export function prepareVectorStatements(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    models: prepare("SELECT id, name, dimensions, vectors FROM models"),
    putModel: prepare("INSERT INTO models (name, dimensions) VALUES (?, ?)"),
    removeModel: prepare("DELETE FROM models WHERE id = ?"),
    put: prepare(
      "INSERT INTO vectors (key, model, scale, codes) VALUES (?, ?, ?, ?) ON CONFLICT (key, model) DO NOTHING",
    ),
    has: prepare("SELECT 1 FROM vectors WHERE key = ? AND model = ?"),
    one: prepare("SELECT id, key, scale, codes FROM vectors WHERE key = ? AND model = ?"),
    after: prepare("SELECT id, key, scale, codes FROM vectors WHERE model = ? AND id > ? ORDER BY id"),
    keys: prepare("SELECT DISTINCT key FROM vectors"),
    remove: prepare("DELETE FROM vectors WHERE key = ?"),
    removeVectorsOf: prepare("DELETE FROM vectors WHERE model = ?"),
  };
}

export function readModels({ models }: VectorStatements): Map<string, ModelRow> {
  return new Map(
    models
      .all()
      .map(({ id, name, dimensions, vectors }) => [
        String(name),
        { id: Number(id), dimensions: Number(dimensions), count: Number(vectors) },
      ]),
  );
}

/** @throws {UnusableFileError} */
export function toVectorRow(row: SqlRow, dimensions: number): VectorRow {
  const codeBytes = blobOf(row.codes);
  if (codeBytes.byteLength !== dimensions * Int16Array.BYTES_PER_ELEMENT) {
    throw new UnusableFileError("A vector has another size than its model says");
  }
  return { id: Number(row.id), key: toContentKey(row), scale: Number(row.scale), codeBytes };
}

/** @throws {UnusableFileError} */
export const toContentKey = (row: SqlRow): ContentKey => bytesToContentKey(blobOf(row.key));

function blobOf(value: SQLOutputValue | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new UnusableFileError("A column does not hold what it was given");
}
