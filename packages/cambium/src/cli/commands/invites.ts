import type { StandingInvitation } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import { spaceOption } from "../options.js";
import { authorName } from "../render/author.js";
import { table } from "../render/table.js";
import { relativeTime } from "../render/time.js";
import { UsageError } from "../usage-error.js";

export const invites: CommandDefinition<typeof spaceOption, [action?: string, id?: string]> = {
  about:
    "List open invitations. `revoke <id or device>` ends one, and the access of the devices that joined with it. These devices keep what they have, and the key of the space",
  examples: [
    "cambium invites",
    "cambium invites revoke 3f9a0c7e1b5d8246",
    "cambium invites revoke old-phone",
  ],
  options: spaceOption,
  act: async (context, [action, id]) => {
    if (action !== undefined && (action !== "revoke" || id === undefined))
      throw new UsageError(
        "This is nothing that invites does.",
        "Use `cambium invites revoke <id or device>`.",
      );
    return await context.withSpace(async ({ agent }) => {
      const { members } = agent;
      if (id !== undefined) {
        const revoked = await members.revoke(id);
        return await context.answer(revoked, () => revokedText(revoked));
      }
      const found = await members.invitations();
      const { colors, nowMs } = context.style;
      const when = (at: number | undefined) => (at === undefined ? "never" : relativeTime(at, nowMs));
      return await context.answer({ invitations: found }, () =>
        table(
          found,
          [
            { title: "invitation", text: ({ id: shown }) => oneLine(shown), paint: colors.yellow },
            { title: "role", text: ({ role }) => role },
            { title: "made", text: ({ createdAt }) => when(createdAt), paint: colors.dim },
            { title: "by", text: ({ by }) => (by === undefined ? "" : authorName(by)), paint: colors.cyan },
            { title: "ends", text: ({ expiresAt }) => when(expiresAt) },
            { title: "devices", text: ({ devices }) => devices.map(oneLine).join(", "), flexible: true },
          ],
          context.style,
        ),
      );
    });
  },
};

function revokedText({ id, devices }: StandingInvitation): string {
  const who =
    devices.length === 0
      ? "No device that is known came with it."
      : `Ended for ${devices.map(oneLine).join(", ")}.`;
  return [
    `The invitation ${oneLine(id)} is revoked. ${who}`,
    "Whoever had it keeps what arrived before, and the key of the space.",
  ].join("\n");
}
