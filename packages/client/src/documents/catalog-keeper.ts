/**
 * The catalog of a space in memory: as an earlier session opened it, while its document is the same, and
 * else read from the document, again whenever that changes. Written one change at a time.
 *
 * @module
 */
import {
  CambiumError,
  type Catalog,
  type CatalogEntries,
  type Change,
  type ChangeHash,
  type Codec,
  catalogDocumentId,
  catalogKey,
  type DocumentId,
  type EntryCache,
  History,
  type KeyedWrite,
  type KnownMap,
  readCatalog,
  sealEntry,
} from "@cambium/core";
import * as A from "./automerge.js";
import type { Documents } from "./documents.js";
import { foreignChangesIn } from "./foreign-changes.js";

export interface CatalogWrite<Map_ extends KnownMap = KnownMap> {
  readonly map: Map_;
  readonly key: string;
  readonly entry: CatalogEntries[Map_];
}

/** The catalog, and what it was read from. */
export interface OpenedCatalog {
  readonly catalog: Catalog;
  /** Of its document. */
  readonly heads: readonly ChangeHash[];
  readonly foreignChanges: number;
}

/** Keeps an opened catalog between sessions. Derived: it may be lost. */
export interface CatalogMemory {
  /** What was kept, if it was read at exactly these heads. */
  read(heads: readonly ChangeHash[]): OpenedCatalog | undefined;
  write(opened: OpenedCatalog): void;
}

export class CatalogKeeper {
  readonly document: DocumentId;
  readonly #codec: Codec;
  readonly #documents: Documents;
  readonly #now: () => number;
  #history = new History();
  readonly #cache: EntryCache = new Map();
  readonly #listeners = new Set<(catalog: Catalog) => void>();
  readonly #riders = new Set<() => readonly CatalogWrite[]>();
  #opened: OpenedCatalog | undefined;
  #wrongKey: CambiumError | undefined;
  #loading: Promise<void> | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(codec: Codec, documents: Documents, now: () => number) {
    this.#codec = codec;
    this.#documents = documents;
    this.#now = now;
    this.document = catalogDocumentId(codec.keys.space);
    documents.onHeads(({ document, doc, isReplaced }) => {
      if (document !== this.document) return;
      if (isReplaced) this.#history = new History();
      this.#take(doc);
      void this.refresh();
    });
  }

  /** Without loading the document, if what was kept is what it holds. */
  async open(memory?: CatalogMemory): Promise<void> {
    // Damaged bytes have consequences that only a loaded document shows.
    const isSound = !this.#documents.isInDoubt(this.document);
    this.#opened = isSound ? memory?.read(this.#documents.headsOf(this.document)) : undefined;
    if (this.#opened === undefined) await this.load();
  }

  /** Lets a later session begin with what is known now. */
  keep(memory: CatalogMemory): void {
    const heads = this.#documents.headsOf(this.document);
    if (this.#opened?.heads.join() === heads.join()) memory.write(this.#opened);
  }

  /** Nothing is written from now on, and no branch is found, if there is one. */
  setWrongKey(wrongKey: CambiumError | undefined): void {
    this.#wrongKey = wrongKey;
  }

  /** @throws {CambiumError} WRONG_KEY */
  refuseWrongKey(): void {
    if (this.#wrongKey !== undefined) throw this.#wrongKey;
  }

  /** Changes that are loaded. */
  get changes(): readonly Change[] {
    return this.#history.changes;
  }

  /** Loads the document, or begins it from its genesis, which is the same on every device. */
  load(): Promise<void> {
    this.#loading ??= this.#loadOnce().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #loadOnce(): Promise<void> {
    if ((await this.#documents.load("catalog", this.document)) === undefined) {
      this.#documents.create("catalog", this.document);
    }
    await this.refresh();
  }

  get current(): Catalog {
    if (this.#opened === undefined) throw new Error("The catalog is read before it was opened.");
    return this.#opened.catalog;
  }

  /** How many of its changes no member made. */
  get foreignChanges(): number {
    return this.#opened?.foreignChanges ?? 0;
  }

  /** Calls back whenever the catalog has been read again. */
  onChange(listener: (catalog: Catalog) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Asks, before each write, what else is to be written with it. */
  onPut(rider: () => readonly CatalogWrite[]): void {
    this.#riders.add(rider);
  }

  /** Resolves when `current` shows everything the document holds now. */
  refresh(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      if (this.#history.size === 0) return; // the document is not loaded: it is as it was kept
      const { heads } = this.#history; // before: what comes while it is read is read the next time
      if (this.#opened?.heads.join() === heads.join()) return; // each write asks twice: once because of its change
      const foreignChanges = foreignChangesIn(this.#history);
      const catalog = await readCatalog(this.#codec.platform, this.#codec.keys, this.#history, this.#cache);
      this.#opened = { catalog, heads, foreignChanges };
      for (const listener of this.#listeners) listener(catalog);
    });
    return this.#reading;
  }

  /**
   * Writes entries as one change. Durable with the next flush.
   *
   * @throws {CambiumError} SCHEMA_TOO_NEW when a newer Cambium wrote one of them
   */
  async put(writes: readonly CatalogWrite[]): Promise<void> {
    await this.load();
    this.refuseWrongKey();
    const sealed: KeyedWrite[] = [];
    const riding = [...this.#riders].flatMap((rider) => rider());
    for (const { map, key, entry } of [...writes, ...riding]) {
      refuseTooNew(this.current, catalogKey(map, key));
      const value = await sealEntry(this.#codec.platform, this.#codec.keys, map, key, entry);
      sealed.push({ key: catalogKey(map, key), value });
    }
    this.#documents.change({
      document: this.document,
      statement: { type: "catalog", memories: 0 },
      writes: sealed,
      time: this.#now(),
    });
    await this.refresh();
  }

  #take(doc: A.Doc<unknown>): void {
    const key = this.#codec.keys.changes;
    this.#history.add(
      A.getChangesSince(doc, [...this.#history.heads]).map((bytes) => A.readChange("catalog", key, bytes)),
    );
  }
}

/** What cannot be read is not written over. */
function refuseTooNew({ ignored }: Catalog, key: string): void {
  const found = ignored.find((entry) => entry.key === key && entry.code === "SCHEMA_TOO_NEW");
  if (found === undefined) return;
  throw new CambiumError("SCHEMA_TOO_NEW", `The entry ${key} cannot be changed here: ${found.reason}`, {
    hint: "Update Cambium on this device.",
    details: { key },
  });
}
