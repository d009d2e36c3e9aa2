import type { ChangedRole, Member, Role } from "@cambium/client";
import { oneLine, shellWord } from "@cambium/core/text";
import { Option } from "commander";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context, SpaceUse } from "../context.js";
import type { OptionTable, ReadOption } from "../option-table.js";
import { spaceOption } from "../options.js";
import { authorName } from "../render/author.js";
import { table } from "../render/table.js";
import { relativeTime } from "../render/time.js";
import { UsageError } from "../usage-error.js";

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

const options = (command: OptionTable) =>
  spaceOption(command)
    .addOption(
      new Option("--role <role>", "give this role to the device, at once").choices([
        ...["read", "write", "admin"],
      ]) as ReadOption<{ readonly role?: Role }>,
    )
    .option("--preview", "with `--role`: show what would end with it; change nothing");

export const members: CommandDefinition<typeof options, [device?: string]> = {
  about:
    "List the devices of the space: what each may do, its last change, when it last came, and who invited it. With a device and `--role`: change what it may do. To end the access of one, use `cambium invites revoke <device>`",
  examples: ["cambium members", "cambium members phone --role read", "cambium members --json"],
  options,
  act: async (context, [device], { role, preview }) => {
    if ((device === undefined) !== (role === undefined))
      throw new UsageError(
        "A device and a role are given together.",
        "Use `cambium members <device> --role <role>`.",
      );
    return await context.withSpace(async (use) =>
      device === undefined || role === undefined
        ? await listed(use, context)
        : await changed(use, context, device, { role, ...(preview === true ? { preview } : {}) }),
    );
  },
};

async function changed(
  { agent }: SpaceUse,
  context: Context,
  device: string,
  wish: { readonly role: Role; readonly preview?: boolean },
): Promise<Answer> {
  const answer = await agent.members.changeRole(device, wish);
  return await context.answer(answer, () => changedText(answer));
}

const MAY: Readonly<Record<Role, string>> = {
  read: "read",
  write: "read and write",
  admin: "read, write, and change who else may",
};

function changedText({ name, role, invitation, standing, preview }: ChangedRole): string {
  const isPreview = preview === true;
  const ends = isPreview ? "would end" : "has ended";
  return [
    `${oneLine(name)} ${isPreview ? "could then" : "may now"} ${MAY[role]}.`,
    ...(invitation === undefined
      ? []
      : [`The invitation by which it came, ${oneLine(invitation)}, ${ends}: it allows more than that.`]),
    ...(standing.length === 0
      ? []
      : [
          `Made there, and still standing: ${standing.map(oneLine).join(", ")}. To end one: cambium invites revoke ${shellWord(standing[0] ?? "")}`,
        ]),
    ...(isPreview ? ["Nothing was changed."] : []),
  ].join("\n");
}

async function listed({ space }: SpaceUse, context: Context): Promise<Answer> {
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
        ...(wasAsked ? [{ title: "last use", text: (member: Member) => lastUseText(member, nowMs) }] : []),
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
}

/** A space that was never shared has nobody to miss. */
const hasOthers = (role: string, found: readonly Member[]): boolean =>
  role !== "admin" || found.some(({ access, isRecoveryKit }) => access !== undefined && !isRecoveryKit);

const ADMINS_KNOW = {
  admin: "The relay has not answered: devices that only read are missing here.",
  write: "Only a device whose role is admin lists those that only read, and when each device was last used.",
  read: "Only a device whose role is admin lists those that only read, and when each device was last used.",
} as const;
