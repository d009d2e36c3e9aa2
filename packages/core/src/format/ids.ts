/**
 * Identifiers. Spaces, memories, branches, packs and replicas are 16 bytes; records and parts are
 * named by their SHA-256.
 *
 * @module
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { CambiumError } from "../errors.js";
import type { Platform } from "../platform.js";
import { bytesFromHex, bytesToHex, concatBytes, utf8ToBytes } from "./bytes.js";

/** UUID text, lower case, with dashes. */
export type SpaceId = string & { readonly __brand: "SpaceId" };
/** UUID text, lower case, with dashes. Version 7, or 8 where it was imported. */
export type MemoryId = string & { readonly __brand: "MemoryId" };
/** UUID text, lower case, with dashes. */
export type ReplicaId = string & { readonly __brand: "ReplicaId" };
/** Hexadecimal of the 16 bytes of the branch's Automerge document id. */
export type BranchId = string & { readonly __brand: "BranchId" };
/** 32 hexadecimal digits. */
export type CheckpointId = string & { readonly __brand: "CheckpointId" };
/** Hexadecimal of the 16 bytes of the id of the pack's first document. */
export type PackId = string & { readonly __brand: "PackId" };
/** automerge-repo's document id: base58check of 16 bytes. */
export type DocumentId = string & { readonly __brand: "DocumentId" };
/** Hexadecimal SHA-256 of a record's header bytes. */
export type RecordHash = string & { readonly __brand: "RecordHash" };
/** Hexadecimal SHA-256 of a part's bytes. */
export type PartHash = string & { readonly __brand: "PartHash" };
/** Hexadecimal hash of an Automerge change. */
export type ChangeHash = string & { readonly __brand: "ChangeHash" };
/** Hexadecimal of documentId[16] ‖ replicaId[16] ‖ epoch[2]: who wrote a change, and on which branch. */
export type ActorId = string & { readonly __brand: "ActorId" };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a UUID in lower case with dashes, of any version. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** A new id that sorts by time of making (RFC 9562 §5.7). */
export function newUuid<Id extends SpaceId | MemoryId | ReplicaId>(
  platform: Pick<Platform, "now" | "random">,
): Id {
  const bytes = platform.random(16);
  new DataView(bytes.buffer, bytes.byteOffset).setBigUint64(
    0,
    (BigInt(platform.now()) << 16n) | (BigInt(bytes[6] as number) << 8n) | BigInt(bytes[7] as number),
  );
  return uuidFromBytes(withVersion(bytes, 7)) as Id;
}

/**
 * The id of an imported memory: the same source key gives the same id on every device of the space,
 * so importing twice adds nothing, and without the space key nobody can compute it.
 */
export function importedMemoryId(importKey: Uint8Array, sourceKey: string): MemoryId {
  const digest = hmac(sha256, importKey, utf8ToBytes(sourceKey));
  return uuidFromBytes(withVersion(digest.slice(0, 16), 8)) as MemoryId;
}

/** The checkpoint of a branch at the first write of a week: whichever devices make it, they make the same one. */
export function weeklyCheckpointId(checkpointKey: Uint8Array, branch: BranchId, week: number): CheckpointId {
  const digest = hmac(sha256, checkpointKey, utf8ToBytes(`weekly/${branch}/${week}`));
  return bytesToHex(digest.slice(0, 16)) as CheckpointId;
}

/** The record that says a checkpoint's name, description and reason. No branch lists it. */
export const checkpointTextId = (checkpoint: CheckpointId): MemoryId =>
  uuidFromBytes(bytesFromHex(checkpoint)) as MemoryId;

/** The record that says who merged a branch, and why. No branch lists it. */
export const changeNoteId = (source: BranchId): MemoryId => uuidFromBytes(bytesFromHex(source)) as MemoryId;

/** Main's document id is computed, so that any device can write at once and offline. */
export function mainBranchId(space: SpaceId): BranchId {
  const digest = sha256(concatBytes(utf8ToBytes("main"), uuidToBytes(space)));
  return bytesToHex(digest.slice(0, 16)) as BranchId;
}

/** @throws {CambiumError} BAD_INPUT when `text` is no UUID */
export function uuidToBytes(text: string): Uint8Array {
  if (!isUuid(text))
    throw new CambiumError(
      "BAD_INPUT",
      `"${text}" is not an id; ids look like 0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f.`,
    );
  return bytesFromHex(text.replaceAll("-", ""));
}

/** The text of 16 bytes. Does not look at version and variant. */
export function uuidFromBytes(bytes: Uint8Array): string {
  const hex = bytesToHex(bytes);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

function withVersion(bytes: Uint8Array, version: number): Uint8Array {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes;
}

/** What the actor id of a change is made of. */
export interface ActorParts {
  /** 32 hexadecimal digits. */
  readonly document: string;
  /** The replica that made the change. */
  readonly replica: ReplicaId;
  /** 0 to 65,535. */
  readonly epoch: number;
}

/** Puts an actor id together: 68 hexadecimal digits. */
export function actorId({ document, replica, epoch }: ActorParts): ActorId {
  return (document + replica.replaceAll("-", "") + epoch.toString(16).padStart(4, "0")) as ActorId;
}

/** Returns undefined for actors that are not made by us, the genesis actor included. */
export function parseActorId(actor: string): ActorParts | undefined {
  if (!/^[0-9a-f]{68}$/.test(actor)) return undefined;
  return {
    document: actor.slice(0, 32),
    replica: uuidFromBytes(bytesFromHex(actor.slice(32, 64))) as ReplicaId,
    epoch: Number.parseInt(actor.slice(64), 16),
  };
}

/** 20 bytes in base58. */
const MAX_DOCUMENT_ID = 28;
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Ids met lately, and back: their checksums cost more than most of what is done with a document at a time. */
const idByHex = new Map<string, DocumentId>();
const hexById = new Map<string, string>();
const MAX_KNOWN_IDS = 10_000;

/** @returns the text automerge-repo uses: base58 of the bytes and the first 4 bytes of their double SHA-256 */
export function documentIdFromHex(hex: string): DocumentId {
  const known = idByHex.get(hex);
  if (known !== undefined) return known;
  const id = encodeDocumentId(hex);
  if (idByHex.size >= MAX_KNOWN_IDS) {
    idByHex.clear();
    hexById.clear();
  }
  idByHex.set(hex, id);
  hexById.set(id, hex.toLowerCase());
  return id;
}

function encodeDocumentId(hex: string): DocumentId {
  const payload = bytesFromHex(hex);
  const checked = concatBytes(payload, sha256(sha256(payload)).slice(0, 4));
  let number = BigInt(`0x${bytesToHex(checked)}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = BASE58[Number(number % 58n)] + text;
  const zeros = checked.findIndex((byte) => byte !== 0);
  return ("1".repeat(zeros) + text) as DocumentId;
}

/** @throws {CambiumError} BAD_INPUT when the text is no document id or its checksum is wrong */
export function documentIdToHex(id: string): string {
  const known = hexById.get(id);
  if (known !== undefined) return known;
  if (id.length > MAX_DOCUMENT_ID) throw badDocumentId(id);
  let number = 0n;
  for (const character of id) {
    const digit = BASE58.indexOf(character);
    if (digit < 0) throw badDocumentId(id);
    number = number * 58n + BigInt(digit);
  }
  const hex = number.toString(16).padStart(40, "0").slice(0, 32);
  if (documentIdFromHex(hex) !== id) throw badDocumentId(id);
  return hex;
}

const badDocumentId = (id: string): CambiumError =>
  new CambiumError("BAD_INPUT", `"${id.slice(0, 60)}" is not a document id.`);

/** The catalog's first document has the space's own id. */
export const catalogDocumentId = (space: SpaceId): DocumentId => documentIdFromHex(space.replaceAll("-", ""));
