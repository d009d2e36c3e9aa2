import type { Role } from "@cambium/client";
import { Option } from "commander";
import type { CommandDefinition } from "../command.js";
import { parseExpiry } from "../expiry.js";
import type { OptionTable, ReadOption } from "../option-table.js";
import { spaceOption } from "../options.js";
import { absoluteTime } from "../render/time.js";

const options = (command: OptionTable) =>
  spaceOption(command)
    .addOption(
      new Option("--role <role>", "what the invited person may do")
        .choices(["read", "write", "admin"])
        .default("write") as ReadOption<{ readonly role: Role }>,
    )
    .option("--expires <when>", "how long it is valid, such as 12h, 7d or 2030-12-31");

export const invite: CommandDefinition<typeof options> = {
  about:
    "Create an invitation to the space. Anyone who has it can read everything, because it contains the space's key",
  examples: ["cambium invite", "cambium invite --role read --expires 7d"],
  options,
  act: async (context, _args, { role, expires }) => {
    const expiresAt = expires === undefined ? undefined : parseExpiry(expires, context.io.now());
    return await context.withSpace(async ({ space, agent }) => {
      const invitation = await agent.invite({ role, ...(expiresAt === undefined ? {} : { expiresAt }) });
      const { colors } = context.style;
      return await context.answer({ invitation }, () =>
        [
          `Invitation to ${colors.bold(space.name)}, role ${role}${expiresAt === undefined ? "" : `, until ${absoluteTime(expiresAt)}`}. Pass it on as you would a password:`,
          "",
          invitation,
          "",
          "On the other device:",
          `  ${colors.dim("$")} cambium join '<invitation>'`,
        ].join("\n"),
      );
    });
  },
};
