/**
 * The wire between a replica and its relay: counts what passes, and can be cut.
 *
 * @module
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class Wire implements AsyncDisposable {
  /** From the replica to the relay, and back: everything above TCP. */
  upBytes = 0;
  downBytes = 0;
  readonly #server: Server;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(port: number) {
    this.#port = port;
    this.#server = createServer((socket) => this.#join(socket));
  }

  static async to(relayUrl: string): Promise<Wire> {
    const wire = new Wire(Number(new URL(relayUrl).port));
    await new Promise<void>((resolve) => wire.#server.listen(0, "127.0.0.1", resolve));
    return wire;
  }

  /** What the replica takes for the relay's address. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What is under way is lost, and the caller is cut off. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(replica: Socket): void {
    if (this.#isCut) {
      replica.destroy();
      return;
    }
    const relay = connect(this.#port, "127.0.0.1");
    replica.on("data", (bytes) => {
      this.upBytes += bytes.length;
    });
    relay.on("data", (bytes) => {
      this.downBytes += bytes.length;
    });
    for (const [socket, other] of [
      [replica, relay],
      [relay, replica],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {}); // the other end hears of it by the close that follows
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
