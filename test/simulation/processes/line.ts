/**
 * The line between one replica and the relay: a forwarder on this machine that can be cut, or hold everything back.
 *
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class Line implements AsyncDisposable {
  readonly #server: Server;
  readonly #relayPort: () => number;
  readonly #sockets = new Set<Socket>();
  #state: "open" | "cut" | "silent" = "open";
  /** Milliseconds by which each piece comes later, on connections made from now on. */
  delayMs = 0;

  private constructor(relayPort: () => number) {
    this.#relayPort = relayPort;
    this.#server = createServer((socket) => this.#join(socket));
  }

  /** @param relayPort - asked for each connection, since a relay that starts again has another */
  static async start(relayPort: () => number): Promise<Line> {
    const line = new Line(relayPort);
    line.#server.listen(0, "127.0.0.1");
    await once(line.#server, "listening");
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Connections end, and none is made. */
  cut(): void {
    this.#state = "cut";
    this.#endAll();
  }

  /** Connections stay, and nothing comes through. */
  silence(): void {
    this.#state = "silent";
  }

  /** What was held back is lost with its connection, as on a real line. */
  heal(): void {
    if (this.#state === "silent") this.#endAll();
    this.#state = "open";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#endAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket): void {
    if (this.#state === "cut") {
      near.destroy();
      return;
    }
    const far = connect(this.#relayPort(), "127.0.0.1");
    const { delayMs } = this;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on("data", (bytes) => this.#forward(bytes, to, delayMs));
      from.on("error", () => from.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }

  #forward(bytes: Buffer, to: Socket, delayMs: number): void {
    if (this.#state !== "open") return;
    if (delayMs === 0) to.write(bytes);
    else setTimeout(() => to.destroyed || to.write(bytes), delayMs);
  }
}
