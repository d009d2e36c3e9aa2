/**
 * A document in one piece: its changes, one after the other. Automerge loads them as it loads a saved document.
 *
 * @module
 */
import type { SpaceLog } from "../log/space-log.js";

/** After so many bytes others have their turn. */
const PIECE_BYTES = 1024 * 1024;

/** @returns undefined when the space does not have it */
export async function wholeDocument(
  log: Pick<SpaceLog, "describe" | "changes">,
  space: string,
  document: string,
): Promise<{ bytes: Buffer; heads: readonly string[]; position: number } | undefined> {
  const [state] = await log.describe(space, [document]);
  if (state === undefined) return undefined;
  const { heads, position: end } = state;
  const pieces: Uint8Array[] = [];
  let unpaused = 0;
  for await (const { bytes, position } of log.changes({ space, document })) {
    // What came meanwhile is not below these heads.
    if (position > end) continue;
    pieces.push(bytes);
    unpaused += bytes.length;
    if (unpaused < PIECE_BYTES) continue;
    unpaused = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { bytes: Buffer.concat(pieces), heads, position: end };
}
