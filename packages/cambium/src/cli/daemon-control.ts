/**
 * The daemon of a home seen from outside: whether it runs, its end, and a new one in its place.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { DaemonConnection } from "../daemon-client/daemon-connection.js";
import { readDaemonNote } from "../daemon-client/daemon-note.js";
import { daemonPlace } from "../daemon-client/daemon-place.js";
import type { DaemonStatus, PageLink } from "../operations/described.js";
import { build } from "../operations/version.js";
import type { Io } from "./io.js";

/** Longer than a daemon takes that has calls under way. */
const ENDING_MS = 20_000;
const LOOK_MS = 25;

export interface StopDaemonOptions {
  /** Whether the next one is to be started as this one was. */
  readonly restart: boolean;
}

export class DaemonControl {
  readonly #home: string;
  readonly #io: Io;

  constructor(home: string, io: Io) {
    this.#home = home;
    this.#io = io;
  }

  /** @returns undefined when none runs */
  async status(): Promise<DaemonStatus | undefined> {
    return await this.#unlessAbsent((connection) =>
      connection.call("daemon.status", {}, { signal: this.#io.signal }),
    );
  }

  /**
   * Returns when it has ended.
   *
   * @returns its process; undefined when none runs
   */
  async stop({ restart }: StopDaemonOptions): Promise<{ readonly pid: number | undefined } | undefined> {
    const { signal } = this.#io;
    const note = this.#note;
    const called = await this.#unlessAbsent((connection) =>
      connection.call("daemon.stop", { restart }, { signal }),
    );
    if (called === undefined) return undefined;
    for (let waited = 0; this.#isThere(note); waited += LOOK_MS) {
      if (waited >= ENDING_MS) throw doesNotEnd(note?.pid);
      await delay(LOOK_MS, undefined, { signal });
    }
    return { pid: note?.pid };
  }

  async start(): Promise<DaemonStatus> {
    using connection = new DaemonConnection({ home: this.#home, env: this.#io.env, version: build() });
    return await connection.call("daemon.status", {}, { signal: this.#io.signal });
  }

  /** Of the daemon that runs, or of one that is started. */
  async newPageLink(): Promise<PageLink> {
    using connection = new DaemonConnection({ home: this.#home, env: this.#io.env, version: build() });
    return await connection.call("page.open", {}, { signal: this.#io.signal });
  }

  /** @returns how many sessions of the web page were closed; undefined when no daemon runs */
  async closePages(): Promise<number | undefined> {
    const { signal } = this.#io;
    const answer = await this.#unlessAbsent((connection) => connection.call("page.close", {}, { signal }));
    return answer?.closed;
  }

  get #note(): ReturnType<typeof readDaemonNote> {
    return readDaemonNote(daemonPlace(this.#home).note);
  }

  /** The note goes when it has let go of everything, and the process right after it. */
  #isThere(ending: ReturnType<typeof readDaemonNote>): boolean {
    return ending !== undefined && this.#note?.instance === ending.instance;
  }

  /** Called as by a program of the daemon's own version that names no models: an older one would make room for another. */
  async #unlessAbsent<T>(use: (connection: DaemonConnection) => Promise<T>): Promise<T | undefined> {
    using connection = new DaemonConnection({
      ...{ home: this.#home, env: {}, start: false },
      version: this.#note?.version ?? build(),
    });
    try {
      return await use(connection);
    } catch (error) {
      if (isCambiumError(error, "DAEMON_UNREACHABLE") && error.details?.isRunning === false) return undefined;
      throw error;
    }
  }
}

const doesNotEnd = (pid: number | undefined): CambiumError =>
  new CambiumError("DAEMON_UNREACHABLE", "The daemon was told to end, and has not ended.", {
    hint:
      pid === undefined
        ? "Try again in a moment."
        : `End its process, ${pid}: what was acknowledged is safe.`,
  });
