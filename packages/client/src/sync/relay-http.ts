/**
 * What a replica asks of a relay outside of a session: spaces and tokens.
 *
 * @module
 */

import { CambiumError, ERROR_CODES, type ErrorCode, isCambiumError, type SpaceId } from "@cambium/core";
import * as z from "zod";
import type { Role } from "../api.js";
import { parseJson } from "../models/ask-endpoint.js";
import { certificateHint } from "./refused-certificate.js";
import { tokenRole as role, relaySpace as space, relayText as text } from "./relay-shapes.js";
import { checkToken, normaliseRelayUrl, relayHttpUrl } from "./relay-url.js";

/** How to reach a relay. */
export interface RelayCall {
  /** The relay's http(s) address. */
  readonly url: string;
  /** The relay's admin token or one of the space, as the call needs it. */
  readonly token: string;
  /** Stops the call: it rejects with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Default: 15 seconds. */
  readonly timeoutMs?: number | undefined;
}

export interface RelayToken {
  readonly tokenId: string;
  readonly token: string;
  readonly role: Role;
}

/** What a token is for. */
export interface RelaySpaceRole {
  /** The only space that it opens. */
  readonly space: SpaceId;
  /** What it allows there. */
  readonly role: Role;
  /** What was left there, sealed, when the token was made. */
  readonly device?: string | undefined;
}

const TIMEOUT_MS = 15_000;

const tokenSchema = z.object({ tokenId: text, token: text, role });
const createdSpaceSchema = tokenSchema.extend({ space });
const spaceRoleSchema = z.object({ space, role, device: z.string().max(4_096).optional() });
const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});
/**
 * Makes a space on the relay.
 *
 * @param call.token - the relay's admin token
 * @returns the first token of the space, with the role admin
 * @throws {CambiumError} SPACE_EXISTS, TOKEN_REFUSED, ROLE_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL, ABORTED
 */
export function createRelaySpace(call: RelayCall, spaceId: SpaceId): Promise<RelayToken & RelaySpaceRole> {
  return askJson(call, { method: "POST", path: ["spaces"], body: { space: spaceId } }, createdSpaceSchema);
}

export interface NewRelayToken {
  readonly space: SpaceId;
  readonly role: Role;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** For the list of tokens; the relay can read it. */
  readonly label?: string | undefined;
}

/**
 * @param call.token - of the space, with the role admin, or the relay's own
 * @throws {CambiumError} TOKEN_REFUSED, ROLE_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL, ABORTED
 */
export function createRelayToken(call: RelayCall, { space, ...body }: NewRelayToken): Promise<RelayToken> {
  return askJson(call, { method: "POST", path: ["spaces", space, "tokens"], body }, tokenSchema);
}

const tokenListSchema = z.object({
  tokens: z.array(
    z.object({
      ...{ tokenId: text, role, createdAt: z.number(), expiresAt: z.number().optional() },
      cameBy: text.optional(),
    }),
  ),
});

/** A token as the relay lists it. */
export type ListedToken = z.output<typeof tokenListSchema>["tokens"][number];

/**
 * @param call.token - of the space, with the role admin, or the relay's own
 * @throws {CambiumError} TOKEN_REFUSED, ROLE_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL, ABORTED
 */
export async function listRelayTokens(call: RelayCall, space: SpaceId): Promise<readonly ListedToken[]> {
  const question = { method: "GET", path: ["spaces", space, "tokens"] } as const;
  return (await askJson(call, question, tokenListSchema)).tokens;
}

/**
 * Makes a token unknown and ends its sessions.
 *
 * @throws {CambiumError} TOKEN_REFUSED, ROLE_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL, ABORTED
 */
export async function revokeRelayToken(
  call: RelayCall,
  { space, tokenId }: { readonly space: SpaceId; readonly tokenId: string },
): Promise<void> {
  await ask(call, { method: "DELETE", path: ["spaces", space, "tokens", tokenId] }, async () => undefined);
}

/**
 * Gives a token another role, and ends its sessions: the next have it.
 *
 * @throws {CambiumError} TOKEN_REFUSED, ROLE_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL, ABORTED
 */
export async function changeRelayRole(
  call: RelayCall,
  { space, tokenId, role }: { readonly space: SpaceId; readonly tokenId: string; readonly role: Role },
): Promise<void> {
  const path = ["spaces", space, "tokens", tokenId];
  await ask(call, { method: "PATCH", path, body: { role } }, async () => undefined);
}

/**
 * Returns which space a token is for, and what it allows there.
 *
 * @throws {CambiumError} TOKEN_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL, ABORTED
 */
export function relaySpaceOf(call: RelayCall): Promise<RelaySpaceRole> {
  return askJson(call, { method: "GET", path: ["space"] }, spaceRoleSchema);
}

interface Question {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: readonly string[];
  readonly query?: string;
  readonly body?: object;
}

export function askJson<Answer>(
  call: RelayCall,
  question: Question,
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  return ask(call, question, async (response) => {
    const answer = schema.safeParse(parseJson(await response.text()));
    if (!answer.success) throw notUnderstood(answer.error);
    return answer.data;
  });
}

async function ask<Answer>(
  call: RelayCall,
  { method, path, query = "", body }: Question,
  read: (response: Response) => Promise<Answer>,
): Promise<Answer> {
  const url = relayHttpUrl(normaliseRelayUrl(call.url), path) + query;
  const headers: Record<string, string> = { authorization: `Bearer ${checkToken(call.token)}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  const timeout = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
  try {
    // A redirect could carry the token to another host.
    const response = await fetch(url, {
      method,
      headers,
      signal,
      redirect: "error",
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw answerToError(response.status, parseJson(await response.text()));
    return await read(response);
  } catch (error) {
    if (isCambiumError(error)) throw error;
    if (call.signal?.aborted) throw new CambiumError("ABORTED", "Stopped by the caller.", { cause: error });
    throw unreachable(url, timeout.aborted, error);
  }
}

/** The relay's own words where they are ours, else what the status says. */
function answerToError(status: number, body: unknown): CambiumError {
  const stated = errorSchema.safeParse(body);
  const details = { status };
  if (stated.success && Object.hasOwn(ERROR_CODES, stated.data.error.code)) {
    const { code, message, hint } = stated.data.error;
    return new CambiumError(code as ErrorCode, message, { hint, details });
  }
  if (status === 401)
    return new CambiumError("TOKEN_REFUSED", "The relay does not know the token.", { details });
  if (status === 403)
    return new CambiumError("ROLE_REFUSED", "The token's role does not allow this.", { details });
  if (status >= 500)
    return new CambiumError("RELAY_UNREACHABLE", `The relay has trouble (${status}).`, { details });
  return new CambiumError("RELAY_PROTOCOL", `The address answered ${status}; it may be no relay.`, {
    hint: "Check the relay's address, and its version.",
    details,
  });
}

const AWAY = "Check its address, and whether it runs. `cambium doctor` looks further.";

const unreachable = (url: string, isTimeout: boolean, cause: unknown): CambiumError =>
  new CambiumError(
    "RELAY_UNREACHABLE",
    isTimeout
      ? `The relay at ${new URL(url).host} did not answer in time.`
      : `The relay at ${new URL(url).host} cannot be reached.`,
    { hint: certificateHint(cause) ?? AWAY, cause },
  );

const notUnderstood = (cause: unknown): CambiumError =>
  new CambiumError("RELAY_PROTOCOL", "The relay's answer is not understood; it may be no relay.", { cause });
