import type { Space, SpaceStatus } from "@cambium/client";
import { backupProblem } from "../../backup/backup-problem.js";
import type { Binding } from "../../workspace/binding.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { branchOption } from "../options.js";
import { isUnasked, statusText } from "../render/status.js";

/** As `--json` tells it: what names the space and the branch; null where nothing does. */
const pinnedIn = ({ space, branch }: Binding) => ({ space: space?.by ?? null, branch: branch?.by ?? null });

/** A relay that is there answers in this time. */
const ANSWER_MS = 400;
const LOOK_MS = 25;

/** A daemon that has just begun is connecting: what the relay says of this device is worth a moment. */
async function statusOf(space: Space, { branch, hasDaemon, io }: Context): Promise<SpaceStatus> {
  const ask = () => space.status({ branch });
  let found = await ask();
  for (let waited = 0; hasDaemon && isUnasked(found.relay) && waited < ANSWER_MS; waited += LOOK_MS) {
    await new Promise<void>((resolve) => void io.timers.after(LOOK_MS, resolve));
    found = await ask();
  }
  return found;
}

export const status: CommandDefinition = {
  about:
    "Show the current space, branch and relay, what is pending, missing or in conflict, and the state of the index",
  examples: ["cambium status", "cambium status --json"],
  options: branchOption,
  act: async (context) =>
    await context.withSpace(
      async ({ space }) => {
        const asked = await statusOf(space, context);
        const backup = backupProblem(context.home, space.id, context.io.now());
        const found = { ...asked, notices: [...asked.notices, ...(backup === undefined ? [] : [backup])] };
        const { binding } = context;
        return await context.answer({ ...found, pinned: pinnedIn(binding) }, () =>
          statusText(found, context.style, binding),
        );
      },
      { vectors: true },
    ),
};
