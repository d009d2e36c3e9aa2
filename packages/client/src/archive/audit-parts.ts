/**
 * The audit logs of a space, as parts of an archive: the segments as they are stored.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { storedPath } from "../governance/stored-segment.js";
import { auditFileOfPart } from "./manifest.js";

export interface AuditSegment {
  /** In the archive. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Of all replicas of this home, in order. Each is read when it is asked for: until then, it may be compressed. */
export function* auditSegments(dir: string): Generator<AuditSegment> {
  if (!existsSync(dir)) return;
  for (const replica of readdirSync(dir).toSorted()) {
    const files = readdirSync(join(dir, replica)).map((file) => file.replace(/\.gz$/, ""));
    for (const plain of [...new Set(files)].toSorted()) {
      const file = basename(storedPath(join(dir, replica, plain)));
      const name = `audit/${replica}/${file}`;
      if (auditFileOfPart(name) === undefined) continue;
      yield { name, bytes: readFileSync(join(dir, replica, file)) };
    }
  }
}
