/**
 * Taking a space off this device.
 *
 * @module
 */
import { CambiumError, type SpaceId } from "@cambium/core";
import { shellWord } from "@cambium/core/text";
import type { Space } from "../api.js";
import type { SpaceConfigs } from "../documents/space-config.js";

/**
 * What a call without a name means has to be known after it.
 *
 * @throws {CambiumError} BAD_INPUT when the space is the default, and several others are here
 */
export function refuseDefault(id: SpaceId, configs: SpaceConfigs): void {
  const others = configs.readable().filter((config) => config.id !== id);
  if (configs.defaultId !== id || others.length < 2) return;
  throw new CambiumError("BAD_INPUT", "This space is the default: calls that name no space mean it.", {
    hint: `Make another one the default first: cambium spaces --default <name>. Here: ${others.map(({ name }) => name).join(", ")}`,
  });
}

/** @throws {CambiumError} UNSENT_CHANGES when something of it is on no relay */
export async function refuseUnsent(space: Space): Promise<void> {
  const { relay, documents } = await space.sync.status();
  const unsent = documents
    .filter(({ kind }) => kind !== "uses")
    .reduce((sum, { pending }) => sum + pending, 0);
  if (relay.url !== null && unsent > 0) {
    throw new CambiumError(
      "UNSENT_CHANGES",
      `The space ${space.name} has ${unsent === 1 ? "a change" : `${unsent} changes`} that the relay has not confirmed.`,
      {
        hint: `Run \`cambium sync --space ${shellWord(space.name)}\` first, or remove them with it: --discard-unsent (in a program: discardUnsent).`,
      },
    );
  }
  if (relay.url !== null) return;
  const branches = await space.branches.list();
  const memories = branches.reduce((sum, branch) => sum + (branch.memories ?? 0), 0);
  if (memories === 0 && branches.length <= 1) return;
  throw new CambiumError("UNSENT_CHANGES", `The space ${space.name} is on this device only.`, {
    hint: `Link it to a relay with \`cambium link\` first, or remove it for good: --discard-unsent (in a program: discardUnsent).`,
  });
}
