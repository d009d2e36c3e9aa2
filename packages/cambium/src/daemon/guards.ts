/**
 * Who may call. One who reaches the Unix socket is the user: its file is private. By TCP anyone on this device
 * could call, and any web page could make a browser call: those need the token, and only our own pages may ask.
 *
 * @module
 */
import type { IncomingHttpHeaders } from "node:http";
import { CambiumError } from "@cambium/core";
import { isSameToken } from "./daemon-token.js";

/** How a connection came in. */
export type Listener =
  | { readonly kind: "socket" }
  | { readonly kind: "tcp"; readonly port: number; readonly token: string };

const OWN_HOSTS = ["127.0.0.1", "localhost", "[::1]"];

/**
 * @throws {CambiumError} ORIGIN_REFUSED, TOKEN_REFUSED
 */
export function admit(headers: IncomingHttpHeaders, listener: Listener): void {
  if (listener.kind === "socket") {
    if (headers.origin !== undefined) throw refusedOrigin(headers.origin);
    return;
  }
  refuseForeignHost(headers, listener.port);
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin, listener))
    throw refusedOrigin(headers.origin);
  const [, token = ""] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
  if (isSameToken(token, listener.token)) return;
  throw new CambiumError(
    "TOKEN_REFUSED",
    token === "" ? "This needs the daemon's token." : "That is not the daemon's token.",
    { hint: "Send `Authorization: Bearer <token>`, with the token from daemon.token in CAMBIUM_HOME." },
  );
}

/** A name that was made to point here (DNS rebinding) shows in `Host`. */
export function refuseForeignHost({ host = "" }: IncomingHttpHeaders, port: number): void {
  if (OWN_HOSTS.some((name) => host.toLowerCase() === `${name}:${port}`)) return;
  throw new CambiumError("ORIGIN_REFUSED", `The daemon does not answer to the host ${shown(host)}.`, {
    hint: `Call it as http://127.0.0.1:${port}.`,
  });
}

export function isOwnOrigin(origin: string, listener: Listener): boolean {
  return listener.kind === "tcp" && OWN_HOSTS.some((name) => origin === `http://${name}:${listener.port}`);
}

const refusedOrigin = (origin: string): CambiumError =>
  new CambiumError("ORIGIN_REFUSED", `Web pages of ${shown(origin)} may not use this memory.`, {
    hint: "Only the daemon's own pages may; programs send no Origin.",
  });

const shown = (text: string): string => JSON.stringify(text.slice(0, 100));
