/**
 * What the command of the relay touches outside of itself, when it runs as a verb of this one.
 *
 * @module
 */
import type { Context } from "./context.js";

export const relayIo = ({ io }: Context) => ({
  output: (text: string | Uint8Array) =>
    io.output.write(typeof text === "string" ? text : Buffer.from(text).toString()),
  errors: (text: string) => io.errors.write(text),
  env: io.env,
  userHome: io.userHome,
  signal: io.signal,
  isWatched: io.errors.isTerminal,
});
