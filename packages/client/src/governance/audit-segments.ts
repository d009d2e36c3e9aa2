/**
 * The segments that a log which was not closed is gone on from.
 *
 * @module
 */
import { parseAuditLine } from "@cambium/core";
import type { AuditFiles, SegmentText } from "./audit-files.js";

/**
 * From the newest segment that says what was covered before it, if each of them can be read and goes on where the one
 * before ends; otherwise all.
 */
export function lastSegments(
  files: AuditFiles,
  segments: readonly string[],
): {
  readonly texts: readonly SegmentText[];
  readonly covered?: Readonly<Record<string, readonly number[]>> | undefined;
  readonly isOdd: boolean;
} {
  const texts: SegmentText[] = [];
  for (const name of segments.toReversed()) {
    const text = files.read(name);
    texts.unshift(text);
    const covered = coveredBefore(text);
    if (covered === undefined) continue;
    const before = segments[segments.indexOf(name) - 1];
    if (isInOrder(before === undefined ? texts : [files.read(before), ...texts]))
      return { texts, covered, isOdd: false };
    break;
  }
  const all = segments.map((name) => files.read(name));
  return { texts: all, covered: all.map(coveredBefore).find(Boolean), isOdd: !isInOrder(all) };
}

/** Whether each can be read, and begins where the one before it ends. */
function isInOrder(texts: readonly SegmentText[]): boolean {
  const filled = texts.filter(({ lines }) => lines.length > 0);
  const seqOf = (line: string | undefined) =>
    line === undefined ? undefined : parseAuditLine(line)?.entry.seq;
  return (
    texts.every(({ damaged }) => damaged === undefined) &&
    filled.every(({ lines }, index) => {
      const before = filled[index - 1];
      return before === undefined || seqOf(lines[0]) === (seqOf(before.lines.at(-1)) ?? Number.NaN) + 1;
    })
  );
}

/** What it says was covered before it; undefined where it does not begin as one does. */
export function coveredBefore({
  lines: [first],
}: SegmentText): Readonly<Record<string, readonly number[]>> | undefined {
  const entry = first === undefined ? undefined : parseAuditLine(first)?.entry;
  if (entry?.operation !== "log") return undefined;
  return entry.details?.covered as Readonly<Record<string, readonly number[]>> | undefined;
}
