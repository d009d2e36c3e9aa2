import type { Member } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { spaceOption } from "../options.js";
import { authorName } from "../render/author.js";
import { table } from "../render/table.js";
import { relativeTime } from "../render/time.js";

/** Nothing where it stands without an end. */
function accessText({ revokedAt, expiresAt }: Member, nowMs: number): string {
  if (revokedAt !== undefined) return `revoked ${relativeTime(revokedAt, nowMs)}`;
  if (expiresAt === undefined) return "";
  return `${expiresAt <= nowMs ? "ended" : "ends"} ${relativeTime(expiresAt, nowMs)}`;
}

function lastUseText({ isConnected, lastUsedAt }: Member, nowMs: number): string {
  if (isConnected) return "connected";
  return lastUsedAt === undefined ? "" : relativeTime(lastUsedAt, nowMs);
}

export const members: CommandDefinition<typeof spaceOption> = {
  about:
    "List the devices of the space: what each may do, its last change, when it last came, and who invited it. To end the access of one, use `cambium invites revoke <device>`",
  examples: ["cambium members", "cambium members --json"],
  options: spaceOption,
  act: async (context) =>
    await context.withSpace(async ({ space }) => {
      const found = await space.members.list();
      const { colors, nowMs } = context.style;
      const wasAsked = found.some(({ isConnected }) => isConnected !== undefined);
      return await context.answer({ members: found }, () => {
        const shown = table(
          found,
          [
            { title: "device", text: ({ name }) => oneLine(name), paint: colors.cyan },
            { title: "", text: ({ isThis }) => (isThis ? "this one" : "") },
            { title: "role", text: ({ role = "" }) => role },
            {
              title: "last change",
              text: ({ lastChangeAt }) =>
                lastChangeAt === undefined ? "none here" : relativeTime(lastChangeAt, nowMs),
            },
            ...(wasAsked
              ? [{ title: "last use", text: (member: Member) => lastUseText(member, nowMs) }]
              : []),
            { title: "access", text: (member) => accessText(member, nowMs), paint: colors.yellow },
            {
              title: "invited by",
              // Who made the space, or linked it, has a token of its own making.
              text: ({ invitedBy, replica }) =>
                invitedBy === undefined || invitedBy.replica === replica ? "" : authorName(invitedBy),
              paint: colors.cyan,
            },
            { title: "invitation", text: ({ invitation = "" }) => invitation, paint: colors.dim },
          ],
          context.style,
        );
        return wasAsked || !hasOthers(space.role, found) ? shown : `${shown}\n${ADMINS_KNOW[space.role]}`;
      });
    }),
};

/** A space that was never shared has nobody to miss. */
const hasOthers = (role: string, found: readonly Member[]): boolean =>
  role !== "admin" || found.some(({ access, isRecoveryKit }) => access !== undefined && !isRecoveryKit);

const ADMINS_KNOW = {
  admin: "The relay has not answered: devices that only read are missing here.",
  write: "Devices that only read are listed on those whose role is admin.",
  read: "Devices that only read are listed on those whose role is admin.",
} as const;
