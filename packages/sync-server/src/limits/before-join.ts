/**
 * A client that has not joined sends one short frame. Whoever sends more is cut before it takes memory.
 *
 * @module
 */
import type { Duplex } from "node:stream";

export function limitUntilJoined(
  socket: Duplex,
  session: { readonly hasJoined: boolean },
  mostBytes: number,
): void {
  let receivedBytes = 0;
  const count = (chunk: Uint8Array): void => {
    if (session.hasJoined) {
      socket.off("data", count);
      return;
    }
    receivedBytes += chunk.length;
    if (receivedBytes > mostBytes) socket.destroy();
  };
  socket.on("data", count);
}
