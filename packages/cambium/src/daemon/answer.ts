/**
 * Answers: one JSON document each, or the events of a long call.
 *
 * @module
 */
import type { ServerResponse } from "node:http";
import { CambiumError, ERROR_CODES } from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import { BodyTooLarge } from "./request-body.js";

/** As every edge shows a failure. */
export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** A failure with a status of HTTP's own, such as 405. */
export class HttpFailure extends CambiumError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    hint?: string,
  ) {
    super("BAD_INPUT", message, { hint });
    this.status = status;
    this.headers = headers;
  }
}

const TOO_LARGE = 413;

export function sendJson(response: ServerResponse, text: string, status = 200): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}

/** @returns the status that was sent */
export function sendFailure(response: ServerResponse, error: CambiumError): number {
  const status = statusOf(error);
  if (error instanceof HttpFailure) {
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  }
  // What was not read of the request stands in the way of the next one.
  if (error instanceof BodyTooLarge || error.code === "DAEMON_STOPPING" || error.code === "DAEMON_OLDER") {
    response.setHeader("connection", "close");
  }
  sendJson(response, JSON.stringify(errorDocument(error)), status);
  return status;
}

function statusOf(error: CambiumError): number {
  if (error instanceof HttpFailure) return error.status;
  return error instanceof BodyTooLarge ? TOO_LARGE : ERROR_CODES[error.code].http;
}

export function errorDocument({ code, message, hint, details }: CambiumError): ErrorDocument {
  return {
    error: {
      ...{ code, message },
      ...(hint === undefined ? {} : { hint }),
      ...(details === undefined ? {} : { details }),
    },
  };
}

/** What was thrown that nobody foresaw is a broken promise of ours. */
export function toCambiumError(error: unknown): CambiumError {
  if (error instanceof CambiumError) return error;
  const [reason = ""] = messageOf(error).split("\n", 1);
  return new CambiumError("INTERNAL", `Something unexpected went wrong: ${reason}`, {
    hint: "Please report it. The daemon's log in CAMBIUM_HOME shows where it happened.",
    cause: error,
  });
}
