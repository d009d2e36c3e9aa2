/**
 * The SQLite file of vectors.
 *
 * @module
 */
import type { DerivedKind } from "../storage/derived-database.js";

/** Ids only grow, so that "written after" is "greater". */
const SCHEMA_SQL = `
  CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    vectors INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL,
    model INTEGER NOT NULL,
    scale REAL NOT NULL,
    codes BLOB NOT NULL,
    UNIQUE (key, model)
  ) STRICT;
  CREATE TRIGGER count_added AFTER INSERT ON vectors BEGIN
    UPDATE models SET vectors = vectors + 1 WHERE id = NEW.model;
  END;
  CREATE TRIGGER count_removed AFTER DELETE ON vectors BEGIN
    UPDATE models SET vectors = vectors - 1 WHERE id = OLD.model;
  END`;

export const VECTOR_FILE: DerivedKind = {
  applicationId: 0x43616d56, // "CamV"
  schemaVersion: 1,
  schema: SCHEMA_SQL,
  holds: "vectors",
};
