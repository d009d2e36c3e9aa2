import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { given } from "../given.js";
import { authorOption } from "../options.js";
import { shortHash, shortId } from "../render/short-ids.js";
import { openConflictsNote } from "../render/written-reply.js";

interface Options extends ContextOptions {
  readonly change?: string;
}

export const undo: CommandDefinition<Options> = {
  about: "Take back a change (the last one made here, unless named) by a new change; nothing is lost",
  examples: ["cambium undo", "cambium undo --change 5f0c1a2b3c"],
  options: (command) =>
    authorOption(command).option("--change <hash>", "the change to take back, from `cambium log`"),
  act: async (context, _args, { change }) =>
    await context.withSpace(async ({ agent }) => {
      const result = await agent.undo({ branch: context.branch, ...given({ change }) });
      const { style } = context;
      return await context.answer(result, () => {
        const count = result.memories.length;
        const kept = result.kept.map(
          ({ id, fields }) => `  Left as written since: ${fields.join(", ")} of ${shortId(id)}`,
        );
        const notes = result.memories.flatMap((memory) => openConflictsNote(memory, style));
        const what = `${count} ${count === 1 ? "memory" : "memories"}`;
        return [`Took back ${style.colors.yellow(shortHash(result.of))}: ${what}`, ...kept, ...notes].join(
          "\n",
        );
      });
    }),
};
