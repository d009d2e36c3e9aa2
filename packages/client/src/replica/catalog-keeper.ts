/**
 * The catalog of a space in memory: read again whenever its document changes, written one change at a
 * time.
 *
 * @module
 */
import {
  type Catalog,
  type CatalogEntries,
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

export class CatalogKeeper {
  readonly document: DocumentId;
  readonly #codec: Codec;
  readonly #documents: Documents;
  readonly #now: () => number;
  #history = new History();
  readonly #cache: EntryCache = new Map();
  readonly #listeners = new Set<(catalog: Catalog) => void>();
  #current: Catalog | undefined;
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

  /** Loads the catalog, or begins it from its genesis, which is the same on every device. */
  async open(): Promise<void> {
    if ((await this.#documents.load("catalog", this.document)) === undefined) {
      this.#documents.create("catalog", this.document);
    }
    await this.refresh();
  }

  get current(): Catalog {
    if (this.#current === undefined) throw new Error("The catalog is read before it was opened.");
    return this.#current;
  }

  /** How many of its changes no member made. */
  get foreignChanges(): number {
    return foreignChangesIn(this.#history);
  }

  /** Calls back whenever the catalog has been read again. */
  onChange(listener: (catalog: Catalog) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when `current` shows everything the document holds now. */
  refresh(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      this.#current = await readCatalog(this.#codec.platform, this.#codec.keys, this.#history, this.#cache);
      for (const listener of this.#listeners) listener(this.#current);
    });
    return this.#reading;
  }

  /** Writes entries as one change. Durable with the next flush. */
  async put(writes: readonly CatalogWrite[]): Promise<void> {
    const sealed: KeyedWrite[] = [];
    for (const { map, key, entry } of writes) {
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
