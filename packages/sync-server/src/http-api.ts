/**
 * The relay over HTTP: health, spaces, tokens, a document in one piece, and what operators ask.
 *
 * @module
 */
import { pipeline } from "node:stream/promises";
import { CambiumError } from "@cambium/core";
import express, { type Express } from "express";
import { z } from "zod";
import type { HttpApiOptions } from "./http/http-options.js";
import { addInvitations, futureTime } from "./http/invitations.js";
import { addOperations, doneBy } from "./http/operations.js";
import { eachInTurn } from "./http/request-turns.js";
import {
  bodyOf,
  callerOf,
  requireMember,
  requireRelayAdmin,
  requireSpaceAdmin,
  roleRefused,
  toJsonError,
} from "./http/requests.js";
import { documentPieces } from "./http/whole-document.js";
import { ROLES, type StoredToken } from "./log/relay-log.js";
import { CLOSE_CODES } from "./sessions/close-codes.js";
import { hexOf } from "./stock/stock-frames.js";

export function httpApi(options: HttpApiOptions): Express {
  const app = express();
  app.disable("x-powered-by").disable("etag");
  addHealth(app, options);
  addSpaces(app, options);
  addTokens(app, options);
  addRoleChange(app, options);
  addInvitations(app, options);
  addDocuments(app, options);
  addOperations(app, options);
  app.use((_request, response) => {
    const hint = "docs/protocol.md lists the addresses.";
    response
      .status(404)
      .json({ error: { code: "BAD_INPUT", message: "The relay does not know this path.", hint } });
  });
  app.use(toJsonError(options.onEvent));
  return app;
}

/** Whoever asks more often is told what was found last: an answer costs a write to the disk. */
const PROBE_AGAIN_MS = 1_000;

function addHealth(app: Express, { appender, isClosing }: HttpApiOptions): void {
  app.get("/healthz", (_request, response) => {
    response.json({ status: "ok" });
  });
  let probed = { at: Number.NEGATIVE_INFINITY, works: Promise.resolve(false) };
  app.get("/readyz", async (_request, response) => {
    // Not the relay's clock, which tests and people set back.
    const at = performance.now();
    const isFresh = at - probed.at < PROBE_AGAIN_MS && !appender.isFailing;
    if (!isFresh || !(await probed.works)) probed = { at, works: appender.probe() };
    const isReady = !isClosing() && (await probed.works);
    response.status(isReady ? 200 : 503).json({ status: isReady ? "ready" : "not ready" });
  });
}

const spaceId = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/, "1 to 64 letters, digits, - and _");

function addSpaces(app: Express, { tokens, callers, keepAct }: HttpApiOptions): void {
  app.post("/spaces", async (request, response) => {
    const caller = await callerOf(request, callers);
    requireRelayAdmin(caller);
    const { space } = await bodyOf(request, response, z.strictObject({ space: spaceId }));
    const issued = await tokens.createSpace(space);
    keepAct({ act: "space-made", ...doneBy(caller), space, tokenId: issued.tokenId, role: issued.role });
    response.status(201).json({ space, ...issued });
  });
  app.get("/space", async (request, response) => {
    const member = requireMember(await callerOf(request, callers));
    const { space, role } = member;
    response.json({ space, role, device: await tokens.deviceOf(member) });
  });
}

function addTokens(app: Express, { tokens, hub, now, callers, keepAct, inTurn }: HttpApiOptions): void {
  const wish = z.strictObject({
    ...{ role: z.enum(ROLES), expiresAt: futureTime(now), label: z.string().max(200).optional() },
  });
  app.post("/spaces/:space/tokens", async (request, response) => {
    const { space } = request.params;
    const caller = await callerOf(request, callers);
    requireSpaceAdmin(caller, space);
    const wanted = await bodyOf(request, response, wish);
    const issued = await inTurn(space, doneBy(caller).by, async () => {
      const made = await tokens.issue({ space, ...wanted });
      keepAct({ act: "token-made", ...doneBy(caller), space, tokenId: made.tokenId, role: made.role });
      return made;
    });
    response.status(201).json(issued);
  });
  app.get("/spaces/:space/tokens", async (request, response) => {
    const { space } = request.params;
    const caller = await callerOf(request, callers);
    requireSpaceAdmin(caller, space);
    await inTurn(space, doneBy(caller).by, async () => {
      response.json({ tokens: (await tokens.list(space)).map(tokenToJson) });
    });
  });
  app.delete("/spaces/:space/tokens/:tokenId", async (request, response) => {
    const { space, tokenId } = request.params;
    const caller = await callerOf(request, callers);
    requireSpaceAdmin(caller, space);
    await inTurn(space, doneBy(caller).by, async () => {
      const outcome = await tokens.revoke(space, tokenId, caller.bearer.kind === "member");
      if (outcome === "last-admin") throw lastAdmin("The relay's admin can remove this one.");
      if (outcome === "unknown") throw noSuchToken(tokenId);
      hub.endThoseOf(space, tokenId);
      keepAct({ act: "token-revoked", ...doneBy(caller), space, tokenId });
    });
    response.status(204).end();
  });
}

function addRoleChange(app: Express, { tokens, hub, callers, keepAct, inTurn }: HttpApiOptions): void {
  app.patch("/spaces/:space/tokens/:tokenId", async (request, response) => {
    const { space, tokenId } = request.params;
    const caller = await callerOf(request, callers);
    requireSpaceAdmin(caller, space);
    const { role } = await bodyOf(request, response, z.strictObject({ role: z.enum(ROLES) }));
    await inTurn(space, doneBy(caller).by, async () => {
      const outcome = await tokens.changeRole({ space, tokenId, role }, caller.bearer.kind === "member");
      if (outcome === "last-admin") throw lastAdmin("The relay's admin can change this one.");
      if (outcome === "unknown") throw noSuchToken(tokenId);
      hub.endThoseOf(space, tokenId, CLOSE_CODES.role);
      keepAct({ act: "token-changed", ...doneBy(caller), space, tokenId, role });
    });
    response.json({ tokenId, role });
  });
}

const lastAdmin = (more: string): CambiumError =>
  new CambiumError("ROLE_REFUSED", "This is the last admin token of the space.", {
    hint: `Make another with the role admin first. ${more}`,
  });

const noSuchToken = (tokenId: string): CambiumError =>
  new CambiumError("BAD_INPUT", `The space has no token ${tokenId}.`, {
    hint: "GET /spaces/:space/tokens lists them.",
  });

/** At a time, to one token. */
const MOST_DOCUMENTS_SENT = 8;
/** An answer of which nothing was read for so long, or twice as long, is given up. */
const UNREAD_MS = 30_000;

function addDocuments(app: Express, { log, callers, inTurn }: HttpApiOptions): void {
  const sent = new Map<string, number>();
  const count = (tokenId: string, change: 1 | -1): void => {
    const now = (sent.get(tokenId) ?? 0) + change;
    if (now === 0) sent.delete(tokenId);
    else sent.set(tokenId, now);
  };
  app.get("/spaces/:space/documents/:documentId", async (request, response) => {
    const { space, documentId } = request.params;
    const member = requireMember(await callerOf(request, callers));
    if (member.space !== space) throw roleRefused("The token belongs to another space.");
    const { tokenId } = member;
    if ((sent.get(tokenId) ?? 0) >= MOST_DOCUMENTS_SENT) throw tooManyDocuments();
    count(tokenId, 1);
    try {
      const document = hexOf(documentId);
      const found = document && (await documentPieces(log.spaces, space, document));
      if (!found) throw new CambiumError("HEADS_NOT_HERE", "The space does not have this document.");
      response
        .setHeader("cambium-heads", found.heads.join(","))
        .setHeader("cambium-position", String(found.position))
        .type("application/octet-stream");
      response.setTimeout(UNREAD_MS, () => response.destroy());
      const pieces = eachInTurn(found.pieces, (work) => inTurn(space, tokenId, work));
      await pipeline(pieces, response).catch(unlessTheyAreGone);
    } finally {
      count(tokenId, -1);
    }
  });
}

const tooManyDocuments = (): CambiumError =>
  new CambiumError("RATE_LIMITED", `This token is being sent ${MOST_DOCUMENTS_SENT} documents already.`, {
    hint: "Read these first.",
  });

/** Whoever asked reads no further, or not at all. */
function unlessTheyAreGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "ERR_STREAM_PREMATURE_CLOSE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
}

/** Without its hash. */
const tokenToJson = ({ tokenId, role, createdAt, label, expiresAt, cameBy, device }: StoredToken) => ({
  ...{ tokenId, role, createdAt, label, expiresAt, cameBy, device },
});
