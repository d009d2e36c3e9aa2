/**
 * Deeds of the audit log that `log` shows: read from its end, as far as is asked for.
 *
 * @module
 */
import { type AuditEntry, parseAuditLine } from "@cambium/core";
import { NOTED_EVENTS } from "../space/log-events.js";
import type { AuditLog } from "./audit-log.js";

const NOTED = new RegExp(`"operation":"(?:${NOTED_EVENTS.join("|")})"`);
/** Most lines are of writes: one of so many is read to see how far back it is. */
const LOOK_EVERY = 64;
const DAY_MS = 86_400_000;
const MAX_EVENTS = 1_000;

/** Newest first. Clocks are set right now and then, so it looks a day further. */
export function* notedSince({ files, flush }: NotedIn, after: number): Generator<AuditEntry> {
  flush();
  let count = 0;
  for (const segment of files.segments().toReversed()) {
    for (const [index, line] of files.read(segment).lines.toReversed().entries()) {
      const isEvent = NOTED.test(line);
      if (!isEvent && index % LOOK_EVERY > 0) continue;
      const entry = parseAuditLine(line)?.entry;
      if (entry === undefined) continue;
      if (entry.at < after - DAY_MS || count >= MAX_EVENTS) return;
      if (!isEvent) continue;
      count += 1;
      yield entry;
    }
  }
}

interface NotedIn {
  readonly files: Pick<AuditLog["files"], "segments" | "read">;
  readonly flush: () => void;
}
