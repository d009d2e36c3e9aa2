/**
 * The sync of a space, which the daemon does.
 *
 * @module
 */
import type { Sync, SyncStatus } from "@cambium/client";
import { checkCallsOf, SYNC } from "@cambium/client/host";
import type { RemoteCaller } from "./remote-caller.js";

export class RemoteSync implements Sync {
  readonly #caller: RemoteCaller;
  /** What was asked before has to have happened when somebody waits. */
  #asked: Promise<unknown> = Promise.resolve();

  constructor(caller: RemoteCaller) {
    this.#caller = caller;
  }

  async status(): Promise<SyncStatus> {
    await this.#asked;
    return await this.#caller.call("sync.status", {});
  }

  async whenSynced({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.#asked;
    await this.#caller.call("sync.whenSynced", {}, { signal });
  }

  start(): void {
    // Nobody waits for it here: a daemon that cannot be reached is told to whoever asks next.
    this.#asked = this.#asked.then(() => this.#caller.call("sync.start", {})).catch(() => undefined);
  }

  async stop(): Promise<void> {
    await this.#asked;
    await this.#caller.call("sync.stop", {});
  }
}

checkCallsOf(RemoteSync, SYNC);
