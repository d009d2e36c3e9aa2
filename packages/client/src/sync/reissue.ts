/**
 * Two changes of one actor under one number: a home that went back in time, together with what tells it
 * so, wrote under numbers that its lost changes bear on the relay. Automerge refuses either side the
 * other's changes for ever. So what only this side has is made again, at the same place in the history,
 * by an actor that nobody has used:
 *
 * 1. begin with the document as the relay has it;
 * 2. take over each change that it lacks, in order, as it is where its number is free and what it builds on stays;
 * 3. make every other one again: same writes, time and statement, built on what its dependencies became.
 *
 * @module
 */
import {
  type ActorId,
  actorId,
  type Change,
  type ChangeHash,
  type ChangeKey,
  type ChangeStatement,
  type DocumentKind,
  parseActorId,
  type ReplicaId,
  sameHeads,
} from "@cambium/core";
import * as A from "../documents/automerge.js";
import { lastOwnOf, makeSignedChange } from "../documents/signed-change.js";

export interface ReissueRequest {
  readonly kind: DocumentKind;
  readonly local: A.Doc<unknown>;
  /** What stands: the document as the relay has it, or its genesis. */
  readonly remote: A.Doc<unknown>;
  /** Changes that were made again in another document, by their old hashes: a fork has them too. */
  readonly madeAgain?: ReadonlyMap<ChangeHash, Uint8Array> | undefined;
  /** Who makes changes again. */
  readonly replica: ReplicaId;
  /**
   * The epoch to make the changes of a writer again under: one for each, in which this replica has made
   * none. Changes of two writers need not know each other, and under one actor they would share a number.
   */
  readonly epochFor: (writer: string) => number;
  /** The space's key for changes. */
  readonly changeKey: ChangeKey;
  /** What the relay has and nobody is to have, which takes numbers all the same. */
  readonly barred?: readonly Numbered[] | undefined;
}

/** A change by its number. */
export interface Numbered {
  readonly actor: string;
  readonly seq: number;
}

export interface Reissued {
  readonly doc: A.Doc<unknown>;
  /** Changes that were made again, by their old hashes. */
  readonly madeAgain: ReadonlyMap<ChangeHash, Uint8Array>;
  /** Whether some were made on other branches, and came in with a merge. */
  readonly touchesOtherBranches: boolean;
  /** Changes that no member vouches for cannot be made again by one. */
  readonly dropped: number;
}

/** Returns a document with everything that either side has. */
export function reissueChanges(request: ReissueRequest): Reissued {
  const known = A.getChangesMetaSince(request.remote, []);
  const knownHashes = new Set(known.map(({ hash }) => hash));
  const takenNumbers = new Set([...known, ...(request.barred ?? [])].map(numberOf));
  const rebuilding = new Rebuilding(request);
  for (const bytes of A.getAllChanges(request.local)) {
    const change = A.readChange(request.kind, request.changeKey, bytes);
    if (knownHashes.has(change.hash)) continue;
    const again = request.madeAgain?.get(change.hash);
    if (again !== undefined) rebuilding.take(change.hash, again);
    else if (takenNumbers.has(numberOf(change)) || rebuilding.hasMoved(change)) rebuilding.makeAgain(change);
    else rebuilding.keep(bytes);
  }
  return rebuilding.finish();
}

/** An actor id begins with the document it writes; the rest is who writes it. */
const BRANCH_DIGITS = 32;

/** An actor never uses one twice. */
export const numberOf = ({ actor, seq }: Numbered): string => `${actor} ${seq}`;

class Rebuilding {
  readonly #request: ReissueRequest;
  readonly #newHashes = new Map<ChangeHash, ChangeHash>();
  readonly #madeAgain = new Map<ChangeHash, Uint8Array>();
  readonly #branches = new Set<string>();
  readonly #dropped = new Map<ChangeHash, readonly ChangeHash[]>();
  #doc: A.Doc<unknown>;
  /** Where the last change was made: the next one mostly builds on it. */
  #place: A.Doc<unknown> | undefined;

  constructor(request: ReissueRequest) {
    this.#request = request;
    this.#doc = A.clone(request.remote);
  }

  hasMoved({ deps }: Change): boolean {
    return deps.some((dep) => this.#newHashes.has(dep) || this.#dropped.has(dep));
  }

  keep(bytes: Uint8Array): void {
    [this.#doc] = A.applyChanges(this.#doc, [bytes]);
  }

  makeAgain({ hash, actor, deps, statement, writes, time }: Change): void {
    const movedDeps = this.#movedDeps(deps);
    if (statement === undefined) {
      this.#dropped.set(hash, movedDeps);
      return;
    }
    const newActor = this.#actorFor(actor);
    const place = this.#placeAt(movedDeps, newActor);
    const changed = makeSignedChange(place, this.#request.changeKey, {
      actor: newActor,
      last: lastOwnOf(place, newActor),
      statement: this.#movedStatement(statement),
      writes,
      time,
    });
    this.#place = changed;
    this.#branches.add(newActor.slice(0, BRANCH_DIGITS));
    this.take(hash, A.getLastLocalChange(changed) as Uint8Array);
  }

  /** Takes over a change in the place of another. */
  take(hash: ChangeHash, again: Uint8Array): void {
    this.keep(again);
    this.#madeAgain.set(hash, again);
    this.#newHashes.set(hash, A.decodeChange(again).hash as ChangeHash);
  }

  finish(): Reissued {
    const touchesOtherBranches = this.#branches.size > 1;
    return { doc: this.#doc, madeAgain: this.#madeAgain, touchesOtherBranches, dropped: this.#dropped.size };
  }

  #movedDeps(deps: readonly ChangeHash[]): readonly ChangeHash[] {
    return [...new Set(deps.flatMap((dep) => this.#dropped.get(dep) ?? [this.#newHashes.get(dep) ?? dep]))];
  }

  /** On the branch where the change was made, since effective times ask for it. */
  #actorFor(actor: ActorId): ActorId {
    const { replica, epochFor } = this.#request;
    const document = parseActorId(actor)?.document;
    if (document === undefined) throw new Error(`The change of ${actor} is made by no replica.`);
    return actorId({ document, replica, epoch: epochFor(actor.slice(BRANCH_DIGITS)) });
  }

  #placeAt(heads: readonly ChangeHash[], actor: ActorId): A.Doc<unknown> {
    const place = this.#place;
    if (place !== undefined && A.getActorId(place) === actor && sameHeads(A.getHeads(place), heads))
      return place;
    return A.clone(A.clone(A.view(this.#doc, [...heads])), { actor });
  }

  #movedStatement(statement: ChangeStatement): ChangeStatement {
    const moved = (hash: ChangeHash): ChangeHash => this.#newHashes.get(hash) ?? hash;
    return {
      ...statement,
      ...(statement.heads === undefined ? {} : { heads: statement.heads.map(moved) }),
      ...(statement.of === undefined ? {} : { of: statement.of.map(moved) }),
    };
  }
}
