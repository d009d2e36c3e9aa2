/**
 * Closing a space: what came last is written down, and everything that it opened is let go of, whatever fails.
 *
 * @module
 */
import type { ArrivedConcealing } from "../governance/arrived-concealing.js";
import type { AuditLog } from "../governance/audit-log.js";
import type { SpaceSync } from "../sync/space-sync.js";
import type { SpaceParts } from "./space-parts.js";

export interface ClosingSpace {
  readonly parts: SpaceParts;
  readonly sync: SpaceSync;
  readonly audit: AuditLog;
  readonly arrived: Pick<ArrivedConcealing, "close">;
  /** Whether this session has written. */
  readonly isWriting: () => boolean;
  readonly onClose: () => void;
}

export function closeSpace({ parts, sync, audit, arrived, isWriting, onClose }: ClosingSpace): Promise<void> {
  const writeLast = async (): Promise<void> => {
    await parts.documents.flush();
    if (isWriting()) parts.store.refuseDisplaced();
    await parts.chunked.settled();
    await parts.documents.compactScattered();
    await audit.close();
    parts.catalog.keep(parts.catalogTable);
  };
  return eachInTurn([
    () => parts.uses.close(),
    () => sync.close(),
    () => arrived.close(),
    writeLast,
    () => parts.vectors?.close(),
    () => parts.summaries?.close(),
    () => parts.differences.close(),
    () => parts.recaller[Symbol.dispose](),
    () => parts.duplicateFinder[Symbol.dispose](),
    () => parts.index.close(),
    () => parts.store.close(),
    () => parts.note.close(),
    onClose,
  ]);
}

/** Whatever fails: what stays open holds its file against whoever opens the space next. @throws what failed first */
export async function eachInTurn(steps: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
