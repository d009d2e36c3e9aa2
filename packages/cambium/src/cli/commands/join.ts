import type { SpaceInfo } from "@cambium/client";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { DEVICE_OPTION } from "../options.js";
import { readText } from "../read-text.js";
import { accessChange } from "../render/access.js";
import { spaceReply } from "../render/space.js";
import { firstSync, firstSyncText } from "../sync-wait.js";

const options = (command: OptionTable) => command.option("--device <name>", DEVICE_OPTION);

/** An invitation says what it allows; whether it still holds, only the relay knows. */
const UNCHECKED =
  "The relay could not be asked: whether the invitation holds, and what this device may do, is not checked yet. It is when the relay answers: cambium sync";

export const join: CommandDefinition<typeof options, [invitation: string]> = {
  about:
    "Join a space that someone shares with you, and fetch what is there (`-` reads the invitation from standard input)",
  examples: ["cambium join 'https://relay.example/…#…'", "pbpaste | cambium join -"],
  options,
  act: async (context, [typed], { device }) => {
    const invitation = (await readText(typed, context.io)).trim();
    return await context.withSpaces(async (replica) => {
      if (device !== undefined) await replica.rename(device);
      const known = await replica.spaces();
      await using space = await replica.joinSpace(invitation);
      const { id, name, role } = space;
      const before = known.find((one) => one.id === id);
      const synced = await firstSync(space, context);
      // After the sync: an invitation of a relay that was away is traded by it.
      const all = await replica.spaces();
      const info: SpaceInfo = all.find((one) => one.id === id) ?? {
        id,
        name,
        relay: null,
        role,
        isDefault: true,
      };
      const usual = all.find(({ isDefault }) => isDefault)?.name;
      const { isInSync, status } = synced;
      const document = { ...info, isInSync, memories: status.branch.memories ?? 0, sync: status.relay };
      return await context.answer(document, () => {
        const text = firstSyncText(synced, context);
        const isUnchecked = before === undefined && !isInSync && status.relay.state === "offline";
        const access = isUnchecked ? UNCHECKED : accessChange(before, info, context.style.nowMs);
        const again = access === undefined ? "Here already" : "Changed";
        const done = before === undefined ? "Joined" : again;
        return spaceReply(done, info, { usual, access, synced: { isInSync, text } }, context.style);
      });
    });
  },
};
