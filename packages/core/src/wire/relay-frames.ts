/**
 * What a relay sends. Its types are numbered apart from those of a replica.
 *
 * @module
 */
import { concatBytes } from "../format/bytes.js";
import type { EphemeralFrame } from "./client-frames.js";
import { ControlFields, encodeControl, pointToWire } from "./control.js";
import { bytesOf, FrameReader, FrameWriter, HASH_BYTES, ID_BYTES } from "./frame-bytes.js";
import { LOG_LIMITS } from "./limits.js";
import { malformedFrame } from "./malformed.js";
import type { LogPoint } from "./marks.js";
import { type Packed, type PackedSegment, readAny, readPacked, writePacked } from "./packed.js";

/** The first frame of a session. */
export interface WelcomeFrame {
  /** Which frame this is. */
  readonly type: "welcome";
  /** The token's space. */
  readonly space: string;
  /** What the token allows: `read`, `write` or `admin`. */
  readonly role: string;
  /** The relay's clock, in milliseconds since 1970. */
  readonly time: number;
  /** By the names in {@link LOG_LIMITS}, where the relay's own apply. */
  readonly limits: Readonly<Record<string, number>>;
}

/** The answer to `subscribe`. */
export interface StateFrame {
  /** Which frame this is. */
  readonly type: "state";
  /** The newest of the replica's points that the log has. Entries follow from here. */
  readonly common: LogPoint;
  /** Where the log ends now. */
  readonly upTo: LogPoint;
}

/** A stretch of the log. */
export interface EntriesFrame {
  /** Which frame this is. */
  readonly type: "entries";
  /** The position before the first item. */
  readonly from: number;
  /** The point behind the last item. */
  readonly upTo: LogPoint;
  /** Made by {@link encodeItems}, or a segment as it is stored; {@link readEntries} reads both. */
  readonly items: Packed | PackedSegment;
}

/** A batch is in the log, durably. */
export interface ReceiptFrame {
  /** Which frame this is. */
  readonly type: "receipt";
  /** The number of the batch. */
  readonly n: number;
  /** Of each item, in the order of the batch. A change that the log had keeps the position it had. */
  readonly positions: readonly number[];
}

/** Something was not done. Batches that came after a refused one are dropped unseen. */
export interface RefusedFrame {
  /** Which frame this is. */
  readonly type: "refused";
  /** The number of the batch. Absent when a question is refused. */
  readonly n?: number;
  /** The number of the question. */
  readonly ask?: number;
  /** Why; docs/protocol.md has the table. */
  readonly code: string;
  /** Which item of the batch, counted from 0. */
  readonly item?: number;
  /** 32 hexadecimal digits. */
  readonly document?: string;
  /** What is missing, or bad. */
  readonly hashes?: readonly string[];
  /** A sentence. */
  readonly message: string;
}

/** What the relay has of one document. */
export interface DocumentHeads {
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** Hashes of its last changes. */
  readonly heads: readonly string[];
  /** Of its last entry. */
  readonly position: number;
}

/** An answer to `heads`. */
export interface HeadsFrame {
  /** Which frame this is. */
  readonly type: "heads";
  /** The number of the question. */
  readonly ask: number;
  /** Whether this is the last answer. */
  readonly complete: boolean;
  /** In order of position. A document that the relay does not have is left out. */
  readonly documents: readonly DocumentHeads[];
}

/** An answer to `fetch`. */
export interface FetchedFrame {
  /** Which frame this is. */
  readonly type: "fetched";
  /** The number of the question. */
  readonly ask: number;
  /** Whether this is the last answer. */
  readonly complete: boolean;
  /** Made by {@link encodeItems} of changes, each after what it depends on; read by {@link decodeEntryItems}. */
  readonly items: Packed;
}

/** What one replica has left. */
export interface Slot {
  /** 32 hexadecimal digits. */
  readonly replica: string;
  /** Sealed. */
  readonly bytes: Uint8Array;
}

/** What replicas have left for each other: all slots after `subscribe`, later each that changes. */
export interface SlotsFrame {
  /** Which frame this is. */
  readonly type: "slots";
  /** One for each replica. */
  readonly slots: readonly Slot[];
}

/** Everything that a relay may send. */
export type LogRelayFrame =
  | WelcomeFrame
  | StateFrame
  | EntriesFrame
  | ReceiptFrame
  | RefusedFrame
  | HeadsFrame
  | FetchedFrame
  | EphemeralFrame
  | SlotsFrame;

const TYPES = {
  welcome: 65,
  state: 66,
  entries: 67,
  receipt: 68,
  refused: 69,
  heads: 70,
  fetched: 71,
  ephemeral: 72,
  slots: 73,
} as const;
const MAX_TEXT = 1_000;
const MAX_HASHES = 1_000;
/** Position, count, and at least one head. */
const LEAST_DOCUMENT_BYTES = ID_BYTES + 2;
const LEAST_SLOT_BYTES = ID_BYTES + 1;

/** @throws {CambiumError} RELAY_PROTOCOL when the frame is larger than the protocol allows */
export function encodeRelayFrame(frame: LogRelayFrame): Uint8Array {
  const bytes = encoded(frame);
  if (bytes.length > LOG_LIMITS.relayBytes) throw malformedFrame("it is too large");
  return bytes;
}

function encoded(frame: LogRelayFrame): Uint8Array {
  switch (frame.type) {
    case "welcome": {
      const { space, role, time, limits } = frame;
      return control(frame.type, { space, role, time, limits });
    }
    case "state":
      return control(frame.type, { common: pointToWire(frame.common), upTo: pointToWire(frame.upTo) });
    case "entries":
      return writePacked(entriesHead(frame), frame.items);
    case "receipt": {
      const writer = begin(frame.type).unsigned(frame.n).unsigned(frame.positions.length);
      for (const position of frame.positions) writer.unsigned(position);
      return writer.done();
    }
    case "refused":
      return control(frame.type, refusedToWire(frame));
    case "heads":
      return encodedHeads(frame);
    case "fetched":
      return writePacked(
        begin(frame.type)
          .unsigned(frame.ask)
          .byte(frame.complete ? 1 : 0),
        frame.items,
      );
    case "ephemeral":
      return begin(frame.type).bytes(frame.bytes).done();
    case "slots": {
      const writer = begin(frame.type).unsigned(frame.slots.length);
      for (const { replica, bytes } of frame.slots) writer.id(replica).prefixed(bytes);
      return writer.done();
    }
  }
}

const entriesHead = ({ from, upTo: { position, mark } }: EntriesFrame): FrameWriter =>
  begin("entries").unsigned(from).unsigned(position).mark(mark);

/** Returns how many bytes a frame of entries has, which is what it costs of its reader's credit. */
export function sizeOfEntries(frame: EntriesFrame): number {
  const { bytes } = frame.items;
  return writePacked(entriesHead(frame), { ...frame.items, bytes: NO_BYTES }).length + bytes.length;
}

const NO_BYTES = new Uint8Array();
const begin = (type: keyof typeof TYPES): FrameWriter => new FrameWriter().byte(TYPES[type]);
const control = (type: keyof typeof TYPES, fields: Readonly<Record<string, unknown>>): Uint8Array =>
  concatBytes(Uint8Array.of(TYPES[type]), encodeControl(fields));

function refusedToWire({ n, ask, code, item, document, hashes, message }: RefusedFrame) {
  return {
    ...{ n, ask, code, item },
    document: document === undefined ? undefined : bytesOf(document, ID_BYTES, "an id"),
    hashes: hashes?.slice(0, MAX_HASHES).map((hash) => bytesOf(hash, HASH_BYTES, "a hash")),
    message: message.slice(0, MAX_TEXT),
  };
}

function encodedHeads({ ask, complete, documents }: HeadsFrame): Uint8Array {
  const writer = begin("heads")
    .unsigned(ask)
    .byte(complete ? 1 : 0)
    .unsigned(documents.length);
  for (const { document, position, heads } of documents) {
    writer.id(document).unsigned(position).unsigned(heads.length);
    for (const head of heads) writer.hash(head);
  }
  return writer.done();
}

/**
 * Reads one frame of a relay. Nothing is inflated, and no chunk is looked at.
 *
 * @returns views of the bytes that were given, not copies
 * @throws {CambiumError} RELAY_PROTOCOL when it is not a frame of this protocol in every detail
 */
export function decodeRelayFrame(bytes: Uint8Array): LogRelayFrame {
  const type = bytes[0];
  if (type === undefined) throw malformedFrame("it is empty");
  if (bytes.length > LOG_LIMITS.relayBytes) throw malformedFrame("it is too large");
  const body = bytes.subarray(1);
  switch (type) {
    case TYPES.welcome:
    case TYPES.state:
    case TYPES.refused:
      return controlOf(type, new ControlFields(body));
    case TYPES.ephemeral:
      if (body.length > LOG_LIMITS.ephemeralBytes) throw malformedFrame("it is too large");
      return { type: "ephemeral", bytes: body };
    default:
      return listOf(type, new FrameReader(body));
  }
}

type ControlType = typeof TYPES.welcome | typeof TYPES.state | typeof TYPES.refused;

function controlOf(type: ControlType, fields: ControlFields): LogRelayFrame {
  switch (type) {
    case TYPES.welcome:
      return {
        type: "welcome",
        space: fields.text("space", MAX_TEXT),
        role: fields.text("role", MAX_TEXT),
        time: fields.number("time"),
        limits: fields.numbers("limits"),
      };
    case TYPES.state:
      return { type: "state", common: fields.point("common"), upTo: fields.point("upTo") };
    case TYPES.refused:
      return {
        type: "refused",
        ...(fields.has("n") ? { n: fields.number("n") } : {}),
        ...(fields.has("ask") ? { ask: fields.number("ask") } : {}),
        code: fields.text("code", MAX_TEXT),
        ...(fields.has("item") ? { item: fields.number("item") } : {}),
        ...(fields.has("document") ? { document: fields.id("document") } : {}),
        ...(fields.has("hashes") ? { hashes: fields.hashes("hashes", MAX_HASHES) } : {}),
        message: fields.text("message", MAX_TEXT),
      };
  }
}

function listOf(type: number, reader: FrameReader): LogRelayFrame {
  switch (type) {
    case TYPES.entries: {
      const from = reader.unsigned();
      const upTo = { position: reader.unsigned(), mark: reader.mark() };
      return { type: "entries", from, upTo, items: readAny(reader, LOG_LIMITS.relayBytes) };
    }
    case TYPES.fetched: {
      const [ask, complete] = [reader.unsigned(), reader.flag()];
      return { type: "fetched", ask, complete, items: readPacked(reader, LOG_LIMITS.relayBytes) };
    }
    case TYPES.receipt:
      return whole(reader, () => {
        const n = reader.unsigned();
        return {
          type: "receipt",
          n,
          positions: reader.bounded(LOG_LIMITS.batchItems, 1, () => reader.unsigned()),
        };
      });
    case TYPES.heads:
      return whole(reader, () => {
        const [ask, complete] = [reader.unsigned(), reader.flag()];
        const read = (): DocumentHeads => documentHeads(reader);
        const documents = reader.bounded(LOG_LIMITS.relayItems, LEAST_DOCUMENT_BYTES, read);
        return { type: "heads", ask, complete, documents };
      });
    case TYPES.slots:
      return whole(reader, () => {
        const read = (): Slot => ({ replica: reader.id(), bytes: reader.lengthPrefixed() });
        return { type: "slots", slots: reader.bounded(LOG_LIMITS.relayItems, LEAST_SLOT_BYTES, read) };
      });
    default:
      throw malformedFrame(`frames of type ${type} are unknown`);
  }
}

function documentHeads(reader: FrameReader): DocumentHeads {
  const [document, position] = [reader.id(), reader.unsigned()];
  const heads = reader.bounded(LOG_LIMITS.relayItems, HASH_BYTES, () => reader.hash());
  return { document, position, heads };
}

function whole(reader: FrameReader, read: () => LogRelayFrame): LogRelayFrame {
  const frame = read();
  reader.end();
  return frame;
}
