import type { SpaceInfo } from "@cambium/client";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { DEVICE_OPTION } from "../options.js";
import { relayToken, TOKEN_OPTION } from "../relay-token.js";
import { spaceReply } from "../render/space.js";

interface Options extends ContextOptions {
  readonly relay?: string;
  readonly token?: string;
  readonly device?: string;
}

const DEFAULT_NAME = "notes";

export const init: CommandDefinition<Options, [name?: string]> = {
  about: `Create a space on this device. With --relay, other devices can join it. Default name: ${DEFAULT_NAME}`,
  examples: [
    "cambium init notes",
    "cambium init team --relay http://127.0.0.1:4141 --token <admin token of the relay>",
  ],
  options: (command) =>
    command
      .option("--relay <url>", "link the space to this relay")
      .option(TOKEN_OPTION, "the relay's admin token (or CAMBIUM_RELAY_TOKEN)")
      .option("--device <name>", DEVICE_OPTION),
  act: async (context, [name = DEFAULT_NAME], { relay, token, device }) => {
    const access = relay === undefined ? undefined : { url: relay, token: relayToken(token, context) };
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
