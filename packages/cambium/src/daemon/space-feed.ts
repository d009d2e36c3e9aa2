/**
 * What happens in a space, for everyone who watches it: one listener and one memory of events for all of them.
 *
 * @module
 */
import type { ServerResponse } from "node:http";
import type { Space, SpaceEvent } from "@cambium/client";
import type { CancelTimer, Timers } from "@cambium/client/host";
import type { LogEntry } from "@cambium/core";
import type { DaemonLog } from "./daemon-log.js";
import { EventRing } from "./event-ring.js";
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

export class SpaceFeed {
  readonly #options: SpaceFeedOptions;
  readonly #ring: EventRing;
  readonly #watchers = new Set<EventWriter>();
  readonly #unsubscribe: () => void;
  /** Branches that have changed since they were last looked at. */
  readonly #changed = new Set<string>([MAIN]);
  /** What was last sent, by its name; the same is not sent twice. */
  readonly #notified = new Map<string, { readonly event: string; readonly json: string }>();
  /** The newest change of each branch when it was last looked at. */
  readonly #newest = new Map<string, Pick<LogEntry, "hash" | "at">>();
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
    const missed = lastId === undefined ? [] : this.#ring.after(lastId);
    if (missed === undefined) watcher.send("reset", "{}", this.#ring.lastId);
    else for (const { event, json, id } of missed) watcher.send(event, json, id);
    if (lastId === undefined) watcher.send("ready", "{}", this.#ring.lastId);
    // Where things stand: a listener that begins here, or begins again, has no other way to know.
    if (lastId === undefined || missed === undefined) {
      for (const { event, json } of this.#notified.values()) watcher.send(event, json);
    }
    this.#watchers.add(watcher);
    response.on("close", () => this.#leave(watcher));
    if (this.#cancelBeat === undefined) this.#beatLater();
    this.#lookLater();
  }

  /** How many watch now. */
  get watchers(): number {
    return this.#watchers.size;
  }

  close(): void {
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

  #tell(event: string, json: string): void {
    const { id } = this.#ring.add(event, json);
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
    this.#tellNew(`conflicts ${shown.name}`, "conflicts", { branch: shown.name, count: conflicts });
    await this.#tellWritten(shown.name);
  }

  /** What was written since the last look; at the first, where the branch stands is only noted. */
  async #tellWritten(branch: string): Promise<void> {
    const before = this.#newest.get(branch);
    const since = before === undefined ? {} : { since: new Date(before.at).toISOString() };
    const limit = before === undefined ? 1 : MOST_WRITTEN + 1;
    const { changes } = await this.#options.space.log({ branch, limit, ...since });
    const [newest] = changes;
    if (newest === undefined) return;
    this.#newest.set(branch, newest);
    const end = changes.findIndex(({ hash }) => hash === before?.hash);
    const written = changes.slice(0, end === -1 ? MOST_WRITTEN : end);
    if (before === undefined || written.length === 0) return;
    const texts = written.map(({ hash, type, at, by, memories, text }) => ({
      hash,
      type,
      at,
      by,
      memories,
      text,
    }));
    const isMore = end === -1 && changes.length > MOST_WRITTEN;
    this.#tell("wrote", JSON.stringify({ branch, changes: texts, ...(isMore ? { isMore } : {}) }));
  }

  #tellNew(name: string, event: string, data: object): void {
    const json = JSON.stringify(data);
    if (this.#notified.get(name)?.json === json) return;
    this.#notified.set(name, { event, json });
    this.#tell(event, json);
  }

  #beatLater(): void {
    this.#cancelBeat = this.#options.timers.after(BEAT_MS, () => {
      for (const watcher of this.#watchers) watcher.beat();
      this.#beatLater();
    });
  }
}
