/**
 * The audit logs of a space, as parts of an archive: the segments as they are stored.
 *
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { auditFileOfPart } from "./manifest.js";

export interface AuditSegment {
  /** In the archive. */
  readonly name: string;
  readonly path: string;
}

/** Of all replicas of this home, in order. */
export function auditSegments(dir: string): readonly AuditSegment[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .toSorted()
    .flatMap((replica) =>
      readdirSync(join(dir, replica))
        .toSorted()
        .map((file) => ({ name: `audit/${replica}/${file}`, path: join(dir, replica, file) }))
        .filter(({ name }) => auditFileOfPart(name) !== undefined),
    );
}
