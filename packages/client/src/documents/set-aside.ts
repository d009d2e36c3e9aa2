/**
 * Changes that a document could not be loaded with again: kept, but never given to Automerge. The relay may go on
 * offering them, and those who look into the matter want to see them.
 *
 * @module
 */
import type { DocumentId } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";
import { ChangesBeside } from "./changes-beside.js";

export interface SetAsideChange {
  readonly document: DocumentId;
  /** Of a change; of bytes that are none, what distinguishes them from others. */
  readonly hash: string;
  /** A sentence. */
  readonly reason: string;
}

interface StoredChange extends Pick<SetAsideChange, "reason"> {
  /** Null: not kept. */
  readonly bytes: Uint8Array | null;
}

/** A relay that offers more makes them up: what goes beyond is known in this session only. */
const MAX_KEPT = 1_000;
const MAX_KEPT_BYTES = 64 * 1024;

const NONE: ReadonlySet<string> = new Set();

export class SetAside {
  readonly #kept: ChangesBeside<StoredChange>;
  readonly #byDocument = new Map<DocumentId, Map<string, SetAsideChange>>();
  readonly #listeners = new Set<(document: DocumentId) => void>();
  #count = 0;

  constructor(store: ReplicaStore) {
    this.#kept = new ChangesBeside({
      ...{ store, place: "set-aside" },
      onRead: (document, hash, { reason }) => this.#note({ document, hash, reason }),
    });
  }

  /** Reads what earlier sessions have set aside. Costs nothing the second time. */
  read(): Promise<void> {
    return this.#kept.read();
  }

  /** Calls back when something of a document was set aside. */
  onAdded(listener: (document: DocumentId) => void): void {
    this.#listeners.add(listener);
  }

  /** @param bytes - of the change, as far as they are to be kept */
  add(change: SetAsideChange, bytes: Uint8Array | undefined): void {
    if (this.hashesOf(change.document).has(change.hash)) return;
    this.#note(change);
    if (this.#count <= MAX_KEPT) {
      const kept = bytes === undefined || bytes.length > MAX_KEPT_BYTES ? null : bytes;
      const { document, hash, reason } = change;
      this.#kept.save(document, hash, { reason, bytes: kept });
    }
    for (const listener of this.#listeners) listener(change.document);
  }

  hashesOf(document: DocumentId): ReadonlySet<string> {
    const changes = this.#byDocument.get(document);
    return changes === undefined ? NONE : new Set(changes.keys());
  }

  /** As far as it has been read, or set aside in this session. */
  all(): readonly SetAsideChange[] {
    return [...this.#byDocument.values()].flatMap((changes) => [...changes.values()]);
  }

  #note(change: SetAsideChange): void {
    const changes = this.#byDocument.get(change.document) ?? new Map<string, SetAsideChange>();
    this.#byDocument.set(change.document, changes.set(change.hash, change));
    this.#count += 1;
  }
}
