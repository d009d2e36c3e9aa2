/**
 * The entrance to the sync socket: without a fitting token nobody gets past HTTP.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Bearer, Member } from "./tokens.js";

const SYNC_PATH = "/sync";

export type Admission =
  | { readonly kind: "admitted"; readonly member: Member }
  | { readonly kind: "refused"; readonly status: 401 | 403 | 404 };

/** Decides on an upgrade by its path and token. */
export async function admit(
  request: IncomingMessage,
  bearerOf: (token: string) => Promise<Bearer | undefined>,
): Promise<Admission> {
  // As it was sent: a path that only means the same after some clean-up is another path to a proxy.
  const [path, query = ""] = (request.url ?? "/").split("?", 2);
  if (path !== SYNC_PATH) return { kind: "refused", status: 404 };
  // Stock clients cannot set headers.
  const token = bearerToken(request.headers.authorization) ?? new URLSearchParams(query).get("token") ?? "";
  const bearer = await bearerOf(token);
  if (bearer === undefined) return { kind: "refused", status: 401 };
  if (bearer.kind !== "member") return { kind: "refused", status: 403 };
  return { kind: "admitted", member: bearer };
}

/** @returns the token of an `Authorization: Bearer …` header */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(authorization ?? "")?.[1];
}

const REFUSALS = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
} as const;

export type RefusalStatus = keyof typeof REFUSALS;

/** Answers an upgrade that does not happen. */
export function refuseUpgrade(socket: Duplex, status: RefusalStatus): void {
  const challenge = status === 401 ? "WWW-Authenticate: Bearer\r\n" : "";
  socket.end(
    `HTTP/1.1 ${status} ${REFUSALS[status]}\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`,
  );
}
