/**
 * What of that which comes is given to the documents: see `arriving-changes.ts`. The rest is held beside them.
 *
 * @module
 */
import {
  type BranchEntry,
  type Change,
  type ChangeHash,
  type ChangeKey,
  changeHash,
  type DocumentId,
  type DocumentKind,
  documentIdToHex,
  headerOf,
  isCambiumError,
  isOfBegunEpoch,
  mayBeSigned,
  sharesNumbers,
} from "@cambium/core";
import * as A from "../documents/automerge.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { Documents } from "../documents/documents.js";
import type { HeldChanges } from "../documents/held-changes.js";
import { loadInPieces } from "../documents/in-pieces.js";
import type { VerifiedChanges } from "../documents/verified-changes.js";
import { chunkTools } from "../platform/node-platform.js";
import { type ArrivingChange, inOrder, type SortedChanges, sortArriving } from "./arriving-changes.js";
import type { SeenByOthers } from "./seen-by-others.js";

const KINDS: readonly DocumentKind[] = ["branch", "pack", "catalog", "uses"];

/** So many of those that come together are read here, and not again by the index. */
const READ_FOR_NEWS = 32;

export interface AdmissionOptions {
  readonly documents: Documents;
  readonly catalog: CatalogKeeper;
  readonly held: HeldChanges;
  readonly verified: VerifiedChanges;
  readonly seen: Pick<SeenByOthers, "note" | "hear">;
  /** The space's key for changes. */
  readonly changeKey: ChangeKey;
  /** Before it is known that the key is right, nothing tells what counts. */
  readonly isKeyProven: () => boolean;
  /** Of which kind a document is that is not in memory. */
  readonly kindOf: (document: DocumentId) => DocumentKind;
}

export interface Arriving extends ArrivingChange {
  readonly actor: string;
  readonly seq: number;
}

interface Read {
  readonly arriving: readonly Arriving[];
  /** No changes: others say what is wrong with them. */
  readonly malformed: readonly Uint8Array[];
}

export class Admission {
  readonly #options: AdmissionOptions;
  /** By their bytes: nobody reads them twice. */
  readonly #unsigned = new WeakSet<Uint8Array>();
  /** Which keys there were when what awaits one was last looked at. */
  readonly #triedWith = new Map<DocumentId, string>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    // A merge that is made here brings what was held, from where it belongs.
    options.documents.onHeads(({ document, isLocal, change }) => {
      if (isLocal && change === undefined) this.#releaseWhatIsHere(document);
    });
  }

  #releaseWhatIsHere(document: DocumentId): void {
    const { held, documents } = this.#options;
    for (const hash of held.madeElsewhere(document))
      if (documents.depsOf(document, hash) !== undefined) held.release(document, hash);
  }

  /**
   * Sorts what came of a document, which is in memory if it is here.
   *
   * @returns what it is to be given, with what was held before and counts now
   */
  async admit(document: DocumentId, chunks: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    const { held, isKeyProven } = this.#options;
    if (!isKeyProven()) return chunks;
    const { arriving, malformed } = read(chunks);
    const begun = await this.#begunWith(document, arriving);
    const kind = this.#kindOf(document, arriving);
    const fresh = arriving.filter(({ hash }) => !held.has(document, hash));
    let sorted = this.#sort(document, kind, fresh, begun);
    if (held.holdsOf(document) && (arriving.length === 0 || restsOnHeld(document, sorted, begun, held))) {
      const before = read(await held.bytesOf(document)).arriving;
      const all = new Map([...before, ...arriving].map((change) => [change.hash, change]));
      sorted = this.#sort(document, kind, inOrder([...all.values()]), begun);
    }
    for (const { hash } of sorted.admitted) held.release(document, hash);
    if (kind === "branch" || kind === "catalog") this.#learn(kind, sorted.admitted);
    for (const change of sorted.held) this.#hold(document, kind, change);
    return [...malformed, ...sorted.admitted.map(({ bytes }) => bytes)];
  }

  /** What counts of all that there is of a document, wherever it is kept. */
  sortAll(document: DocumentId, chunks: readonly Uint8Array[]): SortedChanges<Arriving> {
    const { arriving } = read(chunks);
    const kind = this.#kindOf(document, arriving);
    return this.#sort(document, kind, arriving, this.#forkHeadsOf(document));
  }

  /** Keeps beside a document what it is not to have. */
  hold(document: DocumentId, changes: readonly Arriving[]): void {
    const kind = this.#kindOf(document, []);
    for (const change of changes) this.#hold(document, kind, change);
  }

  /** Documents of which something may count that did not when it came. */
  async waiting(): Promise<readonly DocumentId[]> {
    const { held, documents } = this.#options;
    const begun = held.documentsWaiting().filter((document) => {
      const heads = this.#forkHeadsOf(document);
      return heads.some((head) => documents.depsOf(document, head) === undefined);
    });
    return [...new Set([...begun, ...(await this.#documentsWithNewKeys())])];
  }

  /** The catalog, which may just have come, says under which keys other documents are written. */
  async #documentsWithNewKeys(): Promise<readonly DocumentId[]> {
    const { held, catalog, changeKey } = this.#options;
    if (changeKey instanceof Uint8Array) return [];
    const awaiting = held.documentsAwaitingKey();
    // While only one of two epochs of a number was known, what is signed in the other looked like nobody's.
    const unsigned = held.documentsUnsigned();
    if (awaiting.length + unsigned.length === 0) return [];
    await catalog.refresh();
    const { known, lacking = [] } = changeKey;
    const keys = `${known.length} ${lacking.join()}`;
    return [...new Set([...awaiting, ...(sharesNumbers(changeKey) ? unsigned : [])])].filter((document) => {
      const isNew = this.#triedWith.get(document) !== keys;
      this.#triedWith.set(document, keys);
      return isNew;
    });
  }

  #sort(
    document: DocumentId,
    kind: DocumentKind | undefined,
    changes: readonly Arriving[],
    begun: readonly string[],
  ): SortedChanges<Arriving> {
    if (kind === undefined) return { admitted: changes, held: [] };
    const place = documentIdToHex(document);
    return sortArriving(
      changes,
      (change) => {
        if (change.deps.length === 0) return change.hash === genesisHash(kind);
        return change.actor.startsWith(place) && this.#read(kind, change)?.statement !== undefined;
      },
      begun,
    );
  }

  /** @returns undefined of one that no member made: decoding costs a hundred times as much as seeing that it has no code */
  #read(kind: DocumentKind, { hash, bytes }: Arriving): Change | undefined {
    const { changeKey, verified } = this.#options;
    const known = verified.get(hash as ChangeHash);
    if (known !== undefined) return known;
    if (this.#unsigned.has(bytes)) return undefined;
    try {
      if (mayBeSigned(bytes, chunkTools)) {
        const change = A.readChange(kind, changeKey, bytes, chunkTools.sha256);
        if (change.awaitsKey === true) return change;
        if (change.statement !== undefined) {
          if (kind === "branch") verified.note(change);
          return change;
        }
      }
    } catch {
      // Automerge says why, if something sound builds on it
    }
    this.#unsigned.add(bytes);
    return undefined;
  }

  /** Of many, the last ones say what is new. */
  #learn(kind: DocumentKind, admitted: readonly Arriving[]): void {
    const { seen } = this.#options;
    for (const { actor, seq } of admitted) seen.note(actor, seq);
    for (const arriving of admitted.slice(-READ_FOR_NEWS)) {
      const change = this.#read(kind, arriving);
      if (change?.statement !== undefined) seen.hear(change);
    }
  }

  #hold(document: DocumentId, kind: DocumentKind | undefined, change: Arriving): void {
    const { documents, held } = this.#options;
    // An earlier version took it in: it is there already.
    if (kind === undefined || documents.depsOf(document, change.hash) !== undefined) return;
    const read = this.#read(kind, change);
    const isSigned = read?.statement !== undefined;
    const { hash, bytes } = change;
    const reason = read?.awaitsKey === true ? "awaits-key" : isSigned ? "elsewhere" : "unsigned";
    const mayBeOfMember = reason === "unsigned" && namesBegunEpoch(bytes);
    held.add(document, { hash, reason, mayBeOfMember }, bytes);
  }

  /** A branch counts what its parent had where it left it. The catalog says where, and it may just have come. */
  async #begunWith(document: DocumentId, arriving: readonly Arriving[]): Promise<readonly string[]> {
    const place = documentIdToHex(document);
    const isForeign = arriving.some(({ actor, deps }) => deps.length > 0 && !actor.startsWith(place));
    if (!isForeign && arriving.length > 0) return [];
    await this.#options.catalog.refresh();
    return this.#forkHeadsOf(document);
  }

  #forkHeadsOf(document: DocumentId): readonly string[] {
    return entryOf(this.#options.catalog, document)?.forkHeads ?? [];
  }

  /** @returns undefined of one that begins like none that is known: a later version may have made it */
  #kindOf(document: DocumentId, arriving: readonly Arriving[]): DocumentKind | undefined {
    const { documents, kindOf } = this.#options;
    const loaded = documents.kindOf(document);
    if (loaded !== undefined) return loaded;
    const roots = arriving.filter(({ deps }) => deps.length === 0);
    if (roots.length === 0) return kindOf(document);
    return KINDS.find((kind) => roots.some(({ hash }) => hash === genesisHash(kind)));
  }
}

/** What the catalog says of the branch that is kept in a document. */
export function entryOf(catalog: CatalogKeeper, document: DocumentId): BranchEntry | undefined {
  const hex = documentIdToHex(document);
  const { branches } = catalog.current;
  const known = branches.get(hex)?.value;
  if (known?.document === document) return known;
  return [...branches.values()].find(({ value }) => value.document === document)?.value;
}

function namesBegunEpoch(bytes: Uint8Array): boolean {
  try {
    return isOfBegunEpoch(bytes, chunkTools);
  } catch {
    return false; // it cannot be read, and so nobody's key will fit
  }
}

function restsOnHeld(
  document: DocumentId,
  { admitted }: SortedChanges<Arriving>,
  begun: readonly string[],
  held: HeldChanges,
): boolean {
  return (
    begun.some((head) => held.has(document, head)) ||
    admitted.some(({ deps }) => deps.some((dep) => held.has(document, dep)))
  );
}

function read(chunks: readonly Uint8Array[]): Read {
  const arriving: Arriving[] = [];
  const malformed: Uint8Array[] = [];
  for (const bytes of chunks) {
    try {
      const { hash, deps, actor, seq } = headerOf(bytes, chunkTools);
      arriving.push({ hash, deps, actor, seq, bytes });
    } catch (error) {
      if (!isCambiumError(error, "BAD_CHUNK")) throw error;
      malformed.push(bytes);
    }
  }
  return { arriving, malformed };
}

const genesisHashes = new Map<DocumentKind, ChangeHash>();

/** The first change of every document of a kind. */
function genesisHash(kind: DocumentKind): ChangeHash {
  const known = genesisHashes.get(kind);
  if (known !== undefined) return known;
  const doc = loadInPieces([A.genesis(kind)]);
  const hash = changeHash(A.getAllChanges(doc)[0] as Uint8Array, chunkTools) as ChangeHash;
  A.free(doc);
  genesisHashes.set(kind, hash);
  return hash;
}
