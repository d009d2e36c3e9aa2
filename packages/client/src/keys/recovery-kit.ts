/**
 * What a recovery kit consists of besides its words: the token by which the relay knows it, the key for which new keys
 * of the space are sealed, and the parcel that waits for it at the relay with the first key and the present one.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  bytesToBase64Url,
  bytesToHex,
  type Catalog,
  decodeCanonical,
  encodeCanonical,
  isCambiumError,
  type SpaceId,
} from "@cambium/core";
import { isAbsentOr, isBytes, isNumber, isText, readShape } from "../platform/plain-shape.js";
import { type InvitationNote, invitationNote, notedTokens } from "../sync/invitation-notes.js";
import type { KnownEpoch, RecipientId } from "./epoch-entry.js";
import { proofOf, unwrap, wrap } from "./key-exchange.js";
import { invitationRecipient } from "./key-recipients.js";

/** What is in the parcel. */
export interface KitParcel {
  /** The first key of the space. */
  readonly key: Uint8Array;
  /** What the space was called. */
  readonly name: string;
  /** What was written under when the kit was made, unless that is the first key: nobody seals it for the kit later. */
  readonly epoch?: KnownEpoch | undefined;
}

/** The same whenever it is asked for: the relay never hears it before the kit is used. */
export const kitToken = (secret: Uint8Array): string =>
  `cambium_space_${bytesToBase64Url(proofOf(secret, new TextEncoder().encode("kit token")))}`;

const contextOf = (space: SpaceId): Uint8Array => encodeCanonical(["recovery kit", space]);

export const sealParcel = (secret: Uint8Array, space: SpaceId, { key, name, epoch }: KitParcel): Uint8Array =>
  wrap(
    secret,
    contextOf(space),
    encodeCanonical({ key, name, ...(epoch === undefined ? {} : { epoch: { ...epoch } }) }),
  );

const isEpoch = (value: unknown): value is KnownEpoch =>
  readShape<KnownEpoch>(value, { id: isText, epoch: isNumber, secret: isBytes }) !== undefined;

/** @returns undefined for what this kit's maker has not sealed for this space */
export function openParcel(secret: Uint8Array, space: SpaceId, parcel: Uint8Array): KitParcel | undefined {
  const bytes = unwrap(secret, contextOf(space), parcel);
  try {
    return (
      bytes &&
      readShape<KitParcel>(decodeCanonical(bytes), { key: isBytes, name: isText, epoch: isAbsentOr(isEpoch) })
    );
  } catch (error) {
    if (isCambiumError(error)) return undefined;
    throw error;
  }
}

const HASH_BYTES = 32;

/** What the catalog keeps of a kit: enough to make it known at another relay, and nothing that opens anything. */
export const keptKit = (token: string, parcel: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([createHash("sha256").update(token).digest(), parcel]));

export const readKeptKit = (kept: Uint8Array): { readonly hash: string; readonly parcel: Uint8Array } => ({
  hash: bytesToHex(kept.subarray(0, HASH_BYTES)),
  parcel: kept.subarray(HASH_BYTES),
});

/** A kit as the catalog has it. */
export interface NotedKit extends InvitationNote {
  /** Of its access at the relay. */
  readonly tokenId: string;
  readonly key: Uint8Array;
  readonly kit: Uint8Array;
}

/** All of them, also revoked ones. One that is known at several relays is there several times. */
export const notedKits = (catalog: Catalog): readonly NotedKit[] =>
  notedTokens(catalog).flatMap((tokenId) => {
    const note = invitationNote(catalog, tokenId);
    return note?.kit === undefined || note.key === undefined
      ? []
      : [{ ...note, tokenId, key: note.key, kit: note.kit }];
  });

export const kitRecipient = ({ key }: Pick<NotedKit, "key">): RecipientId => invitationRecipient(key);

/** The keys of those that stand. @param members - who has the key that is written under */
export function standingKits(
  catalog: Catalog,
  members: ReadonlyMap<RecipientId, unknown>,
): readonly NotedKit[] {
  const standing = notedKits(catalog).filter(({ revokedAt }) => revokedAt === undefined);
  const byKey = new Map(standing.map((kit) => [kitRecipient(kit), kit]));
  return [...byKey].flatMap(([id, kit]) => (members.has(id) ? [kit] : []));
}
