/**
 * The Cambium that is tried: the built packages of a checkout.
 *
 * @module
 */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { openReplica } from "@cambium/client";
import type { startRelay } from "@cambium/sync-server";

export interface Product {
  readonly openReplica: typeof openReplica;
  readonly startRelay: typeof startRelay;
}

/** @param build - the root of a checkout whose packages are built */
export async function loadProduct(build: string): Promise<Product> {
  await loadAll(resolve(build, "packages/client/dist"));
  const load = (path: string): Promise<unknown> => import(pathToFileURL(resolve(build, path)).href);
  const client = (await load("packages/client/dist/index.js")) as Pick<Product, "openReplica">;
  const server = (await load("packages/sync-server/dist/index.js")) as Pick<Product, "startRelay">;
  return { openReplica: client.openReplica, startRelay: server.startRelay };
}

/** Parts that programs begin with, or that no replica loads. */
const LEFT_OUT = /^(?:bundle|cli|daemon|mcp|doctor|setup|contract|remote|ask)\/|reading-worker|testing/;

/** What is loaded when it is first needed would take turns then that it does not take later. */
async function loadAll(dist: string): Promise<void> {
  const files = readdirSync(dist, { recursive: true }).map(String);
  const modules = files.filter((file) => file.endsWith(".js") && !LEFT_OUT.test(file.replaceAll("\\", "/")));
  for (const file of modules.sort()) await import(pathToFileURL(join(dist, file)).href);
}
