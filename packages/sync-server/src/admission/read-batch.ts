/**
 * From the items of a batch to what a log takes: each change's header is read from its bytes.
 *
 * @module
 */
import { type ChunkTools, isCambiumError, readChangeHeader } from "@cambium/core";
import { type BatchItem, LOG_LIMITS, markedEntry } from "@cambium/core/wire";
import type { LogItem, Refusal } from "../log/space-log.js";
import { BatchBounds } from "./bounds.js";

/** The type of a chunk is its ninth byte; 1 is a change that is not deflated. */
const TYPE_OFFSET = 8;
const CHANGE_TYPE = 1;

/** @returns the items, or why the batch cannot be taken */
export function readBatch(items: readonly BatchItem[], tools: ChunkTools): readonly LogItem[] | Refusal {
  const read: LogItem[] = [];
  const bounds = new BatchBounds();
  for (const [item, wanted] of items.entries()) {
    const found = readItem(wanted, tools);
    const refusal = "code" in found ? found : bounds.refusal(found);
    if ("code" in found || refusal !== undefined)
      return { ...(refusal as Refusal), item, document: wanted.document };
    read.push(found);
  }
  return read;
}

function readItem(item: BatchItem, tools: ChunkTools): LogItem | Refusal {
  if (item.kind !== "change") return { ...item, hash: markedEntry(item, tools).hash };
  const { document, chunk } = item;
  if (chunk.length > LOG_LIMITS.changeBytes)
    return { code: "TOO_LARGE", message: `A change has at most ${LOG_LIMITS.changeBytes} bytes.` };
  if (chunk[TYPE_OFFSET] !== CHANGE_TYPE)
    return { code: "BAD_CHUNK", message: "It is not a change chunk that is not deflated." };
  try {
    return { kind: "change", document, ...readChangeHeader(chunk, tools), bytes: chunk };
  } catch (error) {
    if (!isCambiumError(error, "BAD_CHUNK")) throw error;
    return { code: "BAD_CHUNK", message: error.message };
  }
}
