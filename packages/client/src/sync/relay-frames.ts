/**
 * The frames of the relay's protocol, checked before anything else looks at them. See docs/protocol.md.
 *
 * @module
 */
import { decodeSyncMessage } from "@automerge/automerge";
import { compareText, documentIdToHex, isCambiumError, isUuid } from "@cambium/core";
import { type DecodeOptions, decode, encode, Tokenizer } from "cborg";
import * as z from "zod";

export const PROTOCOL_VERSION = 1;
/** automerge-repo's own protocol, which the rest rides on. */
export const REPO_PROTOCOL_VERSION = "1";

/** Enough for a list of 500 documents with a thousand heads each; a hostile frame is given up after it. */
const MAX_TOKENS = 1_000_000;
const MAX_DOCUMENT_ID_LENGTH = 28;

const shortText = z.string().min(1).max(256);
const position = z.int().nonnegative();
const documentId = z.string().refine(isDocumentId, "not a document id");
/** Sorted, because order says nothing about heads and comparing has to be cheap. */
const heads = z
  .array(z.string().regex(/^[0-9a-f]{64}$/))
  .max(10_000)
  .transform((hashes): readonly string[] => [...new Set(hashes)].sort(compareText));
const syncData = z.instanceof(Uint8Array).refine(isSyncMessage, "not a sync message");

const typedSchema = z.object({ type: z.string() });
const frameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("peer"),
    senderId: shortText,
    selectedProtocolVersion: z.literal(REPO_PROTOCOL_VERSION),
  }),
  z.object({ type: z.literal("error"), message: z.string().max(4_096) }),
  z.object({
    type: z.literal("welcome"),
    space: z.string().refine(isUuid, "not a space id"),
    role: z.enum(["read", "write", "admin"]),
    generation: shortText,
    time: z.number().nonnegative(),
    lastSeq: position,
    protocol: z.int(),
  }),
  z.object({ type: z.literal("sync"), documentId, data: syncData }),
  z.object({ type: z.literal("request"), documentId, data: syncData }),
  z.object({ type: z.literal("doc-unavailable"), documentId }),
  z.object({
    type: z.literal("heads"),
    generation: shortText,
    entries: z.array(z.object({ documentId, heads, seq: position })).max(10_000),
    lastSeq: position,
    complete: z.boolean(),
    ask: position.optional(),
  }),
  z.object({ type: z.literal("receipt"), documentId, heads, seq: position, generation: shortText }),
  z.object({ type: z.literal("forked"), documentId, from: documentId, heads }),
  z.object({
    type: z.literal("refused"),
    documentId: documentId.optional(),
    code: z.string().max(64),
    message: z.string().max(4_096),
    hashes: heads.optional(),
  }),
]);

export type RelayFrame = z.infer<typeof frameSchema>;
type FrameOf<Type extends RelayFrame["type"]> = Readonly<Extract<RelayFrame, { readonly type: Type }>>;

/** What the relay says first: which space the token is for, and which life of its log this is. */
export type Welcome = FrameOf<"welcome">;
/** A part of the list of the space's documents, or what has changed in it since. */
export type HeadsUpdate = FrameOf<"heads">;
/** The relay holds exactly these heads, and all before them, durably. */
export type Receipt = FrameOf<"receipt">;
export type Forked = FrameOf<"forked">;
export type Refused = FrameOf<"refused">;

const TYPES: ReadonlySet<string> = new Set(frameSchema.options.map(({ shape }) => shape.type.value));

export type ReadFrame =
  | { readonly kind: "frame"; readonly frame: RelayFrame }
  /** A kind of message that a later relay or another client may use. */
  | { readonly kind: "unknown" }
  | { readonly kind: "invalid"; readonly reason: string };

/** Reads one frame of a relay. Never throws: whatever arrives is one of three things. */
export function readFrame(bytes: Uint8Array): ReadFrame {
  const value = decodeFrame(bytes);
  if (value === undefined) return { kind: "invalid", reason: "it is not CBOR" };
  const typed = typedSchema.safeParse(value);
  if (!typed.success) return { kind: "invalid", reason: "it has no type" };
  const { type } = typed.data;
  if (!TYPES.has(type)) return { kind: "unknown" };
  const frame = frameSchema.safeParse(value);
  if (frame.success) return { kind: "frame", frame: frame.data };
  const issue = frame.error.issues[0];
  return { kind: "invalid", reason: `${[type, ...(issue?.path ?? [])].join(".")}: ${issue?.message}` };
}

export type ClientFrame = { readonly type: string } & Readonly<Record<string, unknown>>;

export const encodeFrame = (frame: ClientFrame): Uint8Array => encode(frame);

const DECODE_OPTIONS: DecodeOptions = {
  allowBigInt: false,
  allowIndefinite: false,
  rejectDuplicateMapKeys: true,
};

/** One byte can make one array, so a frame within the size limit could take seconds and gigabytes to read. */
class BoundedTokenizer extends Tokenizer {
  #left = MAX_TOKENS;

  override next(): ReturnType<Tokenizer["next"]> {
    this.#left -= 1;
    if (this.#left < 0) throw new RangeError("Too many items in one frame");
    return super.next();
  }
}

function decodeFrame(bytes: Uint8Array): unknown {
  try {
    return decode(bytes, { ...DECODE_OPTIONS, tokenizer: new BoundedTokenizer(bytes, DECODE_OPTIONS) });
  } catch {
    // Whatever it is (also a stack used up by nesting): these bytes are no frame.
    return undefined;
  }
}

function isDocumentId(id: string): boolean {
  if (id.length > MAX_DOCUMENT_ID_LENGTH) return false;
  try {
    documentIdToHex(id);
    return true;
  } catch (error) {
    if (isCambiumError(error, "BAD_INPUT")) return false;
    throw error;
  }
}

/** Asked here because automerge-repo prints what it cannot read to standard output. */
function isSyncMessage(data: Uint8Array): boolean {
  try {
    decodeSyncMessage(data);
    return true;
  } catch {
    // The decoder has one reason to throw.
    return false;
  }
}
