/**
 * One way in: an HTTP server on the Unix socket, or on a port of this device. Knows connections, and whether a
 * caller has left; not what is asked for.
 *
 * @module
 */
import { chmodSync, renameSync, rmSync, statSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CambiumError } from "@cambium/core";
import { nodeHttp } from "../daemon-client/http.js";

export type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

export interface HttpListener {
  /** 0 for the socket. */
  readonly port: number;
  /** No one comes in any more; who is in may finish. */
  closeToNew(): void;
  /** Ends what is left. */
  close(): Promise<void>;
}

export interface SocketAddress {
  readonly socket: string;
}

export interface PortAddress {
  /** 0 for any free one. */
  readonly port: number;
}

const PRIVATE_UMASK = 0o177;
const PRIVATE_FILE = 0o600;

/** A caller that says nothing, or says it too slowly, is let go. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 120_000,
  maxHeaderSize: 16_384,
};
/** What is answered before there is a request, by Node's code; callers tell by it what went wrong. */
const BAD_REQUESTS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};
const MOST_HEADERS = 64;
const MOST_CONNECTIONS = 2_000;

/**
 * A socket that a dead daemon left behind is replaced: only the holder of the daemon's lock may call this.
 *
 * @throws {CambiumError} BAD_INPUT when the port is taken
 */
export async function openHttpListener(
  address: SocketAddress | PortAddress,
  answer: Answerer,
): Promise<HttpListener> {
  const server = nodeHttp().createServer(LIMITS, answer);
  server.maxHeadersCount = MOST_HEADERS;
  server.maxConnections = MOST_CONNECTIONS;
  server.on("clientError", ({ code }: NodeJS.ErrnoException, socket) => {
    const status = BAD_REQUESTS[code ?? ""] ?? "400 Bad Request";
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    else socket.destroy();
  });
  if ("port" in address) {
    await listenOnPort(server, address.port);
    return listenerOf(server, () => undefined);
  }
  if (process.platform === "win32") {
    await listen(server, { path: address.socket });
    return listenerOf(server, () => undefined);
  }
  return listenerOf(server, await listenOnSocket(server, address.socket));
}

/**
 * Made beside and renamed, so that it is private from the first moment; and so that Node, which removes the name
 * that it made, does not remove the socket of another daemon that has come in its place meanwhile.
 *
 * @returns what removes the socket, if it still is this one
 */
async function listenOnSocket(server: Server, path: string): Promise<() => void> {
  const beside = path.replace(/\.sock$/, ".new"); // no longer than the name: it has to fit as well
  rmSync(beside, { force: true });
  const before = process.umask(PRIVATE_UMASK);
  try {
    const listening = listen(server, { path: beside });
    process.umask(before); // the socket was made before `listen` returned
    await listening;
  } finally {
    process.umask(before);
  }
  chmodSync(beside, PRIVATE_FILE);
  const { ino } = statSync(beside);
  renameSync(beside, path);
  return () => {
    if (statSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
  };
}

async function listenOnPort(server: Server, port: number): Promise<void> {
  try {
    await listen(server, { host: "127.0.0.1", port });
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", `The port ${port} cannot be listened on.`, {
      hint: "Another program may use it. Choose another port, or none for any free one.",
      cause,
    });
  }
}

function listen(server: Server, options: { path: string } | { host: string; port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(options, () => {
    server.off("error", reject);
    resolve();
  });
  return promise;
}

function listenerOf(server: Server, removeName: () => void): HttpListener {
  const address = server.address() as AddressInfo | string | null;
  const ended = Promise.withResolvers<void>();
  let isClosing = false;
  const closeToNew = (): void => {
    if (isClosing) return;
    isClosing = true;
    removeName();
    server.close(() => ended.resolve());
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    closeToNew,
    async close() {
      closeToNew();
      server.closeAllConnections();
      await ended.promise;
    },
  };
}
