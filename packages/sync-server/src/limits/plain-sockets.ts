/**
 * Sockets that are no sessions: those of requests over HTTP, and those on which nothing was said yet. Each takes a file of
 * the process, so that an address has so many and no more.
 *
 * @module
 */
import type { BlockList, Server } from "node:net";
import type { Duplex } from "node:stream";
import { peerAddress } from "./client-address.js";

interface Peer {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

export class PlainSockets {
  readonly #most: number;
  readonly #trusted: BlockList | undefined;
  readonly #byAddress = new Map<string, number>();
  /** What gives back a place, by the other end: with TLS, a session has another socket than the one that was counted. */
  readonly #places = new Map<string, () => void>();

  /** @param most - of one address, but not of proxies that are trusted */
  constructor(most: number, trusted: BlockList | undefined) {
    this.#most = most;
    this.#trusted = trusted;
  }

  /** Cuts those that are too many, from now on. */
  watch(server: Pick<Server, "on">): void {
    server.on("connection", (socket) => {
      const address = peerAddress(socket, this.#trusted);
      if (address === undefined) return;
      const count = this.#byAddress.get(address) ?? 0;
      if (count >= this.#most) {
        socket.destroy();
        return;
      }
      this.#byAddress.set(address, count + 1);
      const name = nameOf(socket);
      const leave = (): void => {
        if (!this.#places.delete(name)) return;
        const left = (this.#byAddress.get(address) ?? 1) - 1;
        if (left === 0) this.#byAddress.delete(address);
        else this.#byAddress.set(address, left);
      };
      this.#places.set(name, leave);
      socket.once("close", leave);
    });
  }

  /** It is a session now, which is counted as one. */
  release(socket: Duplex): void {
    this.#places.get(nameOf(socket))?.();
  }
}

/** Those of a server are sockets of the network, whatever Node's types say. */
const nameOf = (socket: Duplex): string => {
  const { remoteAddress, remotePort } = socket as Duplex & Peer;
  return `${remoteAddress} ${remotePort}`;
};
