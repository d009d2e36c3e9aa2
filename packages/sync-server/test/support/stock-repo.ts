/**
 * Stock automerge-repo clients.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DocHandle, type PeerId, Repo } from "@automerge/automerge-repo";
import { WebSocketClientAdapter } from "@automerge/automerge-repo-network-websocket";
import { NodeFSStorageAdapter } from "@automerge/automerge-repo-storage-nodefs";

/** A document of theirs. */
export interface Branch {
  memories: Record<string, string>;
}

/** A stock automerge-repo client: its own Repo, WebSocket adapter and files. */
export async function stockClient(relayUrl: string, token: string, peerId: string) {
  const directory = await mkdtemp(join(tmpdir(), "cambium-stock-"));
  const network = new WebSocketClientAdapter(`${relayUrl.replace("http", "ws")}/sync?token=${token}`, 200);
  const repo = new Repo({
    peerId: peerId as PeerId,
    network: [network],
    storage: new NodeFSStorageAdapter(directory),
  });
  return {
    repo,
    async [Symbol.asyncDispose]() {
      await repo.shutdown();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export function reaches(handle: DocHandle<Branch>, key: string, value: string): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (handle.doc().memories[key] === value) resolve();
    };
    handle.on("change", check);
    check();
  });
}
