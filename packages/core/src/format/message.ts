/**
 * The message of a change: what was done, to which memories, and a code that only members can make.
 * It holds ids and hashes and nothing else, because the relay reads it.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import type { Digest } from "../platform.js";
import { bytesToBase64Url, bytesToHex, compareText, concatBytes } from "./bytes.js";
import { type ChunkTools, messageOf } from "./change-header.js";
import { type Encodable, encodeCanonical } from "./encoding.js";
import type { ActorId, BranchId, ChangeHash, MemoryId } from "./ids.js";
import type { ChangeKey } from "./keys.js";

/** What a change did: an operation on a branch, or a write to another kind of document. */
export type ChangeType =
  | "remember"
  | "revise"
  | "forget"
  | "restore"
  | "combine"
  | "split"
  | "resolve"
  | "merge"
  | "undo"
  | "rollback"
  | "import"
  | "catalog"
  | "pack"
  | "uses";

/** What a change says about itself, without the code. */
export interface ChangeStatement {
  /** What was done. Decides which of the other keys are there. */
  readonly type: ChangeType;
  /** At most 16 ids; of more, the count. */
  readonly memories: readonly MemoryId[] | number;
  /** In a merge: the source branch and its heads; without heads, it is one of some of its memories. */
  readonly from?: BranchId | undefined;
  /** In a merge: the heads of the source branch. */
  readonly heads?: readonly ChangeHash[] | undefined;
  /** Where a branch took in changes of its own that came in an archive: its heads before, with `from` itself. */
  readonly before?: readonly ChangeHash[] | undefined;
  /** In an undo: the changes it reverts. In a merge: the undos that its caller decided about. */
  readonly of?: readonly ChangeHash[] | undefined;
  /** In such a merge: whether what the undos reverted comes back. */
  readonly again?: boolean | undefined;
  /** In a change that writes no record: the reference of one that says who made it and why, as base64url. */
  readonly note?: string | undefined;
  /** What somebody did as one thing and wrote as several changes: the same in each of them. */
  readonly operation?: OperationId | undefined;
  /** What the writer had seen of others in other documents: numbers of their last changes there. */
  readonly seen?: string | undefined;
}

/** Such as `import:0f3a…`: what was done, and 16 hexadecimal digits that tell it from the next. */
export type OperationId = `${OperationKind}:${string}`;

/** What may touch more memories than one change writes. Part of the format: only added to. */
const OPERATION_KINDS = ["import", "forget", "decay", "consolidate", "restore"] as const;
/** What an operation of several changes did. */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** Whether a text is an operation id of a kind that this version has. */
export const isOperationId = (text: string): text is OperationId =>
  /^[a-z]+:[0-9a-f]{16}$/.test(text) &&
  (OPERATION_KINDS as readonly string[]).includes(text.slice(0, text.indexOf(":")));

/** @param random - 8 random bytes */
export const newOperationId = (kind: OperationKind, random: Uint8Array): OperationId =>
  `${kind}:${bytesToHex(random)}`;

/** What was done, as the id says. */
export const operationKind = (operation: OperationId): OperationKind =>
  operation.slice(0, operation.indexOf(":")) as OperationKind;

/** What the code binds besides the statement. A change cannot be replayed elsewhere or altered. */
export interface ChangeFrame {
  /** Who makes the change, and in which document. */
  readonly actor: ActorId;
  /** Which of its actor's changes it is, counted from 1. */
  readonly seq: number;
  /** The heads its writer saw and its own last change, which Automerge names even when it is no head. */
  readonly deps: readonly ChangeHash[];
  /** Milliseconds since 1970. */
  readonly time: number;
  /** In any order: the code is made of them sorted by key. */
  readonly writes: readonly KeyedWrite[];
}

/** `key` is the path in the document, such as `memories/1f/<memory id>`. */
export interface KeyedWrite {
  /** Each key at most once in a change. */
  readonly key: string;
  /** A reference or sealed bytes; a count in a usage document. */
  readonly value: Uint8Array | number;
}

const FORMAT = 1;
const MAC_BYTES = 16;
const BLOCK_BYTES = 64;
const MAX_IDS = 16;
const TYPES: ReadonlySet<string> = new Set<ChangeType>([
  "remember",
  "revise",
  "forget",
  "restore",
  "combine",
  "split",
  "resolve",
  "merge",
  "undo",
  "rollback",
  "import",
  "catalog",
  "pack",
  "uses",
]);

/** Names the memories of a change, or counts them when there are many. */
export const namedMemories = (ids: readonly MemoryId[]): readonly MemoryId[] | number =>
  ids.length <= MAX_IDS ? ids : ids.length;

/** Returns the message to write a change with: the statement as JSON, with its code. */
export function signMessage(by: ChangeKey, statement: ChangeStatement, frame: ChangeFrame): string {
  const { epoch, key } = by instanceof Uint8Array ? { epoch: 0, key: by } : by.sign;
  const named = epoch === 0 ? {} : { epoch };
  return JSON.stringify({ v: FORMAT, ...named, ...statement, mac: macOf(key, statement, frame) });
}

/** @returns the statement when the message was made by a member for exactly this change */
export function verifyMessage(
  by: ChangeKey,
  message: string | null,
  frame: ChangeFrame,
  digest: Digest = sha256,
): ChangeStatement | undefined {
  const parsed = parseMessage(message);
  if (parsed === undefined) return undefined;
  const { mac, epoch = 0, ...statement } = parsed;
  try {
    const isMade = keysOf(by, epoch).some((key) => sameText(mac, macOf(key, statement, frame, digest)));
    return isMade ? statement : undefined;
  } catch {
    return undefined; // no member writes what has no encoding, such as half of a surrogate pair
  }
}

/**
 * Whether a change has a code at all. It is not compared: for that all has to be read that the change wrote.
 *
 * @throws {CambiumError} BAD_CHUNK
 */
export const mayBeSigned = (chunk: Uint8Array, tools: ChunkTools): boolean =>
  parseMessage(messageOf(chunk, tools)) !== undefined;

/**
 * Whether a change says to be signed in an epoch that somebody began. Another may bear its number, of which nobody here
 * has heard: that no key which is here fits does not mean that no member made it.
 *
 * @throws {CambiumError} BAD_CHUNK
 */
export const isOfBegunEpoch = (chunk: Uint8Array, tools: ChunkTools): boolean =>
  parseMessage(messageOf(chunk, tools))?.epoch !== undefined;

/**
 * Whether a message says to be signed in an epoch of which a key is not here. Nobody vouches for that. Two epochs that
 * were begun at once share a number: that the key of one is here says nothing of the other.
 */
export function isOfUnknownEpoch(by: ChangeKey, message: string | null): boolean {
  const parsed = parseMessage(message);
  if (parsed === undefined) return false;
  const epoch = parsed.epoch ?? 0;
  return (
    keysOf(by, epoch).length === 0 || (!(by instanceof Uint8Array) && by.lacking?.includes(epoch) === true)
  );
}

/** Whether two epochs, of which the keys are here or lacking, share a number. */
export function sharesNumbers(by: ChangeKey): boolean {
  if (by instanceof Uint8Array) return false;
  const numbers = [...by.known.map(({ epoch }) => epoch), ...(by.lacking ?? [])];
  return new Set(numbers).size < numbers.length;
}

function keysOf(by: ChangeKey, epoch: number): readonly Uint8Array[] {
  if (by instanceof Uint8Array) return epoch === 0 ? [by] : [];
  return by.known.flatMap((known) => (known.epoch === epoch ? [known.key] : []));
}

/** With the code that is not verified, and the epoch in which it was made. */
type ParsedMessage = ChangeStatement & { readonly mac: string; readonly epoch?: number };

/** @returns undefined when this is no message of ours */
function parseMessage(message: string | null): ParsedMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(message ?? "null");
  } catch {
    return undefined; // other programs write free text here
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { v, ...parsed } = value as ParsedMessage & { readonly v?: unknown };
  if (v !== FORMAT || typeof parsed.mac !== "string" || !TYPES.has(parsed.type)) return undefined;
  if (parsed.epoch !== undefined && !(Number.isInteger(parsed.epoch) && parsed.epoch > 0)) return undefined;
  return parsed;
}

function macOf(
  key: Uint8Array,
  statement: ChangeStatement,
  { actor, seq, deps, time, writes }: ChangeFrame,
  digest: Digest = sha256,
): string {
  const sortedWrites = [...writes]
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ key: path, value }) => [path, value]);
  const bound: Encodable = [
    FORMAT,
    actor,
    seq,
    [...deps].sort(),
    time,
    statement as unknown as Encodable,
    sortedWrites,
  ];
  return bytesToBase64Url(hmac(key, encodeCanonical(bound), digest).subarray(0, MAC_BYTES));
}

/** HMAC-SHA-256 (RFC 2104) by whichever digest is at hand; the key is shorter than a block. */
function hmac(key: Uint8Array, bytes: Uint8Array, digest: Digest): Uint8Array {
  const padded = (pad: number): Uint8Array => {
    const block = new Uint8Array(BLOCK_BYTES).fill(pad);
    for (const [index, byte] of key.entries()) block[index] = byte ^ pad;
    return block;
  };
  return digest(concatBytes(padded(0x5c), digest(concatBytes(padded(0x36), bytes))));
}

/** Compares in time that does not depend on where the texts differ. */
function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}
