/**
 * Connects one `Repo`, which holds the documents of one space, to that space's relay.
 *
 * Nothing that a network or a relay does makes it throw: whatever goes wrong becomes a state, a notice, or a
 * rejected request. While there is no relay, automerge-repo hears so at once and goes on without.
 *
 * @module
 */
import { type Message, NetworkAdapter, type PeerId, type PeerMetadata } from "@automerge/automerge-repo/slim";
import { CambiumError } from "@cambium/core";
import { reconnectDelayMs } from "../platform/backoff.js";
import { type CancelTimer, systemTimers, type Timers } from "../platform/timers.js";
import { ForkRequests } from "./fork-requests.js";
import { Outbox } from "./outbox.js";
import type { RelayAdapterOptions, RelayNotice } from "./relay-adapter-options.js";
import {
  type ClientFrame,
  encodeFrame,
  PROTOCOL_VERSION,
  REPO_PROTOCOL_VERSION,
  type RelayFrame,
  readFrame,
  type Welcome,
} from "./relay-frames.js";
import { lost, RelaySocket, type SocketEnding } from "./relay-socket.js";
import { checkToken, normaliseRelayUrl, relaySocketUrl } from "./relay-url.js";

/** From the first packet to the relay's welcome. */
export const WELCOME_TIMEOUT_MS = 15_000;
/** A person who starts the relay again waits no longer; an attempt that is refused costs next to nothing. */
const RECONNECT_CAP_MS = 5_000;
/** A relay that makes so little sense is not worth listening to. */
const MAX_INVALID_FRAMES = 100;

interface SentMessage {
  readonly type: "sync" | "request" | "doc-unavailable";
  readonly targetId: PeerId;
  readonly documentId: string;
  readonly data?: Uint8Array | undefined;
}

interface Session {
  readonly relayPeerId: PeerId;
  readonly outbox: Outbox<SentMessage>;
  /** What we have sent for: only of these does a relay have anything to say. */
  readonly documentIds: Set<string>;
}

interface Connection {
  readonly socket: RelaySocket;
  readonly cancelDeadline: CancelTimer;
  relayPeerId: PeerId | undefined;
  session: Session | undefined;
  invalidFrames: number;
}

type Phase =
  | { readonly kind: "idle" }
  | { readonly kind: "waiting"; readonly cancel: CancelTimer }
  | { readonly kind: "connected"; readonly connection: Connection }
  | { readonly kind: "refused" }
  | { readonly kind: "closed" };

export class RelayAdapter extends NetworkAdapter {
  readonly #options: RelayAdapterOptions;
  readonly #url: string;
  readonly #timers: Timers;
  readonly #forks: ForkRequests;
  #phase: Phase = { kind: "idle" };
  /** Attempts since a connection last outlived a heartbeat. */
  #attempts = 0;
  #invalidFrames = 0;
  /** Resolves when the last socket is gone. */
  #gone: Promise<void> = Promise.resolve();

  /** @throws {CambiumError} BAD_INPUT when the address or the token cannot be one */
  constructor(options: RelayAdapterOptions) {
    super();
    this.#options = options;
    this.#url = relaySocketUrl(normaliseRelayUrl(options.url));
    checkToken(options.token);
    this.#timers = options.timers ?? systemTimers;
    this.#forks = new ForkRequests(this.#timers);
  }

  /**
   * Always: a `Repo` holds back `find` of a document that is not stored here until its adapters are ready, and a
   * replica without a relay has to hear at once that nobody has it. A relay that comes later is asked again.
   */
  isReady(): boolean {
    return true;
  }

  whenReady(): Promise<void> {
    return Promise.resolve();
  }

  /** How many frames of the relay made no sense, ever. */
  get invalidFrames(): number {
    return this.#invalidFrames;
  }

  /** Called by the `Repo`. What its metadata says of our store is of no use to a relay, so it stays here. */
  connect(peerId: PeerId, peerMetadata?: PeerMetadata): void {
    this.peerId = peerId;
    this.peerMetadata = peerMetadata ?? {};
    if (this.#phase.kind === "idle") this.#open();
  }

  /** Called by the `Repo`; `connect` starts again. */
  disconnect(): void {
    if (this.#phase.kind === "closed" || this.#phase.kind === "refused") return;
    this.#stop({ kind: "idle" });
  }

  /** Tries again at once where it would wait, or has given up after a refusal: somebody wants to know now. */
  retry(): void {
    if (this.#phase.kind === "waiting") this.#phase.cancel();
    else if (this.#phase.kind !== "refused") return;
    this.#open();
  }

  /** Ends the connection for good. Resolves when the socket is gone. */
  close(): Promise<void> {
    if (this.#phase.kind !== "closed") this.#stop({ kind: "closed" });
    return this.#gone;
  }

  /** Called by the `Repo`, also with messages that are not a relay's business; those are left out. */
  send(message: Message): void {
    const session = this.#session();
    if (message.targetId !== session?.relayPeerId || !isRelayMessage(message)) return;
    session.outbox.push(message);
  }

  /**
   * Asks for the list of the space's documents, from the start or from where it is known, and for what follows.
   *
   * @param ask - comes back with the end of the list
   */
  requestList(after?: { readonly generation: string; readonly seq: number }, ask?: number): void {
    if (this.#session() === undefined) return;
    this.#transmit({
      type: "list",
      ...(after !== undefined && { after }),
      ...(ask !== undefined && { ask }),
    });
  }

  /**
   * Has the relay make a document out of another at some heads. Rejects with what the relay refuses it for, such
   * as HEADS_NOT_HERE, with RELAY_UNREACHABLE when the connection is down or goes down, or with TIMED_OUT.
   */
  requestFork(fork: {
    readonly documentId: string;
    readonly from: string;
    readonly heads: readonly string[];
  }): Promise<void> {
    if (this.#session() === undefined) {
      return Promise.reject(new CambiumError("RELAY_UNREACHABLE", "There is no connection to the relay."));
    }
    const { documentId, from, heads } = fork;
    const answered = this.#forks.wait(documentId);
    this.#transmit({ type: "fork", documentId, from, heads: [...heads] });
    return answered;
  }

  #session(): Session | undefined {
    return this.#phase.kind === "connected" ? this.#phase.connection.session : undefined;
  }

  #open(): void {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const socket = new RelaySocket({
      url: this.#url,
      token: this.#options.token,
      userAgent: this.#options.userAgent,
      timers: this.#timers,
      listener: {
        opened: () => this.#join(connection),
        frame: (bytes) => this.#receive(connection, bytes),
        proven: () => {
          this.#attempts = 0;
        },
        ended: (ending) => {
          resolve();
          this.#ended(connection, ending);
        },
      },
    });
    const cancelDeadline = this.#timers.after(WELCOME_TIMEOUT_MS, () =>
      socket.end(lost("RELAY_UNREACHABLE", "The relay did not answer in time.")),
    );
    const connection: Connection = {
      socket,
      cancelDeadline,
      relayPeerId: undefined,
      session: undefined,
      invalidFrames: 0,
    };
    this.#gone = gone;
    this.#phase = { kind: "connected", connection };
    this.#tell(() => this.#options.onState?.("connecting"));
  }

  #join({ socket }: Connection): void {
    const peerMetadata = { isEphemeral: true };
    const supportedProtocolVersions = [REPO_PROTOCOL_VERSION];
    socket.send(
      encodeFrame({ type: "join", senderId: this.peerId, peerMetadata, supportedProtocolVersions }),
    );
  }

  #receive(connection: Connection, bytes: Uint8Array): void {
    const read = readFrame(bytes);
    switch (read.kind) {
      case "unknown":
        return;
      case "frame":
        this.#handle(connection, read.frame);
        return;
      case "invalid":
        this.#invalidFrames += 1;
        connection.invalidFrames += 1;
        this.#notice("invalid-frame", `The relay sent an invalid frame: ${read.reason}.`);
        if (connection.invalidFrames < MAX_INVALID_FRAMES) return;
        connection.socket.close(
          4400,
          lost("RELAY_PROTOCOL", "The relay sends messages that this replica does not understand."),
        );
    }
  }

  #handle(connection: Connection, frame: RelayFrame): void {
    switch (frame.type) {
      case "peer":
        connection.relayPeerId ??= frame.senderId as PeerId;
        return;
      case "error":
        this.#notice("relay-error", `The relay says: ${frame.message}`);
        return;
      case "welcome":
        this.#welcome(connection, frame);
        return;
      default:
        if (connection.session !== undefined) this.#handleInSession(connection.session, frame);
    }
  }

  #handleInSession(
    { relayPeerId, documentIds }: Session,
    frame: Exclude<RelayFrame, { type: "peer" | "error" | "welcome" }>,
  ): void {
    switch (frame.type) {
      case "sync":
      case "request":
      case "doc-unavailable": {
        // A relay that names documents of its own choosing could have us store whatever it likes.
        if (!documentIds.has(frame.documentId)) return;
        const targetId = this.peerId as PeerId;
        this.#tell(() => this.emit("message", { ...frame, senderId: relayPeerId, targetId } as Message));
        return;
      }
      case "heads":
        this.#tell(() => this.#options.onHeads(frame));
        return;
      case "receipt":
        this.#tell(() => this.#options.onReceipt(frame));
        return;
      case "forked":
        this.#tell(() => this.#options.onForked?.(frame));
        this.#forks.done(frame.documentId);
        return;
      case "refused":
        this.#tell(() => this.#options.onRefused?.(frame));
        if (frame.documentId !== undefined) this.#forks.refuse(frame.documentId, frame);
    }
  }

  #welcome(connection: Connection, welcome: Welcome): void {
    const { relayPeerId, session, socket } = connection;
    if (relayPeerId === undefined || session !== undefined) return;
    const refusal = this.#refusalOf(welcome);
    if (refusal !== undefined) {
      socket.close(1000, { kind: "refused", reason: refusal });
      return;
    }
    connection.cancelDeadline();
    const documentIds = new Set<string>();
    const outbox = new Outbox<SentMessage>({
      sendCheck: this.#options.sendCheck,
      transmit: (message) => {
        documentIds.add(message.documentId);
        this.#transmit({ ...message, senderId: this.peerId });
      },
      onHeld: (documentId, cause) =>
        this.#notice("document-held", `Document ${documentId} is not sent until the next connection.`, cause),
    });
    connection.session = { relayPeerId, outbox, documentIds };
    this.#tell(() => this.#options.onState?.("online"));
    this.#tell(() => this.#options.onWelcome(welcome));
    // Ephemeral, whatever the relay calls itself: a stored sync state would make us believe a restored relay.
    const peerMetadata = { isEphemeral: true };
    if (this.#session() === connection.session) {
      this.#tell(() => this.emit("peer-candidate", { peerId: relayPeerId, peerMetadata }));
    }
  }

  #refusalOf({ space, protocol }: Welcome): CambiumError | undefined {
    if (protocol !== PROTOCOL_VERSION) {
      return new CambiumError("RELAY_PROTOCOL", `The relay speaks version ${protocol} of the protocol.`, {
        hint: `This replica speaks version ${PROTOCOL_VERSION}; update the older of the two.`,
      });
    }
    if (this.#options.space !== undefined && this.#options.space !== space) {
      return new CambiumError("TOKEN_REFUSED", "The relay's token is for another space.", {
        details: { space },
      });
    }
    return undefined;
  }

  #ended(connection: Connection, ending: SocketEnding): void {
    connection.cancelDeadline();
    if (this.#phase.kind !== "connected" || this.#phase.connection !== connection) return;
    const { kind, reason } = ending;
    if (kind === "refused") {
      this.#phase = { kind: "refused" };
    } else {
      const delayMs = reconnectDelayMs(this.#attempts, this.#options.random ?? Math.random, RECONNECT_CAP_MS);
      this.#attempts += 1;
      this.#phase = { kind: "waiting", cancel: this.#timers.after(delayMs, () => this.#open()) };
    }
    this.#leave(connection, reason);
    this.#tell(() => this.#options.onState?.(kind === "refused" ? "refused" : "offline", reason));
  }

  #stop(phase: Phase): void {
    const before = this.#phase;
    this.#phase = phase;
    if (before.kind === "waiting") before.cancel();
    if (before.kind !== "connected") return;
    const { connection } = before;
    const ending = lost("RELAY_UNREACHABLE", "The connection to the relay has been closed.");
    connection.cancelDeadline();
    this.#leave(connection, ending.reason);
    connection.socket.close(1000, ending);
    this.#tell(() => this.#options.onState?.("offline"));
  }

  /** Drops all that belongs to a session; automerge-repo begins again with the next one. */
  #leave(connection: Connection, reason: CambiumError): void {
    const { session } = connection;
    connection.session = undefined;
    this.#forks.failAll(reason);
    if (session === undefined) return;
    session.outbox.drop();
    this.#tell(() => this.emit("peer-disconnected", { peerId: session.relayPeerId }));
  }

  #transmit(frame: ClientFrame): void {
    if (this.#phase.kind === "connected") this.#phase.connection.socket.send(encodeFrame(frame));
  }

  #notice(kind: RelayNotice["kind"], message: string, cause?: unknown): void {
    this.#tell(() => this.#options.onNotice?.({ kind, message, cause }));
  }

  /** A listener that throws must not take the process with it, nor keep the others from hearing. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (cause) {
      try {
        this.#options.onNotice?.({
          kind: "listener-failed",
          message: "A listener of the relay failed.",
          cause,
        });
      } catch {
        // The one who would be told is the one who fails.
      }
    }
  }
}

/** Presence and gossip between peers are not for a relay. */
const isRelayMessage = (message: Message): message is Message & SentMessage =>
  (message.type === "sync" || message.type === "request" || message.type === "doc-unavailable") &&
  message.documentId !== undefined;
