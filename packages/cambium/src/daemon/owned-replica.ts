/**
 * The replica of the daemon: opened while the first callers wait already, its spaces opened when they are first
 * asked for, and all of it open until the daemon ends.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import type { Replica, Space } from "@cambium/client";
import type { Timers } from "@cambium/client/host";
import { writePrivateFile } from "@cambium/client/host";
import { CambiumError, type SpaceId } from "@cambium/core";
import { ONLY_SPACE } from "../operations/routes.js";
import type { DaemonLog } from "./daemon-log.js";
import { sharedReplica } from "./shared-replica.js";

export interface OwnedReplicaOptions {
  readonly open: (signal: AbortSignal) => Promise<Replica>;
  /** Where the id of the space that was used last is kept. */
  readonly lastPath: string;
  readonly timers: Timers;
  readonly log: DaemonLog;
}

/** How long a call waits for a program that holds the replica, before it is refused. */
const TIMEOUT_MS = 10_000;

export class OwnedReplica {
  readonly #options: OwnedReplicaOptions;
  readonly #stop = new AbortController();
  readonly #spaces = new Map<string, Promise<Space>>();
  readonly #opened = new Map<SpaceId, Space>();
  #replica: Promise<Replica> | undefined;
  #last: string | undefined;

  constructor(options: OwnedReplicaOptions) {
    this.#options = options;
    this.#last = readLast(options.lastPath);
  }

  /** Begins to open the replica, and the space that was used last: it may have to sync. */
  start(): void {
    this.#open()
      .then(
        async () => {
          if (this.#last !== undefined) await this.space(this.#last);
        },
        () => undefined, // the log and the caller get it
      )
      .catch((error: unknown) =>
        this.#options.log.error(`The last space could not be opened: ${String(error)}`),
      );
  }

  /**
   * The replica, for everyone together.
   *
   * @throws {CambiumError} REPLICA_LOCKED while another program holds it
   */
  async replica(): Promise<Replica> {
    const replica = await this.#waitingForLock();
    const openSpace = (name: string): Promise<Space> => this.space(name);
    return sharedReplica({ replica, openSpace, onChange: () => this.#forget(replica) });
  }

  /** What names meant; each is looked up again. */
  #forget(replica: Replica): void {
    this.#spaces.clear();
    void replica.spaces().then((spaces) => {
      for (const id of this.#opened.keys())
        if (!spaces.some((space) => space.id === id)) this.#opened.delete(id);
    });
  }

  async #waitingForLock(): Promise<Replica> {
    const opening = this.#open();
    const waiting = Promise.withResolvers<never>();
    const cancel = this.#options.timers.after(TIMEOUT_MS, () => waiting.reject(heldByAnother()));
    try {
      return await Promise.race([opening, waiting.promise]);
    } finally {
      cancel();
    }
  }

  /** Those that are open now. */
  get openSpaces(): readonly Space[] {
    return [...this.#opened.values()];
  }

  /**
   * @param name - name or id, or `~` for the default
   * @throws {CambiumError} SPACE_NOT_FOUND, AMBIGUOUS_SPACE, and whatever opening it may
   */
  space(name: string): Promise<Space> {
    const known = this.#spaces.get(name);
    if (known !== undefined) return known;
    const opening = this.#openSpace(name);
    this.#spaces.set(name, opening);
    // One that could not be opened is tried again by the next call.
    opening.catch(() => this.#spaces.delete(name));
    return opening;
  }

  /** For work that nobody asked for: what was used last stays that. @param id - of the space */
  async spaceUnasked(id: string): Promise<Space> {
    const opened = this.#opened.get(id as SpaceId);
    return opened ?? this.#noteOpened(await (await this.#waitingForLock()).openSpace(id));
  }

  #noteOpened(space: Space): Space {
    if (!this.#opened.has(space.id)) {
      this.#opened.set(space.id, space);
      this.#options.log.info(`Opened the space ${space.id}.`);
    }
    return space;
  }

  /** Closes what is open. Nobody may call any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    const replica = await this.#replica?.catch(() => undefined);
    await replica?.close();
  }

  #open(): Promise<Replica> {
    if (this.#replica !== undefined) return this.#replica;
    const opening = this.#options.open(this.#stop.signal);
    this.#replica = opening;
    opening.catch((error: unknown) => {
      if (!this.#stop.signal.aborted)
        this.#options.log.error(`The replica could not be opened: ${String(error)}`);
      this.#replica = undefined;
    });
    return opening;
  }

  async #openSpace(name: string): Promise<Space> {
    const replica = await this.#waitingForLock();
    const space = this.#noteOpened(await replica.openSpace(name === ONLY_SPACE ? undefined : name));
    this.#noteLast(space.id);
    return space;
  }

  #noteLast(id: SpaceId): void {
    if (this.#last === id) return;
    this.#last = id;
    writePrivateFile(this.#options.lastPath, `${id}\n`);
  }
}

const heldByAnother = (): CambiumError =>
  new CambiumError("REPLICA_LOCKED", "The daemon waits for another program that holds this replica.", {
    hint: "End the program that has opened the same CAMBIUM_HOME by itself, or try again in a moment.",
  });

function readLast(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8").trim();
    return text === "" ? undefined : text;
  } catch {
    return undefined; // nothing was used yet
  }
}
