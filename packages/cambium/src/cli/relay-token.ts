/**
 * The token that a relay asks for, from an option or the environment.
 *
 * @module
 */
import type { Context } from "./context.js";
import { UsageError } from "./usage-error.js";

export const TOKEN_OPTION = "--token <token>";

/** @throws {UsageError} where the address is none, or there is no token */
export async function relayAccess(url: string, option: string | undefined, { io }: Context) {
  const { checkRelayUrl } = await import("@cambium/client/host");
  checkRelayUrl(url);
  return { url, token: relayToken(option, io) };
}

function relayToken(option: string | undefined, io: Context["io"]): string {
  const token = option ?? io.env.CAMBIUM_RELAY_TOKEN;
  if (token !== undefined && token !== "") return token;
  throw new UsageError(
    "The relay asks for a token.",
    "Give --token, or set CAMBIUM_RELAY_TOKEN. `cambium serve` and `npm start` keep the admin token of their relay in the file relay/admin-token of CAMBIUM_HOME.",
  );
}
