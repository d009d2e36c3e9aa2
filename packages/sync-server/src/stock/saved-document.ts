/**
 * Whether a saved document loads again, and with the same heads: only then does it take the place of what is stored.
 *
 * @module
 */
import { Worker } from "node:worker_threads";
import { sameHeads } from "@cambium/core";
import { wasm } from "./wasm.js";

/** A question to the thread that loads documents. */
export interface SavedDocument {
  readonly bytes: Uint8Array;
  readonly heads: readonly string[];
}

/** Loading so many changes takes a tenth of a second; nobody is kept waiting for more. */
export const CHANGES_AT_ONCE = 4_000;

export function loadsAgain({ bytes, heads }: SavedDocument): boolean {
  const handle = wasm.create();
  try {
    handle.loadIncremental(bytes);
    return sameHeads(handle.getHeads(), heads);
  } catch {
    return false; // whatever Automerge says: it is not to be stored
  } finally {
    handle.free();
  }
}

/** The same in another thread; where none can be had, here. */
export async function loadsElsewhere(saved: SavedDocument): Promise<boolean> {
  const worker = new Worker(new URL("./saved-document-worker.js", import.meta.url), { workerData: saved });
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  worker.on("message", resolve);
  worker.on("error", () => resolve(undefined));
  worker.on("exit", () => resolve(undefined));
  const answer = await promise;
  await worker.terminate();
  return answer ?? loadsAgain(saved);
}
