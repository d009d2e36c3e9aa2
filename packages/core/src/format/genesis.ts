/**
 * How the documents of a space begin: each kind with one fixed genesis change (fixed actor, time 0), so
 * that replicas that never met agree on the ids of its maps.
 *
 * @module
 */
import * as A from "@automerge/automerge";
import { type Bucket, CATALOG_MAPS, type DocumentByKind, type DocumentKind } from "./documents.js";

/** 34 zero bytes: no replica's actor, as long as theirs. */
const GENESIS_ACTOR = "00".repeat(34);

const BUCKETS: readonly Bucket[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

const emptyMaps = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, {}]));

const GENESIS_CONTENT: { readonly [Kind in DocumentKind]: () => Record<string, unknown> } = {
  catalog: () => ({ kind: new A.ImmutableString("catalog"), ...emptyMaps(CATALOG_MAPS) }),
  branch: () => ({ kind: new A.ImmutableString("branch"), memories: emptyMaps(BUCKETS) }),
  pack: () => ({ kind: new A.ImmutableString("pack"), headers: {}, parts: {} }),
  uses: () => ({ kind: new A.ImmutableString("uses"), counts: emptyMaps(BUCKETS) }),
};

const genesisByKind = new Map<DocumentKind, Uint8Array>();

/** The saved bytes every document of this kind begins with. */
export function genesis(kind: DocumentKind): Uint8Array {
  const known = genesisByKind.get(kind);
  if (known !== undefined) return known;
  const empty = A.init<Record<string, unknown>>({ actor: GENESIS_ACTOR });
  const made = A.change(empty, { time: 0 }, (draft) => {
    Object.assign(draft, { schema: 1, ...GENESIS_CONTENT[kind]() });
  });
  const bytes = A.save(made);
  A.free(made);
  genesisByKind.set(kind, bytes);
  return bytes;
}

/** A new, empty document of this kind that writes as `actor`. */
export function newDocument<Kind extends DocumentKind>(
  kind: Kind,
  actor: string,
): A.Doc<DocumentByKind[Kind]> {
  return A.load<DocumentByKind[Kind]>(genesis(kind), { actor });
}

const pathsByKind = new Map<DocumentKind, ReadonlyMap<string, string>>();

/**
 * Path of each map by its Automerge object id. The ids are constants of the genesis change, so an
 * operation tells where it writes without the document at hand.
 */
export function mapPaths(kind: DocumentKind): ReadonlyMap<string, string> {
  const known = pathsByKind.get(kind);
  if (known !== undefined) return known;
  const made = A.load<unknown>(genesis(kind));
  const paths = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null || value instanceof A.ImmutableString) return;
    const id = A.getObjectId(value);
    if (id !== null) paths.set(id, path);
    for (const [key, child] of Object.entries(value)) visit(child, path === "" ? key : `${path}/${key}`);
  };
  visit(made, "");
  A.free(made);
  pathsByKind.set(kind, paths);
  return paths;
}

const idsByKind = new Map<DocumentKind, ReadonlyMap<string, string>>();

/** Automerge object id of each map by its path: to read and write there without walking down to it. */
export function mapIds(kind: DocumentKind): ReadonlyMap<string, string> {
  const known = idsByKind.get(kind);
  if (known !== undefined) return known;
  const ids = new Map([...mapPaths(kind)].map(([id, path]) => [path, id]));
  idsByKind.set(kind, ids);
  return ids;
}
