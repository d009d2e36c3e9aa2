/**
 * Who may call. One who reaches the Unix socket is the user: its file is private. By TCP anyone on this device
 * could call, and any web page could make a browser call: those need the token, and only our own pages may ask.
 *
 * @module
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { CambiumError } from "@cambium/core";
import { PAGE_HEADER } from "../operations/wire.js";
import { isSameToken } from "./daemon-token.js";
import { refusedOrigin, refuseOtherSites, shown } from "./other-sites.js";
import { cookieIn, type PageSessions } from "./page/page-sessions.js";

/** How a connection came in. */
export type Listener =
  | { readonly kind: "socket" }
  | { readonly kind: "tcp"; readonly port: number; readonly token: string };

const OWN_HOSTS = ["127.0.0.1", "localhost", "[::1]"];

/** Who calls: a program, or the web page of the person in front of it. */
export type Caller = "program" | "page";

type Asked = Pick<IncomingMessage, "method" | "headers">;

/**
 * @throws {CambiumError} ORIGIN_REFUSED, TOKEN_REFUSED, SESSION_ENDED
 */
export function admit(request: Asked, listener: Listener, sessions: PageSessions): Caller {
  const { headers } = request;
  refuseForeignPages(headers, listener);
  if (listener.kind === "socket") return "program";
  if (isFromPage(headers, listener.port)) {
    refuseOtherSites(request);
    sessions.admit(headers, listener.port);
    return "page";
  }
  const [, token = ""] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "") ?? [];
  if (isSameToken(token, listener.token)) return "program";
  throw new CambiumError(
    "TOKEN_REFUSED",
    token === "" ? "This needs the daemon's token." : "That is not the daemon's token.",
    { hint: "Send `Authorization: Bearer <token>`, with the token from daemon.token in CAMBIUM_HOME." },
  );
}

/** @throws {CambiumError} ORIGIN_REFUSED */
export function refuseForeignPages(headers: IncomingHttpHeaders, listener: Listener): void {
  if (listener.kind === "tcp") refuseForeignHost(headers, listener.port);
  const { origin } = headers;
  if (origin !== undefined && !isOwnOrigin(origin, listener)) throw refusedOrigin(origin);
}

const isFromPage = (headers: IncomingHttpHeaders, port: number): boolean =>
  headers.authorization === undefined &&
  (headers[PAGE_HEADER] !== undefined || cookieIn(headers, port) !== undefined);

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
