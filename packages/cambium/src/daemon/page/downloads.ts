/**
 * Files that the web page hands to its browser: each can be fetched once, for two minutes. A file has no name from
 * when it is whole, so that nothing of it stays, whatever becomes of the daemon.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type CancelTimer, makePrivateDirectory, type Timers } from "@cambium/client/host";
import type { Download } from "../../operations/described.js";

const TICKET_BYTES = 32;
const LASTS_MS = 2 * 60_000;
/** Each holds a file open. */
const MOST_WAITING = 8;

export interface DownloadsOptions {
  readonly home: string;
  readonly now: () => number;
  readonly timers: Timers;
}

/** A file without a name, for who closes it. */
export interface WaitingFile {
  readonly handle: FileHandle;
  readonly name: string;
  readonly sizeBytes: number;
}

export class Downloads {
  readonly #options: DownloadsOptions;
  /** By their tickets, oldest first. */
  readonly #waiting = new Map<string, WaitingFile & { readonly forget: CancelTimer }>();
  #tidied: Promise<void> | undefined;

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /**
   * @param name - what the browser calls it
   * @param write - writes a file at the path, or throws
   */
  async make(name: string, write: (path: string) => Promise<unknown>): Promise<Omit<Download, "memories">> {
    const folder = join(this.#options.home, "downloads");
    // What a process left that was killed while it wrote.
    this.#tidied ??= rm(folder, { recursive: true, force: true });
    await this.#tidied;
    makePrivateDirectory(folder);
    const own = join(folder, randomBytes(8).toString("hex"));
    makePrivateDirectory(own);
    try {
      const path = join(own, "file");
      await write(path);
      const handle = await open(path);
      await rm(own, { recursive: true });
      return await this.#keep({ handle, name, sizeBytes: (await handle.stat()).size });
    } catch (error) {
      await rm(own, { recursive: true, force: true });
      throw error;
    }
  }

  async #keep(file: WaitingFile): Promise<Omit<Download, "memories">> {
    const { now, timers } = this.#options;
    const ticket = randomBytes(TICKET_BYTES).toString("base64url");
    const forget = timers.after(LASTS_MS, () => void this.#drop(ticket));
    this.#waiting.set(ticket, { ...file, forget });
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MOST_WAITING && oldest !== undefined) await this.#drop(oldest);
    const { name, sizeBytes } = file;
    return { url: `/ui/downloads/${ticket}`, name, sizeBytes, expiresAt: now() + LASTS_MS };
  }

  /** It is gone from here then, and the caller closes it. */
  take(ticket: string): WaitingFile | undefined {
    const file = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    file?.forget();
    return file;
  }

  async #drop(ticket: string): Promise<void> {
    await this.take(ticket)?.handle.close();
  }

  async close(): Promise<void> {
    for (const ticket of [...this.#waiting.keys()]) await this.#drop(ticket);
  }
}
