/**
 * The frames of automerge-repo's protocol, checked before anything else looks at them: type and number of values
 * before a frame is decoded, and the parts of a sync message before Automerge gets it. See docs/protocol.md.
 *
 * @module
 */
import { CambiumError, documentIdToHex, isCambiumError } from "@cambium/core";
import { scanCbor, syncMessageParts } from "@cambium/core/wire";
import { decode, encode, Token, Type } from "cborg";

export type ClientFrame = JoinFrame | SyncFrame | EphemeralFrame | { readonly type: "ignored" };

export interface JoinFrame {
  readonly type: "join";
  /** What the client calls itself; only echoed. */
  readonly senderId: string;
  readonly supported: boolean;
}

export interface SyncFrame {
  /** `request` says that the sender has nothing of the document. */
  readonly type: "sync" | "request";
  /** As automerge-repo writes it, in base58. */
  readonly documentId: string;
  /** The same as 32 hexadecimal digits. */
  readonly document: string;
  readonly data: Uint8Array;
  /** How many heads and changes the message has. */
  readonly heads: number;
  readonly changes: number;
}

/** What clients say to each other, and nobody stores. */
export interface EphemeralFrame {
  readonly type: "ephemeral";
  readonly documentId: string;
  readonly document: string;
  /** Whose words they are. */
  readonly senderId: string;
  /** Counts a client's messages, so that none is heard twice. */
  readonly count: number;
  readonly sessionId: string;
  readonly data: Uint8Array;
}

interface Route {
  readonly senderId: string;
  readonly targetId: string;
}

export type StockRelayFrame = Route &
  (
    | {
        readonly type: "peer";
        readonly peerMetadata: { readonly isEphemeral: true };
        readonly selectedProtocolVersion: "1";
      }
    | { readonly type: "error"; readonly message: string }
    | { readonly type: "sync"; readonly documentId: string; readonly data: Uint8Array }
    | { readonly type: "doc-unavailable"; readonly documentId: string }
    | Omit<EphemeralFrame, "document" | "senderId">
  );

/**
 * @returns the frame as CBOR, with whole numbers beyond 32 bits as floats: cbor-x, which stock clients use,
 *   reads long integers as `BigInt`, which then cannot be printed and ends the client's process
 */
export function encodeFrame(frame: StockRelayFrame): Uint8Array {
  return encode(frame, { typeEncoders: { number: longNumberToFloat } });
}

const longNumberToFloat = (value: number): Token | null =>
  value > MAX_UINT32 ? new Token(Type.float, value) : null;
const MAX_UINT32 = 0xffff_ffff;

/** Kinds that a stock client may send and that are nothing to a relay. */
const IGNORED = new Set(["doc-unavailable", "remote-heads-changed", "remote-subscription-change", "leave"]);
const MAX_NAME_LENGTH = 256;
const MAX_DOCUMENT_ID_LENGTH = 28;
const MAX_EPHEMERAL_BYTES = 64 * 1024;

/**
 * Reads one frame of a client.
 *
 * @throws {CambiumError} RELAY_PROTOCOL when it is not a message of the protocol in every detail
 */
export function decodeClientFrame(bytes: Uint8Array): ClientFrame {
  const message = decodeMap(bytes);
  const type = stringField(message, "type", 64);
  switch (type) {
    case "join":
      return {
        type,
        senderId: stringField(message, "senderId", MAX_NAME_LENGTH),
        supported: supports(message),
      };
    case "sync":
    case "request": {
      const data = bytesField(message, "data");
      return { type, ...idsOf(message), data, ...syncMessageParts(data) };
    }
    case "ephemeral": {
      const data = bytesField(message, "data");
      if (data.length > MAX_EPHEMERAL_BYTES) throw malformed('"data" is too large to be passed on');
      const sessionId = stringField(message, "sessionId", MAX_NAME_LENGTH);
      const senderId = stringField(message, "senderId", MAX_NAME_LENGTH);
      return { type, senderId, ...idsOf(message), count: countField(message), sessionId, data };
    }
    default:
      if (IGNORED.has(type)) return { type: "ignored" };
      throw malformed(`messages of type "${type}" are unknown`);
  }
}

type FrameMap = Readonly<Record<string, unknown>>;

function decodeMap(bytes: Uint8Array): FrameMap {
  let value: unknown;
  try {
    scanCbor(bytes);
    // Not `strict`: stock clients write map lengths in two bytes where one would do.
    value = decode(bytes, { rejectDuplicateMapKeys: true, allowIndefinite: false, allowBigInt: false });
  } catch (cause) {
    throw malformed("the frame is not CBOR, or has too many values", cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array) {
    throw malformed("the frame is not a map");
  }
  return value as FrameMap;
}

/** Only what the frame itself says: a decoded `__proto__` must not fill in for a field. */
const field = (message: FrameMap, name: string): unknown =>
  Object.hasOwn(message, name) ? message[name] : undefined;

function stringField(message: FrameMap, name: string, maxLength: number): string {
  const value = field(message, name);
  if (typeof value !== "string" || value === "" || value.length > maxLength) {
    throw malformed(`"${name}" must be a text of 1 to ${maxLength} characters`);
  }
  return value;
}

function bytesField(message: FrameMap, name: string): Uint8Array {
  const value = field(message, name);
  if (!(value instanceof Uint8Array) || value.length === 0) throw malformed(`"${name}" must be bytes`);
  return value;
}

function countField(message: FrameMap): number {
  const count = field(message, "count");
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  throw malformed('"count" must be a whole number');
}

function supports(message: FrameMap): boolean {
  const versions = field(message, "supportedProtocolVersions");
  return versions === undefined || (Array.isArray(versions) && versions.includes("1"));
}

function idsOf(message: FrameMap): { readonly documentId: string; readonly document: string } {
  const documentId = stringField(message, "documentId", MAX_DOCUMENT_ID_LENGTH);
  const document = hexOf(documentId);
  if (document === undefined) throw malformed('"documentId" is not a document id');
  return { documentId, document };
}

/** @returns undefined when the text is not base58check of 16 bytes */
export function hexOf(documentId: string): string | undefined {
  if (documentId.length > MAX_DOCUMENT_ID_LENGTH) return undefined;
  try {
    return documentIdToHex(documentId);
  } catch (error) {
    if (isCambiumError(error)) return undefined;
    throw error;
  }
}

const malformed = (what: string, cause?: unknown): CambiumError =>
  new CambiumError("RELAY_PROTOCOL", `Not a message of this protocol: ${what}.`, { cause });
