/**
 * Tables of the SQLite store. A change here needs a new `SCHEMA_VERSION` and a migration.
 *
 * @module
 */
export const SCHEMA_VERSION = 2;

/** The rows are in the order in which they were noted: whatever is overdue stands at their beginning. */
const REQUESTS_SQL = `
  CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    note TEXT NOT NULL,
    sha256 TEXT NOT NULL
  ) STRICT;
`;

/** What brings a store of each older version to the next one. */
export const MIGRATIONS: Readonly<Record<number, string>> = { 1: REQUESTS_SQL };

/**
 * Chunks that were copied share their bytes; the last to let go of them deletes them. `chunks.id` is the order in
 * which keys were first put.
 */
export const SCHEMA_SQL = `
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    sha256 TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    content INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX chunks_by_content ON chunks (content);
  CREATE TABLE contents (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE documents (document_id TEXT PRIMARY KEY, row TEXT NOT NULL, sha256 TEXT NOT NULL) STRICT;
  CREATE TABLE retired (document_id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE quarantine (
    key TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    content INTEGER
  ) STRICT;
  CREATE INDEX quarantine_by_content ON quarantine (content);
  ${REQUESTS_SQL}
${["DELETE ON chunks", "UPDATE OF content ON chunks", "DELETE ON quarantine"].map(dropUnusedContent).join("")}`;

function dropUnusedContent(event: string, index: number): string {
  return `
  CREATE TRIGGER drop_unused_content_${index} AFTER ${event} BEGIN
    DELETE FROM contents WHERE id = OLD.content
      AND NOT EXISTS (SELECT 1 FROM chunks WHERE content = OLD.content)
      AND NOT EXISTS (SELECT 1 FROM quarantine WHERE content = OLD.content);
  END;
`;
}
