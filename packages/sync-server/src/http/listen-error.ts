/**
 * Why a relay cannot listen, and what to do about it.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";

const HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "Another program listens there. End it, or choose another port with --port.",
  EACCES: "Ports below 1024 need a permission. Choose another with --port, and put a proxy in front.",
  EADDRNOTAVAIL: "This machine does not have that address. Choose another with --host.",
};

/** @param cause - what the system said */
export function cannotListen(
  { host, port }: { readonly host: string; readonly port: number },
  cause: Error & { readonly code?: string },
): CambiumError {
  const hint = HINTS[cause.code ?? ""];
  return new CambiumError("BAD_INPUT", `The relay cannot listen on ${host} port ${port}.`, {
    cause,
    ...(hint === undefined ? {} : { hint }),
  });
}
