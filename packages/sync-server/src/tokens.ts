/**
 * Who may do what: tokens bound to one space and one role, and the relay's own admin token, which makes
 * spaces. Only hashes are kept, so a stolen log opens nothing.
 *
 * @module
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { CambiumError } from "@cambium/core";
import {
  type InvitationLog,
  type LeavesAdmin,
  type RemovedToken,
  ROLES,
  type Role,
  type RoleChange,
  type RoleOutcome,
  type StoredInvitation,
  type StoredToken,
  type TokenLog,
} from "./log/relay-log.js";
import type { LogBatch } from "./log/space-log.js";
import { looksLikeJwt, type OidcOptions, OidcTokens } from "./oidc.js";

const TOKEN_BYTES = 32;
const TOKEN_ID_BYTES = 8;
/** Longer ones are refused unread; ours have under 60 characters, and JWTs some thousand. */
const MAX_TOKEN_LENGTH = 256;
const MAX_JWT_LENGTH = 8_192;

/** What a token gives its bearer. */
export type Bearer =
  | { readonly kind: "relay-admin" }
  /** It opens nothing, and is traded for a token that does. */
  | { readonly kind: "invitation"; readonly invitation: StoredInvitation }
  | {
      readonly kind: "member";
      readonly tokenId: string;
      readonly space: string;
      readonly role: Role;
      readonly hash: string;
      readonly expiresAt: number | undefined;
      /** Its token is a JWT: it stands until it expires, and the log does not know it. */
      readonly isOidc?: true;
    };

export type Member = Extract<Bearer, { kind: "member" }>;

export interface IssuedToken {
  readonly tokenId: string;
  /** Shown now and never again. */
  readonly token: string;
  readonly role: Role;
}

export interface TokenRequest {
  readonly space: string;
  readonly role: Role;
  readonly label?: string | undefined;
  readonly expiresAt?: number | undefined;
}

export interface TokensOptions {
  readonly log: TokenLog & Pick<InvitationLog, "invitationByHash">;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** How many tokens a space may have. */
  readonly mostTokens?: number;
  /** Takes JWTs of this provider as well. */
  readonly oidc?: OidcOptions | undefined;
  /** Keeps a new admin token of the relay, before it counts. */
  readonly keepAdminToken?: ((token: string) => void) | undefined;
}

/** By what a batch of a member is judged when it is stored. */
export const allowanceOf = ({
  space,
  hash: tokenHash,
  isOidc,
  expiresAt,
}: Member): Pick<LogBatch, "space" | "tokenHash" | "expiresAt"> =>
  isOidc ? { space, ...(expiresAt === undefined ? {} : { expiresAt }) } : { space, tokenHash };

export const allows = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

export class Tokens {
  readonly #log: TokensOptions["log"];
  readonly #now: () => number;
  readonly #random: (length: number) => Uint8Array;
  readonly #mostTokens: number;
  readonly #keepAdminToken: (token: string) => void;
  readonly #oidc: OidcTokens | undefined;

  constructor({ log, now, random, mostTokens, oidc, keepAdminToken }: TokensOptions) {
    this.#log = log;
    this.#now = now;
    this.#random = random;
    this.#mostTokens = mostTokens ?? Number.POSITIVE_INFINITY;
    this.#keepAdminToken = keepAdminToken ?? (() => {});
    this.#oidc = oidc && new OidcTokens(oidc, now);
  }

  /**
   * Makes sure that the relay has an admin token: the given one from now on, else the one it has, else a
   * new one.
   *
   * @returns the token if it was made just now
   */
  async prepareRelayAdmin(adminToken: string | undefined): Promise<string | undefined> {
    if (adminToken !== undefined) {
      await this.#log.setRelayAdminHash(hashToken(adminToken));
      return undefined;
    }
    if ((await this.#log.relayAdminHash()) !== undefined) return undefined;
    const token = this.#newToken("relay");
    await this.#log.setRelayAdminHash(hashToken(token));
    return token;
  }

  /** Replaces the relay's admin token. The one before opens nothing from then on. */
  async rotateRelayAdmin(): Promise<string> {
    const token = this.#newToken("relay");
    this.#keepAdminToken(token);
    await this.#log.setRelayAdminHash(hashToken(token));
    return token;
  }

  /** @returns undefined for a token that is unknown, revoked or expired */
  async bearerOf(token: string): Promise<Bearer | undefined> {
    if (this.#oidc !== undefined && looksLikeJwt(token)) return this.#memberByJwt(token, this.#oidc);
    if (token === "" || token.length > MAX_TOKEN_LENGTH) return undefined;
    const hash = hashToken(token);
    const admin = await this.#log.relayAdminHash();
    if (admin !== undefined && timingSafeEqual(Buffer.from(admin), Buffer.from(hash))) {
      return { kind: "relay-admin" };
    }
    return (await this.#memberByHash(hash)) ?? this.#invitationByHash(hash);
  }

  /** @returns what the token behind a session allows by now; undefined if it stands no more */
  async roleOf(member: Member): Promise<Role | undefined> {
    if (member.isOidc) {
      const stands = !isOver(member, this.#now()) && (await this.#log.hasSpace(member.space));
      return stands ? member.role : undefined;
    }
    return (await this.#memberByHash(member.hash))?.role;
  }

  /** What was said, sealed, when the token was traded for. */
  async deviceOf({ hash, isOidc }: Member): Promise<string | undefined> {
    return isOidc ? undefined : (await this.#log.tokenByHash(hash))?.device;
  }

  /** @throws {CambiumError} SPACE_EXISTS */
  async createSpace(space: string): Promise<IssuedToken> {
    const { stored, issued } = this.#make({ space, role: "admin" });
    if (!(await this.#log.createSpace(space, stored))) {
      throw new CambiumError("SPACE_EXISTS", `The relay has a space ${space} already.`, {
        hint: "Use that space's own admin token.",
      });
    }
    return issued;
  }

  /** @throws {CambiumError} SPACE_NOT_FOUND */
  async issue(request: TokenRequest): Promise<IssuedToken> {
    await this.requireRoom(request.space);
    const { stored, issued } = this.#make(request);
    await this.#log.addToken(stored);
    return issued;
  }

  /**
   * @param besides - what the space has that counts as tokens do
   * @throws {CambiumError} SPACE_NOT_FOUND, QUOTA_EXCEEDED
   */
  async requireRoom(space: string, besides = 0): Promise<void> {
    await this.#requireSpace(space);
    if ((await this.#log.standingTokens(space, this.#now())) + besides < this.#mostTokens) return;
    throw new CambiumError(
      "QUOTA_EXCEEDED",
      `The space has ${this.#mostTokens} tokens, the most it may have.`,
      {
        hint: "Revoke some that nobody uses.",
      },
    );
  }

  /** @throws {CambiumError} SPACE_NOT_FOUND */
  async list(space: string): Promise<readonly StoredToken[]> {
    await this.#requireSpace(space);
    return this.#log.tokensOf(space);
  }

  /** @param isGuarded - an admin of the space has to be left */
  revoke(space: string, tokenId: string, isGuarded: boolean): Promise<RemovedToken> {
    return this.#log.removeToken(space, tokenId, this.guard(isGuarded));
  }

  /** What is asked of the transaction that removes tokens. */
  guard(isGuarded: boolean): LeavesAdmin {
    return { leavesAdminAt: isGuarded ? this.#now() : undefined };
  }

  /** @param isGuarded - an admin of the space has to be left */
  changeRole(
    change: Pick<RoleChange, "space" | "tokenId" | "role">,
    isGuarded: boolean,
  ): Promise<RoleOutcome> {
    return this.#log.changeRole({ ...change, ...this.guard(isGuarded) });
  }

  async #requireSpace(space: string): Promise<void> {
    if (!(await this.#log.hasSpace(space))) {
      throw new CambiumError("SPACE_NOT_FOUND", `The relay has no space ${space}.`, {
        hint: "Make it with POST /spaces.",
      });
    }
  }

  async #memberByJwt(token: string, oidc: OidcTokens): Promise<Member | undefined> {
    const bearer = token.length <= MAX_JWT_LENGTH ? await oidc.bearerOf(token) : undefined;
    if (bearer === undefined || !(await this.#log.hasSpace(bearer.space))) return undefined;
    const { subject, ...rest } = bearer;
    return {
      kind: "member",
      tokenId: `oidc:${subject.slice(0, 200)}`,
      ...rest,
      hash: hashToken(token),
      isOidc: true,
    };
  }

  async #memberByHash(hash: string): Promise<Member | undefined> {
    const stored = await this.#log.tokenByHash(hash);
    if (stored === undefined) return undefined;
    const { tokenId, space, role, expiresAt } = stored;
    if (isOver(stored, this.#now())) return undefined;
    return { kind: "member", tokenId, space, role, hash, expiresAt };
  }

  async #invitationByHash(hash: string): Promise<Bearer | undefined> {
    const invitation = await this.#log.invitationByHash(hash);
    if (invitation === undefined || isOver(invitation, this.#now())) return undefined;
    return { kind: "invitation", invitation };
  }

  #make({ space, role, label, expiresAt }: TokenRequest): {
    stored: StoredToken;
    issued: IssuedToken;
  } {
    const token = this.#newToken("space");
    const tokenId = newId(this.#random);
    const createdAt = this.#now();
    return {
      stored: { tokenId, space, role, hash: hashToken(token), label, createdAt, expiresAt },
      issued: { tokenId, token, role },
    };
  }

  #newToken(kind: "relay" | "space"): string {
    return newSecret(kind, this.#random);
  }
}

/** The prefix lets people, clients and secret scanners tell what they have found. */
export const newSecret = (kind: "relay" | "space" | "invite", random: TokensOptions["random"]): string =>
  `cambium_${kind}_${Buffer.from(random(TOKEN_BYTES)).toString("base64url")}`;

export const newId = (random: TokensOptions["random"]): string =>
  Buffer.from(random(TOKEN_ID_BYTES)).toString("hex");

export const isOver = ({ expiresAt }: { readonly expiresAt: number | undefined }, now: number): boolean =>
  expiresAt !== undefined && expiresAt <= now;

export const hashToken = (token: string): string => createHash("sha256").update(token, "utf8").digest("hex");
