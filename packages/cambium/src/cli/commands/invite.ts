import { parseInvitation, type Role } from "@cambium/client";
import { shellWord } from "@cambium/core/text";
import { Option } from "commander";
import type { CommandDefinition } from "../command.js";
import { parseExpiry } from "../expiry.js";
import type { OptionTable, ReadOption } from "../option-table.js";
import { spaceOption } from "../options.js";
import { absoluteTime } from "../render/time.js";
import { UsageError } from "../usage-error.js";

const DAY_MS = 24 * 3_600_000;
const USUAL_LIFE_MS = 7 * DAY_MS;

const options = (command: OptionTable) =>
  spaceOption(command)
    .addOption(
      new Option("--role <role>", "what the invited person may do")
        .choices(["read", "write", "admin"])
        .default("write") as ReadOption<{ readonly role: Role }>,
    )
    .option(
      "--expires <when>",
      "until when it can be used, such as 12h, 7d, 2030-12-31 or never (default: 7d). Devices that joined keep their access",
    )
    .option("--access-until <when>", "when the access of those who join ends (default: never)")
    .option("--uses <count>", "how many devices may join with it (default: 100)");

export const invite: CommandDefinition<typeof options> = {
  about:
    "Create an invitation to the space. Anyone who has it can read everything, because it contains the space's key",
  examples: ["cambium invite", "cambium invite --role read --uses 1 --access-until 30d"],
  options,
  act: async (context, _args, { role, expires, accessUntil, uses }) => {
    const now = context.io.now();
    const wish = {
      ...(expires === undefined ? {} : { expiresAt: expires === "never" ? null : parseExpiry(expires, now) }),
      ...(accessUntil === undefined ? {} : { accessUntil: parseExpiry(accessUntil, now) }),
      ...(uses === undefined ? {} : { uses: usesOf(uses) }),
    };
    return await context.withSpace(async ({ space, agent }) => {
      const invitation = await agent.invite({ role, ...wish });
      const { colors } = context.style;
      const isShared = !/^cambium_invite_/.test(parseInvitation(invitation).token);
      const { expiresAt = isShared ? null : now + USUAL_LIFE_MS } = wish;
      return await context.answer({ invitation, role, ...wish, expiresAt }, () =>
        [
          `Invitation to ${colors.bold(space.name)}, role ${role}. ${untilText(expiresAt, wish)}`,
          ...(isShared ? [SHARED] : []),
          "Pass it on as you would a password. On the other device:",
          "",
          `cambium join ${shellWord(invitation)}`,
          "",
          `Who joined: \`cambium members${context.spaceWords}\`. To end it: \`cambium invites${context.spaceWords}\` has its id for \`cambium invites revoke <id>${context.spaceWords}\`.`,
        ].join("\n"),
      );
    });
  },
};

const SHARED =
  "The relay is of an earlier version: all who join share one access, and the invitation's end is theirs. Update the relay for more.";

function usesOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is no number of devices.`, "Write a number from 1 to 9999.");
}

function untilText(
  expiresAt: number | null,
  { accessUntil, uses }: { readonly accessUntil?: number; readonly uses?: number },
): string {
  const parts = [
    expiresAt === null ? "It can be used at any time" : `It can be used until ${absoluteTime(expiresAt)}`,
    ...(uses === undefined ? [] : [uses === 1 ? "by one device" : `by ${uses} devices`]),
  ];
  const access =
    accessUntil === undefined ? "" : ` Access ends ${absoluteTime(accessUntil)} for those who join with it.`;
  return `${parts.join(", ")}.${access}`;
}
