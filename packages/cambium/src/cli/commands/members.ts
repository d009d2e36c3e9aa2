import { oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { spaceOption } from "../options.js";
import { table } from "../render/table.js";
import { relativeTime } from "../render/time.js";

export const members: CommandDefinition<ContextOptions> = {
  about: "List the devices of the space. To end the access of one, use `cambium invites revoke <device>`",
  examples: ["cambium members", "cambium members --json"],
  options: spaceOption,
  act: async (context) =>
    await context.withSpace(async ({ space }) => {
      const found = await space.members.list();
      const { colors, nowMs } = context.style;
      return await context.answer({ members: found }, () =>
        table(
          found,
          [
            { title: "device", text: ({ name }) => oneLine(name), paint: colors.cyan },
            { title: "", text: ({ isThis }) => (isThis ? "this one" : "") },
            {
              title: "last change",
              text: ({ lastChangeAt }) =>
                lastChangeAt === undefined ? "none here" : relativeTime(lastChangeAt, nowMs),
            },
            { title: "invitation", text: ({ invitation = "" }) => invitation, paint: colors.dim },
          ],
          context.style,
        ),
      );
    }),
};
