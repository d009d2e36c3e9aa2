/**
 * What the audit file of a relay says that admins revoked, changed and deleted, done again in a log that has forgotten it.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { CambiumError } from "@cambium/core/errors";
import { z } from "zod";
import { type RelayLog, ROLES } from "../log/relay-log.js";

const id = z.string().optional();
const line = z.object({
  ...{ time: z.iso.datetime(), act: z.string(), space: id, tokenId: id, invitationId: id },
  ...{ tokenIds: z.array(z.string()).optional(), role: z.enum(ROLES).optional() },
  ...{ by: id, file: id, tokens: z.number().optional(), revoked: z.number().optional() },
});

/** An act as the file has it. Of those that end nothing, only what they are is looked at. */
export type AuditedAct = z.output<typeof line>;

/** @throws {CambiumError} BAD_INPUT for a file that cannot be read, or is none */
export function readAudit(path: string): readonly AuditedAct[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", `${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`);
  }
  const lines = text.split("\n").filter((one) => one.trim() !== "");
  return lines.map((one, place) => {
    const parsed = line.safeParse(jsonOf(one));
    if (parsed.success) return parsed.data;
    throw new CambiumError("BAD_INPUT", `Line ${place + 1} of ${path} is not one of an audit file.`, {
      hint: "If the relay was killed while it wrote it, remove that line.",
    });
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How much was done again. */
export interface AppliedAudit {
  /** Tokens and invitations. */
  readonly revoked: number;
  /** Tokens that have another role. */
  readonly roles: number;
  /** Spaces that were deleted. */
  readonly spaces: number;
}

/** In the order of the file. Ids of tokens and invitations are given once, so what is not there was not forgotten. */
export async function applyAudit(log: RelayLog, acts: readonly AuditedAct[]): Promise<AppliedAudit> {
  const done = { revoked: 0, roles: 0, spaces: 0 };
  const madeAt = new Map((await log.listSpaces()).map(({ space, createdAt }) => [space, createdAt]));
  for (const { act, time, space = "", tokenId, tokenIds = [], invitationId, role } of acts) {
    if (!madeAt.has(space)) continue;
    if (act === "token-revoked" && tokenId !== undefined)
      done.revoked += Number((await log.removeToken(space, tokenId)) === "removed");
    else if (act === "token-changed" && tokenId !== undefined && role !== undefined)
      done.roles += Number(await hasNewRole(log, { space, tokenId, role }));
    else if (act === "invitation-revoked" && invitationId !== undefined) {
      const removed = await log.removeInvitation(space, invitationId, { withTokens: false });
      done.revoked += Number(removed !== undefined);
      for (const one of tokenIds) done.revoked += Number((await log.removeToken(space, one)) === "removed");
    } else if (act === "space-deleted" && (madeAt.get(space) ?? 0) <= Date.parse(time)) {
      done.spaces += Number(await log.deleteSpace(space));
      madeAt.delete(space);
    }
  }
  return done;
}

async function hasNewRole(
  log: RelayLog,
  change: { readonly space: string; readonly tokenId: string; readonly role: (typeof ROLES)[number] },
): Promise<boolean> {
  const known = (await log.tokensOf(change.space)).find(({ tokenId }) => tokenId === change.tokenId);
  if (known === undefined || known.role === change.role) return false;
  return (await log.changeRole(change)) === "changed";
}
