/**
 * Brings the log of a relay of the first version over: it kept each document as changes, or as a saved document with
 * changes after it, under an id that was one space's alone.
 *
 * @module
 */
import { type ChunkTools, documentIdToHex, plainChange, readChangeHeader } from "@cambium/core";
import { chunkTools } from "../chunk-tools.js";
import type { DatabaseSync } from "../platform/sqlite.js";
import { type FirstVersionDocument, takenApart } from "../stock/stored-documents.js";
import type { LogItem } from "./space-log.js";
import { SqliteAppend } from "./sqlite-append.js";
import { SqliteKeys } from "./sqlite-keys.js";
import { SqliteRows } from "./sqlite-rows.js";
import { SQLITE_SCHEMA_VERSION, SQLITE_SET_ASIDE } from "./sqlite-schema.js";
import { SqliteSegments } from "./sqlite-segments.js";
import { SPACE_LOG_SCHEMA } from "./sqlite-space-schema.js";

interface DocumentRow {
  readonly document_id: string;
  readonly space: string;
  readonly heads: Uint8Array;
}

/** Runs in a transaction. What cannot be brought over is kept in the table `set_aside`. */
export function bringOverFirstVersion(database: DatabaseSync, sha256: ChunkTools["sha256"]): void {
  database.exec(SPACE_LOG_SCHEMA);
  bringOverSetAside(database);
  const rows = new SqliteRows(database);
  const append = new SqliteAppend(database, rows, {
    keys: new SqliteKeys(database, rows, new SqliteSegments(database)),
    sha256,
  });
  const keepAside = database.prepare("INSERT OR REPLACE INTO set_aside VALUES (?, ?, ?, ?, ?)");
  for (const { document_id: documentId, space, heads } of documentsOf(database)) {
    const stored = storedOf(database, documentId, heads);
    const { changes, aside } = takenApart(stored);
    append.begin();
    const outcome = append.append({ space, items: itemsOf(documentId, changes) });
    append.end();
    if (outcome.kind === "refused")
      for (const bytes of changes)
        aside.push({ hash: hexOf(sha256(bytes)), reason: outcome.refusal.message, bytes });
    for (const { hash, reason, bytes } of aside) keepAside.run(space, documentId, hash, reason, bytes);
  }
  database.exec(`DROP TABLE changes; DROP TABLE snapshots; DROP TABLE documents;
    DELETE FROM settings WHERE name = 'lastSeq'; PRAGMA user_version = ${SQLITE_SCHEMA_VERSION};`);
}

const documentsOf = (database: DatabaseSync): readonly DocumentRow[] =>
  database
    .prepare("SELECT document_id, space, heads FROM documents ORDER BY seq")
    .all() as unknown as readonly DocumentRow[];

function storedOf(database: DatabaseSync, documentId: string, heads: Uint8Array): FirstVersionDocument {
  const snapshot = database.prepare("SELECT bytes FROM snapshots WHERE document_id = ?").get(documentId);
  const changes = database
    .prepare("SELECT bytes FROM changes WHERE document_id = ? ORDER BY seq")
    .all(documentId);
  return {
    heads: hexOf(heads).match(/.{64}/g) ?? [],
    snapshot: snapshot?.bytes as Uint8Array | undefined,
    changes: changes.map(({ bytes }) => bytes as Uint8Array),
  };
}

function itemsOf(documentId: string, changes: readonly Uint8Array[]): readonly LogItem[] {
  const document = documentIdToHex(documentId);
  return changes.map((change) => {
    const bytes = plainChange(change, chunkTools);
    return { kind: "change", document, ...readChangeHeader(bytes, chunkTools), bytes };
  });
}

/** The first version added this table later, and without the space. */
function bringOverSetAside(database: DatabaseSync): void {
  const isThere =
    database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'set_aside'").get() !== undefined;
  if (isThere) database.exec("ALTER TABLE set_aside RENAME TO set_aside_before;");
  database.exec(SQLITE_SET_ASIDE);
  if (!isThere) return;
  database.exec(`INSERT INTO set_aside SELECT COALESCE(space, ''), document_id, hash, reason, bytes
    FROM set_aside_before LEFT JOIN documents USING (document_id); DROP TABLE set_aside_before;`);
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
