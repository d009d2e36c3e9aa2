/**
 * Documents without their mirror. Beside each document Automerge keeps what it holds as JavaScript objects, and with
 * every change it makes new ones of those on the way to what changed, each a copy of all of its entries. Here nobody
 * looks at them: branches are read from the index, catalogs and counts of uses from their changes, and an entry of a
 * pack is asked of Automerge itself. So the objects stay away: a document is a handle, and an empty object that stands
 * for it.
 *
 * @module
 */
import type { DocumentKind } from "@cambium/core";
import * as A from "./automerge.js";

/** Keeps Automerge from making the mirror from now on. Costs nothing the second time. */
export function withoutMirror<Content>(doc: A.Doc<Content>): A.Doc<Content> {
  const backend = A.getBackend(doc);
  if (Object.hasOwn(backend, "diff")) return doc;
  backend.applyAndReturnPatches = (_mirror, state) => {
    backend.resetDiffCursor(); // it would gather patches from now on
    return { value: standIn(backend, state) as never, patches: [] };
  };
  backend.diff = () => []; // automerge-repo would tell listeners, of which there are none
  backend.resetDiffCursor();
  return doc;
}

type Backend = ReturnType<typeof A.getBackend>;

/** What Automerge hides in the object of an empty document; one of them is its state. */
let hidden: PropertyDescriptorMap | undefined;

/**
 * An empty object that stands for the document. Automerge makes one from the document's operations, which takes a
 * tenth of a millisecond at 30,000 changes; what it hides in it is the same each time, but for the state.
 */
function standIn(backend: Backend, state: unknown): object {
  if (hidden === undefined) {
    const made = backend.materialize("/", [], state as never) as object;
    hidden = Object.getOwnPropertyDescriptors(made);
    return made;
  }
  return Object.defineProperties({}, { ...hidden, [STATE]: { ...hidden[STATE], value: state } });
}

/** Under which Automerge finds its state of a document. */
const STATE = Symbol.for("_am_meta");

const kinds = new WeakMap<Backend, DocumentKind>();

/**
 * A document says of which kind it is where it begins, so it is asked once.
 *
 * @returns undefined of a document that has lost how it began
 */
export function kindOf(doc: A.Doc<unknown>): DocumentKind | undefined {
  const backend = A.getBackend(doc);
  const known = kinds.get(backend);
  if (known !== undefined) return known;
  const kind = backend.get("/", "kind") as DocumentKind | undefined;
  if (kind !== undefined) kinds.set(backend, kind);
  return kind;
}
