/**
 * The tables of the relay's SQLite file. A change here is a new version with a migration.
 *
 * @module
 */

export const SQLITE_SCHEMA_VERSION = 1;

/** Added since; an older relay does not miss it. */
export const SQLITE_ADDITIONS = `
CREATE TABLE IF NOT EXISTS set_aside (
  document_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  reason TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (document_id, hash)
) STRICT;
`;

export const SQLITE_SCHEMA = `
CREATE TABLE documents (
  document_id TEXT PRIMARY KEY,
  space TEXT NOT NULL,
  heads BLOB NOT NULL,
  seq INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_by_space ON documents (space, seq);

CREATE TABLE changes (
  seq INTEGER PRIMARY KEY,
  document_id TEXT NOT NULL,
  hash BLOB NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE INDEX changes_by_document ON changes (document_id, seq);

CREATE TABLE snapshots (
  document_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE spaces (
  space TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  token_id TEXT NOT NULL UNIQUE,
  space TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('read', 'write', 'admin')),
  label TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;
CREATE INDEX tokens_by_space ON tokens (space, created_at);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value ANY
) STRICT;

PRAGMA user_version = ${SQLITE_SCHEMA_VERSION};
`;
