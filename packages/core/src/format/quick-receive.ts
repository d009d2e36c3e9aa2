/**
 * Taking in a sync message in time that does not grow with the document's history.
 *
 * Automerge's `receiveSyncMessage` walks every ancestor of the heads that a message states, to forget what
 * it need not send again: 2 to 4 ms at 30,000 changes, for each message and each acknowledgement. In the steady
 * state, where the document then holds all stated heads, what may have to be sent again lies above those
 * heads, a handful of changes.
 *
 * Plan: apply the changes; if every stated head is held now, write down what `receiveSyncMessage` would
 * have concluded; leave every other case to Automerge. A test of the relay compares the two, state by state.
 *
 * @module
 */

/** What a message of the steady state says of its sender. */
const STEADY_CAPABILITIES = "supports-sync-reset";
/** The same, as Automerge reads them: it writes `sync-reset` and understands only the longer name. */
const CAPABILITIES_TO_IMPORT = ["message-v2", "supports-sync-reset"];
/** A chunk's type follows four bytes that mark it and four of its checksum. */
const TYPE_OFFSET = 8;
/** Plain and compressed; whole documents and bundles are left to Automerge. */
const CHANGE_TYPES: readonly (number | undefined)[] = [1, 2];

/** A sync message as Automerge decodes it; its published type omits the last two fields. */
export interface SyncMessage {
  /** The sender's heads. */
  readonly heads: string[];
  /** Hashes of changes that the sender asks for. */
  readonly need: string[];
  /** What the sender has beyond a common state, as Bloom filters. */
  readonly have: { lastSync: string[]; bloom: Uint8Array }[];
  /** Changes for us, as Automerge encodes them. */
  readonly changes: Uint8Array[];
  /** `v1` or `v2`. Absent in the type that Automerge publishes. */
  readonly type?: string;
  /** What the sender understands. Absent from old senders. */
  readonly supportedCapabilities?: readonly string[];
}

/** What a peer is known to hold, as plain data, in the parts that concern us; the rest is carried along. */
export interface PlainSyncState {
  /** Our heads in the last message that we sent. */
  readonly lastSentHeads: string[];
  /** Changes sent and not known to have arrived. */
  readonly sentHashes: Readonly<Record<string, boolean>>;
  /** Absent before their first message. */
  readonly theirCapabilities?: readonly string[];
  /** Whether the peer takes no changes. */
  readonly peerReadOnly: boolean;
  /** Whether we take no changes from the peer. */
  readonly readOnly: boolean;
}

/** The part of Automerge's handle of a document that is needed. */
export interface SyncedHandle {
  /** Hashes of the document's last changes. */
  getHeads(): string[];
  /** Takes changes in, or holds those back that lack a dependency. Throws what Automerge throws. */
  applyChanges(changes: Uint8Array[]): void;
  /** Null for a change that the document does not hold. */
  getChangeMetaByHash(hash: string): unknown;
  /** All changes that are not ancestors of `since`. */
  getChangesMeta(since: string[]): readonly { readonly hash: string }[];
}

/**
 * Takes in a message, if it is one of the steady state.
 *
 * @param known - what the peer is known to hold
 * @returns the same from now on; undefined when the message must be given to `receiveSyncMessage`, which may be
 *   done although its changes have been applied
 * @throws whatever Automerge throws about the changes
 */
export function quickReceive<State extends PlainSyncState>(
  handle: SyncedHandle,
  known: State,
  message: SyncMessage,
): State | undefined {
  const { heads, need, have } = message;
  const changes = splitChanges(message.changes);
  if (!isOrdinary(message) || changes === undefined) return undefined;
  if (known.readOnly && changes.length > 0) return undefined;
  if (known.peerReadOnly || known.theirCapabilities?.includes("message-v2") !== true) return undefined;
  const before = handle.getHeads();
  if (changes.length > 0) handle.applyChanges(changes);
  if (!holds(handle, [...heads, ...have.flatMap(({ lastSync }) => lastSync)])) return undefined;
  const lacking = handle.getChangesMeta(heads).map(({ hash }) => hash);
  return {
    ...known,
    sharedHeads: heads,
    lastSentHeads: changes.length === 0 && sameHeads(heads, before) ? heads : known.lastSentHeads,
    theirHeads: heads,
    theirNeed: need,
    theirHave: have,
    theirCapabilities: CAPABILITIES_TO_IMPORT,
    sentHashes: keepOnly(known.sentHashes, lacking),
    inFlight: false,
  };
}

/** Order says nothing about heads. */
export function sameHeads(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((head) => b.includes(head));
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

const holds = (handle: SyncedHandle, hashes: readonly string[]): boolean =>
  hashes.every((hash) => handle.getChangeMetaByHash(hash) !== null);

function keepOnly(sent: PlainSyncState["sentHashes"], hashes: readonly string[]): Record<string, true> {
  return Object.fromEntries(hashes.filter((hash) => sent[hash] === true).map((hash) => [hash, true]));
}
