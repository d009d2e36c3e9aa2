/**
 * A relay's file as the first version wrote it.
 *
 * @module
 */
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import * as A from "@automerge/automerge";

const SCHEMA = `
CREATE TABLE documents (
  document_id TEXT PRIMARY KEY, space TEXT NOT NULL, heads BLOB NOT NULL, seq INTEGER NOT NULL
) STRICT;
CREATE INDEX documents_by_space ON documents (space, seq);
CREATE TABLE changes (
  seq INTEGER PRIMARY KEY, document_id TEXT NOT NULL, hash BLOB NOT NULL, bytes BLOB NOT NULL
) STRICT;
CREATE INDEX changes_by_document ON changes (document_id, seq);
CREATE TABLE snapshots (document_id TEXT PRIMARY KEY, seq INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE TABLE spaces (space TEXT PRIMARY KEY, created_at INTEGER NOT NULL) STRICT;
CREATE TABLE tokens (
  hash TEXT PRIMARY KEY, token_id TEXT NOT NULL UNIQUE, space TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('read', 'write', 'admin')),
  label TEXT, created_at INTEGER NOT NULL, expires_at INTEGER
) STRICT;
CREATE INDEX tokens_by_space ON tokens (space, created_at);
CREATE TABLE settings (name TEXT PRIMARY KEY, value ANY) STRICT;
CREATE TABLE set_aside (
  document_id TEXT NOT NULL, hash TEXT NOT NULL, reason TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (document_id, hash)
) STRICT;
PRAGMA user_version = 1;
`;

/** A document as it is stored: `snapshot` changes in one chunk, then the others. */
export interface FirstVersionContent {
  readonly documentId: string;
  readonly space: string;
  readonly doc: A.Doc<unknown>;
  readonly snapshot?: Uint8Array;
  readonly changes: readonly Uint8Array[];
}

/** Puts a file of the first version in the place of a log, with its spaces and tokens. No relay may have it. */
export function writeFirstVersion(dataDir: string, documents: readonly FirstVersionContent[]): void {
  const path = `${dataDir}/relay.sqlite`;
  const before = new DatabaseSync(path);
  const [spaces, tokens] = ["spaces", "tokens"].map((table) =>
    before.prepare(`SELECT * FROM ${table}`).all(),
  );
  before.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  const file = new DatabaseSync(path);
  file.exec(SCHEMA);
  for (const { space, created_at } of spaces ?? [])
    file.prepare("INSERT INTO spaces VALUES (?, ?)").run(space as string, created_at as number);
  for (const token of tokens ?? [])
    file
      .prepare(
        "INSERT INTO tokens VALUES (:hash, :token_id, :space, :role, :label, :created_at, :expires_at)",
      )
      .run(token);
  let seq = 0;
  for (const { documentId, space, doc, snapshot, changes } of documents) {
    if (snapshot !== undefined) {
      seq += 1;
      file.prepare("INSERT INTO snapshots VALUES (?, ?, ?)").run(documentId, seq, snapshot);
    }
    for (const bytes of changes) {
      seq += 1;
      const hash = Buffer.from(A.decodeChange(bytes).hash, "hex");
      file.prepare("INSERT INTO changes VALUES (?, ?, ?, ?)").run(seq, documentId, hash, bytes);
    }
    const heads = Buffer.from(A.getHeads(doc).join(""), "hex");
    file.prepare("INSERT INTO documents VALUES (?, ?, ?, ?)").run(documentId, space, heads, seq);
  }
  file.prepare("INSERT INTO settings VALUES ('lastSeq', ?)").run(seq);
  file.close();
}
