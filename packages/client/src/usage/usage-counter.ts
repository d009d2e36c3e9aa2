/**
 * Counts how often memories are recalled.
 *
 * Notes are kept in memory and written in batches into a document of this replica alone: at most one
 * change a minute, and one at the end. A crash loses what was noted since the last one. Nothing is
 * loaded until something is asked or written: a session that only read leaves its notes to a later one,
 * for at most a day.
 *
 * Each year has a document of its own, so that none grows for ever. Earlier ones stay in the catalog
 * and are added up with the rest. A replica that may only read keeps its notes in memory: they count
 * here until the process ends, and are written if it is allowed to write by then. A home restored from
 * a backup counts on from what it has; where the relay brings back what it had counted since, the
 * greater count stays.
 *
 * @module
 */
import {
  addUsage,
  bytesToHex,
  CambiumError,
  type DocumentId,
  documentIdFromHex,
  type KeyedWrite,
  type MemoryId,
  namedMemories,
  type ReplicaEntry,
  type Usage,
  usageDocumentsOf,
  usageKey,
} from "@cambium/core";
import type { Role } from "../api.js";
import type { Identity } from "../documents/identity.js";
import { idleTimers } from "../platform/idle-timers.js";
import type { CancelTimer, Timers } from "../platform/timers.js";
import { CarriedNotes, type CarriedUsageStore } from "./carried-usage.js";
import { UsageLedger, type UsageLedgerOptions } from "./usage-ledger.js";

export interface UsageCounterOptions extends UsageLedgerOptions {
  readonly identity: Pick<Identity, "id" | "name" | "publicKey">;
  readonly role: () => Role;
  /** Milliseconds since 1970, by the corrected clock. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** Told when notes could not be written in the background; they are tried again. */
  readonly onFailure: (error: unknown) => void;
  readonly timers?: Timers | undefined;
  /** Without one, every session writes what it noted. */
  readonly carriedUsage?: CarriedUsageStore | undefined;
}

/** Between two changes, and so what a crash loses at most. */
const INTERVAL_MS = 60_000;
const MAX_TIMES = 1_000;

export class UsageCounter implements AsyncDisposable {
  readonly #options: UsageCounterOptions;
  readonly #ledger: UsageLedger;
  readonly #carried: CarriedNotes;
  readonly #listeners = new Set<(ids: readonly MemoryId[]) => void>();
  /** Noted and not written yet. */
  #pending = new Map<MemoryId, Usage>();
  #cancelTimer: CancelTimer | undefined;
  #flushes = 0;
  #lastFlush: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: UsageCounterOptions) {
    this.#options = options;
    this.#ledger = new UsageLedger(options);
    const { carriedUsage, now } = options;
    this.#carried = new CarriedNotes({ store: carriedUsage, heads: () => this.#ownHeads(), now });
  }

  /** Counts one recall of each of these memories. */
  note(ids: readonly MemoryId[]): void {
    this.#count(ids, 1);
  }

  /**
   * Counts memories as if they had been recalled.
   *
   * @param times - 1 to 1,000
   * @throws {CambiumError} BAD_INPUT when `times` is anything else
   */
  reinforce(ids: readonly MemoryId[], times = 1): void {
    if (!Number.isInteger(times) || times < 1 || times > MAX_TIMES) {
      throw new CambiumError("BAD_INPUT", `times has to be a whole number from 1 to ${MAX_TIMES}.`, {
        details: { field: "times" },
      });
    }
    this.#count(ids, times);
  }

  /** By all replicas whose documents are here, with what is noted and not written yet. */
  async usageOf(id: MemoryId): Promise<Usage> {
    await this.#ledger.readAll();
    return addUsage(addUsage(this.#ledger.sumOf(id), this.#carried.uses.get(id)), this.#pending.get(id));
  }

  /** The same for every memory that was ever used. */
  async all(): Promise<ReadonlyMap<MemoryId, Usage>> {
    await this.#ledger.readAll();
    const all = this.#ledger.sums();
    for (const noted of [this.#carried.uses, this.#pending]) {
      for (const [id, uses] of noted) all.set(id, addUsage(all.get(id), uses));
    }
    return all;
  }

  /** How often earlier sessions noted a memory without writing it. */
  carriedOf(id: MemoryId): number {
    return this.#carried.uses.get(id)?.count ?? 0;
  }

  /** Writes what earlier sessions noted, for others to see. Failures are reported, and it is tried again. */
  async writeCarried(): Promise<void> {
    if (this.#carried.uses.size === 0) return;
    await this.#flush({ evenCarriedAlone: true }).catch(this.#options.onFailure);
  }

  /** Calls back with the memories of which the uses may have changed, here or elsewhere. */
  onChange(listener: (ids: readonly MemoryId[]) => void): () => void {
    const stopFollowing = this.#ledger.onChange(listener);
    this.#listeners.add(listener);
    return () => {
      stopFollowing();
      this.#listeners.delete(listener);
    };
  }

  /** Writes what was noted so far. Durable when it resolves. */
  async flush(): Promise<void> {
    await this.#flush({ evenCarriedAlone: false });
  }

  async #flush(what: { readonly evenCarriedAlone: boolean }): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#flushes += 1;
    const previous = this.#lastFlush;
    const flush = (async () => {
      await previous.catch(() => {}); // its caller gets the error
      await this.#write(what);
    })();
    this.#lastFlush = flush;
    try {
      await flush;
    } finally {
      this.#flushes -= 1;
      if (this.#pending.size > 0) this.#startTimer();
    }
  }

  /** Writes what was noted, or leaves it to a later session if it is the first that would need a document. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#pending.size > 0 && this.#isReading && this.#carried.add(this.#pending)) {
      this.#pending = new Map();
      this.#cancelTimer?.();
      return;
    }
    await this.flush();
  }

  /** Whether writing would load the first document of this session. */
  get #isReading(): boolean {
    const { documents, role } = this.#options;
    return !documents.isPrepared && this.#flushes === 0 && role() !== "read";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #count(ids: readonly MemoryId[], count: number): void {
    if (ids.length === 0 || this.#isClosed) return;
    const uses: Usage = { count, lastUsedAt: this.#options.now() };
    for (const id of ids) this.#pending.set(id, addUsage(this.#pending.get(id), uses));
    this.#startTimer();
    for (const listener of this.#listeners) listener(ids);
  }

  /** Runs from the first note after a change, so that two changes are never closer than it is long. */
  #startTimer(): void {
    const { timers = idleTimers, role, onFailure } = this.#options;
    const isRunning = this.#cancelTimer !== undefined || this.#flushes > 0;
    if (isRunning || this.#isClosed || role() === "read") return;
    this.#cancelTimer = timers.after(INTERVAL_MS, () => {
      this.flush().catch(onFailure);
    });
  }

  async #write({ evenCarriedAlone }: { readonly evenCarriedAlone: boolean }): Promise<void> {
    const { documents, role, now } = this.#options;
    const isNothing = this.#pending.size === 0 && !(evenCarriedAlone && this.#carried.uses.size > 0);
    if (isNothing || role() === "read") return;
    const document = await this.#documentOfThisYear();
    await this.#ledger.read(document);
    // In one tick from here: what is counted meanwhile belongs to the next change.
    const pending = this.#pending;
    const noted = new Map(this.#carried.uses);
    for (const [id, uses] of pending) noted.set(id, addUsage(noted.get(id), uses));
    const writes = [...noted].map(([id, { count }]): KeyedWrite => {
      return { key: usageKey(id), value: this.#ledger.countIn(document, id) + count };
    });
    this.#pending = new Map();
    try {
      const memories = namedMemories([...noted.keys()]);
      documents.change({ document, statement: { type: "uses", memories }, writes, time: now() });
    } catch (error) {
      this.#pending = pending;
      throw error;
    }
    this.#carried.clear();
    await documents.flush();
  }

  #ownHeads(): string {
    const { catalog, documents, identity } = this.#options;
    return usageDocumentsOf(catalog.current, identity.id)
      .map(({ document }) => `${document} ${documents.headsOf(document).join(" ")}`)
      .join();
  }

  /** Loaded. A listed one that is not here cannot be counted on, so another is begun beside it. */
  async #documentOfThisYear(): Promise<DocumentId> {
    const { documents, catalog, identity, now, random } = this.#options;
    const year = new Date(now()).getUTCFullYear();
    const uses = usageDocumentsOf(catalog.current, identity.id);
    for (const entry of uses.toReversed()) {
      if (entry.year === year && (await documents.load("uses", entry.document)) !== undefined)
        return entry.document;
    }
    const document = documentIdFromHex(bytesToHex(random(16)));
    await documents.prepare();
    documents.create("uses", document);
    await catalog.put((current) => {
      const known = current.replicas.get(identity.id)?.value;
      const { name, publicKey } = known ?? identity;
      const listed = usageDocumentsOf(current, identity.id);
      const entry: ReplicaEntry = { ...known, name, publicKey, uses: [...listed, { year, document }] };
      return [{ map: "replicas", key: identity.id, entry }];
    });
    return document;
  }
}
