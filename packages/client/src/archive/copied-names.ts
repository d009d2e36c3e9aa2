/**
 * What everything is called in a space that is made of another one's archive: the space, its main branch, its devices,
 * and, as they are copied, its versions and changes, which are named by hashes. Memories, other branches, packs and
 * checkpoints keep their ids.
 *
 * @module
 */
import {
  type ActorId,
  actorId,
  bytesFromBase64Url,
  bytesToBase64Url,
  type ChangeHash,
  type ChangeStatement,
  catalogDocumentId,
  decodeReferences,
  documentIdFromHex,
  type Encodable,
  encodeReferences,
  mainBranchId,
  newUuid,
  type Platform,
  parseActorId,
  type RecordHash,
  type ReplicaId,
  type SpaceId,
  uuidFromBytes,
  uuidToBytes,
} from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";

/** Nobody's: what no replica has written. */
export const NO_REPLICA = "00000000-0000-0000-0000-000000000000" as ReplicaId;
/** Of a replica's id, the beginning that stays: it keeps their order, by which changes name their actors. */
const KEPT_BYTES = 12;
const ID_BYTES = 16;

export class CopiedNames {
  readonly space: SpaceId;
  readonly #platform: Platform;
  /** Whatever has another name, by the one that it had. */
  readonly #byName = new Map<string, string>();
  readonly #replicas = new Map<ReplicaId, ReplicaId>();

  /** @param documents - hexadecimal ids of all documents that changes were written in */
  constructor(from: SpaceId, documents: Iterable<string>, platform: Platform) {
    this.#platform = platform;
    const main = mainBranchId(from);
    this.space = newSpaceId(main, [...documents], platform);
    const made = mainBranchId(this.space);
    this.#byName.set(from, this.space);
    this.#byName.set(main, made);
    this.#byName.set(documentIdFromHex(main), documentIdFromHex(made));
    // As the id of the memory whose versions are the notes of merges from it.
    this.#byName.set(uuidOf(main), uuidOf(made));
    this.#byName.set(catalogDocumentId(from), catalogDocumentId(this.space));
  }

  /** A device of the other space. None of this one ever writes under the same name. */
  replica(id: ReplicaId): ReplicaId {
    if (id === NO_REPLICA) return id;
    const known = this.#replicas.get(id);
    if (known !== undefined) return known;
    const bytes = uuidToBytes(id);
    bytes.set(this.#platform.random(ID_BYTES - KEPT_BYTES), KEPT_BYTES);
    const made = uuidFromBytes(bytes) as ReplicaId;
    this.#replicas.set(id, made);
    this.#byName.set(id, made);
    return made;
  }

  /** Those that were met so far, as they are called here. */
  get replicas(): readonly ReplicaId[] {
    return [...this.#replicas.values()];
  }

  /** That of a document's beginning is the same everywhere. */
  actor(actor: string): ActorId {
    const parts = parseActorId(actor);
    if (parts === undefined) return actor as ActorId;
    return actorId({ ...parts, document: this.text(parts.document), replica: this.replica(parts.replica) });
  }

  note(from: RecordHash | ChangeHash, to: string): void {
    this.#byName.set(from, to);
  }

  text<Name extends string>(name: Name): Name {
    return (this.#byName.get(name) ?? name) as Name;
  }

  /** Bytes that are references, or are not. */
  references(bytes: Uint8Array): Uint8Array {
    const references = decodeReferences(bytes);
    if (references === undefined) return bytes;
    return encodeReferences(references.map(({ record, pack }) => ({ record: this.text(record), pack })));
  }

  /** Without what its writer had seen: those were other changes. */
  statement({ seen: _seen, from, heads, before, of, note, ...statement }: ChangeStatement): ChangeStatement {
    const all = (hashes: readonly ChangeHash[] | undefined) => hashes?.map((hash) => this.text(hash));
    return {
      ...statement,
      ...omitUndefined({
        from: from && this.text(from),
        heads: all(heads),
        before: all(before),
        of: all(of),
      }),
      ...(note === undefined ? {} : { note: bytesToBase64Url(this.references(bytesFromBase64Url(note))) }),
    };
  }

  /** Plain data, with whatever it names. */
  value<Value>(value: Value): Value {
    return this.#plain(value as Encodable) as Value;
  }

  /** The name of an entry, which may be made of several, such as `decision:<request>:<replica>`. */
  key(key: string): string {
    return key
      .split(":")
      .map((part) => this.text(part))
      .join(":");
  }

  #plain(value: Encodable): Encodable {
    if (typeof value === "string") return this.text(value);
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
    if (Array.isArray(value)) return value.map((one: Encodable) => this.#plain(one));
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.text(name), this.#plain(one as Encodable)]),
    );
  }
}

const uuidOf = (hex: string): string => uuidFromBytes(Buffer.from(hex, "hex"));

/**
 * One whose main branch stands among the ids of documents where that of the other space stood. It takes about as many
 * tries as there are documents.
 */
function newSpaceId(main: string, documents: readonly string[], platform: Platform): SpaceId {
  const others = documents.filter((id) => id !== main);
  const isBefore = (id: string): boolean => id < main;
  for (;;) {
    const space = newUuid<SpaceId>(platform);
    const made = mainBranchId(space);
    if (others.every((id) => id < made === isBefore(id))) return space;
  }
}

/** Of an actor, the document that it writes in. */
export const documentOf = (actor: string): string => parseActorId(actor)?.document ?? "";
