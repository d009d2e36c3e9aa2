/**
 * Requests over HTTP in turns: whoever sends hundreds in one piece, or over hundreds of connections, waits for itself.
 *
 * @module
 */
import type { IncomingMessage, RequestListener } from "node:http";
import type { Turns } from "../sessions/turns.js";

/** Of one connection that wait for their answers. Clients send the next request after the answer. */
const MAX_WAITING = 16;

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
