/**
 * How much a chunk becomes in memory, read without Automerge. Equal values take no room in a column: 170 bytes hold
 * ten million operations, for which Automerge takes 20 seconds and half a gigabyte. And columns of a whole document may
 * be deflated, which Automerge inflates without a bound.
 *
 * @module
 */
import { type Chunk, type ChunkTools, changeColumns, plainChange } from "./change-header.js";
import { badChunk, ChunkReader } from "./chunk-reader.js";

/** Of all columns of a whole document. */
const MAX_PLAIN_BYTES = 64 * 1024 * 1024;
/** A small document may have so many; of a larger one, so many times its bytes. */
const SMALL_PLAIN_BYTES = 8 * 1024 * 1024;
const MAX_RATIO = 32;
const HASH_BYTES = 32;
/** In the number of a column. */
const DEFLATED = 8;
/** What a column holds, by the last three bits of its number. All others are numbers. */
const TYPES = { flags: 4, texts: 5, bytes: 7 } as const;

/**
 * @returns the most rows of one of its columns: operations, what they replace, or changes
 * @throws {CambiumError} BAD_CHUNK when it cannot be measured, or is far more without compression
 */
export function chunkSize({ kind, bytes }: Chunk, tools: ChunkTools): number {
  if (kind === "bundle") throw badChunk("several in one are not read here");
  if (kind === "document") return documentSize(bytes, tools);
  let rows = 0;
  for (const [column, stored] of changeColumns(plainChange(bytes, tools)))
    rows = Math.max(rows, rowsOf(column, stored));
  return rows;
}

function documentSize(bytes: Uint8Array, tools: ChunkTools): number {
  const reader = new ChunkReader(bytes);
  reader.take(9); // mark, checksum, kind
  reader.unsigned(); // length
  reader.list(1, () => reader.lengthPrefixed()); // actors
  reader.list(HASH_BYTES, () => reader.take(HASH_BYTES)); // heads
  const layout = [reader, reader].flatMap((from) =>
    from.list(2, () => [from.unsigned(), from.unsigned()] as const),
  );
  const mostBytes = Math.min(MAX_PLAIN_BYTES, SMALL_PLAIN_BYTES + bytes.length * MAX_RATIO);
  let [rows, plainBytes] = [0, 0];
  for (const [column, length] of layout) {
    const stored = reader.take(length);
    const isDeflated = Math.floor(column / DEFLATED) % 2 === 1;
    const plain = isDeflated ? inflated(stored, mostBytes - plainBytes, tools) : stored;
    plainBytes += plain.length;
    rows = Math.max(rows, rowsOf(column, plain));
  }
  return rows;
}

function inflated(bytes: Uint8Array, mostBytes: number, tools: ChunkTools): Uint8Array {
  try {
    return tools.inflate(bytes, Math.max(1, mostBytes));
  } catch (cause) {
    throw badChunk("it cannot be inflated", cause);
  }
}

function rowsOf(column: number, bytes: Uint8Array): number {
  const [type, reader] = [column % 8, new ChunkReader(bytes)];
  let rows = 0;
  if (type === TYPES.bytes) return rows;
  if (type === TYPES.flags) {
    while (reader.left > 0) rows += reader.unsigned();
    return rows;
  }
  const skip = type === TYPES.texts ? () => reader.lengthPrefixed() : () => reader.skipNumber();
  while (reader.left > 0) {
    const count = reader.signed();
    rows += count === 0 ? reader.unsigned() : Math.abs(count);
    for (let values = count > 0 ? 1 : -count; values > 0; values -= 1) skip();
  }
  return rows;
}
