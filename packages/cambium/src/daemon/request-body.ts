/**
 * Reading what a caller sends: JSON, and no more of it than makes sense.
 *
 * @module
 */
import type { IncomingMessage } from "node:http";
import { CambiumError } from "@cambium/core";

export const LARGEST_BODY_BYTES = 8 * 1_024 * 1_024;

/** What is answered with another status than the error's own. */
export class BodyTooLarge extends CambiumError {
  constructor() {
    super("BAD_INPUT", `A request may have ${LARGEST_BODY_BYTES / 1_024 / 1_024} MiB at most.`, {
      hint: "Send less at once.",
    });
  }
}

/**
 * @returns undefined when nothing was sent
 * @throws {CambiumError} BAD_INPUT; ABORTED when the caller left
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (length > LARGEST_BODY_BYTES) throw new BodyTooLarge();
  if (length === 0 || (Number.isNaN(length) && request.headers["transfer-encoding"] === undefined))
    return undefined;
  const bytes = await readAll(request);
  if (bytes.length === 0) return undefined;
  refuseOtherTypes(request);
  return parsed(bytes);
}

/** By events: an iterator would close the connection where we still want to say why we stop reading. */
function readAll(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  request.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes <= LARGEST_BODY_BYTES) chunks.push(chunk);
    else {
      chunks.length = 0;
      reject(new BodyTooLarge());
    }
  });
  request.on("end", () =>
    resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
  );
  request.on("close", () =>
    reject(new CambiumError("ABORTED", "The caller left before its request was complete.")),
  );
  return promise;
}

/** A form of a web page could send text, without asking first. */
function refuseOtherTypes({ headers }: IncomingMessage): void {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() === "application/json") return;
  throw new CambiumError("BAD_INPUT", "The body has to be JSON.", {
    hint: "Send `Content-Type: application/json`.",
  });
}

function parsed(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", "The body is no JSON.", { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new CambiumError("BAD_INPUT", "The body has to be a JSON object.");
}
