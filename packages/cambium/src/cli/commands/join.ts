import type { SpaceInfo } from "@cambium/client";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { DEVICE_OPTION } from "../options.js";
import { readText } from "../read-text.js";
import { spaceReply } from "../render/space.js";
import { firstSync, firstSyncText } from "../sync-wait.js";

interface Options extends ContextOptions {
  readonly device?: string;
}

export const join: CommandDefinition<Options, [invitation: string]> = {
  about:
    "Join a space that someone shares with you, and fetch what is there (`-` reads the invitation from standard input)",
  examples: ["cambium join 'https://relay.example/…#…'", "pbpaste | cambium join -"],
  options: (command) => command.option("--device <name>", DEVICE_OPTION),
  act: async (context, [typed], { device }) => {
    const invitation = (await readText(typed, context.io)).trim();
    return await context.withSpaces(async (replica) => {
      if (device !== undefined) await replica.rename(device);
      await using space = await replica.joinSpace(invitation);
      const all = await replica.spaces();
      const { id, name, role } = space;
      const known = all.find((one) => one.id === id);
      const info: SpaceInfo = known ?? { id, name, relay: null, role, isDefault: true };
      const usual = all.find(({ isDefault }) => isDefault)?.name;
      const synced = await firstSync(space, context);
      const { isInSync, status } = synced;
      const document = { ...info, isInSync, memories: status.branch.memories ?? 0, sync: status.relay };
      return await context.answer(document, () => {
        const text = firstSyncText(synced, context);
        return spaceReply("Joined", info, { usual, synced: { isInSync, text } }, context.style);
      });
    });
  },
};
