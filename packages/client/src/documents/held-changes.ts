/**
 * Changes that came and count for nothing so far: no member made them, or a member made them in another document. They
 * stay outside of the document, so that they cost nothing there, until a change that counts builds on one.
 *
 * @module
 */
import type { DocumentId } from "@cambium/core";
import type { ReplicaStore } from "../storage/store.js";
import { ChangesBeside } from "./changes-beside.js";

/**
 * `elsewhere`: signed, but made in another document than the one it was put into. `awaits-key`: it says to be signed
 * under a key that is not here yet.
 */
export type HeldReason = "unsigned" | "elsewhere" | "awaits-key";

export interface HeldChange {
  readonly hash: string;
  readonly reason: HeldReason;
  /** It says to be signed in an epoch of whose number there may be a second one, whose key is not here. */
  readonly mayBeOfMember?: boolean | undefined;
}

/** How many changes of a document are held, of those that nobody has cleaned away. */
export interface HeldCount {
  readonly document: DocumentId;
  readonly reason: HeldReason;
  readonly count: number;
}

interface Note {
  readonly reason: HeldReason;
  /** So many are kept of it. */
  readonly bytes: number;
  /** Somebody has seen it and wants to hear no more of it. */
  readonly isCleaned: boolean;
  readonly mayBeOfMember: boolean;
}

interface StoredNote {
  readonly reason: HeldReason;
  /** Null: not kept. None: cleaned away. */
  readonly bytes: Uint8Array | null;
  readonly mayBeOfMember?: true;
}

/** Whoever sends more makes them up: of what goes beyond, the bytes are not kept. They can be fetched. */
const MAX_KEPT = 20_000;
const MAX_KEPT_BYTES = 64 * 1024;
/** All of them together: they are read when a space is opened. */
const MAX_ALL_BYTES = 16 * 1024 * 1024;
/** The same, of what will count once a key has come. */
const MAX_AWAITED_BYTES = 64 * 1024 * 1024;
/** Beyond that many in memory, nothing is remembered of them. */
const MAX_KNOWN = 200_000;

const NONE: ReadonlyMap<string, Note> = new Map();

export class HeldChanges {
  readonly #kept: ChangesBeside<StoredNote>;
  readonly #byDocument = new Map<DocumentId, Map<string, Note>>();
  readonly #elsewhere = new Map<DocumentId, Set<string>>();
  readonly #listeners = new Set<() => void>();
  #count = 0;
  #bytes = 0;

  constructor(store: ReplicaStore) {
    this.#kept = new ChangesBeside({
      ...{ store, place: "held-changes" },
      onRead: (document, hash, { reason, bytes, mayBeOfMember = false }) => {
        const kept = bytes?.length ?? 0;
        const isCleaned = bytes !== null && kept === 0;
        this.#note(document, hash, { reason, bytes: kept, isCleaned, mayBeOfMember });
      },
    });
  }

  /** Reads what earlier sessions held. Costs nothing the second time. */
  read(): Promise<void> {
    return this.#kept.read();
  }

  /** Calls back when something was added. */
  onAdded(listener: () => void): void {
    this.#listeners.add(listener);
  }

  has(document: DocumentId, hash: string): boolean {
    return (this.#byDocument.get(document) ?? NONE).has(hash);
  }

  /** Whether anything of the document is held. */
  holdsOf(document: DocumentId): boolean {
    return (this.#byDocument.get(document)?.size ?? 0) > 0;
  }

  /** Hashes of what is held of a document and was made in another. */
  madeElsewhere(document: DocumentId): readonly string[] {
    return [...(this.#elsewhere.get(document) ?? [])];
  }

  /** Documents of which something is held for want of a key. */
  documentsAwaitingKey(): readonly DocumentId[] {
    return [...this.#byDocument].flatMap(([document, notes]) =>
      [...notes.values()].some(({ reason }) => reason === "awaits-key") ? [document] : [],
    );
  }

  /** Documents of which something is held that was made elsewhere. */
  documentsWaiting(): readonly DocumentId[] {
    return [...this.#elsewhere.keys()];
  }

  /** Documents of which something is held that no member made, as far as the keys that are here can tell. */
  documentsUnsigned(): readonly DocumentId[] {
    return [...this.#byDocument].flatMap(([document, notes]) =>
      [...notes.values()].some(({ reason, bytes }) => reason === "unsigned" && bytes > 0) ? [document] : [],
    );
  }

  /** What is held already, for another reason, is from now on held for this one. */
  add(document: DocumentId, { hash, reason, mayBeOfMember = false }: HeldChange, bytes: Uint8Array): void {
    const known = this.#byDocument.get(document)?.get(hash);
    // What was set aside for a key that may come is told of no more.
    const isKnown = known?.reason === reason || (known?.reason === "awaits-key" && reason === "unsigned");
    if (isKnown || known?.isCleaned === true || this.#count >= MAX_KNOWN) return;
    const isAwaited = reason === "awaits-key";
    const isSmall = bytes.length <= MAX_KEPT_BYTES || isAwaited;
    const isKept = isSmall && this.#bytes + bytes.length <= (isAwaited ? MAX_AWAITED_BYTES : MAX_ALL_BYTES);
    const note = { reason, bytes: isKept ? bytes.length : 0, isCleaned: false, mayBeOfMember };
    this.#note(document, hash, note);
    if (this.#count <= MAX_KEPT) this.#save(document, hash, note, isKept ? bytes : null);
    for (const listener of this.#listeners) listener();
  }

  /** The bytes of what is held of a document, as far as they are kept, in any order. */
  async bytesOf(document: DocumentId): Promise<readonly Uint8Array[]> {
    const stored = await this.#kept.of(document);
    return stored.flatMap(({ bytes }) => (bytes === null || bytes.length === 0 ? [] : [bytes]));
  }

  /** It is in the document now. */
  release(document: DocumentId, hash: string): void {
    const notes = this.#byDocument.get(document);
    const note = notes?.get(hash);
    if (notes === undefined || note === undefined) return;
    notes.delete(hash);
    this.#forgetPlace(document, hash);
    this.#count -= 1;
    this.#bytes -= note.bytes;
    this.#kept.remove(document, hash);
  }

  counts(): readonly HeldCount[] {
    return [...this.#byDocument].flatMap(([document, notes]) => {
      const left = [...notes.values()].filter(({ isCleaned }) => !isCleaned);
      return [...Map.groupBy(left, ({ reason }) => reason)].map(([reason, all]) => ({
        ...{ document, reason, count: all.length },
      }));
    });
  }

  /**
   * Lets go of the bytes, and remembers by their hashes what not to take again. What a member may have made waits for
   * the key that would tell, and is told of no more.
   *
   * @returns how many there were
   */
  async clean(): Promise<number> {
    let count = 0;
    for (const [document, notes] of this.#byDocument) {
      const waiting = [...notes.values()].some(isOpen);
      const stored = waiting ? await this.#kept.byHash(document) : new Map<string, StoredNote>();
      for (const [hash, note] of notes) {
        if (note.isCleaned || note.reason === "awaits-key") continue;
        count += 1;
        const isKept = isOpen(note);
        const left: Note = isKept
          ? { ...note, reason: "awaits-key" }
          : { ...note, bytes: 0, isCleaned: true };
        const bytes = isKept ? (stored.get(hash)?.bytes ?? null) : new Uint8Array();
        this.#note(document, hash, left);
        this.#save(document, hash, left, bytes);
      }
    }
    return count;
  }

  #save(document: DocumentId, hash: string, { reason, mayBeOfMember }: Note, bytes: Uint8Array | null): void {
    this.#kept.save(document, hash, { reason, bytes, ...(mayBeOfMember ? { mayBeOfMember } : {}) });
  }

  #note(document: DocumentId, hash: string, note: Note): void {
    const notes = this.#byDocument.get(document) ?? new Map<string, Note>();
    if (!notes.has(hash)) this.#count += 1;
    this.#bytes += note.bytes - (notes.get(hash)?.bytes ?? 0);
    this.#byDocument.set(document, notes.set(hash, note));
    this.#forgetPlace(document, hash);
    if (note.reason !== "elsewhere") return;
    const places = this.#elsewhere.get(document) ?? new Set<string>();
    this.#elsewhere.set(document, places.add(hash));
  }

  #forgetPlace(document: DocumentId, hash: string): void {
    const places = this.#elsewhere.get(document);
    places?.delete(hash);
    if (places?.size === 0) this.#elsewhere.delete(document);
  }
}

/** Nobody can tell yet that no member made it. */
const isOpen = ({ reason, mayBeOfMember }: Note): boolean => reason === "unsigned" && mayBeOfMember;
