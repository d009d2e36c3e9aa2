/**
 * What the uses documents say, added up. A document is read when somebody asks, without keeping it in
 * memory, and from then on followed change by change. Reading verifies every change, so what has been
 * read once is best kept in a cache.
 *
 * @module
 */
import {
  addUsage,
  allUsageDocuments,
  type Change,
  type ChangeHash,
  type ChangeKey,
  type DocumentId,
  joinUsage,
  type MemoryId,
  NO_USAGE,
  sameHeads,
  type Usage,
  usageIn,
} from "@cambium/core";
import * as A from "../documents/automerge.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { HeadsEvent } from "../documents/document-events.js";
import type { Documents } from "../documents/documents.js";

export interface UsageLedgerOptions {
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  /** The space's key for changes. */
  readonly changeKey: ChangeKey;
  readonly cache?: UsageCache | undefined;
}

/** What documents said when they were last read, kept between sessions. Derived: it may be lost. */
export interface UsageCache {
  read(document: DocumentId): CachedUsage | undefined;
  /** The document was read up to `heads`: these memories have these uses, the others what they had. */
  write(document: DocumentId, heads: readonly ChangeHash[], changed: ReadonlyMap<MemoryId, Usage>): void;
  /** The document lost changes that were read. */
  forget(document: DocumentId): void;
}

export interface CachedUsage {
  readonly heads: readonly ChangeHash[];
  readonly uses: Iterable<readonly [MemoryId, Usage]>;
}

/** What one document says. */
interface Account {
  readonly usageByMemory: Map<MemoryId, Usage>;
  /** Up to where that has been read. */
  heads: readonly ChangeHash[];
  /** Every change of the document was seen, and each further one will be. */
  isFollowed: boolean;
}

export class UsageLedger {
  readonly #options: UsageLedgerOptions;
  readonly #accounts = new Map<DocumentId, Account>();
  readonly #listeners = new Set<(ids: readonly MemoryId[]) => void>();
  /** Somebody has asked for sums, so documents that come later are read as well. */
  #isFollowing = false;

  constructor(options: UsageLedgerOptions) {
    this.#options = options;
    options.documents.onHeads((event) => this.#onHeads(event));
    options.catalog.onChange(() => {
      if (!this.#isFollowing) return;
      this.readAll().catch(() => {}); // the next question meets the same failure and tells it
    });
  }

  /** Calls back with the memories of which a document says something else now. */
  onChange(listener: (ids: readonly MemoryId[]) => void): () => void {
    this.#isFollowing = true;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads every document of the space that is here and was not read yet. */
  async readAll(): Promise<void> {
    this.#isFollowing = true;
    for (const document of allUsageDocuments(this.#options.catalog.current).keys()) await this.read(document);
  }

  async read(document: DocumentId): Promise<void> {
    const { documents } = this.#options;
    if (this.#accounts.get(document)?.isFollowed || !documents.isHere(document)) return;
    const account = this.#account(document); // from here on, changes that come meanwhile are heard of
    if (sameHeads(account.heads, documents.headsOf(document))) {
      account.isFollowed = true;
      return;
    }
    const known = account.heads;
    const read = (doc: A.Doc<unknown>) => contentSince(doc, known);
    const content =
      mapDefined(documents.loaded(document), read) ??
      (await documents.peek(document, read)) ??
      mapDefined(await documents.load("uses", document), read);
    if (content !== undefined && !account.isFollowed) this.#take(document, account, content);
  }

  /** Over all documents that were read. */
  sumOf(id: MemoryId): Usage {
    let sum = NO_USAGE;
    for (const { usageByMemory } of this.#accounts.values()) sum = addUsage(sum, usageByMemory.get(id));
    return sum;
  }

  sums(): Map<MemoryId, Usage> {
    const sums = new Map<MemoryId, Usage>();
    for (const { usageByMemory } of this.#accounts.values()) {
      for (const [id, uses] of usageByMemory) sums.set(id, addUsage(sums.get(id), uses));
    }
    return sums;
  }

  countIn(document: DocumentId, id: MemoryId): number {
    return this.#accounts.get(document)?.usageByMemory.get(id)?.count ?? 0;
  }

  #onHeads({ document, doc, heads, change }: HeadsEvent): void {
    if (!this.#accounts.has(document) && !this.#isWanted(document)) return;
    const account = this.#account(document);
    const isNext = account.isFollowed && change !== undefined;
    const next = { changes: isNext ? [change] : [], heads, isContinued: true };
    this.#take(document, account, isNext ? next : contentSince(doc, account.heads));
  }

  #isWanted(document: DocumentId): boolean {
    return this.#isFollowing && allUsageDocuments(this.#options.catalog.current).has(document);
  }

  /** Begins with what the cache has. */
  #account(document: DocumentId): Account {
    const known = this.#accounts.get(document);
    if (known !== undefined) return known;
    const cached = this.#options.cache?.read(document);
    const usageByMemory = new Map(cached?.uses);
    const account = { usageByMemory, heads: cached?.heads ?? [], isFollowed: false };
    this.#accounts.set(document, account);
    return account;
  }

  #take(document: DocumentId, account: Account, { changes, heads, isContinued }: Content): void {
    const { cache, changeKey } = this.#options;
    if (!isContinued) {
      account.usageByMemory.clear();
      cache?.forget(document);
    }
    const read = changes.map((change) =>
      change instanceof Uint8Array ? A.readChange("uses", changeKey, change) : change,
    );
    const changed = join(account.usageByMemory, usageIn(read));
    account.heads = heads;
    account.isFollowed = true;
    cache?.write(document, heads, changed);
    if (changed.size > 0) for (const listener of this.#listeners) listener([...changed.keys()]);
  }
}

/** @returns what is new */
function join(
  usageByMemory: Map<MemoryId, Usage>,
  found: ReadonlyMap<MemoryId, Usage>,
): ReadonlyMap<MemoryId, Usage> {
  const changed = new Map<MemoryId, Usage>();
  for (const [id, uses] of found) {
    const before = usageByMemory.get(id);
    const after = joinUsage(before, uses);
    if (before?.count === after.count && before.lastUsedAt === after.lastUsedAt) continue;
    usageByMemory.set(id, after);
    changed.set(id, after);
  }
  return changed;
}

/** What a document has beyond what was known of it. */
interface Content {
  readonly changes: readonly (Change | Uint8Array)[];
  readonly heads: readonly ChangeHash[];
  /** What was known is part of the document; else it lost changes, and these are all it has. */
  readonly isContinued: boolean;
}

/** The bytes are copies: the document may be given back. */
function contentSince(doc: A.Doc<unknown>, known: readonly ChangeHash[]): Content {
  const isContinued = A.hasHeads(doc, known);
  const changes = A.getChangesSince(doc, isContinued ? [...known] : []);
  return { changes, heads: A.getHeads(doc) as ChangeHash[], isContinued };
}

const mapDefined = <T, Result>(value: T | undefined, read: (value: T) => Result): Result | undefined =>
  value === undefined ? undefined : read(value);
