/**
 * What operators ask of a relay over HTTP: what is in it, a copy, less of it.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CambiumError, documentIdFromHex } from "@cambium/core";
import type { Express, Response } from "express";
import type { SpaceUsage } from "../log/relay-log.js";
import { CLOSE_CODES } from "../sessions/close-codes.js";
import type { HttpApiOptions } from "./http-options.js";
import { type Caller, callerOf, requireRelayAdmin, requireSpaceAdmin } from "./requests.js";
import { wholeDocument } from "./whole-document.js";

/** Documents of a space are asked for in pages of this many. */
const PAGE = 200;

export function addOperations(app: Express, options: HttpApiOptions): void {
  addOverview(app, options);
  addSpaceOperations(app, options);
  addRelayOperations(app, options);
}

/** Who did it, for the audit. */
export const doneBy = ({ bearer, address }: Caller): { by: string; address: string } => ({
  by: nameOf(bearer),
  address,
});

function nameOf(bearer: Caller["bearer"]): string {
  if (bearer.kind === "relay-admin") return bearer.kind;
  return bearer.kind === "invitation" ? bearer.invitation.invitationId : bearer.tokenId;
}

function addOverview(app: Express, options: HttpApiOptions): void {
  const { log, hub, tokens, callers, inTurn } = options;
  app.get("/spaces", async (request, response) => {
    requireRelayAdmin(await callerOf(request, callers));
    const spaces = (await log.listSpaces()).map((entry) => ({
      ...entry,
      sessions: [...hub.inSpace(entry.space)].length,
    }));
    response.json({ spaces });
  });
  app.get("/settings", async (request, response) => {
    requireRelayAdmin(await callerOf(request, callers));
    response.json({ settings: options.settings });
  });
  app.get("/spaces/:space/usage", async (request, response) => {
    const { space } = request.params;
    const caller = await callerOf(request, callers);
    requireSpaceAdmin(caller, space);
    const standing = await inTurn(space, nameOf(caller.bearer), () => tokens.list(space));
    const sessions = [...hub.inSpace(space)].length;
    const usage: SpaceUsage = await log.usage(space);
    response.json({ space, ...usage, tokens: standing.length, sessions, limits: shownLimits(options) });
  });
  app.get("/spaces/:space/members", async (request, response) => {
    const { space } = request.params;
    const caller = await callerOf(request, callers);
    requireSpaceAdmin(caller, space);
    const { bearer } = caller;
    const members = await inTurn(space, nameOf(bearer), () => membersOf(space, options));
    const isYou = (tokenId: string) => bearer.kind === "member" && bearer.tokenId === tokenId;
    response.json({
      members: members.map((one) => (isYou(one.tokenId) ? { ...one, isYou: true } : one)),
    });
  });
}

/** JSON has no infinity: no limit is null. */
const shownLimits = ({ limits }: HttpApiOptions) => {
  const shown = (limit: number): number | null => (Number.isFinite(limit) ? limit : null);
  return {
    documents: shown(limits.documentsPerSpace),
    bytes: shown(limits.bytesPerSpace),
    tokens: shown(limits.tokensPerSpace),
  };
};

/** Those who hold tokens: what each may do, how many connections are open with it, and when it was last used. */
async function membersOf(space: string, { log, hub, tokens, uses }: HttpApiOptions) {
  const stored = await tokens.list(space);
  const noted = await log.usesOf(space);
  const sessions = Map.groupBy(hub.inSpace(space), ({ member }) => member.tokenId);
  const rows = stored.map(({ tokenId, role, label, createdAt, expiresAt, cameBy, device }) => ({
    ...{
      tokenId,
      role,
      label,
      createdAt,
      expiresAt,
      cameBy,
      device,
      sessions: sessions.get(tokenId)?.length ?? 0,
    },
    lastUsedAt: uses.get(tokenId) ?? noted.get(tokenId),
  }));
  const known = new Set(stored.map(({ tokenId }) => tokenId));
  const others = [...sessions].filter(([tokenId]) => !known.has(tokenId));
  return [
    ...rows,
    ...others.map(([tokenId, open]) => ({ tokenId, role: open[0]?.member.role, sessions: open.length })),
  ];
}

function addSpaceOperations(app: Express, options: HttpApiOptions): void {
  const { log, hub, callers, forgetSpace, keepAct } = options;
  app.delete("/spaces/:space", async (request, response) => {
    const { space } = request.params;
    const caller = await callerOf(request, callers);
    requireRelayAdmin(caller);
    for (const session of hub.inSpace(space)) session.end(CLOSE_CODES.token);
    const wasThere = await log.deleteSpace(space);
    forgetSpace(space);
    if (!wasThere) throw noSuchSpace(space);
    keepAct({ act: "space-deleted", ...doneBy(caller), space });
    response.status(204).end();
  });
  app.get("/spaces/:space/export", async (request, response) => {
    const { space } = request.params;
    const caller = await callerOf(request, callers);
    requireRelayAdmin(caller);
    if (!(await log.hasSpace(space))) throw noSuchSpace(space);
    keepAct({ act: "space-exported", ...doneBy(caller), space });
    response.type("application/x-ndjson");
    await pipeline(exportLines(space, options), response);
  });
}

/** A line about the space, then one for each document: its bytes are what Automerge loads. */
async function* exportLines(space: string, { log }: HttpApiOptions): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: "cambium-relay-space", version: 1, space })}\n`;
  const { position: end } = await log.spaces.end(space);
  for (let after = 0; ; ) {
    const documents = await log.spaces.documents({ space, after, limit: PAGE });
    for (const { document } of documents) {
      const found = await wholeDocument(log.spaces, space, document);
      if (found === undefined) continue;
      const { heads, position } = found;
      const documentId = documentIdFromHex(document);
      yield `${JSON.stringify({ documentId, heads, position, bytes: found.bytes.toString("base64") })}\n`;
    }
    after = documents.at(-1)?.position ?? end;
    // What is written meanwhile has new positions: it would never end.
    if (documents.length < PAGE || after >= end) return;
  }
}

function addRelayOperations(app: Express, options: HttpApiOptions): void {
  const { log, tokens, callers, keepAct } = options;
  let lastBackup = Promise.resolve();
  app.post("/admin-token", async (request, response) => {
    const caller = await callerOf(request, callers);
    requireRelayAdmin(caller);
    const token = await tokens.rotateRelayAdmin();
    keepAct({ act: "admin-token-rotated", ...doneBy(caller) });
    response.status(201).json({ token });
  });
  app.post("/compaction", async (request, response) => {
    const caller = await callerOf(request, callers);
    requireRelayAdmin(caller);
    const sizes = await log.shrink();
    keepAct({ act: "compacted", ...doneBy(caller) });
    response.json(sizes);
  });
  app.get("/backup", async (request, response) => {
    const caller = await callerOf(request, callers);
    requireRelayAdmin(caller);
    keepAct({ act: "backed-up", ...doneBy(caller) });
    // One after the other: they would fill the disk together.
    const sending = lastBackup.then(() => sendBackup(options, response));
    lastBackup = sending.catch(() => {});
    await sending;
  });
}

const BACKUP_NAME = /^backup-[0-9a-f-]{36}\.sqlite(-wal|-shm|-journal)?$/;

/**
 * A copy as large as the log is on the disk until it is sent. It has no name by then: who has read the
 * last byte finds nothing left over, nor does a crash leave it. One of a crash before that is removed.
 */
async function sendBackup({ log, scratchDir, now }: HttpApiOptions, response: Response): Promise<void> {
  for (const name of await readdir(scratchDir))
    if (BACKUP_NAME.test(name)) await rm(join(scratchDir, name), { force: true });
  const path = join(scratchDir, `backup-${randomUUID()}.sqlite`);
  const copy = await (async () => {
    try {
      await log.backupTo(path, now());
      return await open(path);
    } finally {
      await rm(path, { force: true });
    }
  })();
  response.type("application/vnd.sqlite3");
  await pipeline(copy.createReadStream(), response);
}

const noSuchSpace = (space: string): CambiumError =>
  new CambiumError("SPACE_NOT_FOUND", `The relay has no space ${space}.`, {
    hint: "GET /spaces lists them.",
  });
