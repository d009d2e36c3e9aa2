/**
 * Server-sent events over one response, as the HTML standard writes them.
 *
 * @module
 */
import type { ServerResponse } from "node:http";
import { EVENT_STREAM } from "../operations/wire.js";

/** A listener that reads slower than this is dropped: it can come back and go on where it was. */
const LARGEST_BACKLOG_BYTES = 1_024 * 1_024;

export class EventWriter {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      "content-type": EVENT_STREAM,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-accel-buffering": "no",
    });
    response.flushHeaders();
  }

  /** @param json - on one line, as JSON is */
  send(event: string, json: string, id?: string): void {
    this.#write(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`);
  }

  /** Keeps the line open, and finds out when nobody is at its end. */
  beat(): void {
    this.#write(":\n\n");
  }

  end(): void {
    this.#response.end();
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    this.#response.write(text);
    if (this.#response.writableLength > LARGEST_BACKLOG_BYTES) this.#response.destroy();
  }
}
