/**
 * Recovery kits of a space: making one, and making those that stand known at a relay that the space is linked to.
 *
 * @module
 */
import {
  bytesEqual,
  bytesFromBase64Url,
  bytesToHex,
  CambiumError,
  isCambiumError,
  type SpaceId,
} from "@cambium/core";
import type { RecoveryKit } from "../api.js";
import { accessMark } from "../documents/access-mark.js";
import type { SpaceConfig } from "../documents/space-config.js";
import { kitPage } from "../keys/kit-page.js";
import { KIT_SECRET_BYTES, wordsOfKit } from "../keys/kit-words.js";
import {
  keptKit,
  kitToken,
  type NotedKit,
  notedKits,
  readKeptKit,
  sealParcel,
  standingKits,
} from "../keys/recovery-kit.js";
import { invitationKeys } from "../keys/takers.js";
import type { InvitationNote } from "../sync/invitation-notes.js";
import { hashOfToken, leaveParcel } from "../sync/parcels.js";
import { listRelayMembers } from "../sync/relay-invitations.js";
import type { SpaceParts } from "./space-parts.js";

export interface KitServices {
  readonly parts: Pick<SpaceParts, "catalog" | "epochs" | "clock">;
  readonly config: () => SpaceConfig;
  readonly random: (bytes: number) => Uint8Array;
  /** Of this device. */
  readonly device: string;
  /** Writes it into the catalog, in the name of who makes it. */
  readonly note: (tokenId: string, note: Omit<InvitationNote, "replica" | "at">) => Promise<void>;
}

/** @throws {CambiumError} ROLE_REFUSED, TOKEN_REFUSED, QUOTA_EXCEEDED, RELAY_UNREACHABLE */
export async function makeKit({ parts, config, random, device, note }: KitServices): Promise<RecoveryKit> {
  const { id, name, key, relay, role } = config();
  if (role !== "admin")
    throw new CambiumError(
      "ROLE_REFUSED",
      "A recovery kit is as good as an admin, and this device is none.",
      {
        hint: "Make it on a device whose role is admin.",
      },
    );
  const space = id as SpaceId;
  const secret = random(KIT_SECRET_BYTES);
  const token = kitToken(secret);
  const { later: epoch } = parts.epochs;
  const parcel = sealParcel(secret, space, { key: bytesFromBase64Url(key), name, epoch });
  const madeAt = parts.clock.now();
  const left = { role: "admin", hash: hashOfToken(token), parcel } as const;
  const tokenId =
    relay === null ? bytesToHex(random(LOCAL_ID_BYTES)) : await leaveParcel(relay, space, left, madeAt);
  const { publicKey } = invitationKeys(secret);
  await note(tokenId, { mark: accessMark(token), role, key: publicKey, kit: keptKit(token, parcel) });
  const kit = { words: wordsOfKit(secret).join(" "), relay: relay?.url ?? null, space: { id: space, name } };
  const made = { id: tokenId, ...kit, madeAt, device };
  return { ...made, page: kitPage(made) };
}

const LOCAL_ID_BYTES = 8;

/**
 * A relay that the space has come to does not know them. One that cannot be made known needs an archive.
 *
 * @returns how many of those that stand the relay does not know
 * @throws {CambiumError} RELAY_UNREACHABLE, TOKEN_REFUSED, ROLE_REFUSED
 */
export async function registerKits({
  parts,
  config,
  note,
}: Omit<KitServices, "random" | "device">): Promise<number> {
  const { relay, id, role } = config();
  const { current } = parts.catalog;
  const standing = standingKits(current, parts.epochs.members(current));
  if (relay === null || role !== "admin" || standing.length === 0) return standing.length;
  const tokens = new Set((await listRelayMembers(relay, id as SpaceId)).map(({ tokenId }) => tokenId));
  const noted = notedKits(current);
  const isKnown = (key: Uint8Array): boolean =>
    noted.some((one) => tokens.has(one.tokenId) && bytesEqual(one.key, key));
  let unknown = 0;
  for (const { key, kit, agent } of standing) {
    if (isKnown(key)) continue;
    const left = { role: "admin", ...readKeptKit(kit) } as const;
    try {
      const tokenId = await leaveParcel(relay, id as SpaceId, left, parts.clock.now());
      const mark = markOf(noted, key);
      await note(tokenId, { mark, role: "admin", key, kit, agent });
    } catch (error) {
      if (!isCambiumError(error)) throw error;
      unknown += 1;
    }
  }
  return unknown;
}

const markOf = (kits: readonly NotedKit[], key: Uint8Array): Uint8Array =>
  kits.find((kit) => Buffer.compare(kit.key, key) === 0)?.mark ?? new Uint8Array();
