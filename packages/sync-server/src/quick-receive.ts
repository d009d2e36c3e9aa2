/**
 * Taking in a sync message in time that does not grow with the document's history.
 *
 * Automerge's `receiveSyncMessage` walks every ancestor of the heads that a message states, to forget what
 * it need not send again: 4 ms at 30,000 changes, for each message and each acknowledgement. In the steady
 * state, where the document then holds all stated heads, what may have to be sent again lies above those
 * heads, a handful of changes.
 *
 * Plan: apply the changes; if every stated head is held now, write down what `receiveSyncMessage` would
 * have concluded; leave every other case to Automerge. A test compares the two, state by state.
 *
 * @module
 */
import type { DecodedSyncMessage } from "@automerge/automerge";
import { type Handle, type PlainSyncState, type SyncState, sameHeads, wasm } from "./wasm.js";

/** What a message of the steady state says of its sender, and what the peer has said before. */
const STEADY_CAPABILITIES = "supports-sync-reset";
const KNOWN_CAPABILITIES = "message-v2,sync-reset";
/** The same, as Automerge reads them: it writes `sync-reset` and understands only the longer name. */
const CAPABILITIES_TO_IMPORT = ["message-v2", "supports-sync-reset"];
/** A chunk's type follows four bytes that mark it and four of its checksum. */
const TYPE_OFFSET = 8;
/** Plain and compressed; whole documents and bundles are left to Automerge. */
const CHANGE_TYPES: readonly (number | undefined)[] = [1, 2];

/** A sync message as the wasm module decodes it; its published type omits two fields. */
export interface SyncMessage extends DecodedSyncMessage {
  readonly type?: string;
  readonly supportedCapabilities?: readonly string[];
}

/**
 * Takes in a message, if it is one of the steady state.
 *
 * @returns the peer's state from now on, and the given one is freed; undefined when the message must be
 *   given to `receiveSyncMessage`, which may be done although its changes have been applied
 * @throws whatever Automerge throws about the changes
 */
export function quickReceive(handle: Handle, state: SyncState, message: SyncMessage): SyncState | undefined {
  const { heads, need, have } = message;
  const changes = splitChanges(message.changes);
  if (!isOrdinary(message) || changes === undefined) return undefined;
  if (state.readOnly && changes.length > 0) return undefined;
  const known = wasm.exportSyncState(state);
  if (known.peerReadOnly || known.theirCapabilities?.join() !== KNOWN_CAPABILITIES) return undefined;
  const before = handle.getHeads();
  if (changes.length > 0) handle.applyChanges(changes);
  if (!holds(handle, [...heads, ...have.flatMap(({ lastSync }) => lastSync)])) return undefined;
  const lacking = handle.getChangesMeta(heads).map(({ hash }) => hash);
  const next = wasm.importSyncState({
    ...known,
    sharedHeads: heads,
    lastSentHeads: changes.length === 0 && sameHeads(heads, before) ? heads : known.lastSentHeads,
    theirHeads: heads,
    theirNeed: need,
    theirHave: have,
    theirCapabilities: CAPABILITIES_TO_IMPORT,
    sentHashes: keepOnly(known.sentHashes, lacking),
    inFlight: false,
  });
  state.free();
  return next;
}

function isOrdinary({ type, supportedCapabilities, heads }: SyncMessage): boolean {
  return type === "v2" && supportedCapabilities?.join() === STEADY_CAPABILITIES && heads.length > 0;
}

/** @returns each change by itself, several may come in one piece; undefined when anything else is among them */
function splitChanges(pieces: readonly Uint8Array[]): Uint8Array[] | undefined {
  const changes: Uint8Array[] = [];
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; ) {
      const end = endOfChange(piece, start);
      if (end === undefined) return undefined;
      changes.push(piece.subarray(start, end));
      start = end;
    }
  }
  return changes;
}

/** The type is followed by the length of the rest, 7 bits a byte, low ones first. */
function endOfChange(bytes: Uint8Array, start: number): number | undefined {
  if (!CHANGE_TYPES.includes(bytes[start + TYPE_OFFSET])) return undefined;
  let length = 0;
  let factor = 1;
  for (let at = start + TYPE_OFFSET + 1; factor < 2 ** 35; at += 1, factor *= 128) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    length += (byte % 128) * factor;
    if (byte < 128) return at + 1 + length <= bytes.length ? at + 1 + length : undefined;
  }
  return undefined;
}

const holds = (handle: Handle, hashes: readonly string[]): boolean =>
  hashes.every((hash) => handle.getChangeMetaByHash(hash) !== null);

function keepOnly(sent: PlainSyncState["sentHashes"], hashes: readonly string[]): Record<string, true> {
  return Object.fromEntries(hashes.filter((hash) => Object.hasOwn(sent, hash)).map((hash) => [hash, true]));
}
