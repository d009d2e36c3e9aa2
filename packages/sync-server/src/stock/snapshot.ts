/**
 * A stored document in one piece.
 *
 * @module
 */
import type { StockLog } from "./stock-log.js";
import { storedToSnapshot } from "./stored-documents.js";

/** The document in one chunk. Runs in the committer's loop: nothing moves meanwhile. */
export async function snapshotOf(
  log: Pick<StockLog, "load">,
  space: string,
  documentId: string,
): Promise<{ bytes: Uint8Array; heads: readonly string[]; seq: number } | undefined> {
  const stored = await log.load(space, documentId);
  if (stored === undefined) return undefined;
  const { heads, seq } = stored;
  return { bytes: await storedToSnapshot(stored), heads, seq };
}
