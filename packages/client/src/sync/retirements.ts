/**
 * Packs that the catalog calls retired and that the relay may still have: what it is asked to destroy, and what of that
 * it is known to have done. Which parts are erased says the catalog, so any device with a right to write can ask.
 *
 * @module
 */
import { bytesToHex, changeKeys, type DocumentId, documentIdToHex, plainChange } from "@cambium/core";
import { LOG_LIMITS, type RetireItem } from "@cambium/core/wire";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { Documents } from "../documents/documents.js";
import { chunkTools } from "../platform/node-platform.js";
import { Waiters } from "../platform/waiters.js";
import type { DocumentRow, ReplicaStore } from "../storage/store.js";

export interface RetirementsOptions {
  readonly catalog: CatalogKeeper;
  readonly documents: Documents;
  readonly store: ReplicaStore;
  /** Whether the relay has confirmed all of a document. */
  readonly isReceipted: (document: DocumentId) => boolean;
}

/** Begins the ids of the rows in which it is kept what the relay has done. No document has such an id. */
export const RETIRED_ROW = "relay-retired:";
const HASH_BYTES = 32;
/** Others may go on writing into it; after so many rounds the next session is time enough. */
const MAX_CARRIED = 5;

export class Retirements {
  readonly #options: RetirementsOptions;
  /** Positions of the log. */
  readonly #done = new Map<DocumentId, number>();
  /** Refused in this session. */
  readonly #refused = new Set<DocumentId>();
  /** What others wrote into these is being carried into another document; how often that was tried in this session. */
  readonly #carried = new Map<DocumentId, number>();
  #carrying = 0;
  /** Keys that only changes have which no member made. The relay cannot tell, and wants each of them accounted for. */
  readonly #disowned = new Map<DocumentId, Set<string>>();
  readonly #waiters = new Waiters();

  constructor(options: RetirementsOptions) {
    this.#options = options;
    for (const { documentId, receiptedAt } of options.store.rows()) {
      if (documentId.startsWith(RETIRED_ROW) && receiptedAt !== undefined)
        this.#done.set(documentId.slice(RETIRED_ROW.length) as DocumentId, receiptedAt);
    }
  }

  /** A session begins: what the log holds above this position is not known any more. */
  begin(position: number): void {
    this.#refused.clear();
    this.#carried.clear();
    for (const [document, at] of this.#done) if (at > position) this.#note(document, undefined);
  }

  /** What the relay is to be asked now: what takes the place of these documents is there already. */
  pending(): readonly { readonly document: DocumentId; readonly item: RetireItem }[] {
    const { catalog } = this.#options;
    if (catalog.current.erasures.size === 0) return [];
    return [...catalog.current.documents].flatMap(([id, { value }]) => {
      const document = id as DocumentId;
      const isOpen = catalog.isRetired(document) && !this.#done.has(document) && !this.#refused.has(document);
      const carriers = isOpen && value.erased !== undefined ? this.#carriersOf(value.packs) : undefined;
      if (carriers === undefined) return [];
      const erased = [...new Set([...this.#erasedOf(value.packs), ...(this.#disowned.get(document) ?? [])])];
      return [
        { document, item: { kind: "retire", document: documentIdToHex(id), carriedIn: carriers, erased } },
      ];
    });
  }

  /** By whichever device, and whichever document it was in: nothing that is erased comes back. */
  #erasedOf(packs: readonly string[]): readonly string[] {
    const all = [...this.#options.catalog.current.documents.values()].flatMap(({ value, others }) =>
      value.packs.some((pack) => packs.includes(pack)) ? [value, ...others] : [],
    );
    return [...new Set(all.flatMap(({ erased }) => (erased === undefined ? [] : hashesIn(erased))))];
  }

  /** Undefined while one of them is not there. */
  #carriersOf(packs: readonly string[]): readonly string[] | undefined {
    const { catalog, documents, isReceipted } = this.#options;
    const live = [...catalog.current.documents].flatMap(([id, { value }]) =>
      value.state === "live" && value.packs.some((pack) => packs.includes(pack)) ? [id as DocumentId] : [],
    );
    const isThere = live.every((id) => documents.isHere(id) && isReceipted(id));
    return isThere && live.length <= LOG_LIMITS.retireCarriers ? live.map(documentIdToHex) : undefined;
  }

  /** The relay has destroyed it. */
  done(document: DocumentId, position: number): void {
    this.#note(document, position);
    this.#waiters.check();
  }

  /** Resolves when there is nothing that the relay can be asked now. @throws {CambiumError} ABORTED */
  whenSettled(signal?: AbortSignal): Promise<void> {
    return this.#waiters.until(() => this.#carrying === 0 && this.pending().length === 0, signal);
  }

  /**
   * The relay has refused, for it holds records of this document that are in no other one. It can be asked again, in
   * this session, once they are.
   */
  async carry(document: DocumentId, work: () => Promise<void>): Promise<void> {
    const attempts = (this.#carried.get(document) ?? 0) + 1;
    this.#carried.set(document, attempts);
    this.#carrying += 1;
    try {
      await work();
      if (attempts < MAX_CARRIED) this.#refused.delete(document);
    } finally {
      this.#carrying -= 1;
      this.#waiters.check();
    }
  }

  /** What changes that no member made have put into a document goes with it, once the rest was carried. */
  disown(document: DocumentId, changes: readonly Uint8Array[]): void {
    const known = this.#disowned.get(document) ?? new Set();
    for (const bytes of changes)
      for (const key of changeKeys(plainChange(bytes, chunkTools))) if (isRecordKey(key)) known.add(key);
    this.#disowned.set(document, known);
  }

  /** It is asked again in the next session, or once what is lacking was carried. */
  refused(document: DocumentId): void {
    this.#refused.add(document);
    this.#waiters.check();
  }

  /** Whether the relay has destroyed all that the catalog calls retired; undefined: there is nothing to destroy. */
  get isDone(): boolean {
    const { documents } = this.#options.catalog.current;
    return [...documents].every(
      ([id, { value }]) => value.state !== "retired" || this.#done.has(id as DocumentId),
    );
  }

  #note(document: DocumentId, receiptedAt: number | undefined): void {
    if (receiptedAt === undefined) this.#done.delete(document);
    else this.#done.set(document, receiptedAt);
    const row: Omit<DocumentRow, "localHeads"> = {
      ...{ documentId: RETIRED_ROW + document, receiptedHeads: [], receiptedAt },
    };
    this.#options.store.putReceipt(row);
  }
}

/** Records and parts are named by their hashes. */
const isRecordKey = (key: string): boolean => /^[0-9a-f]{64}$/.test(key);

const hashesIn = (bytes: Uint8Array): readonly string[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, place) =>
    bytesToHex(bytes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)),
  );
