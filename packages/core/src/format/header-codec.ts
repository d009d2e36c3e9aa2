/**
 * The header of a record as bytes. Ids and hashes are stored as bytes and keys are one letter, because
 * a change of one tag should cost about 300 bytes and most of them are here:
 *
 *     v schema · s space · m memory · p parents · t at · y type · f decides · a author · d deleted
 *     c content part · x meta part (each hash[32] ‖ pack[16])
 *     r, u: only if a restore or a rollback brought back the version of this hash
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import { readableSchema, SCHEMA_VERSION } from "../schema/schema-version.js";
import { bytesFromHex, bytesToHex, compareBytes } from "./bytes.js";
import { decodeCanonical, type Encodable, encodeCanonical } from "./encoding.js";
import type { MemoryId, PartHash, RecordHash, ReplicaId, SpaceId } from "./ids.js";
import { uuidFromBytes, uuidToBytes } from "./ids.js";
import { isObject } from "./is-object.js";
import { type Author, type PartRef, type RecordHeader, type RecordType, STATE_FIELDS } from "./record.js";
import { decodeReferences, encodeReferences } from "./reference.js";

const BROUGHT_BACK_KEYS = { restore: "r", rollback: "u" } as const;

/** Returns the header as bytes, which name the record by their hash. */
export function encodeHeader(header: RecordHeader): Uint8Array {
  const { replica, device: _shown, ...author } = header.author;
  const { broughtBack } = header;
  return encodeCanonical({
    v: SCHEMA_VERSION,
    s: uuidToBytes(header.space),
    m: uuidToBytes(header.memory),
    p: header.parents.map(bytesFromHex).sort(compareBytes),
    t: header.at,
    y: header.type,
    f: STATE_FIELDS.filter((field) => header.decides.includes(field)),
    a: { ...author, replica: uuidToBytes(replica) },
    d: header.deleted,
    c: encodePartRef(header.content),
    x: encodePartRef(header.meta),
    ...(broughtBack && { [BROUGHT_BACK_KEYS[broughtBack.by]]: bytesFromHex(broughtBack.record) }),
  } satisfies Encodable);
}

/**
 * Returns what the bytes of a header say.
 *
 * @throws {CambiumError} STORE_DAMAGED when these are no header bytes; SCHEMA_TOO_NEW
 */
export function decodeHeader(bytes: Uint8Array): RecordHeader {
  const value = decodeCanonical(bytes);
  if (!isObject(value)) throw damaged("The record's header is incomplete.");
  readableSchema(value.v); // the header itself has been the same since the first
  const { s, m, p, t, y, f, a, d, c, x } = value;
  if (!Array.isArray(p) || !Array.isArray(f) || !isObject(a))
    throw damaged("The record's header is incomplete.");
  if (typeof t !== "number" || typeof y !== "string" || typeof d !== "boolean") {
    throw damaged("The record's header is incomplete.");
  }
  const { replica, device: _shown, ...author } = a;
  return {
    space: uuidFromBytes(exactBytes(s, 16)) as SpaceId,
    memory: uuidFromBytes(exactBytes(m, 16)) as MemoryId,
    parents: p.map((parent) => bytesToHex(exactBytes(parent, 32)) as RecordHash),
    at: t,
    type: y as RecordType,
    decides: STATE_FIELDS.filter((field) => f.includes(field)),
    author: {
      ...textsOf(author),
      replica: uuidFromBytes(exactBytes(replica, 16)) as ReplicaId,
    } satisfies Author,
    deleted: d,
    content: decodePartRef(exactBytes(c, 48)),
    meta: decodePartRef(exactBytes(x, 48)),
    ...broughtBackOf(value),
  };
}

function broughtBackOf({ r, u }: Record<string, unknown>): Pick<RecordHeader, "broughtBack"> {
  const hash = r ?? u;
  if (hash === undefined) return {};
  return {
    broughtBack: { record: bytesToHex(exactBytes(hash, 32)), by: r === undefined ? "rollback" : "restore" },
  };
}

/** What `decodeHeader` gives of the bytes of a header, to the order of lists and names, without reading them. */
export function headerAsRead(header: RecordHeader): RecordHeader {
  const { replica, device: _shown, ...author } = header.author;
  return {
    space: header.space,
    memory: header.memory,
    parents: header.parents.toSorted(),
    at: header.at,
    type: header.type,
    decides: STATE_FIELDS.filter((field) => header.decides.includes(field)),
    author: { ...textsOf(inStoredOrder(author)), replica },
    deleted: header.deleted,
    content: header.content,
    meta: header.meta,
    ...(header.broughtBack && { broughtBack: header.broughtBack }),
  };
}

/** Canonical CBOR puts short names first (RFC 8949, section 4.2.1). */
const inStoredOrder = (texts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(texts).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));

const encodePartRef = ({ hash, pack }: PartRef): Uint8Array =>
  encodeReferences([{ record: hash as string as RecordHash, pack }]);

function decodePartRef(bytes: Uint8Array): PartRef {
  const [reference] = decodeReferences(bytes) ?? [];
  if (reference === undefined) throw damaged("The record does not name its parts.");
  return { hash: reference.record as string as PartHash, pack: reference.pack };
}

function exactBytes(value: unknown, length: number): Uint8Array {
  if (value instanceof Uint8Array && value.length === length) return value;
  throw damaged(`The record's header lacks ${length} bytes where they belong.`);
}

const textsOf = (author: Record<string, unknown>): Omit<Author, "replica"> =>
  Object.fromEntries(Object.entries(author).filter(([, value]) => typeof value === "string"));

export const damaged = (why: string): CambiumError => new CambiumError("STORE_DAMAGED", why);
