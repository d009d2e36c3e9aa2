import type { CommandDefinition } from "../command.js";
import { damagedSpaceLine, spaceTable } from "../render/space.js";

const DAMAGED_EXIT = 6;

const NONE = [
  "No space on this device yet. Create one, or join one that someone shares:",
  "  $ cambium init notes",
  "  $ cambium join <invitation>",
].join("\n");

export const spaces: CommandDefinition = {
  about: "List the spaces on this device; the exit code is 6 when the settings of one are damaged",
  examples: ["cambium spaces", "cambium spaces --json"],
  act: async (context) =>
    await context.withSpaces(async (replica) => {
      const found = await replica.spaces();
      const damaged = await replica.damagedSpaces();
      const render = () => {
        if (found.length + damaged.length === 0) return NONE;
        const sound = found.length === 0 ? [] : [spaceTable(found, context.style)];
        return [...sound, ...damaged.map((space) => damagedSpaceLine(space, context.style))].join("\n");
      };
      return await context.answer(
        { spaces: found, damaged },
        render,
        damaged.length === 0 ? 0 : DAMAGED_EXIT,
      );
    }),
};
