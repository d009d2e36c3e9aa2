/**
 * What the uses documents say, added up. A document is read when somebody asks, without keeping it in
 * memory, and from then on followed change by change.
 *
 * @module
 */
import * as A from "@automerge/automerge";
import {
  addUses,
  allUsesDocuments,
  type Change,
  type ChangeHash,
  type DocumentId,
  joinUses,
  type MemoryId,
  NO_USES,
  readChange,
  type Uses,
  usesIn,
} from "@cambium/core";
import type { CatalogKeeper } from "../replica/catalog-keeper.js";
import type { Documents, HeadsEvent } from "../replica/documents.js";

export interface UsesLedgerOptions {
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  /** The space's key for changes. */
  readonly changeKey: Uint8Array;
}

/** What one document says. */
interface Account {
  readonly usesByMemory: Map<MemoryId, Uses>;
  /** Up to where it has been read; undefined while its first reading is under way. */
  heads: readonly ChangeHash[] | undefined;
}

export class UsesLedger {
  readonly #options: UsesLedgerOptions;
  readonly #accounts = new Map<DocumentId, Account>();
  readonly #listeners = new Set<(ids: readonly MemoryId[]) => void>();
  /** Somebody has asked for sums, so documents that come later are read as well. */
  #isFollowing = false;

  constructor(options: UsesLedgerOptions) {
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
    for (const document of allUsesDocuments(this.#options.catalog.current).keys()) await this.read(document);
  }

  async read(document: DocumentId): Promise<void> {
    const { documents } = this.#options;
    if (this.#accounts.get(document)?.heads !== undefined || !documents.isHere(document)) return;
    const account = this.#account(document); // from here on, changes that come meanwhile are heard of
    const content =
      contentOf(documents.loaded("uses", document)) ??
      (await documents.peek("uses", document, contentOf)) ??
      contentOf(await documents.load("uses", document));
    if (content === undefined) return;
    account.heads ??= content.heads;
    this.#take(account, this.#decode(content.changes));
  }

  /** Over all documents that were read. */
  sumOf(id: MemoryId): Uses {
    let sum = NO_USES;
    for (const { usesByMemory } of this.#accounts.values()) sum = addUses(sum, usesByMemory.get(id));
    return sum;
  }

  sums(): Map<MemoryId, Uses> {
    const sums = new Map<MemoryId, Uses>();
    for (const { usesByMemory } of this.#accounts.values()) {
      for (const [id, uses] of usesByMemory) sums.set(id, addUses(sums.get(id), uses));
    }
    return sums;
  }

  countIn(document: DocumentId, id: MemoryId): number {
    return this.#accounts.get(document)?.usesByMemory.get(id)?.count ?? 0;
  }

  #onHeads({ document, doc, heads, change }: HeadsEvent): void {
    if (!this.#accounts.has(document) && !this.#isWanted(document)) return;
    const account = this.#account(document);
    const { heads: known } = account;
    account.heads = heads;
    const isNext = known !== undefined && change !== undefined;
    this.#take(account, isNext ? [change] : this.#decode(changesSince(doc, known ?? [])));
  }

  #isWanted(document: DocumentId): boolean {
    return this.#isFollowing && allUsesDocuments(this.#options.catalog.current).has(document);
  }

  #account(document: DocumentId): Account {
    const account = this.#accounts.get(document) ?? { usesByMemory: new Map(), heads: undefined };
    this.#accounts.set(document, account);
    return account;
  }

  #decode(changes: readonly Uint8Array[]): readonly Change[] {
    return changes.map((bytes) => readChange("uses", this.#options.changeKey, bytes));
  }

  #take({ usesByMemory }: Account, changes: readonly Change[]): void {
    const changed: MemoryId[] = [];
    for (const [id, uses] of usesIn(changes)) {
      const before = usesByMemory.get(id);
      const after = joinUses(before, uses);
      if (before?.count === after.count && before.lastUsedAt === after.lastUsedAt) continue;
      usesByMemory.set(id, after);
      changed.push(id);
    }
    if (changed.length > 0) for (const listener of this.#listeners) listener(changed);
  }
}

/** All of them when the document is another one than these heads are of. */
const changesSince = (doc: A.Doc<unknown>, heads: readonly ChangeHash[]): readonly Uint8Array[] =>
  A.getChangesSince(doc, A.hasHeads(doc, [...heads]) ? [...heads] : []);

interface Content {
  readonly changes: readonly Uint8Array[];
  readonly heads: readonly ChangeHash[];
}

/** The bytes are copies: the document may be given back. */
function contentOf(doc: A.Doc<unknown> | undefined): Content | undefined {
  if (doc === undefined) return undefined;
  return { changes: A.getAllChanges(doc), heads: A.getHeads(doc) as ChangeHash[] };
}
