/**
 * The Cambium that is tried: the built packages of a checkout.
 *
 * @module
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { openReplica } from "@cambium/client";
import type { startRelay } from "@cambium/sync-server";

export interface Product {
  readonly openReplica: typeof openReplica;
  readonly startRelay: typeof startRelay;
}

/** @param build - the root of a checkout whose packages are built */
export async function loadProduct(build: string): Promise<Product> {
  const load = (path: string): Promise<unknown> => import(pathToFileURL(resolve(build, path)).href);
  const client = (await load("packages/client/dist/index.js")) as Pick<Product, "openReplica">;
  const server = (await load("packages/sync-server/dist/index.js")) as Pick<Product, "startRelay">;
  return { openReplica: client.openReplica, startRelay: server.startRelay };
}
