/**
 * The tables of the spaces' logs. What is small and outlives a retirement stands apart from the bytes.
 *
 * @module
 */
import { SQLITE_SEGMENTS } from "./sqlite-segments.js";

export const SPACE_LOG_SCHEMA = `
CREATE TABLE IF NOT EXISTS log_spaces (
  space_no INTEGER PRIMARY KEY,
  space TEXT NOT NULL UNIQUE,
  position INTEGER NOT NULL,
  mark BLOB NOT NULL
) STRICT;

-- A document that began as a fork has all of its base up to a position, but for some changes. A retired one has no
-- bytes but those of the entry that says so, at retired_at.
CREATE TABLE IF NOT EXISTS log_documents (
  document_no INTEGER PRIMARY KEY,
  space_no INTEGER NOT NULL,
  document BLOB NOT NULL,
  heads BLOB NOT NULL,
  position INTEGER NOT NULL,
  max_op INTEGER NOT NULL,
  base_no INTEGER,
  base_position INTEGER,
  base_without BLOB,
  retired_at INTEGER,
  UNIQUE (space_no, document)
) STRICT;
CREATE INDEX IF NOT EXISTS log_documents_by_position ON log_documents (space_no, position);
CREATE INDEX IF NOT EXISTS log_documents_by_base ON log_documents (base_no) WHERE base_no IS NOT NULL;

CREATE TABLE IF NOT EXISTS log_actors (
  actor_no INTEGER PRIMARY KEY,
  actor BLOB NOT NULL UNIQUE
) STRICT;

-- Dependencies are positions in the same log. A fork has no actor, and no number. Where bytes_no leads is told in
-- sqlite-segments.ts.
CREATE TABLE IF NOT EXISTS log_entries (
  space_no INTEGER NOT NULL,
  position INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  document_no INTEGER NOT NULL,
  hash BLOB NOT NULL,
  actor_no INTEGER,
  number INTEGER,
  start_op INTEGER NOT NULL,
  max_op INTEGER NOT NULL,
  deps BLOB NOT NULL,
  mark BLOB NOT NULL,
  bytes_no INTEGER NOT NULL,
  PRIMARY KEY (space_no, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS log_entries_by_hash ON log_entries (document_no, hash);
CREATE UNIQUE INDEX IF NOT EXISTS log_entries_by_number ON log_entries (document_no, actor_no, number);
CREATE INDEX IF NOT EXISTS log_entries_by_document ON log_entries (document_no, position);

-- Some of the changes that follow all that their document had before them: walks along the history end there.
CREATE TABLE IF NOT EXISTS log_joints (
  document_no INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (document_no, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS log_bytes (
  bytes_no INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;
${SQLITE_SEGMENTS}`;
