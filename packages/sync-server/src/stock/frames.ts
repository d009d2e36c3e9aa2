/**
 * The frames of the wire protocol, checked before anything else looks at them. See docs/protocol.md.
 *
 * @module
 */
import { CambiumError, documentIdToHex, type ErrorCode } from "@cambium/core";
import { decode, encode, Token, Type } from "cborg";
import type { Role } from "../log/relay-log.js";

export const PROTOCOL_VERSION = 1;

export type ClientFrame = JoinFrame | SyncFrame | ForkFrame | ListFrame | IgnoredFrame;

export interface JoinFrame {
  readonly type: "join";
  /** What the client calls itself; only echoed. */
  readonly senderId: string;
  readonly supported: boolean;
}

export interface SyncFrame {
  /** `request` says that the sender has nothing of the document. */
  readonly type: "sync" | "request";
  readonly documentId: string;
  readonly data: Uint8Array;
}

export interface ForkFrame {
  readonly type: "fork";
  readonly documentId: string;
  readonly from: string;
  readonly heads: readonly string[];
}

export interface ListFrame {
  readonly type: "list";
  readonly after: { readonly generation: string; readonly seq: number } | undefined;
  /** Comes back with the end of the list, so that the client knows this answer from earlier news. */
  readonly ask: number | undefined;
}

/** Part of automerge-repo's protocol, and of no use to a relay. */
export interface IgnoredFrame {
  readonly type: "ignored";
}

export interface HeadsEntry {
  readonly documentId: string;
  readonly heads: readonly string[];
  readonly seq: number;
}

export type RelayFrame =
  | {
      readonly type: "peer";
      readonly senderId: string;
      readonly targetId: string;
      readonly peerMetadata: { readonly isEphemeral: true };
      readonly selectedProtocolVersion: "1";
    }
  | {
      readonly type: "error";
      readonly senderId: string;
      readonly targetId: string;
      readonly message: string;
    }
  | {
      readonly type: "welcome";
      readonly space: string;
      readonly role: Role;
      readonly generation: string;
      readonly time: number;
      readonly lastSeq: number;
      readonly protocol: typeof PROTOCOL_VERSION;
    }
  | {
      readonly type: "sync";
      readonly senderId: string;
      readonly targetId: string;
      readonly documentId: string;
      readonly data: Uint8Array;
    }
  | {
      readonly type: "doc-unavailable";
      readonly senderId: string;
      readonly targetId: string;
      readonly documentId: string;
    }
  | {
      readonly type: "heads";
      readonly generation: string;
      readonly entries: readonly HeadsEntry[];
      readonly lastSeq: number;
      readonly complete: boolean;
      readonly ask?: number;
    }
  | {
      readonly type: "receipt";
      readonly documentId: string;
      readonly heads: readonly string[];
      readonly seq: number;
      readonly generation: string;
    }
  | {
      readonly type: "forked";
      readonly documentId: string;
      readonly from: string;
      readonly heads: readonly string[];
    }
  | {
      readonly type: "refused";
      readonly documentId?: string;
      readonly code: ErrorCode;
      readonly message: string;
      /** The changes that are refused, when they alone are. */
      readonly hashes?: readonly string[];
    };

/**
 * @returns the frame as CBOR, with whole numbers beyond 32 bits as floats: cbor-x, which stock clients use,
 *   reads long integers as `BigInt`, which then cannot be printed and ends the client's process
 */
export function encodeFrame(frame: RelayFrame): Uint8Array {
  return encode(frame, { typeEncoders: { number: longNumberToFloat } });
}

const longNumberToFloat = (value: number): Token | null =>
  value > MAX_UINT32 ? new Token(Type.float, value) : null;
const MAX_UINT32 = 0xffff_ffff;

/** Ignored kinds a stock client may send. */
const IGNORED = new Set([
  "ephemeral",
  "doc-unavailable",
  "remote-heads-changed",
  "remote-subscription-change",
  "leave",
]);
const MAX_PEER_ID_LENGTH = 256;
const MAX_HEADS = 1_024;
const HASH = /^[0-9a-f]{64}$/;

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
        senderId: stringField(message, "senderId", MAX_PEER_ID_LENGTH),
        supported: supports(message),
      };
    case "sync":
    case "request":
      return { type, documentId: documentIdField(message, "documentId"), data: bytesField(message, "data") };
    case "fork":
      return {
        type,
        documentId: documentIdField(message, "documentId"),
        from: documentIdField(message, "from"),
        heads: headsField(message, "heads"),
      };
    case "list":
      return { type, after: afterField(message), ask: askField(message) };
    default:
      if (IGNORED.has(type)) return { type: "ignored" };
      throw malformed(`messages of type "${type}" are unknown`);
  }
}

type FrameMap = Readonly<Record<string, unknown>>;

function decodeMap(bytes: Uint8Array): FrameMap {
  let value: unknown;
  try {
    // Not `strict`: stock clients write map lengths in two bytes where one would do.
    value = decode(bytes, { rejectDuplicateMapKeys: true, allowIndefinite: false, allowBigInt: false });
  } catch (cause) {
    throw malformed("the frame is not CBOR", cause);
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

function headsField(message: FrameMap, name: string): readonly string[] {
  const value = field(message, name);
  const isHeads =
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_HEADS &&
    value.every((head) => typeof head === "string" && HASH.test(head));
  if (!isHeads) throw malformed(`"${name}" must be 1 to ${MAX_HEADS} change hashes`);
  return [...new Set<string>(value)];
}

function afterField(message: FrameMap): ListFrame["after"] {
  const value = field(message, "after");
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object") throw malformed('"after" must be a map');
  const after = value as FrameMap;
  const seq = field(after, "seq");
  if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 0) {
    throw malformed('"after.seq" must be a whole number');
  }
  return { generation: stringField(after, "generation", MAX_PEER_ID_LENGTH), seq };
}

function askField(message: FrameMap): number | undefined {
  const ask = field(message, "ask");
  if (ask === undefined) return undefined;
  if (typeof ask === "number" && Number.isSafeInteger(ask) && ask >= 0) return ask;
  throw malformed('"ask" must be a whole number');
}

function supports(message: FrameMap): boolean {
  const versions = field(message, "supportedProtocolVersions");
  return versions === undefined || (Array.isArray(versions) && versions.includes("1"));
}

function documentIdField(message: FrameMap, name: string): string {
  const id = stringField(message, name, MAX_DOCUMENT_ID_LENGTH);
  if (!isDocumentId(id)) throw malformed(`"${name}" is not a document id`);
  return id;
}

const MAX_DOCUMENT_ID_LENGTH = 28;
/** @returns whether the text is base58check of 16 bytes */
export function isDocumentId(id: string): boolean {
  if (id.length > MAX_DOCUMENT_ID_LENGTH) return false;
  try {
    documentIdToHex(id);
    return true;
  } catch (error) {
    if (error instanceof CambiumError) return false;
    throw error;
  }
}

const malformed = (what: string, cause?: unknown): CambiumError =>
  new CambiumError("RELAY_PROTOCOL", `Not a message of this protocol: ${what}.`, { cause });
