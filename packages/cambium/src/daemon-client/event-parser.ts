/**
 * Reads a stream of server-sent events as it arrives.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 * @module
 */
import { createParser } from "eventsource-parser";

export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** Of this event; absent when it has none. */
  readonly id?: string;
}

/** @returns takes the bytes of the stream, however they are cut */
export function eventParser(onEvent: (event: ServerEvent) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ event, data, id }) =>
      onEvent({ type: event ?? "message", data, ...(id === undefined ? {} : { id }) }),
  });
  return (chunk) => parser.feed(decoder.decode(chunk, { stream: true }));
}
