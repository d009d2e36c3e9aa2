/**
 * The documents that take the place of a pack's when something in it is erased. Replicas that keep the same
 * make the same document, so that two who erase at once do not store everything twice.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesFromHex, bytesToHex, compareText, concatBytes } from "../format/bytes.js";
import {
  type ActorId,
  actorId,
  type DocumentId,
  documentIdFromHex,
  type PackId,
  type PartHash,
  type RecordHash,
  type ReplicaId,
} from "../format/ids.js";
import type { KeyedWrite } from "../format/message.js";
import type { Sealed } from "../format/seal.js";

/** The sealed entries of a pack. */
export interface PackEntries {
  /** By the hashes of records. */
  readonly headers: Readonly<Record<RecordHash, Sealed>>;
  /** By their own hashes. */
  readonly parts: Readonly<Record<PartHash, Sealed>>;
}

/** A document to be made: its id, the actor of all its changes, and what each of them writes. */
export interface RewrittenPack {
  /** Says what the document holds: the same entries have the same id. */
  readonly document: DocumentId;
  /** No replica's. */
  readonly actor: ActorId;
  /** One after the other, each at time 0. */
  readonly changes: readonly (readonly KeyedWrite[])[];
}

/** Nobody's: what a rewritten document holds, others have written. */
const NO_REPLICA = "00000000-0000-0000-0000-000000000000" as ReplicaId;
/** A change that a relay takes has at most twice as many. */
const MAX_CHANGE_BYTES = 1_000_000;

/** Returns the document that holds these entries of a pack and nothing else. */
export function rewrittenPack(pack: PackId, { headers, parts }: PackEntries): RewrittenPack {
  const writes = [...writesOf("headers", headers), ...writesOf("parts", parts)];
  const names = writes.map(({ key }) => bytesFromHex(key.slice(key.indexOf("/") + 1)));
  // Also of the bytes: of two that hold the same under different keys, neither stands for the other.
  const bytes = sha256(concatBytes(...writes.map(({ value }) => sha256(value as Sealed))));
  const hex = bytesToHex(sha256(concatBytes(bytesFromHex(pack), ...names, bytes)).subarray(0, 16));
  const actor = actorId({ document: hex, replica: NO_REPLICA, epoch: 0 });
  return { document: documentIdFromHex(hex), actor, changes: inChanges(writes) };
}

const writesOf = (map: keyof PackEntries, entries: Readonly<Record<string, Sealed>>): readonly KeyedWrite[] =>
  Object.entries(entries)
    .map(([hash, value]) => ({ key: `${map}/${hash}`, value }))
    .sort((a, b) => compareText(a.key, b.key));

function inChanges(writes: readonly KeyedWrite[]): readonly (readonly KeyedWrite[])[] {
  const changes: KeyedWrite[][] = [];
  let room = 0;
  for (const write of writes) {
    const size = (write.value as Sealed).length;
    if (changes.length === 0 || size > room) {
      changes.push([]);
      room = MAX_CHANGE_BYTES;
    }
    changes.at(-1)?.push(write);
    room -= size;
  }
  return changes;
}
