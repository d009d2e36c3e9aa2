/**
 * A stored document in one piece.
 *
 * @module
 */
import type { DocumentLog } from "./log/relay-log.js";
import { storedToSnapshot } from "./stored-documents.js";

/** The document in one chunk, stored so from now on. Runs in the committer's loop: nothing moves meanwhile. */
export async function snapshotOf(
  log: DocumentLog,
  space: string,
  documentId: string,
): Promise<{ bytes: Uint8Array; heads: readonly string[]; seq: number } | undefined> {
  const stored = await log.load(documentId);
  if (stored === undefined || stored.space !== space) return undefined;
  const { heads, seq } = stored;
  const bytes = await storedToSnapshot(stored);
  if (stored.changes.length > 0) await log.compact({ documentId, seq, bytes });
  return { bytes, heads, seq };
}
