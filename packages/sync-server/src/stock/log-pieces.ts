/**
 * Changes of a document from the log and to it, some at a time: others have their turn between two pieces.
 *
 * @module
 */
import type { BatchOutcome, LogItem, SpaceLog } from "../log/space-log.js";
import type { AnyAppender } from "../sessions/space-appenders.js";
import { allowanceOf, type Member } from "../tokens.js";
import type { AddedChange } from "./stock-documents.js";

const PIECE_BYTES = 256 * 1024;
const PIECE_CHANGES = 256;

/**
 * Gives what a log has of a document after a position.
 *
 * @returns up to where, and how much; undefined once it is more than it may be
 */
export async function giveChanges(
  query: {
    readonly log: Pick<SpaceLog, "changes">;
    readonly space: string;
    readonly document: string;
    readonly after: number;
    readonly mostBytes: number;
  },
  give: (bytes: Uint8Array<ArrayBuffer>) => void,
): Promise<{ readonly last: number; readonly bytes: number } | undefined> {
  const { log, space, document, after, mostBytes } = query;
  let piece: Uint8Array[] = [];
  let pieceBytes = 0;
  let [last, bytes] = [after, 0];
  for await (const change of log.changes({ space, document, after })) {
    piece.push(change.bytes);
    pieceBytes += change.bytes.length;
    bytes += change.bytes.length;
    last = Math.max(last, change.position);
    if (bytes > mostBytes) return undefined;
    if (pieceBytes < PIECE_BYTES) continue;
    give(joined(piece, pieceBytes));
    piece = [];
    pieceBytes = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (pieceBytes > 0) give(joined(piece, pieceBytes));
  return { last, bytes };
}

/** Not `Buffer.concat`: its memory may be shared with others, and cannot be handed over. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Changes in groups, each of which is stored at once. */
export function* pieces(changes: readonly AddedChange[]): Generator<readonly AddedChange[]> {
  let piece: AddedChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    piece.push(change);
    bytes += change.bytes.length;
    if (bytes < PIECE_BYTES && piece.length < PIECE_CHANGES) continue;
    yield piece;
    piece = [];
    bytes = 0;
  }
  if (piece.length > 0) yield piece;
}

/**
 * Stores changes in the name of a member, whose token must still allow it then.
 *
 * @throws when it is unknown whether they were stored
 */
export function appendChanges(
  appender: AnyAppender,
  { member, line, now }: { readonly member: Member; readonly line: object; readonly now: () => number },
  document: string,
  changes: readonly AddedChange[],
): Promise<BatchOutcome> {
  const { space } = member;
  const { promise, resolve, reject } = Promise.withResolvers<BatchOutcome>();
  const items = changes.map((change): LogItem => ({ kind: "change", document, ...change }));
  appender.submit({
    ...{ space, line, sizeBytes: changes.reduce((sum, { bytes }) => sum + bytes.length, 0) },
    read: () => ({ ...allowanceOf(member), items, line, now: now() }),
    done: resolve,
    failed: reject,
  });
  return promise;
}
