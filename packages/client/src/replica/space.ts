/**
 * A space on this replica: its services put together, opened and closed in order.
 *
 * @module
 */
import { join } from "node:path";
import { Repo } from "@automerge/automerge-repo";
import {
  bytesFromBase64Url,
  CambiumError,
  type Codec,
  type DocumentId,
  deriveSpaceKeys,
  MERGE_VERSION,
  type MemoryId,
  memoryIds,
  type Platform,
  type RecordHash,
  type RecordLoader,
  type ReplicaId,
  readMemory,
  referencesAt,
  type SpaceId,
  type WriteContext,
} from "@cambium/core";
import type {
  Agent,
  AgentIdentity,
  AtRef,
  Branches,
  DiffResult,
  ListOptions,
  MergeOptions,
  MergeResult,
  OnBranch,
  ProgressOptions,
  RecallOptions,
  Role,
  Space,
  SpaceEvent,
  SpaceReader,
  SpaceStatus,
  Sync,
  VerifyResult,
} from "../api.js";
import { encodeInvitation } from "../network/invitation.js";
import { createRelayToken } from "../network/relay-http.js";
import { openSqliteStore } from "../storage/sqlite-store.js";
import type { ReplicaStore } from "../storage/store.js";
import { type AgentServices, SpaceAgent } from "./agent.js";
import { BranchDirectory } from "./branch-directory.js";
import { BranchOperations } from "./branch-operations.js";
import { BranchViews } from "./branch-views.js";
import { CatalogKeeper, type CatalogWrite } from "./catalog-keeper.js";
import { CorrectedClock } from "./clock.js";
import { Documents } from "./documents.js";
import type { Identity } from "./identity.js";
import { Packs } from "./packs.js";
import type { SpaceConfig, SpaceConfigs } from "./space-config.js";
import { noticesOf } from "./space-notices.js";
import { Reader } from "./space-reader.js";
import { SpaceSync } from "./space-sync.js";
import { StateFinder } from "./state-finder.js";
import { verifySpace } from "./verify-space.js";
import { Writer } from "./writer.js";

export interface OpenSpaceOptions {
  readonly config: SpaceConfig;
  readonly configs: SpaceConfigs;
  readonly storage: "sqlite" | "fs";
  readonly identity: Identity;
  readonly platform: Platform;
  readonly connect: boolean;
  readonly onClose: () => void;
}

export class OpenSpace implements Space {
  readonly #options: OpenSpaceOptions;
  readonly #store: ReplicaStore;
  readonly #clock: CorrectedClock;
  readonly #codec: Codec;
  readonly #documents: Documents;
  readonly #catalog: CatalogKeeper;
  readonly #packs: Packs;
  readonly #views: BranchViews;
  readonly #directory: BranchDirectory;
  readonly #finder: StateFinder;
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #sync: SpaceSync;
  readonly #notices = new Set<string>();
  readonly #listeners = new Set<(event: SpaceEvent) => void>();
  #config: SpaceConfig;
  #closing: Promise<void> | undefined;

  private constructor(options: OpenSpaceOptions, store: ReplicaStore) {
    const { config, identity, platform } = options;
    this.#options = options;
    this.#config = config;
    this.#store = store;
    this.#clock = new CorrectedClock(platform.now, identity);
    this.#codec = { platform, keys: deriveSpaceKeys(config.id as SpaceId, bytesFromBase64Url(config.key)) };
    const { now } = this.#clock;
    const repo = new Repo({ storage: store, peerId: `replica-${crypto.randomUUID()}` as never });
    this.#documents = new Documents({ repo, store, identity, changeKey: this.#codec.keys.changes });
    this.#catalog = new CatalogKeeper(this.#codec, this.#documents, now);
    this.#packs = new Packs({
      codec: this.#codec,
      documents: this.#documents,
      catalog: this.#catalog,
      replica: () => identity.id,
      now,
    });
    this.#views = new BranchViews(this.#codec, this.#documents, this.#catalog);
    this.#directory = new BranchDirectory(this.id, this.#catalog, this.#packs);
    this.#finder = new StateFinder(this.#directory, this.#views, this.#load, now);
    this.#reader = new Reader(this.#finder, this.#load, now);
    this.#writer = new Writer({
      documents: this.#documents,
      packs: this.#packs,
      views: this.#views,
      now,
      role: () => this.role,
    });
    this.#sync = new SpaceSync({
      ...{ platform, repo, store, identity, keys: this.#codec.keys },
      documents: this.#documents,
      catalog: this.#catalog,
      directory: this.#directory,
      views: this.#views,
      clock: this.#clock,
      config: () => this.#config,
      onRole: (role) => this.#saveConfig({ role }),
      onReceiptTime: (lastReceiptAt) => this.#saveConfig({ lastReceiptAt }),
      onNotice: (message) => this.#notice(message),
      onProgress: () => this.#emit({ type: "sync" }),
      countMissing: async () => (await this.#missing()).length,
    });
  }

  static async open(options: OpenSpaceOptions): Promise<OpenSpace> {
    const dir = options.configs.directoryOf(options.config.id as SpaceId);
    const store = await openStore(options.storage, dir);
    const space = new OpenSpace(options, store);
    try {
      await space.#catalog.open();
      await space.#introduce();
      space.#documents.onHeads(({ document, isLocal }) => space.#onHeads(document, isLocal));
      if (options.connect) space.#sync.start();
    } catch (error) {
      await space.close();
      throw error;
    }
    return space;
  }

  readonly #load: RecordLoader = (reference, memory) => this.#packs.read(reference, memory);

  get id(): SpaceId {
    return this.#config.id as SpaceId;
  }

  get name(): string {
    return this.#config.name;
  }

  get replica(): ReplicaId {
    return this.#options.identity.id;
  }

  get role(): Role {
    return this.#config.role;
  }

  get sync(): Sync {
    return this.#sync;
  }

  get branches(): Branches {
    return this.#branchesFor(() => this.#context({}));
  }

  as(identity: AgentIdentity): Agent {
    return new SpaceAgent(this.#agentServices(), identity);
  }

  at(ref: string): SpaceReader {
    return this.#reader.at(ref);
  }

  get(id: string, options?: AtRef): ReturnType<SpaceReader["get"]> {
    return this.#reader.get(id, options);
  }

  list(options?: ListOptions): ReturnType<SpaceReader["list"]> {
    return this.#reader.list(options);
  }

  recall(query: string, options?: RecallOptions): ReturnType<SpaceReader["recall"]> {
    return this.#reader.recall(query, options);
  }

  history(id: string, options?: AtRef): ReturnType<SpaceReader["history"]> {
    return this.#reader.history(id, options);
  }

  log(options?: Parameters<SpaceReader["log"]>[0]): ReturnType<SpaceReader["log"]> {
    return this.#reader.log(options);
  }

  conflicts(options?: AtRef): ReturnType<SpaceReader["conflicts"]> {
    return this.#reader.conflicts(options);
  }

  diff(from: string, to?: string): Promise<DiffResult> {
    return this.#reader.diff(from, to);
  }

  merge(options: MergeOptions): Promise<MergeResult> {
    return this.#branchesFor(() => this.#context({})).merge(options);
  }

  async status({ branch = "main" }: OnBranch = {}): Promise<SpaceStatus> {
    const { identity } = this.#options;
    const found = await this.#finder.find({ branch });
    const memories = await this.#reader.all({ branch });
    const { relay, documents, peers } = await this.#sync.status();
    return {
      space: { id: this.id, name: this.name, role: this.role },
      branch: {
        name: found.branch.name,
        memories: memories.filter(({ deleted }) => !deleted).length,
        head: found.ref.heads,
      },
      replica: { id: identity.id, name: identity.name, epoch: identity.epoch },
      relay,
      documents,
      peers,
      conflicts: memories.filter(({ conflicts }) => conflicts.length > 0).length,
      missing: await this.#missing(branch),
      notices: [...identity.notices, ...this.#notices, ...(await noticesOf(this.#services()))],
      index: { state: "none" },
    };
  }

  async invite({ role, expiresAt }: { readonly role: Role; readonly expiresAt?: number }): Promise<string> {
    const { relay, key, name } = this.#config;
    if (relay === null) {
      throw new CambiumError("BAD_INPUT", "This space has no relay, so nobody else can reach it.", {
        hint: "Make a space with one: cambium init <name> --relay <url> --token <token>",
      });
    }
    const { token } = await createRelayToken(relay, { space: this.id, role, expiresAt });
    return encodeInvitation({ relay: relay.url, space: this.id, token, key: bytesFromBase64Url(key), name });
  }

  subscribe(listener: (event: SpaceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  verify(options?: ProgressOptions): Promise<VerifyResult> {
    return verifySpace(
      { store: this.#store, directory: this.#directory, views: this.#views, load: this.#load },
      options,
    );
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    await this.#sync.close();
    try {
      await this.#documents.flush();
    } finally {
      await this.#store.close();
      this.#options.onClose();
    }
  }

  /** Says once in the catalog who this replica is. Readers cannot; a new space begins with main. */
  async #introduce(): Promise<void> {
    const { identity } = this.#options;
    if (this.role === "read" || this.#catalog.current.replicas.has(identity.id)) return;
    const writes: CatalogWrite[] = [
      { map: "replicas", key: identity.id, entry: { name: identity.name, publicKey: identity.publicKey } },
    ];
    if (!this.#catalog.current.settings.has("mergeVersion")) {
      writes.push({ map: "settings", key: "mergeVersion", entry: { value: MERGE_VERSION } });
    }
    await this.#catalog.put(writes);
    await this.#documents.flush();
  }

  #context(identity: AgentIdentity): WriteContext {
    return { at: this.#clock.now(), author: { ...identity, replica: this.replica } };
  }

  #branchesFor(context: () => WriteContext): BranchOperations {
    return new BranchOperations(this.#services(), context);
  }

  #services(): ConstructorParameters<typeof BranchOperations>[0] {
    return {
      platform: this.#options.platform,
      replica: () => this.replica,
      now: this.#clock.now,
      store: this.#store,
      documents: this.#documents,
      catalog: this.#catalog,
      packs: this.#packs,
      directory: this.#directory,
      views: this.#views,
      finder: this.#finder,
      writer: this.#writer,
      load: this.#load,
    };
  }

  #agentServices(): AgentServices {
    return {
      ...this.#services(),
      reader: this.#reader,
      importKey: this.#codec.keys.imports,
      branchesFor: (context) => this.#branchesFor(context),
    };
  }

  /** Records that memories of the branch refer to and that are not here, with who wrote them. */
  async #missing(branch = "main"): Promise<SpaceStatus["missing"]> {
    const { state } = await this.#finder.find({ branch });
    const missing: { record: RecordHash; memory: MemoryId; writer?: string }[] = [];
    for (const id of memoryIds(state)) {
      const reading = await readMemory(state, id, this.#load);
      const absent = reading?.absent.map(({ reference }) => reference) ?? referencesAt(state, id);
      for (const reference of absent) {
        const writer = this.#catalog.current.packs.get(reference.pack)?.value.writer;
        const name =
          writer === undefined
            ? undefined
            : (this.#catalog.current.replicas.get(writer)?.value.name ?? writer);
        missing.push({
          record: reference.record,
          memory: id,
          ...(name === undefined ? {} : { writer: name }),
        });
      }
    }
    return missing;
  }

  #saveConfig(changed: Partial<Pick<SpaceConfig, "role" | "lastReceiptAt">>): void {
    const config = { ...this.#config, ...changed };
    if (config.role === this.#config.role && config.lastReceiptAt === this.#config.lastReceiptAt) return;
    this.#config = config;
    this.#options.configs.save(config);
  }

  #notice(message: string): void {
    this.#notices.add(message);
    this.#emit({ type: "notice", message });
  }

  #onHeads(document: DocumentId, _isLocal: boolean): void {
    const branch = [...this.#catalog.current.branches].find(
      ([, { value }]) => value.document === document,
    )?.[0];
    this.#emit(branch === undefined ? { type: "changed" } : { type: "changed", branch });
  }

  #emit(event: SpaceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

async function openStore(kind: OpenSpaceOptions["storage"], dir: string): Promise<ReplicaStore> {
  if (kind === "sqlite") return openSqliteStore({ path: join(dir, "store.sqlite") });
  const { openFsStore } = await import("../storage/fs-store.js");
  return openFsStore({ dir: join(dir, "store") });
}
