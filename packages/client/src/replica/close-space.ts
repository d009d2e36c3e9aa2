/**
 * Closing a space: what came last is written down, and everything that it opened is let go of, whatever fails.
 *
 * @module
 */
import type { AuditLog } from "../governance/audit-log.js";
import type { SpaceSync } from "../sync/space-sync.js";
import type { SpaceParts } from "./space-parts.js";

export interface ClosingSpace {
  readonly parts: SpaceParts;
  readonly sync: SpaceSync;
  readonly audit: AuditLog;
  /** Whether this session has written. */
  readonly isWriting: () => boolean;
  readonly onClose: () => void;
}

export async function closeSpace({ parts, sync, audit, isWriting, onClose }: ClosingSpace): Promise<void> {
  try {
    await parts.uses.close();
  } finally {
    await sync.close();
  }
  try {
    await parts.documents.flush();
    if (isWriting()) parts.store.refuseDisplaced();
    await parts.chunked.settled();
    await parts.documents.compactScattered();
    await audit.close();
    parts.catalog.keep(parts.catalogTable);
  } finally {
    await parts.vectors?.close();
    await parts.summaries?.close();
    parts.recaller[Symbol.dispose]();
    parts.duplicateFinder[Symbol.dispose]();
    parts.index.close();
    await parts.store.close();
    parts.note.close();
    onClose();
  }
}
