/**
 * Invitations over HTTP: admins make, list and revoke them; who has one looks at it, and trades it.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { Express } from "express";
import { z } from "zod";
import { ROLES, type StoredInvitation } from "../log/relay-log.js";
import type { HttpApiOptions } from "./http-options.js";
import { doneBy } from "./operations.js";
import { bodyOf, type Caller, callerOf, requireSpaceAdmin, roleRefused } from "./requests.js";

const MOST_USES = 10_000;

/** Sealed by the device, for the members of its space. */
const sealedDevice = z.base64url().max(2_048).optional();

/** @returns a time in milliseconds since 1970 that has not passed */
export const futureTime = (now: () => number) =>
  z
    .int()
    .positive()
    .refine((time) => time > now(), "has passed already; it is in milliseconds since 1970")
    .optional();

const tradeRequest = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{64}$/, "the SHA-256 of a token, in hexadecimal"),
  role: z.enum(ROLES).optional(),
  device: sealedDevice,
});

export function addInvitations(app: Express, options: HttpApiOptions): void {
  addMaking(app, options);
  addRevoking(app, options);
  addTrading(app, options);
}

function addMaking(app: Express, options: HttpApiOptions): void {
  const { invitations, tokens, now, callers, keepAct, inTurn } = options;
  const time = futureTime(now);
  const wish = z.strictObject({
    ...{ role: z.enum(ROLES), expiresAt: time, accessUntil: time },
    uses: z.int().min(1).max(MOST_USES).optional(),
  });
  app.post("/spaces/:space/invitations", async (request, response) => {
    const { space } = request.params;
    const caller = await callerOf(request, callers);
    requireSpaceAdmin(caller, space);
    const wanted = await bodyOf(request, response, wish);
    const issued = await inTurn(space, doneBy(caller).by, async () => {
      const made = await invitations.issue({ space, ...wanted });
      const { invitationId, role } = made;
      keepAct({ act: "invitation-made", ...doneBy(caller), space, invitationId, role });
      return made;
    });
    response.status(201).json(issued);
  });
  app.get("/spaces/:space/invitations", async (request, response) => {
    const { space } = request.params;
    const caller = await callerOf(request, callers);
    requireSpaceAdmin(caller, space);
    await inTurn(space, doneBy(caller).by, async () => {
      const came = Map.groupBy(await tokens.list(space), ({ cameBy }) => cameBy);
      const standing = await invitations.list(space);
      response.json({
        invitations: standing.map((one) => ({
          ...invitationToJson(one),
          tokens: came.get(one.invitationId)?.length ?? 0,
        })),
      });
    });
  });
}

function addRevoking(app: Express, options: HttpApiOptions): void {
  const { invitations, tokens, hub, callers, keepAct, inTurn } = options;
  app.delete("/spaces/:space/invitations/:invitationId", async (request, response) => {
    const { space, invitationId } = request.params;
    const caller = await callerOf(request, callers);
    requireSpaceAdmin(caller, space);
    const withTokens = request.query.tokens === "true";
    const guard = tokens.guard(caller.bearer.kind === "member");
    const tokenIds = await inTurn(space, doneBy(caller).by, async () => {
      const revoked = await invitations.revoke(space, invitationId, { withTokens, ...guard });
      if (revoked === "last-admin") throw wouldTakeLastAdmin();
      if (revoked === undefined) throw noSuchInvitation(invitationId);
      for (const tokenId of revoked) hub.endThoseOf(space, tokenId);
      keepAct({ act: "invitation-revoked", ...doneBy(caller), space, invitationId, tokenIds: revoked });
      return revoked;
    });
    response.json({ tokens: tokenIds });
  });
}

const wouldTakeLastAdmin = (): CambiumError =>
  roleRefused("This would take the last admin token of the space.", "The relay's admin can do it.");

const noSuchInvitation = (invitationId: string): CambiumError =>
  new CambiumError("BAD_INPUT", `The space has no invitation ${invitationId}.`, {
    hint: "GET /spaces/:space/invitations lists them.",
  });

function addTrading(app: Express, { invitations, callers, keepAct, inTurn }: HttpApiOptions): void {
  app.get("/invitation", async (request, response) => {
    response.json(invitationToJson(invitationOf(await callerOf(request, callers))));
  });
  app.post("/trade", async (request, response) => {
    const caller = await callerOf(request, callers);
    const invitation = invitationOf(caller);
    const wanted = await bodyOf(request, response, tradeRequest);
    callers.noteTrade(wanted.hash, caller.address);
    const { invitationId, space } = invitation;
    const { tokenId, role, expiresAt } = await inTurn(space, invitationId, async () => {
      const traded = await invitations.trade(invitation, wanted);
      const made = { invitationId, tokenId: traded.tokenId, role: traded.role };
      keepAct({ act: "invitation-traded", ...doneBy(caller), space, ...made });
      return traded;
    });
    response.status(201).json({ space, tokenId, role, expiresAt, invitationId });
  });
}

function invitationOf({ bearer }: Caller): StoredInvitation {
  if (bearer.kind === "invitation") return bearer.invitation;
  throw roleRefused("This token is no invitation, so there is nothing to trade.");
}

/** Without its hash. */
const invitationToJson = ({
  invitationId,
  space,
  role,
  createdAt,
  expiresAt,
  accessUntil,
  mostUses,
  uses,
}: StoredInvitation) => ({ invitationId, space, role, createdAt, expiresAt, accessUntil, mostUses, uses });
