/**
 * A document as one piece after the other: its changes, one after the other. Automerge loads them as it loads a saved
 * document.
 *
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SpaceLog } from "../log/space-log.js";

type Reads = Pick<SpaceLog, "describe" | "changes">;

const PIECE_BYTES = 64 * 1024;

/** A document, and how far it was when it was asked for. */
export interface DocumentPieces {
  readonly heads: readonly string[];
  readonly position: number;
  readonly pieces: AsyncGenerator<Buffer>;
}

/** @returns undefined when the space does not have it */
export async function documentPieces(
  log: Reads,
  space: string,
  document: string,
): Promise<DocumentPieces | undefined> {
  const [state] = await log.describe(space, [document]);
  if (state === undefined) return undefined;
  const { heads, position } = state;
  return { heads, position, pieces: piecesOf(log, { space, document, upTo: position }) };
}

async function* piecesOf(
  log: Reads,
  { space, document, upTo }: { readonly space: string; readonly document: string; readonly upTo: number },
): AsyncGenerator<Buffer> {
  let [piece, bytes]: [Uint8Array[], number] = [[], 0];
  for await (const change of log.changes({ space, document })) {
    // What came meanwhile is not below these heads.
    if (change.position > upTo) continue;
    piece.push(change.bytes);
    bytes += change.bytes.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(piece, bytes);
    [piece, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(piece, bytes);
}

/** All of it at once, read so that others have their turn in between. @returns undefined when the space does not have it */
export async function wholeDocument(
  log: Reads,
  space: string,
  document: string,
): Promise<{ bytes: Buffer; heads: readonly string[]; position: number } | undefined> {
  const found = await documentPieces(log, space, document);
  if (found === undefined) return undefined;
  const { heads, position } = found;
  const pieces: Buffer[] = [];
  for await (const piece of found.pieces) {
    pieces.push(piece);
    await nextTurn();
  }
  return { bytes: Buffer.concat(pieces), heads, position };
}
