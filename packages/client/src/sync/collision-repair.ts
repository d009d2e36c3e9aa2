/**
 * Putting documents right in which this replica's changes bear numbers that lost changes of its own bear
 * on the relay: one after the other, each from the relay's copy and what only this replica has.
 *
 * @module
 */
import type { BranchId, Catalog, ChangeHash, DocumentId, DocumentKind, SpaceKeys } from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import * as A from "../documents/automerge.js";
import { receiveCarefully } from "../documents/careful-receive.js";
import type { CatalogWrite } from "../documents/catalog-keeper.js";
import type { DocumentServices } from "../documents/document-services.js";
import { loadInPieces } from "../documents/in-pieces.js";
import { WhileAsked } from "../platform/while-asked.js";
import type { Admission } from "./admission.js";
import { type Numbered, numberOf, type Reissued, type ReissueRequest, reissueChanges } from "./reissue.js";

export interface CollisionRepairOptions extends Pick<DocumentServices, "documents" | "catalog" | "identity"> {
  readonly keys: SpaceKeys;
  readonly admission: Pick<Admission, "sortAll">;
  readonly kindOf: (document: DocumentId) => DocumentKind;
  /** All changes that the relay has of a document, in order. */
  readonly fetch: (document: DocumentId) => Promise<readonly Uint8Array[]>;
  readonly onNotice: (message: string) => void;
  /** The documents are right now; what was said of them in this session is void. */
  readonly onRepaired: () => void;
  /** It has to be tried again: what came since was not taken in. */
  readonly onFailed: () => void;
}

/** A relay that keeps finding collisions makes them up. */
const MAX_ATTEMPTS = 3;
const NONE: ReadonlySet<string> = new Set();

export class CollisionRepair {
  readonly #options: CollisionRepairOptions;
  readonly #waiting = new Set<DocumentId>();
  readonly #attempts = new Map<DocumentId, number>();
  /** The epoch that changes were last made again under. */
  #spentEpoch = -1;
  readonly #repairs = new WhileAsked(() => this.#run());

  constructor(options: CollisionRepairOptions) {
    this.#options = options;
    options.documents.onCollision((document) => this.begin(document));
  }

  /** Whether a repair is under way: nothing may leave meanwhile. */
  get isRunning(): boolean {
    return this.#repairs.isRunning;
  }

  /** Whether it was tried often enough. */
  isBeyondRepair(document: DocumentId): boolean {
    return !this.#waiting.has(document) && (this.#attempts.get(document) ?? 0) >= MAX_ATTEMPTS;
  }

  /** The relay holds another change under a number of ours. */
  begin(document: DocumentId): void {
    const attempts = this.#attempts.get(document) ?? 0;
    if (this.#waiting.has(document) || attempts >= MAX_ATTEMPTS) return;
    this.#attempts.set(document, attempts + 1);
    this.#waiting.add(document);
    this.#repairs.ask();
  }

  async #run(): Promise<void> {
    const { onNotice, onRepaired, onFailed } = this.#options;
    if (this.#waiting.size === 0) return; // the run before has done it
    let failure: unknown;
    let isRepaired = false;
    try {
      await Promise.resolve(); // what revealed the collision is still being taken in
      for (const document of this.#waiting) await this.#repair(document);
      isRepaired = true;
    } catch (error) {
      failure = error;
    }
    this.#waiting.clear(); // before anybody is told, who may show another collision at once
    if (isRepaired) return onRepaired();
    onNotice(`Changes that bear numbers of lost ones could not be made again yet: ${messageOf(failure)}`);
    onFailed();
  }

  async #repair(document: DocumentId): Promise<void> {
    const { documents, identity, keys, kindOf, fetch, onNotice } = this.#options;
    const changes = await fetch(document);
    if (changes.length === 0) return;
    await documents.open(document);
    await documents.flush();
    const kind = kindOf(document);
    const { doc: remote, barred } = this.#asTheRelayHas(document, changes);
    // In one tick from here: nothing is written between what is read and what takes its place.
    const local = documents.loaded(document);
    if (local === undefined) return;
    const why = isTakenByMembers(local, remote) ? WENT_BACK : TAKEN_BY_NOBODY;
    this.#takeFreshEpoch(local, why);
    const epochFor = this.#epochs();
    const request = { kind, remote, barred, replica: identity.id, epochFor, changeKey: keys.codes };
    const reissued = reissueChanges({ ...request, local });
    documents.replace(document, reissued.doc);
    await documents.flush();
    A.free(remote);
    if (kind === "branch") await this.#moveForks(document, reissued, epochFor);
    const count = reissued.madeAgain.size;
    onNotice(`${againText(count, why)} written again under epoch ${identity.epoch}.`);
    if (reissued.touchesOtherBranches) this.#takeFreshEpoch(undefined, why);
    if (reissued.dropped > 0) onNotice(`${reissued.dropped} changes that no member made were left out.`);
  }

  /** Nobody may have made a change of this document under the epoch that changes are made again under. */
  #takeFreshEpoch(local: A.Doc<unknown> | undefined, why: string): void {
    const { identity } = this.#options;
    const suffix = identity.actorSuffix;
    const isUsed =
      local === undefined || A.getChangesMetaSince(local, []).some(({ actor }) => actor.endsWith(suffix));
    if (!isUsed && identity.epoch !== this.#spentEpoch) return;
    identity.abandonEpoch(identity.epoch, why);
  }

  /** What counts of what the relay has, and the numbers of the rest. */
  #asTheRelayHas(
    document: DocumentId,
    changes: readonly Uint8Array[],
    begun: readonly Uint8Array[] = [],
  ): { readonly doc: A.Doc<unknown>; readonly barred: readonly Numbered[] } {
    const { admitted, held } = this.#options.admission.sortAll(document, changes);
    const chunks = admitted.map(({ bytes }) => bytes);
    return { doc: receiveCarefully(loadInPieces(begun), chunks, NONE).doc, barred: held };
  }

  /** The epoch of today for the first writer, and a fresh one for each further one. */
  #epochs(): ReissueRequest["epochFor"] {
    const { identity } = this.#options;
    const epochs = new Map<string, number>();
    return (writer) => {
      const known = epochs.get(writer);
      if (known !== undefined) return known;
      if (epochs.size > 0) this.#takeFreshEpoch(undefined, WENT_BACK);
      epochs.set(writer, identity.epoch);
      this.#spentEpoch = identity.epoch;
      return identity.epoch;
    };
  }

  /** Branches forked since have the same changes, and were not sent while their records waited for a receipt. */
  async #moveForks(
    document: DocumentId,
    { madeAgain }: Reissued,
    epochFor: ReissueRequest["epochFor"],
  ): Promise<void> {
    const { documents, catalog, identity, keys, fetch } = this.#options;
    const forkHeads = new Map<BranchId, (head: ChangeHash) => ChangeHash>();
    for (const [branch, { value }] of catalog.current.branches) {
      if (value.document === document) continue;
      const local = await documents.load("branch", value.document);
      if (local === undefined || ![...madeAgain.keys()].some((hash) => A.hasHeads(local, [hash]))) continue;
      const changes = await fetch(value.document);
      const { doc: remote, barred } = this.#asTheRelayHas(value.document, changes, [A.genesis("branch")]);
      const current = documents.loaded(value.document) ?? local;
      const request = { kind: "branch", remote, barred, replica: identity.id, epochFor } as const;
      const moved = reissueChanges({ ...request, changeKey: keys.codes, local: current, madeAgain });
      documents.replace(value.document, moved.doc);
      // Of a fork of a fork it may be the other one's changes that it began with.
      const again = (head: ChangeHash) => madeAgain.get(head) ?? moved.madeAgain.get(head);
      forkHeads.set(branch as BranchId, (head) => hashOf(again(head)) ?? head);
    }
    if (forkHeads.size > 0) await catalog.put((current) => movedForks(current, forkHeads));
    await documents.flush();
  }
}

const WENT_BACK = "This home went back in time and wrote under numbers that were taken";
const TAKEN_BY_NOBODY = "The relay holds changes under this device's numbers that no member made";

/** Whether a member's change bears the number of another that is here. */
function isTakenByMembers(local: A.Doc<unknown>, remote: A.Doc<unknown>): boolean {
  const known = A.getChangesMetaSince(remote, []);
  const hashes = new Set(known.map(({ hash }) => hash));
  const numbers = new Set(known.map(numberOf));
  return A.getChangesMetaSince(local, []).some(
    (change) => !hashes.has(change.hash) && numbers.has(numberOf(change)),
  );
}

function againText(count: number, why: string): string {
  if (why === TAKEN_BY_NOBODY)
    return count === 1
      ? "1 change, whose number the relay has given away, was"
      : `${count} changes, whose numbers the relay has given away, were`;
  return count === 1
    ? "1 change that bore the number of a lost one was"
    : `${count} changes that bore numbers of lost ones were`;
}

function movedForks(
  { branches }: Catalog,
  forkHeads: ReadonlyMap<BranchId, (head: ChangeHash) => ChangeHash>,
): readonly CatalogWrite<"branches">[] {
  return [...forkHeads].flatMap(([key, moved]) => {
    const entry = branches.get(key)?.value;
    if (entry?.forkHeads === undefined) return [];
    return [{ map: "branches", key, entry: { ...entry, forkHeads: entry.forkHeads.map(moved) } }];
  });
}

const hashOf = (change: Uint8Array | undefined): ChangeHash | undefined =>
  change && (A.decodeChange(change).hash as ChangeHash);
