/**
 * The sync messages of Automerge, looked at before Automerge gets them.
 *
 * @module
 */
import { CambiumError } from "../errors.js";
import { ChunkReader } from "../format/chunk-reader.js";

/** The first byte of a sync message, by its form. */
const SYNC_MESSAGE_TYPES: readonly number[] = [0x42, 0x43];
const HASH_BYTES = 32;
const MAX_HASHES = 100_000;
const MAX_FILTERS = 64;

/** How much a sync message says. */
export interface SyncMessageParts {
  /** How many heads its sender states. */
  readonly heads: number;
  /** How many chunks of changes are in it. */
  readonly changes: number;
}

/**
 * Walks through a sync message of Automerge as Automerge would, without it. What follows the changes is left to it.
 *
 * @throws {CambiumError} RELAY_PROTOCOL when it is none, or one at which Automerge would panic or compute for long
 */
export function syncMessageParts(data: Uint8Array): SyncMessageParts {
  const reader = new ChunkReader(data, malformed);
  if (!SYNC_MESSAGE_TYPES.includes(reader.byte())) throw malformed("it begins otherwise");
  const heads = skipHashes(reader);
  skipHashes(reader); // those that it needs
  const filters = reader.unsigned();
  if (filters > MAX_FILTERS) throw malformed("it has too many filters");
  for (let left = filters; left > 0; left -= 1) {
    skipHashes(reader);
    checkFilter(reader.lengthPrefixed());
  }
  const changes = reader.unsigned();
  for (let left = changes; left > 0; left -= 1) reader.lengthPrefixed();
  return { heads, changes };
}

function skipHashes(reader: ChunkReader): number {
  const count = reader.unsigned();
  if (count > MAX_HASHES) throw malformed("it names too many changes");
  reader.take(count * HASH_BYTES);
  return count;
}

/** More than any Automerge writes, which is 10 and 7. */
const MAX_BITS_OR_PROBES = 64;

/**
 * A Bloom filter is the number of entries, of bits for each and of probes, and its bits. Automerge panics at one
 * without bits, and probes as often as it is told.
 */
function checkFilter(filter: Uint8Array): void {
  if (filter.length === 0) return;
  const reader = new ChunkReader(filter, malformed);
  const [entries, bits, probes] = [reader.unsigned(), reader.unsigned(), reader.unsigned()];
  const bytes = Math.ceil((entries * bits) / 8);
  if (bytes === 0 || bytes !== reader.left) throw malformed("a filter has not the bits that it should");
  if (bits > MAX_BITS_OR_PROBES || probes > MAX_BITS_OR_PROBES) throw malformed("a filter is too dear");
}

const malformed = (what: string): CambiumError =>
  new CambiumError("RELAY_PROTOCOL", `Not a sync message of Automerge: ${what}.`);
