/**
 * The entry point of the log protocol: what a replica and a relay say to each other, as bytes. docs/relay-log.md tells
 * what the frames mean.
 *
 * @module
 */
import "./supported-node.js";

export {
  type AskHeadsFrame,
  type BatchFrame,
  type CreditFrame,
  clientFrameType,
  decodeClientFrame,
  type EphemeralFrame,
  encodeClientFrame,
  type FetchFrame,
  type LogClientFrame,
  type SlotFrame,
  type SubscribeFrame,
} from "./wire/client-frames.js";
export { scanCbor } from "./wire/control.js";
export { type EntryTools, type ReadEntry, readEntries } from "./wire/entries.js";
export {
  type BatchItem,
  type ChangeItem,
  countItems,
  decodeBatchItems,
  decodeEntryItems,
  type EntryItem,
  encodeItems,
  type ForkItem,
  ItemList,
  itemBody,
  type KnownItem,
  LOG_KINDS,
  markedEntry,
  type OtherItem,
  type RetireItem,
} from "./wire/items.js";
export { LOG_LIMITS, LOG_PROTOCOL } from "./wire/limits.js";
export {
  LOG_START,
  type LogPoint,
  type MarkedEntry,
  nextPoint,
  samePoint,
  sparsePoints,
} from "./wire/marks.js";
export {
  type Deflate,
  isSegment,
  type Packed,
  type PackedSegment,
  pack,
  SEGMENT_METHODS,
  type SegmentMethod,
  unpack,
} from "./wire/packed.js";
export {
  type DocumentHeads,
  decodeRelayFrame,
  type EntriesFrame,
  encodeRelayFrame,
  type FetchedFrame,
  type HeadsFrame,
  type LogRelayFrame,
  type ReceiptFrame,
  type RefusedFrame,
  type Slot,
  type SlotsFrame,
  type StateFrame,
  sizeOfEntries,
  type WelcomeFrame,
} from "./wire/relay-frames.js";
export { type SegmentEntry, SegmentReader, SegmentWriter } from "./wire/segment.js";
export { type SyncMessageParts, syncMessageParts } from "./wire/sync-message.js";
