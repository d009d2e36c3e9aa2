import type { SpaceInfo } from "@cambium/client";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { DEVICE_OPTION } from "../options.js";
import { relayAccess, TOKEN_OPTION } from "../relay-token.js";
import { spaceReply } from "../render/space.js";

const DEFAULT_NAME = "notes";

const options = (command: OptionTable) =>
  command
    .option("--relay <url>", "link the space to this relay")
    .option(TOKEN_OPTION, "the relay's admin token (or CAMBIUM_RELAY_TOKEN)")
    .option("--device <name>", DEVICE_OPTION);

export const init: CommandDefinition<typeof options, [name?: string]> = {
  about: `Create a space on this device. With --relay, other devices can join it. Default name: ${DEFAULT_NAME}`,
  examples: [
    "cambium init notes",
    "cambium init team --relay http://127.0.0.1:4141 --token <admin token of the relay>",
  ],
  options,
  act: async (context, [name = DEFAULT_NAME], { relay, token, device }) => {
    const access = relay === undefined ? undefined : await relayAccess(relay, token, context);
    return await context.withSpaces(async (replica) => {
      if (device !== undefined) await replica.rename(device);
      await using space = await replica.createSpace({ name, relay: access });
      const all = await replica.spaces();
      const { id, role } = space;
      const info: SpaceInfo = all.find((one) => one.id === id) ?? {
        ...{ id, name: space.name, relay: relay ?? null, role, isDefault: true },
      };
      const usual = all.find(({ isDefault }) => isDefault)?.name;
      return await context.answer(info, () => spaceReply("Made", info, { usual }, context.style));
    });
  },
};
