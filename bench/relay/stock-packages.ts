/**
 * The packages of automerge-repo, which the relay's tests use: they are not this folder's own.
 *
 * @module
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { resolve } = createRequire(new URL("../../packages/sync-server/package.json", import.meta.url));

/** Its exports are looked up where they are used; see the packages' own documentation. */
async function imported<Exports>(name: string): Promise<Exports> {
  return (await import(pathToFileURL(resolve(name)).href)) as Exports;
}

export interface Cbor {
  encode(value: unknown): Uint8Array;
  decode(bytes: Uint8Array): unknown;
}

/** As automerge-repo encodes its frames. */
export async function stockCbor(): Promise<Cbor> {
  const { cbor } = await imported<{ readonly cbor: Cbor }>("@automerge/automerge-repo");
  return cbor;
}

/** What is used of a document's handle. */
export interface StockHandle {
  readonly url: string;
  doc(): { readonly text?: string };
  change(change: (doc: { text?: string }) => void): void;
  on(event: "change", listener: () => void): void;
  off(event: "change", listener: () => void): void;
}

/** What is used of automerge-repo's `Repo`. */
export interface StockRepo {
  readonly networkSubsystem: { whenReady(): Promise<void> };
  create(value: object): StockHandle;
  find(url: string): Promise<StockHandle>;
}

type New<Instance> = new (...args: readonly unknown[]) => Instance;

interface StockExports {
  readonly Repo: New<StockRepo>;
  readonly WebSocketClientAdapter: New<object>;
  readonly WebSocketServerAdapter: New<object>;
  readonly NodeFSStorageAdapter: New<object>;
}

/** With its adapters for sockets and for files. */
export async function stockRepo(): Promise<StockExports> {
  const name = "@automerge/automerge-repo";
  const parts = [name, `${name}-network-websocket`, `${name}-storage-nodefs`];
  const [repo, sockets, files] = await Promise.all(
    parts.map((part) => imported<Partial<StockExports>>(part)),
  );
  return { ...repo, ...sockets, ...files } as StockExports;
}

/** The server side of `ws`. */
export async function webSocketServer(): Promise<New<object>> {
  const ws = await imported<{ readonly default: { readonly WebSocketServer: New<object> } }>("ws");
  return ws.default.WebSocketServer;
}
