import { resolve } from "node:path";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { spaceOption } from "../options.js";

const options = (command: OptionTable) =>
  spaceOption(command).option("--force", "write over a file that is there");

const recoveryKit: CommandDefinition<typeof options, [file: string | undefined]> = {
  about:
    "Make a recovery kit: fifteen words that bring the space back on an empty machine, also what is written later. They are shown once, and written to a file if you name one. Whoever has them can read and change everything",
  examples: ["cambium recovery-kit", "cambium recovery-kit /media/usb/notes-kit.txt"],
  options,
  act: async (context, [file], { force }) => {
    await context.refuseAgents("make a recovery kit");
    const path = file === undefined ? undefined : resolve(context.io.cwd, file);
    const { refuseNewFile, writeNewFile } = await import("@cambium/client/host");
    const place = { home: context.home, overwrite: force === true };
    // Before it is made: one that nobody has would be a member all the same.
    if (path !== undefined) await refuseNewFile(path, place);
    return await context.withSpace(async ({ agent }) => {
      const kit = await agent.members.recoveryKit();
      if (path !== undefined) await writeNewFile(path, [kit.page], place);
      return await context.answer({ ...kit, ...(path === undefined ? {} : { file: path }) }, () =>
        [
          kit.page,
          ...(path === undefined
            ? ["Write the words down or print this page: they are not shown again."]
            : [`Written to ${path}. The words are not shown again.`]),
          "It is a member now: `cambium members` shows it, and `cambium invites revoke 'recovery kit'` ends it.",
        ].join("\n"),
      );
    });
  },
};

export { recoveryKit as "recovery-kit" };
