/**
 * The token that a relay asks for, from an option or the environment.
 *
 * @module
 */
import type { Context } from "./context.js";
import { UsageError } from "./usage-error.js";

export const TOKEN_OPTION = "--token <token>";

/** @throws {UsageError} where there is none */
export function relayToken(option: string | undefined, { io }: Context): string {
  const token = option ?? io.env.CAMBIUM_RELAY_TOKEN;
  if (token !== undefined && token !== "") return token;
  throw new UsageError(
    "The relay asks for a token.",
    "Give --token, or set CAMBIUM_RELAY_TOKEN. `cambium serve` and `npm start` keep the admin token of their relay in the file relay/admin-token of CAMBIUM_HOME.",
  );
}
