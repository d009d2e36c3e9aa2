/**
 * Automerge's wasm handles, without the JavaScript documents that `@automerge/automerge` builds on them.
 *
 * The package's own functions copy a document into JavaScript after each change and convert a sync state to plain data
 * and back at each message. A thread that serves stock clients needs neither, so it takes the wasm module from inside
 * the package. The version is pinned exactly; a test fails if the file moves.
 *
 * @module
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { getBackend } from "@automerge/automerge";
import type { PlainSyncState, SyncMessage } from "@cambium/core/changes";

/** One document in wasm memory. Belongs to its maker and is freed by hand. */
export type Handle = ReturnType<typeof getBackend>;
/** What one peer is known to hold of one document, in wasm memory. */
export type SyncState = Parameters<Handle["receiveSyncMessage"]>[0];

interface WasmModule {
  create(): Handle;
  initSyncState(): SyncState;
  exportSyncState(state: SyncState): PlainSyncState;
  importSyncState(state: PlainSyncState): SyncState;
  decodeSyncMessage(data: Uint8Array): SyncMessage;
  encodeSyncMessage(message: SyncMessage): Uint8Array;
}

let loaded: WasmModule | undefined;

/** Loaded when it is first asked for. A relay's main thread does so only to bring an old log over. */
export function automerge(): WasmModule {
  if (loaded === undefined) {
    const entry = import.meta.resolve("@automerge/automerge");
    const module = new URL("../wasm_bindgen_output/nodejs/automerge_wasm.cjs", entry);
    loaded = createRequire(entry)(fileURLToPath(module)) as WasmModule;
  }
  return loaded;
}
