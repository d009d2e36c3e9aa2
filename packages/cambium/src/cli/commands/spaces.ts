import type { CommandDefinition } from "../command.js";
import { spaceTable } from "../render/space.js";

const NONE = [
  "No space on this device yet. Make one, or enter one that someone shares:",
  "  $ cambium init notes",
  "  $ cambium join <invitation>",
].join("\n");

export const spaces: CommandDefinition = {
  about: "List the spaces on this device",
  examples: ["cambium spaces", "cambium spaces --json"],
  act: async (context) =>
    await context.withReplica(async (replica) => {
      const found = await replica.spaces();
      return await context.answer({ spaces: found }, () =>
        found.length === 0 ? NONE : spaceTable(found, context.style),
      );
    }),
};
