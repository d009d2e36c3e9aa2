/**
 * A session of either protocol and its socket, from when they are brought together until the socket is gone.
 *
 * @module
 */
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { OnEvent } from "../events.js";
import type { InFlight } from "../limits/in-flight.js";
import type { Pace } from "../limits/pace.js";
import { Channel, type ChannelListener } from "./channel.js";
import { CLOSE_CODES } from "./close-codes.js";
import type { AnySession, SessionHub } from "./session-hub.js";

/** What a socket needs of a session. */
interface SocketSession extends AnySession {
  readonly peerId: string;
  attach(channel: Channel): void;
  receive(bytes: Uint8Array): void;
  drained(): void;
  /** The socket is gone. */
  release(): void;
}

interface OpenOptions<Session extends SocketSession> {
  readonly hub: SessionHub<Session>;
  readonly pace: Pick<Pace, "of">;
  readonly inFlight: InFlight;
  readonly onEvent: OnEvent;
  /** What is below the WebSocket, if frames are written there. */
  readonly raw?: Duplex;
}

export const newPeerId = (random: (length: number) => Uint8Array): string =>
  `relay-${Buffer.from(random(12)).toString("hex")}`;

export function openSession<Session extends SocketSession>(
  socket: WebSocket,
  session: Session,
  { hub, pace, inFlight, onEvent, raw }: OpenOptions<Session>,
): void {
  const { peerId } = session;
  const { space, role, tokenId } = session.member;
  const listener: ChannelListener = {
    frame: (bytes) => session.receive(bytes),
    malformed: () => session.end(CLOSE_CODES.protocol),
    drained: () => session.drained(),
    closed: (code) => {
      hub.remove(session);
      session.release();
      onEvent({ level: "info", type: "session-closed", peerId, code });
    },
  };
  const limits = { pace: pace.of(tokenId), flight: inFlight.of(space), ...(raw && { raw }) };
  hub.add(session);
  session.attach(new Channel(socket, listener, limits));
  onEvent({ level: "info", type: "session-opened", peerId, space, role });
}
