import type { CommandDefinition } from "../command.js";
import { spaceOption } from "../options.js";
import { oneLine } from "../render/terminal-text.js";

const DAMAGED_EXIT = 6;

export const verify: CommandDefinition = {
  about: "Check every stored byte and open every record; the exit code is 6 when something is damaged",
  examples: ["cambium verify", "cambium verify --json"],
  options: spaceOption,
  act: async (context) =>
    await context.withSpace(async ({ space }) => {
      const result = await space.verify({ signal: context.io.signal });
      const { colors } = context.style;
      const counted = `${result.chunks} chunks and ${result.records} records`;
      return await context.answer(
        result,
        () =>
          result.ok
            ? `${colors.green("Sound:")} ${counted} read back as written.`
            : [
                `${colors.red("Damaged:")} ${result.damaged.length} of ${counted}. They are set aside; everything else stays readable.`,
                ...result.damaged.map(
                  ({ what, reason }) => `  ${colors.red("!")} ${oneLine(what)}: ${oneLine(reason)}`,
                ),
                "If the space has a relay, `cambium sync` fetches what it still holds.",
              ].join("\n"),
        result.ok ? 0 : DAMAGED_EXIT,
      );
    }),
};
