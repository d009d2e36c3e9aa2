/**
 * What the catalog says of a key epoch: who began it after which others, who was removed, and for each who stays the
 * new secret, sealed for its key. Everybody who ever was a member can read this much of it, so that devices that were
 * away find their part; the secret itself only those can open for whom it is meant.
 *
 * @module
 */
import {
  type Catalog,
  decodeCanonical,
  type Encodable,
  encodeCanonical,
  type ReplicaId,
  type SpaceId,
} from "@cambium/core";
import { isBytes, isNumber, isText, isWholeUpTo, readShape } from "../platform/plain-shape.js";
import { isProof, type KeyPair, proofOf, unwrap, wrap } from "./key-exchange.js";

/** 32 hexadecimal digits, or that of the first epoch, which nobody began. */
export type EpochId = string;
export const FIRST_EPOCH: EpochId = "first";

/** A secret, and the epoch that it is of. */
export interface KnownEpoch {
  readonly id: EpochId;
  /** Part of what is sealed under it. Two that were begun at once may share it. */
  readonly epoch: number;
  readonly secret: Uint8Array;
}

/** A replica's id, or `invitation:` and the id of one. */
export type RecipientId = string;

/** Who is to have a secret. */
export interface Recipient {
  readonly id: RecipientId;
  /** X25519, raw. */
  readonly key: Uint8Array;
}

export interface EpochEntry {
  readonly id: EpochId;
  readonly epoch: number;
  /** The epochs that it follows. */
  readonly parents: readonly EpochId[];
  readonly maker: ReplicaId;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Who no longer has a part in it. */
  readonly removed: readonly RecipientId[];
  readonly boxes: readonly (Recipient & { readonly box: Uint8Array })[];
  /** The secrets before it, sealed under its own. */
  readonly previous: Uint8Array;
  /** For each parent: that the maker had its secret. */
  readonly proofs: readonly Uint8Array[];
}

const PREFIX = "epoch:";
export const epochKey = (id: EpochId): string => PREFIX + id;
const MAX_EPOCH = 0xffff;

/** @param by - the giver of the secret, with the pair of its keys */
export function makeEpoch(
  space: SpaceId,
  made: Pick<EpochEntry, "at" | "removed"> & { readonly secret: KnownEpoch },
  by: { readonly maker: ReplicaId; readonly keys: KeyPair },
  to: {
    readonly recipients: readonly Recipient[];
    readonly parents: readonly KnownEpoch[];
    readonly previous: readonly KnownEpoch[];
  },
): EpochEntry {
  const { id, epoch, secret } = made.secret;
  const boxes = to.recipients.flatMap(({ id: recipient, key }) => {
    const shared = by.keys.agree(key);
    const context = boxContext(space, id, by.maker, recipient);
    return shared === undefined ? [] : [{ id: recipient, key, box: wrap(shared, context, secret) }];
  });
  const listed = to.previous.map((one) => [one.id, one.epoch, one.secret]);
  const parents = to.parents.map((parent) => parent.id);
  const entry = {
    ...{ id, epoch, parents, maker: by.maker, at: made.at, removed: made.removed, boxes },
    previous: wrap(secret, previousContext(id), encodeCanonical(listed as unknown as Encodable)),
  };
  return { ...entry, proofs: to.parents.map((parent) => proofOf(parent.secret, boundBytes(space, entry))) };
}

/** @returns undefined unless the giver sealed it for this taker */
export function openBox(
  space: SpaceId,
  { id, maker, boxes }: EpochEntry,
  makerKey: Uint8Array,
  taker: { readonly id: RecipientId; readonly keys: KeyPair },
): Uint8Array | undefined {
  const box = boxes.find((one) => one.id === taker.id)?.box;
  const shared = box && taker.keys.agree(makerKey);
  return shared && box && unwrap(shared, boxContext(space, id, maker, taker.id), box);
}

/** The secrets before it, as they are stored. @returns undefined when this is not its secret */
export const openPrevious = ({ id, previous }: EpochEntry, secret: Uint8Array): Uint8Array | undefined =>
  unwrap(secret, previousContext(id), previous);

/** The secrets before it; none when this is not its secret. */
export function previousOf(entry: EpochEntry, secret: Uint8Array): readonly KnownEpoch[] {
  const bytes = openPrevious(entry, secret);
  if (bytes === undefined) return [];
  const listed = decodeCanonical(bytes) as readonly [EpochId, number, Uint8Array][];
  return listed.map(([of, epoch, known]) => ({ id: of, epoch, secret: known }));
}

/** Whether the maker had the secret of that parent. */
export function isMadeAfter(space: SpaceId, entry: EpochEntry, parent: KnownEpoch): boolean {
  const place = entry.parents.indexOf(parent.id);
  const proof = entry.proofs[place];
  return proof !== undefined && isProof(parent.secret, boundBytes(space, entry), proof);
}

export const entryValue = ({ id: _in, ...entry }: EpochEntry): Encodable => entry as unknown as Encodable;

/** All that the catalog has of them. What is malformed counts for nothing. */
export function epochEntries({ settings }: Catalog): readonly EpochEntry[] {
  return [...settings].flatMap(([key, { value, others }]) =>
    key.startsWith(PREFIX)
      ? [value, ...others].flatMap((one) => parseEntry(key.slice(PREFIX.length), one.value) ?? [])
      : [],
  );
}

function parseEntry(id: EpochId, value: unknown): EpochEntry | undefined {
  const read = readShape<Omit<EpochEntry, "id">>(value, {
    ...{ epoch: isWholeUpTo(MAX_EPOCH), parents: isListOf(isText), maker: isText as never, at: isNumber },
    ...{ removed: isListOf(isText), boxes: isListOf(isBox), previous: isBytes, proofs: isListOf(isBytes) },
  });
  return read && read.epoch > 0 ? { id, ...read } : undefined;
}

const isListOf =
  <Item>(isItem: (value: unknown) => value is Item) =>
  (value: unknown): value is readonly Item[] =>
    Array.isArray(value) && value.every(isItem);

const isBox = (value: unknown): value is EpochEntry["boxes"][number] =>
  readShape<EpochEntry["boxes"][number]>(value, { id: isText, key: isBytes, box: isBytes }) !== undefined;

const boundBytes = (space: SpaceId, entry: Omit<EpochEntry, "proofs">): Uint8Array => {
  const { id, epoch, parents, maker, at, removed, boxes, previous } = entry;
  const listed = boxes.map((one) => [one.id, one.key, one.box]);
  const bound = [space, id, epoch, parents, maker, at, removed, listed, previous];
  return encodeCanonical(bound as unknown as Encodable);
};

const boxContext = (space: SpaceId, id: EpochId, maker: ReplicaId, to: RecipientId): Uint8Array =>
  encodeCanonical(["box", space, id, maker, to]);

const previousContext = (id: EpochId): Uint8Array => encodeCanonical(["previous", id]);
