/** Devices with nothing but a catalog and their uses, whose documents are carried to each other by hand. */

import * as A from "@automerge/automerge";
import { Repo } from "@automerge/automerge-repo";
import {
  allUsageDocuments,
  type ChangeHash,
  type Codec,
  type DocumentId,
  deriveSpaceKeys,
  type MemoryId,
  type ReplicaId,
  type SpaceId,
  type Usage,
} from "@cambium/core";
import type { Role } from "../../../src/api.js";
import { AcknowledgedNote } from "../../../src/documents/acknowledged-note.js";
import { CatalogKeeper } from "../../../src/documents/catalog-keeper.js";
import { Documents } from "../../../src/documents/documents.js";
import type { Identity } from "../../../src/documents/identity.js";
import { PendingRequests } from "../../../src/documents/requested-changes.js";
import { kindOf } from "../../../src/documents/without-mirror.js";
import { nodePlatform } from "../../../src/platform/node-platform.js";
import { manualTimers } from "../../../src/platform/timers.js";
import { MemoryDisk, openMemoryStore } from "../../../src/storage/memory-store.js";
import { UsageCounter } from "../../../src/usage/usage-counter.js";
import type { CachedUsage, UsageCache } from "../../../src/usage/usage-ledger.js";
import { seededBytes } from "../../support/seeded.js";

export const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const keys = deriveSpaceKeys(SPACE, new Uint8Array(32).fill(7));

/** As an index keeps it: it outlives a process, and may be ahead of the documents or behind them. */
export class MemoryUsesCache implements UsageCache {
  readonly headsByDocument = new Map<DocumentId, readonly ChangeHash[]>();
  readonly usesByDocument = new Map<DocumentId, Map<MemoryId, Usage>>();

  read(document: DocumentId): CachedUsage | undefined {
    const heads = this.headsByDocument.get(document);
    return heads && { heads, uses: this.usesByDocument.get(document) ?? [] };
  }

  write(document: DocumentId, heads: readonly ChangeHash[], changed: ReadonlyMap<MemoryId, Usage>): void {
    this.headsByDocument.set(document, heads);
    const uses = this.usesByDocument.get(document) ?? new Map<MemoryId, Usage>();
    for (const [id, value] of changed) uses.set(id, value);
    this.usesByDocument.set(document, uses);
  }

  forget(document: DocumentId): void {
    this.headsByDocument.delete(document);
    this.usesByDocument.delete(document);
  }

  copy(): MemoryUsesCache {
    const copy = new MemoryUsesCache();
    for (const [document, heads] of this.headsByDocument)
      copy.write(document, heads, this.usesByDocument.get(document) ?? new Map());
    return copy;
  }
}

export interface LocalUsesChange {
  readonly at: number;
  readonly document: DocumentId;
}

export class Device {
  readonly id: ReplicaId;
  readonly timers = manualTimers();
  /** Uses changes that this device made since it was opened. */
  readonly changes: LocalUsesChange[] = [];
  readonly failures: unknown[] = [];
  readonly repo: Repo;
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  readonly uses: UsageCounter;
  role: Role = "write";
  #now: number;
  readonly #number: number;
  readonly #epoch: number;
  readonly #disk: MemoryDisk;
  readonly cache: MemoryUsesCache;

  private constructor(number: number, now: number, disk: MemoryDisk, epoch: number, cache: MemoryUsesCache) {
    this.#number = number;
    this.#now = now;
    this.#disk = disk;
    this.cache = cache;
    this.#epoch = epoch;
    this.id = `01900000-0000-7000-8000-0000000000${number.toString(16).padStart(2, "0")}` as ReplicaId;
    const random = seededBytes(number * 1_000 + epoch);
    const store = openMemoryStore(disk);
    const codec: Codec = { platform: nodePlatform({ now: this.now, random }), keys };
    const identity = { id: this.id, epoch, name: `device ${number}`, publicKey: new Uint8Array(32) };
    const writer = { ...identity, beginWriting: () => {}, abandonEpoch: () => {} } as unknown as Identity;
    this.repo = new Repo({ storage: store, peerId: `device-${number}-${epoch}` as never });
    this.documents = new Documents({
      ...{ openRepo: async () => this.repo, store, identity: writer, changeKey: keys.changes },
      ...{ requests: new PendingRequests(), note: new AcknowledgedNote(undefined) },
    });
    this.catalog = new CatalogKeeper(codec, this.documents, this.now);
    this.uses = new UsageCounter({
      ...{ documents: this.documents, catalog: this.catalog, changeKey: keys.changes },
      ...{ identity, random, now: this.now, timers: this.timers, cache },
      role: () => this.role,
      onFailure: (error) => this.failures.push(error),
    });
    this.documents.onHeads(({ document, doc, change }) => {
      if (kindOf(doc) === "uses" && change !== undefined) this.changes.push({ at: this.#now, document });
    });
  }

  static async open(number: number, now: number): Promise<Device> {
    return Device.#open(number, now, new MemoryDisk(), 0, new MemoryUsesCache());
  }

  static async #open(
    number: number,
    now: number,
    disk: MemoryDisk,
    epoch: number,
    cache: MemoryUsesCache,
  ): Promise<Device> {
    const device = new Device(number, now, disk, epoch, cache);
    await device.catalog.open();
    await device.documents.flush();
    return device;
  }

  readonly now = (): number => this.#now;

  pass(byMs: number): void {
    this.#now += byMs;
    this.timers.advance(byMs);
  }

  /** Lets time pass, and resolves when what fell due is done. */
  async advance(byMs: number): Promise<void> {
    const [dueMs = Number.POSITIVE_INFINITY] = this.timers.waitingMs();
    this.pass(byMs);
    if (dueMs <= byMs) await this.uses.flush(); // waits for the one that the timer began, and finds nothing
  }

  /** The same device from what is on its disk, and a cache: its own unless said. */
  async restart(cache: MemoryUsesCache = this.cache.copy()): Promise<Device> {
    const disk = new MemoryDisk();
    for (const part of ["chunks", "rows", "quarantine"] as const) {
      for (const [key, value] of this.#disk[part]) disk[part].set(key, value as never);
    }
    return Device.#open(this.#number, this.#now, disk, this.#epoch + 1, cache);
  }

  /** Takes over everything the other device has; its catalog first or last. */
  async take(other: Device, order: "catalog first" | "catalog last" = "catalog first"): Promise<void> {
    const uses = [...allUsageDocuments(other.catalog.current).keys()];
    const { document: catalog } = other.catalog;
    for (const document of order === "catalog first" ? [catalog, ...uses] : [...uses, catalog]) {
      await other.documents.open(document);
      const theirs = other.repo.handles[document as never]?.doc() as A.Doc<unknown> | undefined;
      if (theirs === undefined) continue; // listed there and not there
      await this.#put(document, A.save(theirs));
      if (document === catalog) await this.catalog.refresh();
    }
    await this.documents.flush();
  }

  async #put(document: DocumentId, bytes: Uint8Array): Promise<void> {
    await this.documents.prepare();
    if (!this.documents.isHere(document)) return this.documents.createFrom(document, bytes);
    await this.documents.open(document);
    this.repo.handles[document as never]?.update((doc) => A.loadIncremental(doc as A.Doc<unknown>, bytes));
  }
}
