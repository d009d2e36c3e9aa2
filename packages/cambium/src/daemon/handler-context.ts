/**
 * What a handler works with: whose call it is, where it goes, and how it tells its progress.
 *
 * @module
 */
import type { Agent, AgentIdentity, Progress, Replica, Space } from "@cambium/client";
import type { DaemonStatus, PageLink } from "../operations/described.js";
import type { Downloads } from "./page/downloads.js";

export interface HandlerContext {
  /** Waits until the replica is open. */
  replica(): Promise<Replica>;
  /** @param name - name or id, or `~` for the only one */
  space(name: string): Promise<Space>;
  /** The space, in the caller's name. */
  agent(name: string): Promise<Agent>;
  readonly who: AgentIdentity;
  /** Fires when the caller has left; a plain write does not look at it. */
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly daemon: DaemonControl;
}

/** What a call may do with the daemon itself. */
export interface DaemonControl {
  status(): Promise<DaemonStatus>;
  /** Returns at once; the daemon ends when what is under way is done. */
  stop(why: string, options?: StopOptions): void;
  /** @throws {CambiumError} PAGE_NOT_BUILT */
  newPageLink(): PageLink;
  readonly home: string;
  readonly now: () => number;
  readonly downloads: Downloads;
  /** @returns how many sessions of the web page have ended */
  closePages(): number;
  /** @throws {CambiumError} DAEMON_STOPPING when a call failed since the program was updated: the next daemon answers it */
  leaveToNext(error: unknown): void;
}

export interface StopOptions {
  /** Whether another one takes its place, and is to be started as this one was. */
  readonly isReplaced?: boolean | undefined;
}
