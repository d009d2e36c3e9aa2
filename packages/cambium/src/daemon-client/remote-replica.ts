/**
 * A replica that the daemon owns: every program of the device may use it at once.
 *
 * @module
 */
import type { DamagedSpace, RelayAccess, Replica, Space, SpaceInfo } from "@cambium/client";
import { checkCallsOf, REPLICA } from "@cambium/client/host";
import { ONLY_SPACE } from "../operations/definition.js";
import type { DaemonStatus, SpaceDescription } from "../operations/described.js";
import type { DaemonConnection } from "./daemon-connection.js";
import { remoteSpace } from "./remote-space.js";

export class RemoteReplica implements Replica {
  readonly id: Replica["id"];
  readonly name: string;
  readonly dir: string;
  readonly #connection: DaemonConnection;
  readonly #spaces = new Set<Space>();

  constructor(connection: DaemonConnection, { id, name, dir }: DaemonStatus["replica"]) {
    this.#connection = connection;
    [this.id, this.name, this.dir] = [id, name, dir];
  }

  async spaces(): Promise<readonly SpaceInfo[]> {
    return (await this.#connection.call("spaces.list", {})).spaces;
  }

  async damagedSpaces(): Promise<readonly DamagedSpace[]> {
    return (await this.#connection.call("spaces.list", {})).damaged;
  }

  async createSpace(options: {
    readonly name: string;
    readonly relay?: RelayAccess | undefined;
  }): Promise<Space> {
    return this.#opened(await this.#connection.call("spaces.create", options));
  }

  async joinSpace(invitation: string): Promise<Space> {
    return this.#opened(await this.#connection.call("spaces.join", { invitation }));
  }

  /** Whether it connects is the daemon's business. */
  async openSpace(space: string = ONLY_SPACE): Promise<Space> {
    return this.#opened(await this.#connection.call("spaces.get", { space }));
  }

  /** Lets go of the daemon, which lives on. */
  async close(): Promise<void> {
    for (const space of this.#spaces) await space[Symbol.asyncDispose]();
    this.#spaces.clear();
    this.#connection[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #opened(described: SpaceDescription): Space {
    const space = remoteSpace(this.#connection, described);
    this.#spaces.add(space);
    return space;
  }
}

checkCallsOf(RemoteReplica, REPLICA);
