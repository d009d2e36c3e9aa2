/**
 * A replica that the daemon owns: every program of the device may use it at once.
 *
 * @module
 */
import type {
  DamagedSpace,
  ImportArchiveOptions,
  ImportedArchive,
  RelayAccess,
  Replica,
  Space,
  SpaceInfo,
} from "@cambium/client";
import { checkCallsOf, SIGNATURES } from "@cambium/client/host";
import { pathHere } from "../operations/arguments.js";
import { ONLY_SPACE } from "../operations/definition.js";
import type { DaemonStatus, SpaceDescription } from "../operations/described.js";
import type { CallOptions, DaemonConnection } from "./daemon-connection.js";
import { remoteSpace } from "./remote-space.js";

/** What a replica can do, without what has to be asked for before it is known. */
export type Spaces = Omit<Replica, "id" | "name" | "dir">;

export class RemoteSpaces implements Spaces {
  readonly #connection: DaemonConnection;
  readonly #options: CallOptions;
  readonly #spaces = new Set<Space>();

  /** @param options - of every call */
  constructor(connection: DaemonConnection, options: CallOptions = {}) {
    this.#connection = connection;
    this.#options = options;
  }

  async rename(name: string): Promise<void> {
    await this.renamed(name);
  }

  /** @returns the name as it is kept */
  protected async renamed(name: string): Promise<string> {
    return (await this.#connection.call("device.rename", { name }, this.#options)).name;
  }

  async spaces(): Promise<readonly SpaceInfo[]> {
    return (await this.#connection.call("spaces.list", {}, this.#options)).spaces;
  }

  async damagedSpaces(): Promise<readonly DamagedSpace[]> {
    return (await this.#connection.call("spaces.list", {}, this.#options)).damaged;
  }

  async createSpace(options: {
    readonly name: string;
    readonly relay?: RelayAccess | undefined;
  }): Promise<Space> {
    return this.#opened(await this.#connection.call("spaces.create", options, this.#options));
  }

  async joinSpace(invitation: string): Promise<Space> {
    return this.#opened(await this.#connection.call("spaces.join", { invitation }, this.#options));
  }

  async recoverSpace(kit: string, options: { readonly relay?: string } = {}): Promise<Space> {
    return this.#opened(await this.#connection.call("spaces.recover", { kit, ...options }, this.#options));
  }

  async pairSpace(code: string, options: { readonly relay?: string } = {}): Promise<Space> {
    return this.#opened(await this.#connection.call("spaces.pair", { code, ...options }, this.#options));
  }

  async setDefaultSpace(space: string): Promise<void> {
    await this.#connection.call("spaces.setDefault", { space }, this.#options);
  }

  async renameSpace(space: string, name: string): Promise<void> {
    await this.#connection.call("spaces.rename", { space, name }, this.#options);
  }

  async removeSpace(space: string, options: { readonly discardUnsent?: boolean } = {}): Promise<void> {
    await this.#connection.call("spaces.remove", { space, ...options }, this.#options);
  }

  async importArchive(path: string, options: ImportArchiveOptions = {}): Promise<ImportedArchive> {
    const { signal, onProgress, since, ...rest } = options;
    const input = { path: pathHere(path), ...rest, since: since?.map(pathHere) };
    const call = { ...this.#options, signal, onProgress };
    return await this.#connection.call("archives.import", input, call);
  }

  /** Whether it connects is the daemon's business. */
  async openSpace(space: string = ONLY_SPACE): Promise<Space> {
    return this.#opened(await this.#connection.call("spaces.get", { space }, this.#options));
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

checkCallsOf(RemoteSpaces, SIGNATURES.replica);

export class RemoteReplica extends RemoteSpaces implements Replica {
  readonly id: Replica["id"];
  readonly dir: string;
  #name: string;

  constructor(connection: DaemonConnection, { id, name, dir }: DaemonStatus["replica"]) {
    super(connection);
    [this.id, this.#name, this.dir] = [id, name, dir];
  }

  get name(): string {
    return this.#name;
  }

  override async rename(name: string): Promise<void> {
    this.#name = await this.renamed(name);
  }
}
