/**
 * What a replica sends. A frame is one byte that says its type, and a body. Type and size are looked at before
 * anything is decoded.
 *
 * @module
 */
import { bytesFromHex, concatBytes } from "../format/bytes.js";
import { ControlFields, encodeControl, pointToWire } from "./control.js";
import { bytesOf, FrameReader, FrameWriter, HASH_BYTES, ID_BYTES } from "./frame-bytes.js";
import { LOG_LIMITS } from "./limits.js";
import { malformedFrame } from "./malformed.js";
import type { LogPoint } from "./marks.js";
import { type Packed, readPacked, writePacked } from "./packed.js";

/** Asks for the log. A second one in a session begins anew. */
export interface SubscribeFrame {
  /** Which frame this is. */
  readonly type: "subscribe";
  /** Points that the replica has read to, newest first. */
  readonly marks: readonly LogPoint[];
  /** How many bytes of entries the relay may send before the next `credit`. */
  readonly credit: number;
  /** How the segments are compressed that the replica can read. Default: it reads none. */
  readonly reads?: readonly string[];
}

/** Changes, forks and retirements, all of them or none. */
export interface BatchFrame {
  /** Which frame this is. */
  readonly type: "batch";
  /** Counts the batches of a session from 1, without gaps. */
  readonly n: number;
  /** The number that was refused last, in the first batch after a refusal; else 0. */
  readonly resume: number;
  /** Made by {@link encodeItems}, read by {@link decodeBatchItems}. */
  readonly items: Packed;
  /**
   * What takes the place of documents that are to be retired is under way. Only for a relay whose `welcome` has the
   * limit `overQuotaPercent`: this much more than its quota the space may have until then.
   */
  readonly makesRoom?: true;
}

/** Asks which heads documents have. */
export interface AskHeadsFrame {
  /** Which frame this is. */
  readonly type: "heads";
  /** Comes back with each answer. */
  readonly ask: number;
  /** Which documents: those that have entries above a position, or these. */
  readonly of: { readonly after: number } | { readonly documents: readonly string[] };
}

/** Asks for the changes of one document, whatever has been read of the log. */
export interface FetchFrame {
  /** Which frame this is. */
  readonly type: "fetch";
  /** Comes back with each answer. */
  readonly ask: number;
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** Changes that the replica has, with all that they follow. */
  readonly have: readonly string[];
}

/** The relay may send more entries. */
export interface CreditFrame {
  /** Which frame this is. */
  readonly type: "credit";
  /** How many bytes more. */
  readonly bytes: number;
}

/** Passed on to the other sessions of the space, and never stored. */
export interface EphemeralFrame {
  /** Which frame this is. */
  readonly type: "ephemeral";
  /** Whatever the replicas agree on. */
  readonly bytes: Uint8Array;
}

/** What this replica leaves for the others, in place of what it left before. */
export interface SlotFrame {
  /** Which frame this is. */
  readonly type: "slot";
  /** 32 hexadecimal digits. */
  readonly replica: string;
  /** Sealed. */
  readonly bytes: Uint8Array;
}

/** Everything that a replica may send. */
export type LogClientFrame =
  | SubscribeFrame
  | BatchFrame
  | AskHeadsFrame
  | FetchFrame
  | CreditFrame
  | EphemeralFrame
  | SlotFrame;

/** Methods that a replica names, and characters in the name of each. */
const MAX_READS = 16;
const TYPES = { subscribe: 1, batch: 2, heads: 3, fetch: 4, credit: 5, ephemeral: 6, slot: 7 } as const;
/** A batch that makes room. */
const MAKING_ROOM = 8;
/** Room for the numbers before what is counted. */
const HEAD_BYTES = 32;

/** The most bytes that a frame of a replica may have, with its type. */
const MAX_BYTES: Readonly<Record<number, number>> = {
  [TYPES.batch]: LOG_LIMITS.batchBytes + HEAD_BYTES,
  [MAKING_ROOM]: LOG_LIMITS.batchBytes + HEAD_BYTES,
  [TYPES.ephemeral]: LOG_LIMITS.ephemeralBytes + 1,
  [TYPES.slot]: LOG_LIMITS.slotBytes + ID_BYTES + 1,
};

/**
 * @throws {CambiumError} RELAY_PROTOCOL when the frame is larger than the protocol allows
 * @example
 * const items = pack(encodeItems([{ kind: "change", document, chunk }]), deflateRawSync);
 * socket.send(encodeClientFrame({ type: "batch", n: 1, resume: 0, items }));
 */
export function encodeClientFrame(frame: LogClientFrame): Uint8Array {
  const bytes = encoded(frame);
  checkSize(TYPES[frame.type], bytes.length);
  return bytes;
}

function encoded(frame: LogClientFrame): Uint8Array {
  switch (frame.type) {
    case "subscribe":
      return control(frame.type, {
        ...{ marks: frame.marks.map(pointToWire), credit: frame.credit, reads: frame.reads },
      });
    case "batch": {
      const writer = new FrameWriter().byte(frame.makesRoom ? MAKING_ROOM : TYPES.batch);
      return writePacked(writer.unsigned(frame.n).unsigned(frame.resume), frame.items);
    }
    case "heads":
      return control(frame.type, {
        ask: frame.ask,
        after: "after" in frame.of ? frame.of.after : undefined,
        documents:
          "documents" in frame.of
            ? frame.of.documents.map((id) => bytesOf(id, ID_BYTES, "an id"))
            : undefined,
      });
    case "fetch":
      return control(frame.type, {
        ask: frame.ask,
        document: bytesOf(frame.document, ID_BYTES, "an id"),
        have: frame.have.map((hash) => bytesOf(hash, HASH_BYTES, "a hash")),
      });
    case "credit":
      return control(frame.type, { bytes: frame.bytes });
    case "ephemeral":
      return concatBytes(Uint8Array.of(TYPES.ephemeral), frame.bytes);
    case "slot":
      return concatBytes(Uint8Array.of(TYPES.slot), bytesFromHex(frame.replica), frame.bytes);
  }
}

const control = (type: keyof typeof TYPES, fields: Readonly<Record<string, unknown>>): Uint8Array =>
  concatBytes(Uint8Array.of(TYPES[type]), encodeControl(fields));

/**
 * Reads one frame of a replica. Nothing is inflated, and no chunk is looked at.
 *
 * @returns views of the bytes that were given, not copies
 * @throws {CambiumError} RELAY_PROTOCOL when it is not a frame of this protocol in every detail
 */
export function decodeClientFrame(bytes: Uint8Array): LogClientFrame {
  const type = bytes[0];
  if (type === undefined) throw malformedFrame("it is empty");
  checkSize(type, bytes.length);
  const body = bytes.subarray(1);
  switch (type) {
    case TYPES.batch:
      return batchOf(body);
    case MAKING_ROOM:
      return { ...batchOf(body), makesRoom: true };
    case TYPES.ephemeral:
      return { type: "ephemeral", bytes: body };
    case TYPES.slot: {
      const reader = new FrameReader(body);
      return { type: "slot", replica: reader.id(), bytes: reader.take(reader.left) };
    }
    default:
      return controlOf(type, body);
  }
}

const NAMES = new Map<number, LogClientFrame["type"]>([
  ...Object.entries(TYPES).map(([name, type]) => [type, name as LogClientFrame["type"]] as const),
  [MAKING_ROOM, "batch"],
]);

/**
 * What a frame of a replica says that it is, without a look at the rest.
 *
 * @returns undefined for what no frame of this protocol begins with
 */
export const clientFrameType = (bytes: Uint8Array): LogClientFrame["type"] | undefined =>
  NAMES.get(bytes[0] ?? 0);

function checkSize(type: number, length: number): void {
  if (length > (MAX_BYTES[type] ?? LOG_LIMITS.controlBytes + 1)) throw malformedFrame("it is too large");
}

function batchOf(body: Uint8Array): BatchFrame {
  const reader = new FrameReader(body);
  const [n, resume] = [reader.unsigned(), reader.unsigned()];
  if (n < 1 || n > MAX_UINT32 || resume > MAX_UINT32) throw malformedFrame("a batch has a bad number");
  return { type: "batch", n, resume, items: readPacked(reader, LOG_LIMITS.batchBytes) };
}

const MAX_UINT32 = 0xffff_ffff;

function controlOf(type: number, body: Uint8Array): LogClientFrame {
  switch (type) {
    case TYPES.subscribe: {
      const fields = new ControlFields(body);
      const marks = fields.points("marks", LOG_LIMITS.marks);
      const reads = fields.has("reads") ? { reads: fields.texts("reads", MAX_READS, MAX_READS) } : {};
      return { type: "subscribe", marks, credit: fields.number("credit"), ...reads };
    }
    case TYPES.heads: {
      const fields = new ControlFields(body);
      const of = fields.has("documents")
        ? { documents: fields.ids("documents", LOG_LIMITS.askedDocuments) }
        : { after: fields.number("after") };
      return { type: "heads", ask: fields.number("ask"), of };
    }
    case TYPES.fetch: {
      const fields = new ControlFields(body);
      const have = fields.hashes("have", LOG_LIMITS.fetchHave);
      return { type: "fetch", ask: fields.number("ask"), document: fields.id("document"), have };
    }
    case TYPES.credit:
      return { type: "credit", bytes: new ControlFields(body).number("bytes") };
    default:
      throw malformedFrame(`frames of type ${type} are unknown`);
  }
}
