/**
 * The requests by which access that had ended is ended once more. Apart from what decides about it, since no process
 * that only reads has to load what speaks to a relay.
 *
 * @module
 */
import type { SpaceId } from "@cambium/core";
import type { Member, RelayAccess } from "../api.js";
import { revokeRelayToken } from "../sync/relay-http.js";
import { listRelayInvitations, listRelayMembers, revokeRelayInvitation } from "../sync/relay-invitations.js";
import { ignoreGone } from "./revoke-access.js";

/**
 * Asks the relay which of these it takes, and ends them.
 *
 * @throws {CambiumError} TOKEN_REFUSED, ROLE_REFUSED, RELAY_UNREACHABLE
 */
export async function endAgain(
  relay: RelayAccess,
  space: SpaceId,
  ids: readonly string[],
  members: () => Promise<readonly Member[]>,
): Promise<{ readonly found: readonly string[]; readonly names: readonly string[] }> {
  const ended = new Set(ids);
  // First, or whoever came by one could come in again in between.
  const invitations = await listRelayInvitations(relay, space);
  const links = invitations.map(({ invitationId }) => invitationId).filter((id) => ended.has(id));
  for (const invitation of links)
    await revokeRelayInvitation(relay, space, { invitation, withTokens: false }).catch(ignoreGone);
  const listed = await listRelayMembers(relay, space);
  const tokens = listed.filter(({ tokenId, isYou }) => ended.has(tokenId) && isYou !== true);
  for (const { tokenId } of tokens) await revokeRelayToken(relay, { space, tokenId }).catch(ignoreGone);
  const accesses = new Set(tokens.map(({ tokenId }) => tokenId));
  const known = accesses.size === 0 ? [] : await members();
  const names = known.flatMap(({ name, access = "" }) => (accesses.has(access) ? [name] : []));
  return { found: [...links, ...accesses], names };
}
