/**
 * Who loses the key with the removal of members, and who stays.
 *
 * @module
 */
import type { Catalog } from "@cambium/core";
import type { Member } from "../api.js";
import type { RecipientId } from "../keys/epoch-entry.js";
import type { EpochChange } from "../keys/epoch-upkeep.js";
import { endedAccess, invitationRecipient } from "../keys/key-recipients.js";
import { kitRecipient, notedKits } from "../keys/recovery-kit.js";
import { invitationNote } from "../sync/invitation-notes.js";
import type { Ending } from "./revoke-access.js";

export function epochChange(
  catalog: Catalog,
  members: readonly Member[],
  { gone, invitation, links }: Ending,
): Omit<EpochChange, "readers"> {
  const kits = notedKits(catalog);
  const kitOf = ({ access, isRecoveryKit }: Member): RecipientId | undefined => {
    const kit = isRecoveryKit ? kits.find(({ tokenId }) => tokenId === access) : undefined;
    return kit && kitRecipient(kit);
  };
  /** A kit has one at each relay that the space was on. */
  const accessesOf = (member: Member): readonly string[] => {
    const kit = kitOf(member);
    const same = kits.filter((one) => kitRecipient(one) === kit).map(({ tokenId }) => tokenId);
    return member.access === undefined ? same : [member.access, ...same];
  };
  const ended = [...(invitation === undefined ? [] : [invitation]), ...links.came, ...links.made];
  const keysOfLinks = ended.flatMap((id) => invitationNote(catalog, id)?.key ?? []);
  /** Whoever came by an invitation has what is in its link, also before its own key is known here. */
  const linkOf = ({ invitation: cameBy }: Member): readonly RecipientId[] => {
    const key = cameBy === undefined ? undefined : invitationNote(catalog, cameBy)?.key;
    return key === undefined ? [] : [invitationRecipient(key)];
  };
  const all = members.map((one) => ({ one, id: one.replica ?? kitOf(one) }));
  return {
    removed: new Set([
      ...all.flatMap(({ one, id }) => (id !== undefined && gone.includes(one) ? [id] : [])),
      ...keysOfLinks.map(invitationRecipient),
      ...[...gone.flatMap(accessesOf), ...ended, ...links.carriers].map(endedAccess),
    ]),
    staying: all.flatMap(({ one, id }) =>
      one.revokedAt === undefined && !gone.includes(one)
        ? [{ name: one.name, as: [...(id === undefined ? [] : [id]), ...linkOf(one)] }]
        : [],
    ),
  };
}
