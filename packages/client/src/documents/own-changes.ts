/**
 * The changes this replica makes: under which actor and number, and that every other replica will accept them.
 *
 * @module
 */
import {
  type ActorId,
  actorId,
  CambiumError,
  type Change,
  type ChangeHash,
  type ChangeKey,
  type ChangeStatement,
  type DocumentId,
  type DocumentKind,
  documentIdToHex,
  type KeyedWrite,
  parseActorId,
} from "@cambium/core";
import * as A from "./automerge.js";
import type { Identity } from "./identity.js";
import { type LastOwn, lastOwnOf, makeSignedChange } from "./signed-change.js";
import { kindOf } from "./without-mirror.js";

/** A change about to be made. */
export interface ChangeRequest {
  readonly document: DocumentId;
  readonly statement: ChangeStatement;
  readonly writes: readonly KeyedWrite[];
  /** Milliseconds since 1970, by the corrected clock. */
  readonly time: number;
  /** Another document whose changes come in with this one. */
  readonly mergeIn?: DocumentId | undefined;
  /** Where another key signs it than that which is written under. */
  readonly signBy?: ChangeKey | undefined;
}

export class OwnChanges {
  readonly #identity: Identity;
  readonly #changeKey: ChangeKey;
  readonly #last = new Map<string, LastOwn>();

  constructor(identity: Identity, changeKey: ChangeKey) {
    this.#identity = identity;
    this.#changeKey = changeKey;
  }

  actorOf(document: DocumentId): ActorId {
    const { id: replica, epoch } = this.#identity;
    return actorId({ document: documentIdToHex(document), replica, epoch });
  }

  /**
   * @param doc - has the actor; given up for the one returned
   * @returns with the change as every other replica will read it, unless it is one of a pack
   */
  apply(
    doc: A.Doc<unknown>,
    actor: ActorId,
    { document, statement, writes, time, signBy = this.#changeKey }: ChangeRequest,
  ): { readonly after: A.Doc<unknown>; readonly change: Change | undefined } {
    const key = `${document} ${actor}`;
    const last = this.#last.get(key) ?? lastOwnOf(doc, actor);
    const after = makeSignedChange(doc, signBy, { actor, last, statement, writes, time });
    const kind = kindOf(doc);
    const change = kind === "pack" ? undefined : this.#checked(kind, after);
    this.#last.set(key, { seq: last.seq + 1, hash: A.getHeads(after)[0] as ChangeHash });
    return { after, change };
  }

  /** One that would not count must not come into being. */
  #checked(kind: DocumentKind | undefined, doc: A.Doc<unknown>): Change {
    const bytes = A.getLastLocalChange(doc);
    const change = kind && bytes && A.readChange(kind, this.#changeKey, bytes);
    if (change?.statement !== undefined) return change;
    throw new CambiumError("INTERNAL", "A change was made that no replica would accept; it was not kept.");
  }

  /** Under which epoch, and as which of its changes there, this replica last changed a document. */
  lastPlaceOf(document: DocumentId): readonly [epoch: number, seq: number] {
    return [this.#identity.epoch, this.#last.get(`${document} ${this.actorOf(document)}`)?.seq ?? 0];
  }

  /** The relay may know better than a restored home what this replica has done under its epoch. */
  noteLost(id: DocumentId, doc: A.Doc<unknown>, known: A.Heads): void {
    const document = documentIdToHex(id);
    const epochs = A.getChangesMetaSince(doc, known).flatMap(({ actor }) => {
      const parts = parseActorId(actor);
      return parts?.replica === this.#identity.id && parts.document === document ? [parts.epoch] : [];
    });
    const last = Math.max(-1, ...epochs);
    if (last < this.#identity.epoch) return;
    this.#identity.abandonEpoch(last, "The relay holds changes of this replica that are not here");
  }
}
