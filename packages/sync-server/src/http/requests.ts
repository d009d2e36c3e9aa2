/**
 * What all paths of the HTTP interface share: who asks, what is asked, and how a refusal looks.
 *
 * @module
 */
import { CambiumError, ERROR_CODES, isCambiumError } from "@cambium/core";
import express, { type ErrorRequestHandler, type Request, type Response } from "express";
import { z } from "zod";
import type { OnEvent } from "../events.js";
import { allows, type Bearer, type Member } from "../tokens.js";
import { bearerToken } from "../upgrade.js";

const BODY_LIMIT = "16kb";
const MOST_HINT = 500;

/** Who asks, and from where. */
export interface Caller {
  readonly bearer: Bearer;
  readonly address: string;
}

/** Tells who asks, before anything that they sent is read. */
export interface CallerSource {
  readonly addressOf: (request: Request) => string;
  readonly bearerOf: (token: string, address: string) => Promise<Bearer | undefined>;
  /** Throws where an address trades too much. */
  readonly noteTrade: (hash: string, address: string) => void;
}

/** @throws {CambiumError} TOKEN_REFUSED, RATE_LIMITED */
export async function callerOf(request: Request, { addressOf, bearerOf }: CallerSource): Promise<Caller> {
  const address = addressOf(request);
  const bearer = await bearerOf(bearerToken(request.headers.authorization) ?? "", address);
  if (bearer === undefined) {
    throw new CambiumError("TOKEN_REFUSED", "The token is missing, unknown, revoked or expired.", {
      hint: "Send it as Authorization: Bearer <token>. If an invitation held it, ask for a new one.",
    });
  }
  return { bearer, address };
}

export function requireMember({ bearer }: Caller): Member {
  if (bearer.kind === "member") return bearer;
  if (bearer.kind === "invitation") throw notTradedYet();
  throw roleRefused("The relay's admin token belongs to no space; use a token of the space.");
}

export function requireSpaceAdmin({ bearer }: Caller, space: string): void {
  if (bearer.kind === "relay-admin") return;
  if (bearer.kind === "invitation") throw notTradedYet();
  if (bearer.space === space && allows(bearer.role, "admin")) return;
  throw roleRefused(
    "This is for the space's admins.",
    "Do it on a device whose role is admin, or ask for an invitation with that role.",
  );
}

export function requireRelayAdmin({ bearer }: Caller): void {
  if (bearer.kind !== "relay-admin") throw roleRefused("This takes the relay's admin token.");
}

export const roleRefused = (message: string, hint?: string): CambiumError =>
  new CambiumError("ROLE_REFUSED", message, { hint });

const notTradedYet = (): CambiumError =>
  roleRefused(
    "An invitation opens nothing by itself; each device trades it for a token of its own.",
    "Join with it: cambium join <invitation>. An earlier version of Cambium cannot; update it first.",
  );

const readJson = express.json({ limit: BODY_LIMIT });

/**
 * The body, read only now: those without a fitting token get no parser to play with.
 *
 * @throws {CambiumError} BAD_INPUT
 */
export async function bodyOf<Output>(
  request: Request,
  response: Response,
  schema: z.ZodType<Output>,
): Promise<Output> {
  await new Promise<void>((resolve, reject) => {
    readJson(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const result = schema.safeParse(request.body ?? {});
  if (result.success) return result.data;
  throw new CambiumError("BAD_INPUT", "The request's body is not as expected.", {
    hint: z.prettifyError(result.error).slice(0, MOST_HINT),
  });
}

/** Clients get a code and a sentence; what went wrong inside is for the operator. */
export function toJsonError(onEvent: OnEvent): ErrorRequestHandler {
  return (error: unknown, _request, response: Response, next) => {
    if (response.headersSent) return next(error);
    const { status, failure } = describe(error);
    if (status >= 500) onEvent({ level: "error", type: "failed", error });
    const { code, message, hint } = failure;
    response.status(status).json({ error: { code, message, ...(hint === undefined ? {} : { hint }) } });
  };
}

function describe(error: unknown): { status: number; failure: CambiumError } {
  if (isCambiumError(error)) return { status: ERROR_CODES[error.code].http, failure: error };
  const status = statusOf(error);
  if (status === undefined) {
    const isFull = FULL.test(String((error as Error | undefined)?.message));
    const failure = isFull
      ? new CambiumError("STORE_FAILED", "The disk of the relay is full.", { hint: "Make room there." })
      : new CambiumError("INTERNAL", "The relay could not answer.", { hint: "Its log says why." });
    return { status: 500, failure };
  }
  return { status, failure: new CambiumError("BAD_INPUT", "The request cannot be read.") };
}

/** As SQLite and Node say it. */
const FULL = /disk is full|ENOSPC/;

/** Express and its body parser say so when the client is to blame. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("status" in error)) return undefined;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status < 500 ? status : undefined;
}
