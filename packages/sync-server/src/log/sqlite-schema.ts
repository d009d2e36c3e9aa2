/**
 * The tables of the relay's SQLite file. A change here is a new version with a migration.
 *
 * @module
 */

export const SQLITE_SCHEMA_VERSION = 4;
/** Files of earlier versions have no segments. */
export const SEGMENTS_SINCE = 4;

/** What could not be brought over from the first version. A person may look at it; nothing reads it. */
export const SQLITE_SET_ASIDE = `
CREATE TABLE set_aside (
  space TEXT NOT NULL,
  document_id TEXT NOT NULL,
  hash TEXT NOT NULL,
  reason TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (space, document_id, hash)
) STRICT;
`;

export const SQLITE_SCHEMA = `
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

${SQLITE_SET_ASIDE}
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value ANY
) STRICT;

PRAGMA user_version = ${SQLITE_SCHEMA_VERSION};
`;

/** What brings a file of one version to the next, by the version that it has. */
export const SQLITE_MIGRATIONS: Readonly<Record<number, string>> = {
  2: "ALTER TABLE log_documents ADD COLUMN retired_at INTEGER;",
  3: "", // segments: a relay that does not know them would take their entries for erased
};
