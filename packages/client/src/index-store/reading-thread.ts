/**
 * A thread that reads histories: this side of it.
 *
 * @module
 */
import { type MessagePort, Worker } from "node:worker_threads";
import type { Change, MemoryRecord } from "@cambium/core";
import type { StoredDocument, StoredPack } from "../documents/pack-content.js";
import type { ListedChanges, PackedChanges } from "./packed-changes.js";
import type { ReadingAnswer, ReadingSetup, ReadingTask, WantedRecord } from "./reading-work.js";

/** A thread, or what does its tasks in this one. */
export type ReadingPort = Worker | MessagePort;
export type StartReading = (setup: ReadingSetup) => ReadingPort;

// No limit on its heap: V8 counts WebAssembly's memory against one, and collects garbage half of the time. What it
// keeps is bounded there.
export const startReadingThread: StartReading = (setup) =>
  new Worker(new URL("./reading-worker.js", import.meta.url), { workerData: setup });

export class ReadingThread implements AsyncDisposable {
  readonly #port: ReadingPort;
  /** In the order of the tasks. */
  readonly #asked: PromiseWithResolvers<ReadingAnswer>[] = [];
  #failure: Error | undefined;

  constructor(port: ReadingPort) {
    this.#port = port;
    port.on("message", (answer: ReadingAnswer) => this.#asked.shift()?.resolve(answer));
    port.on("error", (error: Error) => this.#fail(error));
    port.on("exit", () => this.#fail(new Error("The thread has ended.")));
  }

  /** @returns undefined when the document is not whole, or lacks one of the heads in `since` */
  async list(stored: StoredDocument, since: readonly string[]): Promise<ListedChanges | undefined> {
    const answer = await this.#ask({ kind: "list", stored, since }, [stored.bytes.buffer as ArrayBuffer]);
    return answer.kind === "listed" ? answer.listed : refuse(answer);
  }

  async decode(changes: PackedChanges): Promise<readonly Change[]> {
    const answer = await this.#ask({ kind: "decode", changes }, []);
    return answer.kind === "decoded" ? answer.changes : refuse(answer);
  }

  /** @returns the records that are here, in any order */
  async open(
    wanted: readonly WantedRecord[],
    packs: readonly StoredPack[],
  ): Promise<readonly MemoryRecord[]> {
    const bytes = packs.flatMap(({ documents }) => documents.map((document) => document.bytes.buffer));
    const answer = await this.#ask({ kind: "open", wanted, packs }, bytes as ArrayBuffer[]);
    return answer.kind === "opened" ? answer.records : refuse(answer);
  }

  #ask(task: ReadingTask, transfer: readonly ArrayBuffer[]): Promise<ReadingAnswer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const asked = Promise.withResolvers<ReadingAnswer>();
    this.#asked.push(asked);
    this.#port.postMessage(task, transfer);
    return asked.promise;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const asked of this.#asked.splice(0)) asked.reject(this.#failure);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#fail(new Error("The thread is no longer needed."));
    if (this.#port instanceof Worker) await this.#port.terminate();
    else this.#port.close();
  }
}

function refuse(answer: ReadingAnswer): never {
  throw new Error(answer.kind === "failed" ? answer.reason : "The thread answered another question.");
}
