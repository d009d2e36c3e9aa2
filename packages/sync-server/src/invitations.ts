/**
 * Invitations: secrets that open nothing, and that each device trades for a token of its own. So every device can be
 * listed and revoked by itself, and the end of an invitation is not the end of those who came by it.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { InvitationLog, Role, StoredInvitation, StoredToken } from "./log/relay-log.js";
import { allows, hashToken, isOver, newId, newSecret, type Tokens, type TokensOptions } from "./tokens.js";

/** Who has an invitation cannot fill the space with tokens. */
const USUAL_MOST_USES = 100;

export interface InvitationRequest {
  readonly space: string;
  readonly role: Role;
  readonly expiresAt?: number | undefined;
  readonly accessUntil?: number | undefined;
  readonly uses?: number | undefined;
}

export interface IssuedInvitation extends Pick<StoredInvitation, "invitationId" | "role" | "expiresAt"> {
  /** Shown now and never again. */
  readonly token: string;
}

export interface TradeRequest {
  /** SHA-256 of the token that the device has made for itself; so a trade that is sent twice is one. */
  readonly hash: string;
  readonly role?: Role | undefined;
  readonly device?: string | undefined;
}

export interface InvitationsOptions extends Pick<TokensOptions, "now" | "random"> {
  readonly log: InvitationLog;
  readonly tokens: Tokens;
}

export class Invitations {
  readonly #options: InvitationsOptions;

  constructor(options: InvitationsOptions) {
    this.#options = options;
  }

  /** @throws {CambiumError} SPACE_NOT_FOUND, QUOTA_EXCEEDED */
  async issue({ uses = USUAL_MOST_USES, ...request }: InvitationRequest): Promise<IssuedInvitation> {
    const { log, tokens, now, random } = this.#options;
    await tokens.requireRoom(request.space, await this.#countWithoutExpired(request.space));
    const token = newSecret("invite", random);
    const { space, role, expiresAt, accessUntil } = request;
    const invitationId = newId(random);
    await log.addInvitation({
      ...{ invitationId, space, role, hash: hashToken(token), createdAt: now() },
      ...{ expiresAt, accessUntil, mostUses: uses, uses: 0 },
    });
    return { invitationId, token, role, expiresAt };
  }

  /** Those that stand. */
  async list(space: string): Promise<readonly StoredInvitation[]> {
    const { log, now } = this.#options;
    return (await log.invitationsOf(space)).filter((invitation) => !hasEnded(invitation, now()));
  }

  /** @throws {CambiumError} TOKEN_REFUSED, ROLE_REFUSED, QUOTA_EXCEEDED, BAD_INPUT */
  async trade(invitation: StoredInvitation, { hash, role, device }: TradeRequest): Promise<StoredToken> {
    const { log, tokens, now, random } = this.#options;
    const { space, invitationId, accessUntil } = invitation;
    if (role !== undefined && !allows(invitation.role, role)) {
      throw new CambiumError("ROLE_REFUSED", `The invitation allows ${invitation.role} at most.`, {
        hint: "Ask for an invitation with the role that you need.",
      });
    }
    if (isOver({ expiresAt: accessUntil }, now())) throw notTraded("over");
    await tokens.requireRoom(space);
    const token = {
      ...{ tokenId: newId(random), space, role: role ?? invitation.role, hash, label: undefined },
      ...{ createdAt: now(), expiresAt: accessUntil, cameBy: invitationId, device },
    };
    const outcome = await log.trade(token);
    if (outcome.kind === "made") return token;
    if (outcome.kind === "known") return outcome.token;
    throw notTraded(outcome.kind);
  }

  /** @returns the ids of the tokens that were removed with it; undefined when there is nothing to remove */
  revoke(
    space: string,
    invitationId: string,
    options: Parameters<InvitationLog["removeInvitation"]>[2],
  ): ReturnType<InvitationLog["removeInvitation"]> {
    return this.#options.log.removeInvitation(space, invitationId, options);
  }

  /** Nobody misses those that have expired, and they would add up. @returns how many are left */
  async #countWithoutExpired(space: string): Promise<number> {
    const { log, now } = this.#options;
    const all = await log.invitationsOf(space);
    const expired = all.filter((invitation) => isOver(invitation, now()));
    for (const { invitationId } of expired) await this.revoke(space, invitationId, { withTokens: false });
    return all.length - expired.length;
  }
}

const hasEnded = (invitation: StoredInvitation, now: number): boolean =>
  isOver(invitation, now) || invitation.uses >= invitation.mostUses;

function notTraded(kind: "taken" | "used-up" | "unknown" | "over"): CambiumError {
  const hint = "Ask for a new one.";
  switch (kind) {
    case "taken":
      return new CambiumError("BAD_INPUT", "This hash belongs to another token; make another one.");
    case "used-up":
      return new CambiumError("TOKEN_REFUSED", "As many devices have joined by this invitation as may.", {
        hint,
      });
    case "unknown":
      return new CambiumError("TOKEN_REFUSED", "The invitation has been revoked.", { hint });
    case "over":
      return new CambiumError("TOKEN_REFUSED", "The access that the invitation gives has ended.", { hint });
  }
}
