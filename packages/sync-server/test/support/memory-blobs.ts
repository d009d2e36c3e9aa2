/**
 * A place for blobs that does what a test says.
 *
 * @module
 */
import { type BlobStore, blobsFailed, type ListedBlob } from "../../src/log/blobs/blob-store.js";

/** `down`: nothing is done; `lost`: it is done, and the answer is lost; `short`, `other`: what is read is not what was stored. */
export type Fault = "down" | "lost" | "short" | "other";

export class MemoryBlobs implements BlobStore {
  readonly where = "memory";
  readonly blobs = new Map<string, Uint8Array>();
  fault: (what: "put" | "get" | "delete") => Fault | undefined = () => undefined;

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#run("put", () => this.blobs.set(name, new Uint8Array(bytes)));
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    const fault = this.fault("get");
    const bytes = this.blobs.get(name);
    if (fault === "short") return bytes?.subarray(0, bytes.length - 1);
    if (fault === "other") return bytes?.toReversed();
    if (fault !== undefined) throw blobsFailed(this.where, fault);
    return bytes;
  }

  async delete(name: string): Promise<void> {
    await this.#run("delete", () => this.blobs.delete(name));
  }

  async *list(): AsyncGenerator<ListedBlob> {
    for (const [name, { length }] of this.blobs) yield { name, sizeBytes: length };
  }

  async #run(what: "put" | "delete", work: () => unknown): Promise<void> {
    const fault = this.fault(what);
    if (fault !== "down") work();
    if (fault !== undefined) throw blobsFailed(this.where, fault);
  }
}
