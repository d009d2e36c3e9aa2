import type { RevokedAccess, StandingInvitation } from "@cambium/client";
import { CambiumError } from "@cambium/core/errors";
import { oneLine, shellWord } from "@cambium/core/text";
import { isConfirmed } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { OptionTable } from "../option-table.js";
import { spaceOption, yesOption } from "../options.js";
import { authorName } from "../render/author.js";
import { table } from "../render/table.js";
import { relativeTime } from "../render/time.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  yesOption(spaceOption(command))
    .option("--devices", "with `revoke <invitation>`: also end the access of the devices that joined with it")
    .option("--preview", "with `revoke`: show who would lose access; end nothing");

export const invites: CommandDefinition<typeof options, [action?: string, of?: string]> = {
  about:
    "List open invitations. `revoke <invitation>` ends one, `revoke <device>` the access of a device or of a recovery kit. Devices keep what they have; what is written later is under a new key, which they do not get",
  examples: [
    "cambium invites",
    "cambium invites revoke old-phone --preview",
    "cambium invites revoke 3f9a0c7e1b5d8246 --devices",
  ],
  options,
  act: async (context, [action, of], { devices, preview, yes }) => {
    if (action !== undefined && (action !== "revoke" || of === undefined))
      throw new UsageError(
        action === "revoke" ? "Name what to revoke." : `invites has no action ${JSON.stringify(action)}.`,
        "Use `cambium invites revoke <invitation or device>`.",
      );
    return await context.withSpace(async ({ agent }) => {
      const { members } = agent;
      if (of !== undefined) {
        const options = devices === true ? { devices } : {};
        if (preview || !yes) {
          const shown = await members.revoke(of, { ...options, preview: true });
          const text = previewText(shown);
          if (preview) return await context.answer(shown, () => `${text}\nNothing was revoked.`);
          if (!(await isConfirmed(text, "Revoke it?", context.io, `${text.replaceAll("\n", " ")} ${HINT}`)))
            throw new CambiumError("ABORTED", "Nothing was revoked.");
          context.agree();
        }
        const revoked = await members.revoke(of, options);
        return await context.answer(revoked, () => revokedText(revoked));
      }
      const found = await members.invitations();
      return await context.answer({ invitations: found }, () => invitationTable(found, context));
    });
  },
};

function invitationTable(found: readonly StandingInvitation[], { style }: Context): string {
  const { colors, nowMs } = style;
  if (found.length === 0) return "No invitation is open. `cambium invite` makes one.";
  const when = (at: number | undefined) => (at === undefined ? "never" : relativeTime(at, nowMs));
  return table(
    found,
    [
      { title: "invitation", text: ({ id }) => oneLine(id), paint: colors.yellow },
      { title: "role", text: ({ role }) => role },
      { title: "made", text: ({ createdAt }) => when(createdAt), paint: colors.dim },
      { title: "by", text: ({ by }) => (by === undefined ? "" : authorName(by)), paint: colors.cyan },
      { title: "ends", text: ({ expiresAt }) => when(expiresAt) },
      { title: "access ends", text: accessEnd(when) },
      { title: "joined", text: ({ devices }) => `${devices.length}` },
      { title: "devices", text: ({ devices }) => devices.map(oneLine).join(", "), flexible: true },
    ],
    style,
  );
}

/** In an earlier version, an invitation takes along those who came with it. */
const accessEnd =
  (when: (at: number | undefined) => string) =>
  ({ usesLeft, expiresAt, accessUntil }: StandingInvitation): string =>
    when(usesLeft === undefined ? expiresAt : accessUntil);

const HINT = "Look at it with --preview, then add --yes.";

function previewText({ devices, keeping, invitation, closed, standing, key }: RevokedAccess): string {
  const names = (list: readonly string[]) => list.map(oneLine).join(", ");
  return [
    ...(devices.length === 0 ? [] : [`This ends the access of ${names(devices)}.`]),
    ...(invitation === undefined
      ? []
      : [`It ends the invitation ${oneLine(invitation)}, by which others could still join.`]),
    ...(keeping.length === 0 ? [] : [`Those who joined with it keep their access: ${names(keeping)}.`]),
    ...(closed.length === 0 ? [] : [`Invitations that were made there end, too: ${names(closed)}.`]),
    ...(standing.length === 0 ? [] : [`Recovery kits that were made there still stand: ${names(standing)}.`]),
    ...keyText(key, "will be"),
  ].join("\n");
}

function keyText(key: RevokedAccess["key"], tense: "is" | "will be"): readonly string[] {
  if (key === undefined) return [];
  const names = (list: readonly string[]) => list.map(oneLine).join(", ");
  return [
    `What is written from now on ${tense} under a new key (${key.epoch}), for ${names(key.given)}.`,
    ...(key.without.length === 0
      ? []
      : [
          `No key for ${names(key.without)}, which joined with an earlier version, or is a recovery kit that was made there: invite or make each again.`,
        ]),
  ];
}

function revokedText({ devices, keeping, invitation, closed, standing, key }: RevokedAccess): string {
  const names = (list: readonly string[]) => list.map(oneLine).join(", ");
  return [
    ...(devices.length === 0 ? [] : [`The access of ${names(devices)} has ended.`]),
    ...(invitation === undefined
      ? []
      : [`The invitation ${oneLine(invitation)} is revoked: nobody can join with it any more.`]),
    ...(keeping.length === 0 || invitation === undefined
      ? []
      : [
          `Those who joined with it before keep their access: ${names(keeping)}. To end theirs, too:`,
          `  cambium invites revoke ${shellWord(invitation)} --devices`,
        ]),
    ...(closed.length === 0 ? [] : [`Invitations that were made there have ended, too: ${names(closed)}.`]),
    ...(standing.length === 0
      ? []
      : [
          `Recovery kits that were made there still stand, and open the relay: ${names(standing)}. To end one: cambium invites revoke ${shellWord(standing[0] ?? "")}`,
        ]),
    ...(devices.length === 0 ? [] : ["What arrived there before stays there."]),
    ...keyText(key, "is"),
  ].join("\n");
}
