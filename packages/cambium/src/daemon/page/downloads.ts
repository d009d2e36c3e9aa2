/**
 * Files that the web page hands to its browser: each can be fetched once, for two minutes. A file has no name from
 * when it is whole, so that nothing of it stays, whatever becomes of the daemon. It is dropped once anything that it
 * may hold is erased or concealed.
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

/** What a file was made of. */
export interface DownloadSource {
  /** Whether nothing was erased or concealed since. */
  readonly isGood: () => boolean;
  /** Calls back after every change. @returns what ends it */
  readonly subscribe: (listener: () => void) => () => void;
}

type Kept = WaitingFile & { readonly source: DownloadSource; readonly forget: CancelTimer };

export class Downloads {
  readonly #options: DownloadsOptions;
  /** By their tickets, oldest first. */
  readonly #waiting = new Map<string, Kept>();
  #tidied: Promise<void> | undefined;

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /**
   * @param name - what the browser calls it
   * @param source - of which `write` makes it
   * @param write - writes a file at the path, or throws
   */
  async make(
    name: string,
    source: DownloadSource,
    write: (path: string) => Promise<unknown>,
  ): Promise<Omit<Download, "memories">> {
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
      return await this.#keep(source, { handle, name, sizeBytes: (await handle.stat()).size });
    } catch (error) {
      await rm(own, { recursive: true, force: true });
      throw error;
    }
  }

  async #keep(source: DownloadSource, file: WaitingFile): Promise<Omit<Download, "memories">> {
    const { now, timers } = this.#options;
    const ticket = randomBytes(TICKET_BYTES).toString("base64url");
    const cancel = timers.after(LASTS_MS, () => void this.#drop(ticket));
    const end = source.subscribe(() => {
      if (!source.isGood()) void this.#drop(ticket);
    });
    const forget = (): void => {
      cancel();
      end();
    };
    this.#waiting.set(ticket, { ...file, source, forget });
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > MOST_WAITING && oldest !== undefined) await this.#drop(oldest);
    const { name, sizeBytes } = file;
    return { url: `/ui/downloads/${ticket}`, name, sizeBytes, expiresAt: now() + LASTS_MS };
  }

  /** It is gone from here then, and the caller closes it. */
  async take(ticket: string): Promise<WaitingFile | undefined> {
    const file = this.#remove(ticket);
    if (file === undefined || file.source.isGood()) return file;
    await file.handle.close();
    return undefined;
  }

  #remove(ticket: string): Kept | undefined {
    const file = this.#waiting.get(ticket);
    this.#waiting.delete(ticket);
    file?.forget();
    return file;
  }

  async #drop(ticket: string): Promise<void> {
    await this.#remove(ticket)?.handle.close();
  }

  async close(): Promise<void> {
    for (const ticket of [...this.#waiting.keys()]) await this.#drop(ticket);
  }
}
