/**
 * The relay over HTTP: health, spaces, tokens, and a document in one piece.
 *
 * @module
 */
import { CambiumError, ERROR_CODES, isCambiumError } from "@cambium/core";
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from "express";
import { z } from "zod";
import type { Committer } from "./committer.js";
import type { OnEvent } from "./events.js";
import { isDocumentId } from "./frames.js";
import { type DocumentLog, ROLES, type StoredToken } from "./log/relay-log.js";
import type { SessionHub } from "./session-hub.js";
import { storedToSnapshot } from "./stored-documents.js";
import { allows, type Bearer, type Member, type Tokens } from "./tokens.js";
import { bearerToken } from "./upgrade.js";

const BODY_LIMIT = "16kb";

export interface HttpApiOptions {
  readonly tokens: Tokens;
  readonly hub: SessionHub;
  readonly log: DocumentLog;
  readonly committer: Committer;
  readonly generation: string;
  readonly now: () => number;
  readonly isClosing: () => boolean;
  readonly onEvent: OnEvent;
}

export function httpApi(options: HttpApiOptions): Express {
  const app = express();
  app.disable("x-powered-by").disable("etag");
  app.use(express.json({ limit: BODY_LIMIT }));
  addHealth(app, options);
  addSpaces(app, options);
  addTokens(app, options);
  addDocuments(app, options);
  app.use((_request, response) => {
    const hint = "docs/protocol.md lists the addresses.";
    response
      .status(404)
      .json({ error: { code: "BAD_INPUT", message: "The relay does not know this path.", hint } });
  });
  app.use(toJsonError(options.onEvent));
  return app;
}

function addHealth(app: Express, { committer, isClosing }: HttpApiOptions): void {
  app.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  app.get("/readyz", async (_request, response) => {
    const isReady = !isClosing() && (await committer.probe());
    response.status(isReady ? 200 : 503).json({ status: isReady ? "ready" : "not ready" });
  });
}

const spaceId = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/, "1 to 64 letters, digits, - and _");

function addSpaces(app: Express, { tokens }: HttpApiOptions): void {
  app.post("/spaces", async (request, response) => {
    const bearer = await requireBearer(request, tokens);
    if (bearer.kind !== "relay-admin") throw roleRefused("Making a space takes the relay's admin token.");
    const { space } = parse(z.strictObject({ space: spaceId }), request.body);
    response.status(201).json({ space, ...(await tokens.createSpace(space)) });
  });
  app.get("/space", async (request, response) => {
    const { space, role } = requireMember(await requireBearer(request, tokens));
    response.json({ space, role });
  });
}

const tokenRequest = z.strictObject({
  role: z.enum(ROLES),
  expiresAt: z.int().positive().optional(),
  label: z.string().max(200).optional(),
});

function addTokens(app: Express, { tokens, hub, now }: HttpApiOptions): void {
  app.post("/spaces/:space/tokens", async (request, response) => {
    const { space } = request.params;
    requireSpaceAdmin(await requireBearer(request, tokens), space);
    const wanted = parse(tokenRequest, request.body);
    if (wanted.expiresAt !== undefined && wanted.expiresAt <= now()) {
      throw new CambiumError("BAD_INPUT", "expiresAt has passed already; it is in milliseconds since 1970.");
    }
    response.status(201).json(await tokens.issue({ space, ...wanted }));
  });
  app.get("/spaces/:space/tokens", async (request, response) => {
    const { space } = request.params;
    requireSpaceAdmin(await requireBearer(request, tokens), space);
    response.json({ tokens: (await tokens.list(space)).map(tokenToJson) });
  });
  app.delete("/spaces/:space/tokens/:tokenId", async (request, response) => {
    const { space, tokenId } = request.params;
    requireSpaceAdmin(await requireBearer(request, tokens), space);
    if (!(await tokens.revoke(space, tokenId))) {
      throw new CambiumError("BAD_INPUT", `The space has no token ${tokenId}.`, {
        hint: "GET /spaces/:space/tokens lists them.",
      });
    }
    hub.endThoseOf(space, tokenId);
    response.status(204).end();
  });
}

function addDocuments(app: Express, { tokens, log, committer, generation }: HttpApiOptions): void {
  app.get("/spaces/:space/documents/:documentId", async (request, response) => {
    const { space, documentId } = request.params;
    const member = requireMember(await requireBearer(request, tokens));
    if (member.space !== space) throw roleRefused("The token belongs to another space.");
    const found = isDocumentId(documentId)
      ? await committer.run(() => snapshotOf(log, space, documentId))
      : undefined;
    if (found === undefined)
      throw new CambiumError("HEADS_NOT_HERE", "The space does not have this document.");
    response
      .setHeader("cambium-heads", found.heads.join(","))
      .setHeader("cambium-generation", generation)
      .setHeader("cambium-seq", String(found.seq))
      .type("application/octet-stream")
      .send(Buffer.from(found.bytes));
  });
}

/** The document in one chunk, stored so from now on. Runs in the committer's loop: nothing moves meanwhile. */
async function snapshotOf(
  log: DocumentLog,
  space: string,
  documentId: string,
): Promise<{ bytes: Uint8Array; heads: readonly string[]; seq: number } | undefined> {
  const stored = await log.load(documentId);
  if (stored === undefined || stored.space !== space) return undefined;
  const { heads, seq } = stored;
  const bytes = await storedToSnapshot(stored);
  if (stored.changes.length > 0) await log.compact({ documentId, seq, bytes });
  return { bytes, heads, seq };
}

async function requireBearer(request: Request, tokens: Tokens): Promise<Bearer> {
  const bearer = await tokens.bearerOf(bearerToken(request.headers.authorization) ?? "");
  if (bearer === undefined) {
    throw new CambiumError("TOKEN_REFUSED", "The token is missing, unknown, revoked or expired.", {
      hint: "Send it as Authorization: Bearer <token>.",
    });
  }
  return bearer;
}

function requireMember(bearer: Bearer): Member {
  if (bearer.kind === "member") return bearer;
  throw roleRefused("The relay's admin token belongs to no space; use a token of the space.");
}

function requireSpaceAdmin(bearer: Bearer, space: string): void {
  if (bearer.kind === "relay-admin") return;
  if (bearer.space === space && allows(bearer.role, "admin")) return;
  throw roleRefused("Tokens are given out by the space's admins.");
}

const roleRefused = (message: string): CambiumError => new CambiumError("ROLE_REFUSED", message);

function parse<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  throw new CambiumError("BAD_INPUT", "The request's body is not as expected.", {
    hint: z.prettifyError(result.error).slice(0, 500),
  });
}

const tokenToJson = ({
  tokenId,
  role,
  label,
  createdAt,
  expiresAt,
}: StoredToken): Record<string, unknown> => ({
  tokenId,
  role,
  createdAt,
  ...(label === undefined ? {} : { label }),
  ...(expiresAt === undefined ? {} : { expiresAt }),
});

/** Clients get a code and a sentence; what went wrong inside is for the operator. */
function toJsonError(onEvent: OnEvent): ErrorRequestHandler {
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
    return { status: 500, failure: new CambiumError("INTERNAL", "The relay could not answer.") };
  }
  return { status, failure: new CambiumError("BAD_INPUT", "The request cannot be read.") };
}

/** Express and its body parser say so when the client is to blame. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("status" in error)) return undefined;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status < 500 ? status : undefined;
}
