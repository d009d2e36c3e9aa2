/**
 * What happens in a space, for everyone who watches it: one listener and one memory of events for all of them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Space, SpaceEvent } from "@cambium/client";
import type { CancelTimer, Timers } from "@cambium/client/host";
import type { LogEntry } from "@cambium/core";
import type { DaemonLog } from "./daemon-log.js";
import { type EventData, EventRing, type KeptEvent } from "./event-ring.js";
import { EventWriter } from "./event-writer.js";

export interface SpaceFeedOptions {
  readonly space: Space;
  readonly instance: string;
  readonly timers: Timers;
  readonly log: DaemonLog;
}

const BEAT_MS = 15_000;
/** A run of changes is looked at once. */
const LOOK_AFTER_MS = 100;
const MAIN = "main";
/** Of more, it is only said that there are. */
const MOST_WRITTEN = 50;
/** Of the time in which they were written, which others may have written in since. */
const MOST_READ_AGAIN = 10_000;

/** The newest change of a branch when it was last looked at; what it says may be erased by the next look. */
type Newest = Pick<LogEntry, "hash" | "at">;

export class SpaceFeed {
  readonly #options: SpaceFeedOptions;
  readonly #ring: EventRing;
  readonly #watchers = new Set<EventWriter>();
  readonly #unsubscribe: () => void;
  /** Branches that have changed since they were last looked at. */
  readonly #changed = new Set<string>([MAIN]);
  /** What was last sent, by its name; the same is not sent twice. */
  readonly #notified = new Map<string, Omit<KeptEvent, "id"> & { readonly digest: string }>();
  /** By the name of the branch, once it was looked at; undefined where nothing was written yet. */
  readonly #newest = new Map<string, Newest | undefined>();
  #isClosed = false;
  #looking: Promise<void> | undefined;
  #cancelLook: CancelTimer | undefined;
  #cancelBeat: CancelTimer | undefined;

  constructor(options: SpaceFeedOptions) {
    this.#options = options;
    this.#ring = new EventRing(options.instance);
    this.#unsubscribe = options.space.subscribe((event) => this.#take(event));
  }

  /** @param lastId - the last event this watcher has seen, if it was here before */
  watch(response: ServerResponse, lastId: string | undefined): void {
    const watcher = new EventWriter(response);
    response.on("close", () => this.#leave(watcher));
    const join = (): void => {
      if (response.destroyed) return;
      if (this.#isClosed) watcher.end();
      else this.#join(watcher);
    };
    this.#catchUp(watcher, lastId, join).catch((error: unknown) => {
      this.#options.log.error(`Events could not be sent: ${String(error)}`);
      response.destroy();
    });
  }

  #join(watcher: EventWriter): void {
    this.#watchers.add(watcher);
    if (this.#cancelBeat === undefined) this.#beatLater();
    this.#lookLater();
  }

  /**
   * Sends what this watcher has missed, and then what has happened while that was read.
   *
   * @param join - called in the turn in which nothing is left to send: what comes next is told to the watcher
   */
  async #catchUp(watcher: EventWriter, lastId: string | undefined, join: () => void): Promise<void> {
    let seen = this.#ring.lastId;
    const missed = lastId === undefined ? [] : this.#ring.after(lastId);
    if (missed === undefined) watcher.send("reset", "{}", seen);
    else await this.#replay(watcher, missed);
    if (lastId === undefined) watcher.send("ready", "{}", seen);
    // Where things stand: a listener that begins here, or begins again, has no other way to know.
    if (lastId === undefined || missed === undefined) await this.#replay(watcher, this.#notified.values());
    while (seen !== this.#ring.lastId) {
      const more = this.#ring.after(seen);
      seen = this.#ring.lastId;
      if (more === undefined) watcher.send("reset", "{}", seen);
      else await this.#replay(watcher, more);
    }
    join();
  }

  async #replay(
    watcher: EventWriter,
    events: Iterable<Omit<KeptEvent, "id"> & { readonly id?: string }>,
  ): Promise<void> {
    for (const { event, data, id } of events) {
      const json = typeof data === "string" ? data : await this.#readAgain(data);
      if (json !== undefined) watcher.send(event, json, id);
    }
  }

  async #readAgain(read: Exclude<EventData, string>): Promise<string | undefined> {
    try {
      return await read();
    } catch (error) {
      // The branch may have been deleted or erased since.
      this.#options.log.debug?.(`An event is not sent again: ${String(error)}`);
      return undefined;
    }
  }

  /** How many watch now. */
  get watchers(): number {
    return this.#watchers.size;
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#cancelLook?.();
    this.#cancelBeat?.();
    for (const watcher of this.#watchers) watcher.end();
  }

  #leave(watcher: EventWriter): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    this.#cancelBeat?.();
    this.#cancelBeat = undefined;
  }

  #take(event: SpaceEvent): void {
    // Sync tells each step; what counts is the state it leads to.
    if (event.type === "sync") {
      this.#lookLater();
      return;
    }
    const { type, ...data } = event;
    const json = JSON.stringify(data);
    // Progress is of the moment: a listener that comes back later wants to know where things stand.
    if (type === "index") for (const watcher of this.#watchers) watcher.send(type, json);
    else this.#tell(type, json);
    if (type !== "changed") return;
    this.#changed.add(event.branch ?? MAIN);
    this.#lookLater();
  }

  /** @param kept - what those get who come back later */
  #tell(event: string, json: string, kept: EventData = json): void {
    const { id } = this.#ring.add(event, kept);
    for (const watcher of this.#watchers) watcher.send(event, json, id);
  }

  #lookLater(): void {
    // While nobody watches, nobody asks where things stand.
    if (this.#watchers.size === 0 || this.#cancelLook !== undefined) return;
    this.#cancelLook = this.#options.timers.after(LOOK_AFTER_MS, () => {
      this.#cancelLook = undefined;
      if (this.#looking !== undefined) {
        this.#lookLater();
        return;
      }
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
      });
    });
  }

  async #look(): Promise<void> {
    const branches = this.#changed.size === 0 ? [MAIN] : [...this.#changed];
    this.#changed.clear();
    for (const branch of branches) {
      try {
        await this.#lookAt(branch);
      } catch (error) {
        // The branch may have been deleted since.
        this.#options.log.debug?.(`No look at ${branch}: ${String(error)}`);
      }
    }
  }

  async #lookAt(branch: string): Promise<void> {
    const { relay, conflicts, requests, branch: shown } = await this.#options.space.status({ branch });
    this.#tellNew("sync", "sync", { relay });
    this.#tellNew("requests", "requests", { waiting: requests });
    this.#tellNew(
      `conflicts ${shown.name}`,
      "conflicts",
      { branch: shown.name, count: conflicts },
      // The name of a branch may be erased, too.
      async () => {
        const now = await this.#options.space.status({ branch });
        return JSON.stringify({ branch: now.branch.name, count: now.conflicts });
      },
    );
    await this.#tellWritten(branch, shown.name);
  }

  /** What was written since the last look; at the first, where the branch stands is only noted. */
  async #tellWritten(branch: string, name: string): Promise<void> {
    const isFirst = !this.#newest.has(name);
    const before = this.#newest.get(name);
    const since = before === undefined ? {} : { since: timeOf(before.at) };
    const limit = isFirst ? 1 : MOST_WRITTEN + 1;
    const { changes } = await this.#options.space.log({ branch, limit, ...since });
    const [newest] = changes;
    this.#newest.set(name, newest === undefined ? before : { hash: newest.hash, at: newest.at });
    const end = changes.findIndex(({ hash }) => hash === before?.hash);
    const written = changes.slice(0, end === -1 ? MOST_WRITTEN : end);
    if (isFirst || written.length === 0) return;
    const isMore = end === -1 && changes.length > MOST_WRITTEN;
    const kept = written.map(({ hash, at }) => ({ hash, at }));
    this.#tell("wrote", wroteEvent(name, written, isMore), async () => {
      const left = await this.#writtenStill(branch, kept);
      if (left.length === 0) return undefined;
      const now = await this.#options.space.status({ branch });
      return wroteEvent(now.branch.name, left, isMore);
    });
  }

  /** The log says nothing of what is concealed, and quotes nothing of what is erased. */
  async #writtenStill(branch: string, written: readonly Newest[]): Promise<readonly LogEntry[]> {
    const times = written.map(({ at }) => at);
    const { changes } = await this.#options.space.log({
      ...{ branch, limit: MOST_READ_AGAIN },
      ...{ since: timeOf(Math.min(...times)), until: timeOf(Math.max(...times) + 1) },
    });
    const hashes = new Set(written.map(({ hash }) => hash));
    return changes.filter(({ hash }) => hashes.has(hash));
  }

  #tellNew(name: string, event: string, state: object, kept?: EventData): void {
    const json = JSON.stringify(state);
    const digest = createHash("sha256").update(json).digest("base64url");
    if (this.#notified.get(name)?.digest === digest) return;
    this.#notified.set(name, { event, digest, data: kept ?? json });
    this.#tell(event, json, kept);
  }

  #beatLater(): void {
    this.#cancelBeat = this.#options.timers.after(BEAT_MS, () => {
      for (const watcher of this.#watchers) watcher.beat();
      this.#beatLater();
    });
  }
}

const timeOf = (at: number): string => new Date(at).toISOString();

function wroteEvent(branch: string, written: readonly LogEntry[], isMore: boolean): string {
  const changes = written.map(({ hash, type, at, by, memories, text }) => ({
    ...{ hash, type, at, by, memories, text },
  }));
  return JSON.stringify({ branch, changes, ...(isMore ? { isMore } : {}) });
}
