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
  documentIdFromHex,
  type EntryCache,
  History,
  type KeyedWrite,
  type KnownMap,
  mainBranchId,
  readCatalog,
  type SpaceKeys,
  sealEntry,
} from "@cambium/core";
import { Turns } from "../platform/turns.js";
import * as A from "./automerge.js";
import type { Documents } from "./documents.js";
import { foreignChangesIn } from "./foreign-changes.js";

export interface CatalogWrite<Map_ extends KnownMap = KnownMap> {
  readonly map: Map_;
  readonly key: string;
  readonly entry: CatalogEntries[Map_];
}

/** What to write, computed from the catalog as it is now. Asked again when that changed meanwhile. */
export type CatalogWriter = (current: Catalog) => readonly CatalogWrite[];

/** How often entries are sealed again because others wrote the same ones meanwhile. */
const PUT_ATTEMPTS = 10;

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
  /** Writers in this process never replace what another of them has just written. */
  readonly #putting = new Turns();

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

  /**
   * Whether it says that a pack was retired. Nothing else can be: a branch that an entry calls so goes on.
   */
  isRetired(document: DocumentId): boolean {
    const { documents, branches } = this.current;
    if (documents.get(document)?.value.state !== "retired") return false;
    const kept = [this.document, documentIdFromHex(mainBranchId(this.#codec.keys.space))];
    for (const { value } of branches.values()) kept.push(value.document);
    return !kept.includes(document);
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
   * Writes entries as one change, and nothing when there are none. Sealing takes a while: everyone else who
   * writes one of the entries meanwhile, here or elsewhere, is seen before anything is written over.
   * Durable with the next flush.
   *
   * @throws {CambiumError} SCHEMA_TOO_NEW when a newer Cambium wrote one of them
   * @throws {CambiumError} STALE_EXPECTATION when others change them without a pause
   */
  async put(writer: CatalogWriter): Promise<void> {
    await this.load();
    return this.#putting.take(() => this.#put(writer));
  }

  /** The same, for entries that everybody can read who ever was a member: of keys, which are sealed once more. */
  async putForAll(writer: CatalogWriter): Promise<void> {
    await this.load();
    return this.#putting.take(() => this.#put(writer, true));
  }

  /** Reads everything again: keys have become known under which some of it was written. */
  async readAgain(): Promise<void> {
    if (this.#history.size === 0) {
      this.#loading = undefined;
      return this.load();
    }
    const doc = this.#documents.loaded(this.document);
    if (doc === undefined) return;
    this.#history = new History();
    this.#opened = this.#opened && { ...this.#opened, heads: [] };
    this.#take(doc);
    await this.refresh();
  }

  async #put(writer: CatalogWriter, isForAll = false): Promise<void> {
    for (let attempt = 0; attempt < PUT_ATTEMPTS; attempt += 1) {
      this.refuseWrongKey();
      const { current } = this;
      const heads = this.#opened?.heads ?? [];
      const writes = writer(current);
      if (writes.length === 0) return;
      const riders = isForAll ? [] : [...this.#riders].flatMap((rider) => rider());
      const { keys } = this.#codec;
      const sealed = await this.#seal(current, [...writes, ...riders], isForAll ? keys.forAll : keys);
      if (!this.#wereWrittenSince(heads, sealed)) {
        const statement = { type: "catalog", memories: 0 } as const;
        const signBy = isForAll ? keys.forAll.codes : undefined;
        this.#documents.change({
          document: this.document,
          statement,
          writes: sealed,
          time: this.#now(),
          signBy,
        });
        return this.refresh();
      }
      await this.refresh();
    }
    throw new CambiumError("STALE_EXPECTATION", "What was to be written to the catalog kept changing.", {
      hint: "Look at it again, and try again.",
    });
  }

  async #seal(
    current: Catalog,
    writes: readonly CatalogWrite[],
    keys: SpaceKeys,
  ): Promise<readonly KeyedWrite[]> {
    const sealed: KeyedWrite[] = [];
    for (const { map, key, entry } of writes) {
      refuseTooNew(current, catalogKey(map, key));
      const value = await sealEntry(this.#codec.platform, keys, map, key, entry);
      sealed.push({ key: catalogKey(map, key), value });
    }
    return sealed;
  }

  /** Whether the document holds a write of one of these entries that it did not have at these heads. */
  #wereWrittenSince(heads: readonly ChangeHash[], entries: readonly KeyedWrite[]): boolean {
    const history = this.#history;
    if (history.heads.join() === heads.join()) return false;
    if (!heads.every((head) => history.has(head))) return true; // another document took its place
    const before = history.ancestors(heads);
    return entries.some(({ key }) => history.writes(key).some(({ position }) => before[position] !== 1));
  }

  #take(doc: A.Doc<unknown>): void {
    const key = this.#codec.keys.codes;
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
