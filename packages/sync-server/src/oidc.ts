/**
 * JWTs of an identity provider as tokens of spaces. Which space, and what may be done there, are claims.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import { z } from "zod";
import { ROLES, type Role } from "./log/relay-log.js";

/** Whose JWTs are taken, and what in them counts. */
export interface OidcOptions {
  /** The address of the provider, as its tokens name it. */
  readonly issuer: string;
  /** What the claim `aud` has to be. */
  readonly audience: string;
  /** The claim that names the space. */
  readonly spaceClaim: string;
  /** The claim that names the role. */
  readonly roleClaim: string;
  /** By how many seconds clocks may differ. */
  readonly skewSeconds: number;
}

/** What a JWT says of its bearer. */
export interface OidcBearer {
  readonly subject: string;
  readonly space: string;
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Signatures that only the provider can make. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const DISCOVERY_TIMEOUT_MS = 5_000;

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Whether the text has the form of a JWT; our own tokens have no dot. */
export const looksLikeJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

export class OidcTokens {
  readonly #options: OidcOptions;
  readonly #now: () => number;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(options: OidcOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /**
   * @returns undefined for a JWT that is not the provider's, not for us, expired, or without the claims
   * @throws {CambiumError} STORE_FAILED when the provider's keys cannot be had
   */
  async bearerOf(token: string): Promise<OidcBearer | undefined> {
    const payload = await this.#verified(token);
    if (payload === undefined) return undefined;
    const { spaceClaim, roleClaim, skewSeconds } = this.#options;
    const { sub, exp, [spaceClaim]: space, [roleClaim]: claimed } = payload;
    const role = ROLES.find((one) => one === claimed);
    if (role === undefined || typeof space !== "string" || sub === undefined || exp === undefined)
      return undefined;
    const expiresAt = (exp + skewSeconds) * 1_000;
    return { subject: sub, space, role, expiresAt };
  }

  async #verified(token: string): Promise<JWTPayload | undefined> {
    const { jwtVerify, errors } = await import("jose");
    this.#keys ??= this.#fetchKeys();
    const keys = await this.#keys.catch((cause: unknown) => {
      this.#keys = undefined; // asked again next time
      throw unreachable(this.#options.issuer, cause);
    });
    const { issuer, audience, skewSeconds } = this.#options;
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer, audience, algorithms: ALGORITHMS, clockTolerance: skewSeconds },
        ...{ requiredClaims: ["sub", "exp"], currentDate: new Date(this.#now()) },
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError))
        throw unreachable(issuer, error);
      // Its plain kind says that the keys were not answered as they should be.
      if (error.code === "ERR_JOSE_GENERIC") throw unreachable(issuer, error);
      return undefined;
    }
  }

  async #fetchKeys(): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet } = await import("jose");
    const { issuer } = this.#options;
    const response = await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`The provider answered ${response.status}.`);
    const found = discovery.parse(await response.json());
    if (found.issuer !== issuer) throw new Error(`The provider calls itself ${found.issuer}.`);
    return createRemoteJWKSet(new URL(found.jwks_uri));
  }
}

const unreachable = (issuer: string, cause: unknown): CambiumError =>
  new CambiumError("STORE_FAILED", `The keys of the identity provider ${issuer} cannot be had.`, {
    hint: "See that the relay reaches it, and that oidc-issuer is as its tokens have it.",
    cause,
  });
