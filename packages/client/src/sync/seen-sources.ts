/**
 * What is here, for comparing it with what others have seen: looked up where it is kept already, since it is asked of
 * few changes.
 *
 * @module
 */
import { type BranchId, type DocumentId, documentIdToHex } from "@cambium/core";
import type { SeenSources } from "./seen-by-others.js";
import { actorPattern, placeOfActor, type SeenPlace } from "./seen-text.js";
import type { SpaceSyncOptions } from "./space-sync-options.js";

/** No document has this id. */
const PLACE = ["seen-by-others", "open"] as const;

export function seenSources(options: SpaceSyncOptions): SeenSources {
  const { catalog, documents, store, identity, platform } = options;
  return {
    now: platform.now,
    replica: () => identity.id,
    lastSeq: (place) =>
      documentIdToHex(catalog.document).startsWith(place.document)
        ? lastInCatalog(options, place)
        : lastOnBranch(options, place),
    has: async (document, hash) => {
      if (catalog.isRetired(document)) return true; // what was erased is not lacking
      await documents.open(document);
      return documents.depsOf(document, hash) !== undefined;
    },
    load: async () => (await store.load([...PLACE])) ?? undefined,
    save: (bytes) => void store.save([...PLACE], bytes),
  };
}

async function lastInCatalog({ catalog }: SpaceSyncOptions, asked: SeenPlace): Promise<number> {
  await catalog.load();
  return catalog.changes.reduce((last, { actor, seq }) => {
    const place = placeOfActor(actor);
    const isAsked =
      place?.document === asked.document && place.replica === asked.replica && place.epoch === asked.epoch;
    return isAsked ? Math.max(last, seq) : last;
  }, 0);
}

/** The index knows it of every branch that is in step. */
async function lastOnBranch(options: SpaceSyncOptions, asked: SeenPlace): Promise<number> {
  const branch = branchOf(options, asked.document);
  if (branch === undefined) return 0;
  try {
    await options.index.prepare(branch);
  } catch {
    return 0; // it has not come, or not whole
  }
  const row = options.index.tables.index
    .prepare("SELECT max(c.seq) FROM actors a CROSS JOIN changes c ON c.actor = a.id WHERE a.actor LIKE ?")
    .get(actorPattern(asked)) as unknown as [number | null] | undefined;
  return row?.[0] ?? 0;
}

function branchOf({ catalog, directory, views }: SpaceSyncOptions, document: string): BranchId | undefined {
  const ids = [directory.main, ...catalog.current.branches.keys()] as BranchId[];
  return ids.find((id) => hexOf(views.documentOf(id)).startsWith(document));
}

const hexOf = (document: DocumentId): string => documentIdToHex(document);
