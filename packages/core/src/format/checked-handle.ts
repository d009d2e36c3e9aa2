/**
 * Automerge's handle of a document, with the guard of `change-check.ts` in front: what it takes is checked before,
 * and what it then holds is compared with what was given.
 *
 * Automerge keeps no bytes of a change but encodes them again from its operations. Where they come out otherwise, as
 * they do of columns that were not written its way, the document that it saves does not load. So a change counts as
 * taken only if its hash comes out again.
 *
 * @module
 */
import { isCambiumError } from "../errors.js";
import { bytesToHex } from "./bytes.js";
import { type CheckedDocument, checkChanges, type HeldChange, type RefusedChange } from "./change-check.js";
import {
  type ChangeHeader,
  type ChunkTools,
  changeHash,
  headerOf,
  matchesChecksum,
  readChangeHeader,
  splitChunks,
} from "./change-header.js";

/** The part of Automerge's handle of a document that is needed. */
export interface DocumentHandle {
  /** Hashes of the document's last changes. */
  getHeads(): string[];
  /** The bytes of all changes that are not ancestors of `since`. */
  getChanges(since: string[]): Uint8Array[];
  /** The same changes, in the same order, without their bytes. */
  getChangesMeta(since: string[]): readonly { readonly hash: string }[];
  /** Null for a change that the document does not hold. */
  getChangeMetaByHash(hash: string): HeldChange | null;
  /** Throws when there is no such object. */
  objInfo(id: string): unknown;
}

/** What may be given to Automerge, and what may not. */
export interface CheckedPieces {
  /** The sound changes, each by itself, then those that wait for others. */
  readonly changes: readonly Uint8Array[];
  /** Whole documents and bundles: Automerge takes them apart, and `confirm` checks what was in them. */
  readonly others: readonly Uint8Array[];
  /** What must not be given to Automerge, and why. */
  readonly refused: readonly RefusedPiece[];
}

/** A refused change with its bytes, for keeping them. */
export interface RefusedPiece extends RefusedChange {
  /** As they came. */
  readonly bytes: Uint8Array;
}

/** A change that has come into a document. */
export interface NewChange {
  /** Hexadecimal. */
  readonly hash: string;
  /** As Automerge writes them. */
  readonly bytes: Uint8Array;
}

/** What `confirm` found in the document. */
export interface Confirmed {
  /** What has come into the document, in an order in which it can be applied. */
  readonly added: readonly NewChange[];
  /** What has come in and must not stay. */
  readonly refused: readonly RefusedChange[];
}

/** So many are remembered from one call to the next; the others are asked of Automerge, 10 µs each. */
const MAX_REMEMBERED = 4_096;

/**
 * Checks the changes that go into one document. Call `check` before Automerge is given anything, and `confirm` after.
 */
export class CheckedHandle {
  readonly #handle: DocumentHandle;
  readonly #tools: ChunkTools;
  #held = new Map<string, HeldChange>();
  #objects = new Set<string>();
  /** Found sound by `check`, and not confirmed yet. */
  #sound = new Map<string, ChangeHeader>();

  constructor(handle: DocumentHandle, tools: ChunkTools) {
    this.#handle = handle;
    this.#tools = tools;
  }

  /**
   * Looks at what a peer sends before Automerge does.
   *
   * @param refusedBefore - hashes of changes that must not be taken
   * @throws {CambiumError} BAD_CHUNK when a piece cannot even be taken apart
   */
  check(pieces: readonly Uint8Array[], refusedBefore?: ReadonlySet<string>): CheckedPieces {
    const others: Uint8Array[] = [];
    const malformed: RefusedPiece[] = [];
    const bytesByHash = new Map<string, Uint8Array>();
    const headers: ChangeHeader[] = [];
    for (const chunk of pieces.flatMap(splitChunks)) {
      const { kind, bytes } = chunk;
      if (kind === "document" || kind === "bundle") {
        if (matchesChecksum(chunk, this.#tools)) others.push(bytes);
        else malformed.push(this.#malformed(bytes, "The checksum of a whole document is another."));
        continue;
      }
      const header = this.#read(bytes, malformed);
      if (header === undefined) continue;
      headers.push(header);
      bytesByHash.set(header.hash, bytes);
    }
    const { sound, waiting, refused } = checkChanges(headers, this.#documentAt(), refusedBefore);
    this.#sound = new Map(sound.map((change) => [change.hash, change]));
    const bytesOf = ({ hash }: { readonly hash: string }) => bytesByHash.get(hash) as Uint8Array;
    return {
      changes: [...sound, ...waiting].map(bytesOf),
      others,
      refused: [...malformed, ...refused.map((change) => ({ ...change, bytes: bytesOf(change) }))],
    };
  }

  /** The guard of another handle of the document, which was loaded anew with what this one has just found sound. */
  movedTo(handle: DocumentHandle): CheckedHandle {
    const moved = new CheckedHandle(handle, this.#tools);
    moved.#sound = this.#sound;
    return moved;
  }

  /** Looks at changes that the document holds as if they came now. @returns those that must not be in it */
  audit(chunks: readonly Uint8Array[]): readonly RefusedChange[] {
    const malformed: RefusedPiece[] = [];
    const headers = chunks.flatMap((bytes) => this.#read(bytes, malformed) ?? []);
    const hashes = new Set(headers.map(({ hash }) => hash));
    return [...malformed, ...checkChanges(headers, this.#documentWithout(hashes)).refused];
  }

  /**
   * Looks at what the document has more than at `before`, whichever way it came.
   *
   * @throws whatever Automerge throws; the handle is of no use then
   */
  confirm(before: readonly string[], refusedBefore?: ReadonlySet<string>): Confirmed {
    const chunks = this.#handle.getChanges([...before]);
    const hashes = this.#handle.getChangesMeta([...before]).map(({ hash }) => hash);
    const refused: RefusedChange[] = [];
    const barred = new Set(refusedBefore);
    const added = chunks.map((bytes, index) => ({ hash: hashes[index] ?? "", bytes }));
    const unchecked = new Map<string, ChangeHeader>();
    for (const { hash, bytes } of added) {
      if (changeHash(bytes, this.#tools) !== hash) {
        refused.push({ hash, reason: "Its bytes are not as Automerge writes them." });
        barred.add(hash);
      } else if (!this.#sound.has(hash)) {
        unchecked.set(hash, readChangeHeader(bytes, this.#tools));
      }
    }
    if (unchecked.size > 0) refused.push(...this.#faultsOf(unchecked, before, barred));
    if (refused.length === 0) for (const { hash } of added) this.#remember(hash);
    this.#sound = new Map();
    return { added, refused };
  }

  #read(bytes: Uint8Array, malformed: RefusedPiece[]): ChangeHeader | undefined {
    try {
      return headerOf(bytes, this.#tools);
    } catch (error) {
      if (!isCambiumError(error, "BAD_CHUNK")) throw error;
      malformed.push(this.#malformed(bytes, error.message));
      return undefined;
    }
  }

  /** Bytes that are no change are named by the hash of all of them: what they claim to be may come yet. */
  #malformed(bytes: Uint8Array, reason: string): RefusedPiece {
    return { hash: bytesToHex(this.#tools.sha256(bytes)), reason, bytes };
  }

  /** Of what came in a whole document, or had waited for what came now. */
  #faultsOf(
    unchecked: ReadonlyMap<string, ChangeHeader>,
    before: readonly string[],
    refusedBefore?: ReadonlySet<string>,
  ): readonly RefusedChange[] {
    const document = this.#documentWithout(new Set([...unchecked.keys(), ...this.#sound.keys()]), before);
    const changes = [...this.#sound.values(), ...unchecked.values()];
    const { refused, waiting } = checkChanges(changes, document, refusedBefore);
    const unrooted = waiting.map(({ hash }) => ({ hash, reason: "It lacks what it depends on." }));
    return [...refused, ...unrooted];
  }

  #documentWithout(hashes: ReadonlySet<string>, heads?: readonly string[]): CheckedDocument {
    const known = this.#documentAt(heads);
    return { ...known, change: (hash) => (hashes.has(hash) ? undefined : known.change(hash)) };
  }

  #documentAt(heads?: readonly string[]): CheckedDocument {
    return {
      maxOp: () => {
        const last = (heads ?? this.#handle.getHeads()).map((head) => this.#change(head)?.maxOp ?? 0);
        return Math.max(0, ...last);
      },
      change: (hash) => this.#change(hash),
      hasObject: (id) => this.#hasObject(id),
    };
  }

  #change(hash: string): HeldChange | undefined {
    const held = this.#held.get(hash) ?? this.#handle.getChangeMetaByHash(hash);
    return held ?? undefined;
  }

  #remember(hash: string): void {
    const change = this.#sound.get(hash);
    if (change === undefined) return;
    if (this.#held.size >= MAX_REMEMBERED) this.#held = new Map();
    this.#held.set(hash, change);
  }

  #hasObject(id: string): boolean {
    if (this.#objects.has(id)) return true;
    try {
      this.#handle.objInfo(id);
    } catch {
      return false; // it has no other reason to throw
    }
    if (this.#objects.size >= MAX_REMEMBERED) this.#objects = new Set();
    this.#objects.add(id);
    return true;
  }
}
