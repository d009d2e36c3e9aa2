/**
 * Requests that another web page made the browser send.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import { CambiumError } from "@cambium/core";

/**
 * A page on another port of this device counts as the same site, so that its requests bring the cookie.
 *
 * @throws {CambiumError} ORIGIN_REFUSED
 */
export function refuseOtherSites({ method, headers }: Pick<IncomingMessage, "method" | "headers">): void {
  const { origin, host, "sec-fetch-site": site = "same-origin" } = headers;
  const isOwn = origin === undefined ? method === "GET" : origin === `http://${host}`;
  if (!isOwn || site !== "same-origin") throw refusedOrigin(origin ?? "another site");
}

export const refusedOrigin = (origin: string): CambiumError =>
  new CambiumError("ORIGIN_REFUSED", `Web pages of ${shown(origin)} may not use this memory.`, {
    hint: "Only the daemon's own pages may; programs send no Origin.",
  });

export const shown = (text: string): string => JSON.stringify(text.slice(0, 100));
