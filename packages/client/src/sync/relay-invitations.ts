/**
 * What a replica asks of a relay about invitations, and about those who came by them.
 *
 * @module
 */
import { isCambiumError, type SpaceId } from "@cambium/core";
import * as z from "zod";
import type { Role } from "../api.js";
import { askJson, type RelayCall } from "./relay-http.js";
import { tokenRole as role, relaySpace as space, relayText as text } from "./relay-shapes.js";

export interface NewRelayInvitation {
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** When the access of those who come by it ends. */
  readonly accessUntil?: number | undefined;
  readonly uses?: number | undefined;
}

const issuedSchema = z.object({ invitationId: text, token: text });

/**
 * Makes an invitation.
 *
 * @returns undefined where the relay is of a version that has none
 * @throws {CambiumError} TOKEN_REFUSED, ROLE_REFUSED, QUOTA_EXCEEDED, RELAY_UNREACHABLE, RELAY_PROTOCOL
 */
export function createRelayInvitation(
  call: RelayCall,
  spaceId: SpaceId,
  body: NewRelayInvitation,
): Promise<z.output<typeof issuedSchema> | undefined> {
  const question = { method: "POST", path: ["spaces", spaceId, "invitations"], body } as const;
  return askJson(call, question, issuedSchema).catch(undefinedWhereUnknown);
}

const listedSchema = z.object({
  invitations: z.array(
    z.object({
      ...{ invitationId: text, role, createdAt: z.number(), expiresAt: z.number().optional() },
      ...{ accessUntil: z.number().optional(), mostUses: z.number(), uses: z.number(), tokens: z.number() },
    }),
  ),
});

/** An invitation as the relay lists it. */
export type ListedInvitation = z.output<typeof listedSchema>["invitations"][number];

/** @returns those that stand; none where the relay is of a version that has none */
export async function listRelayInvitations(
  call: RelayCall,
  spaceId: SpaceId,
): Promise<readonly ListedInvitation[]> {
  const question = { method: "GET", path: ["spaces", spaceId, "invitations"] } as const;
  return (await askJson(call, question, listedSchema).catch(undefinedWhereUnknown))?.invitations ?? [];
}

const revokedSchema = z.object({ tokens: z.array(text) });

/** @returns the ids of the tokens that ended with it; undefined when there is no such invitation, or it is of a person's own making */
export async function revokeRelayInvitation(
  call: RelayCall,
  spaceId: SpaceId,
  { invitation, withTokens }: { readonly invitation: string; readonly withTokens: boolean },
): Promise<readonly string[]> {
  const path = ["spaces", spaceId, "invitations", invitation];
  const query = withTokens ? "?tokens=true" : "";
  return (await askJson(call, { method: "DELETE", path, query }, revokedSchema)).tokens;
}

const offerSchema = z.object({ space, role });

/** Returns what an invitation, or a token of the space, is for. */
export function relayInvitationOf(call: RelayCall): Promise<z.output<typeof offerSchema>> {
  return askJson(call, { method: "GET", path: ["invitation"] }, offerSchema);
}

const tradedSchema = z.object({
  ...{ space, role, tokenId: text, invitationId: text },
  /** When the access ends. */
  expiresAt: z.number().optional(),
});

/**
 * Trades an invitation for a token that this device has made.
 *
 * @param call.token - that of the invitation
 * @param body.hash - SHA-256 of the token, in hexadecimal
 * @param body.device - sealed
 * @throws {CambiumError} TOKEN_REFUSED, QUOTA_EXCEEDED, RATE_LIMITED, RELAY_UNREACHABLE, RELAY_PROTOCOL
 */
export function tradeInvitation(
  call: RelayCall,
  body: { readonly hash: string; readonly device: string },
): Promise<z.output<typeof tradedSchema>> {
  return askJson(call, { method: "POST", path: ["trade"], body }, tradedSchema);
}

const memberSchema = z.object({
  ...{ tokenId: text, role, sessions: z.number(), expiresAt: z.number().optional() },
  ...{ lastUsedAt: z.number().optional(), cameBy: text.optional() },
  ...{ device: z.string().max(4_096).optional(), isYou: z.boolean().optional() },
});

/** A token, with how it is used, as the relay lists it. */
export type ListedMember = z.output<typeof memberSchema>;

/** Those who hold tokens of the space. */
export async function listRelayMembers(call: RelayCall, spaceId: SpaceId): Promise<readonly ListedMember[]> {
  const question = { method: "GET", path: ["spaces", spaceId, "members"] } as const;
  return (await askJson(call, question, z.object({ members: z.array(memberSchema) }))).members;
}

/** A relay of an earlier version does not know the path. */
function undefinedWhereUnknown(error: unknown): undefined {
  if (isCambiumError(error, "BAD_INPUT") && error.details?.status === 404) return undefined;
  throw error;
}
