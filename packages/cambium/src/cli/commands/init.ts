import type { RelayAccess, SpaceInfo } from "@cambium/client";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { spaceReply } from "../render/space.js";
import { UsageError } from "../usage-error.js";

interface Options extends ContextOptions {
  readonly relay?: string;
  readonly token?: string;
}

const DEFAULT_NAME = "notes";

export const init: CommandDefinition<Options, [name?: string]> = {
  about: `Create a space on this device, or one linked to a relay. Default name: ${DEFAULT_NAME}`,
  examples: [
    "cambium init notes",
    "cambium init team --relay http://127.0.0.1:4141 --token <admin token of the relay>",
  ],
  options: (command) =>
    command
      .option("--relay <url>", "link the space to this relay")
      .option("--token <token>", "the relay's admin token (or CAMBIUM_RELAY_TOKEN)"),
  act: async (context, [name = DEFAULT_NAME], { relay, token }) => {
    const access = relayAccess(relay, token ?? context.io.env.CAMBIUM_RELAY_TOKEN);
    return await context.withSpaces(async (replica) => {
      await using space = await replica.createSpace({ name, relay: access });
      const info: SpaceInfo = { id: space.id, name: space.name, relay: relay ?? null, role: space.role };
      return await context.answer(info, () => spaceReply("Made", info, context.style));
    });
  },
};

function relayAccess(url: string | undefined, token: string | undefined): RelayAccess | undefined {
  if (url === undefined) return undefined;
  if (token !== undefined && token !== "") return { url, token };
  throw new UsageError(
    "A space on a relay needs the relay's token.",
    "Give --token, or set CAMBIUM_RELAY_TOKEN; `cambium serve` prints it on its first run.",
  );
}
