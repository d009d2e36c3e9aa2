/**
 * A document of changes, written again for another space: each change with its time and its place, naming what things
 * are called there, and with a code under the key of that space. One that no member of the other space had made gets
 * none.
 *
 * @module
 */
import {
  addToDigest,
  CambiumError,
  type Change,
  type ChangeHash,
  type ChangeKeys,
  emptyDigest,
  History,
  type MemoryId,
  memoryDigest,
  type StateDigest,
  sameHeads,
  signMessage,
} from "@cambium/core";
import { type CopiedChange, copyChange } from "@cambium/core/changes";
import { omitUndefined } from "@cambium/core/text";
import * as A from "../documents/automerge.js";
import { applyInPieces, loadInPieces } from "../documents/in-pieces.js";
import { withoutMirror } from "../documents/without-mirror.js";
import { chunkTools } from "../platform/node-platform.js";
import { ShortTurns } from "../platform/short-turns.js";
import type { CopiedNames } from "./copied-names.js";

export interface CopiedDocument {
  readonly bytes: Uint8Array;
  /** Sorted. */
  readonly heads: readonly string[];
}

export interface CopyingChanges {
  readonly names: CopiedNames;
  /** The keys for the codes of changes, of the other space and of the new one. */
  readonly from: ChangeKeys;
  readonly to: ChangeKeys;
}

/** Changes copied before others get on. */
const PIECES = 64;

/** @param doc - of the other space */
export async function copyChanges(
  kind: "branch" | "uses",
  doc: A.Doc<unknown>,
  services: CopyingChanges,
): Promise<CopiedDocument> {
  const turns = new ShortTurns({ pieces: PIECES });
  const made: Uint8Array[] = [];
  for (const bytes of A.getAllChanges(doc)) {
    await turns.piece();
    const change = A.readChange(kind, services.from, bytes, chunkTools.sha256);
    const copied =
      change.deps.length === 0 ? { hash: change.hash, bytes } : copiedChange(bytes, change, services);
    services.names.note(change.hash, copied.hash);
    made.push(copied.bytes);
  }
  const heads = A.getHeads(doc)
    .map((head) => services.names.text(head))
    .toSorted();
  return { bytes: savedAs(made, heads), heads };
}

/** Its code binds all that it says, so one without a valid code must not get one. */
function copiedChange(bytes: Uint8Array, change: Change, { names, to }: CopyingChanges): CopiedChange {
  const { statement, seq, time, writes } = change;
  const actorOf = (actor: string) => names.actor(actor);
  const deps = change.deps.map((dep) => names.text(dep));
  if (statement === undefined) return copyChange(bytes, chunkTools, { deps, actorOf });
  const written = writes.map(({ key, value }) => ({
    key,
    value: value instanceof Uint8Array ? names.references(value) : value,
  }));
  const frame = { actor: names.actor(change.actor), seq, deps, time, writes: written };
  const values = written.flatMap(({ value }) => (value instanceof Uint8Array ? [value] : []));
  return copyChange(bytes, chunkTools, {
    ...{ deps, actorOf, message: signMessage(to, names.statement(statement), frame) },
    ...omitUndefined({ values: values.length === writes.length ? values : undefined }),
  });
}

/** Read again before it counts: what Automerge cannot load is lost. */
function savedAs(changes: readonly Uint8Array[], heads: readonly string[]): Uint8Array {
  const doc = withoutMirror(A.init<unknown>());
  try {
    applyInPieces(doc, changes);
    const bytes = A.save(doc);
    const read = loadInPieces([bytes]);
    const isWhole = sameHeads(A.getHeads(read), heads);
    A.free(read);
    if (isWhole) return bytes;
  } finally {
    A.free(doc);
  }
  throw new CambiumError("ARCHIVE_DAMAGED", "A history of the archive cannot be written again.", {
    hint: "Take it back as it is, without --as-space: cambium import <file>",
  });
}

/** The digest of a state, as the other space has it and as the new one does. */
export interface CopiedDigest {
  readonly from: StateDigest;
  readonly to: StateDigest;
}

/** The digests of states of a branch. What a memory adds is computed once for all states that show it alike. */
export class CopiedDigests {
  readonly #names: CopiedNames;
  readonly #history = new History();
  readonly #terms = new Map<string, { readonly of: string; readonly terms: readonly StateDigest[] }>();

  constructor(doc: A.Doc<unknown>, { names, from }: CopyingChanges) {
    this.#names = names;
    this.#history.add(
      A.getAllChanges(doc).map((bytes) => A.readChange("branch", from, bytes, chunkTools.sha256)),
    );
  }

  /** @returns undefined where not all of these changes are here */
  at(heads: readonly ChangeHash[]): CopiedDigest | undefined {
    const history = this.#history;
    if (!heads.every((head) => history.has(head))) return undefined;
    const set = history.ancestors(heads);
    const [from, to] = [emptyDigest(), emptyDigest()];
    for (const key of history.keys()) {
      const standing = history.valuesAt(key, set);
      const [was, is] = this.#termsOf(key, standing);
      if (was !== undefined) addToDigest(from, was);
      if (is !== undefined) addToDigest(to, is);
    }
    return { from, to };
  }

  #termsOf(key: string, standing: readonly { readonly id: string; readonly value: unknown }[]) {
    const of = standing.map(({ id }) => id).join();
    const known = this.#terms.get(key);
    if (known?.of === of) return known.terms;
    const memory = key.slice(key.lastIndexOf("/") + 1) as MemoryId;
    const values = standing.flatMap(({ value }) => (value instanceof Uint8Array ? [value] : []));
    const made = values.map((value) => this.#names.references(value));
    const terms = [memoryDigest(memory, values), memoryDigest(memory, made)].filter(
      (one) => one !== undefined,
    );
    this.#terms.set(key, { of, terms });
    return terms;
  }
}
