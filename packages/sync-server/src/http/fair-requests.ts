/**
 * Requests over HTTP in turns: whoever sends hundreds in one piece, or over hundreds of connections, waits for itself.
 *
 * @module
 */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Turns } from "../sessions/turns.js";

/** Of one connection that wait for their answers. Clients send the next request after the answer, and each that is cut off costs. */
const MAX_WAITING = 4;

/** @param addressOf - turns go round the addresses that requests come from */
export function fairRequests(
  listener: RequestListener,
  turns: Pick<Turns, "add">,
  addressOf: (request: IncomingMessage) => string,
): RequestListener {
  const waiting = new WeakMap<object, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (change: 1 | -1): number => {
      const now = (waiting.get(socket) ?? 0) + change;
      waiting.set(socket, now);
      return now;
    };
    if (count(1) > MAX_WAITING) {
      stopParsing(socket);
      socket.destroy();
      return;
    }
    response.once("close", () => count(-1));
    // No space's name has a blank.
    turns.add(`http ${addressOf(request)}`, socket, async () => {
      if (socket.destroyed) return;
      listener(request, response);
      await new Promise<void>((resolve) => process.nextTick(resolve));
    });
  };
}

/** What Node's parser takes for the end of HTTP on a connection: it reads no further. */
const NO_MORE_HTTP = 2;

/**
 * Node makes a request and a response of each of hundreds that came in one piece, also when their socket is gone: that
 * took 17 ms, and takes 1. Its types do not know the parser.
 */
function stopParsing(socket: object): void {
  const { parser } = socket as { readonly parser?: { onIncoming?: () => number } | null };
  if (parser) parser.onIncoming = () => NO_MORE_HTTP;
}
