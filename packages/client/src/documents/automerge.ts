/**
 * Automerge, and what `core` builds on it, under the names they have there. Loaded with the first document
 * that is read or written: most processes only ask the index, and it takes them 50 ms that they need not spend.
 *
 * What is exported here changes when it has been loaded, as exports of modules may; until then every call fails.
 *
 * @module
 */
import type * as Automerge from "@automerge/automerge";
import type * as Formats from "@cambium/core/automerge";

export type { Doc, Heads } from "@automerge/automerge";

const notLoaded = (): never => {
  throw new Error("Automerge is used before it was loaded.");
};

export let applyChanges: typeof Automerge.applyChanges = notLoaded;
export let change: typeof Automerge.change = notLoaded;
export let clone: typeof Automerge.clone = notLoaded;
export let decodeChange: typeof Automerge.decodeChange = notLoaded;
export let emptyChange: typeof Automerge.emptyChange = notLoaded;
export let free: typeof Automerge.free = notLoaded;
export let getActorId: typeof Automerge.getActorId = notLoaded;
export let getAllChanges: typeof Automerge.getAllChanges = notLoaded;
export let getBackend: typeof Automerge.getBackend = notLoaded;
export let getChangesMetaSince: typeof Automerge.getChangesMetaSince = notLoaded;
export let getChangesSince: typeof Automerge.getChangesSince = notLoaded;
export let getHeads: typeof Automerge.getHeads = notLoaded;
export let getLastLocalChange: typeof Automerge.getLastLocalChange = notLoaded;
export let getMissingDeps: typeof Automerge.getMissingDeps = notLoaded;
export let init: typeof Automerge.init = notLoaded;
export let inspectChange: typeof Automerge.inspectChange = notLoaded;
export let loadIncremental: typeof Automerge.loadIncremental = notLoaded;
export let save: typeof Automerge.save = notLoaded;
export let saveSince: typeof Automerge.saveSince = notLoaded;
export let stats: typeof Automerge.stats = notLoaded;
export let view: typeof Automerge.view = notLoaded;

export let genesis: typeof Formats.genesis = notLoaded;
export let mapIds: typeof Formats.mapIds = notLoaded;
export let readChange: typeof Formats.readChange = notLoaded;

/** Automerge's own makes the bytes of each change again to say so. */
export const hasHeads = (doc: Automerge.Doc<unknown>, heads: readonly string[]): boolean =>
  heads.every((head) => getBackend(doc).getChangeMetaByHash(head) !== null);

let loading: Promise<void> | undefined;

/** Resolves when everything else here may be called. Costs nothing the second time. */
export function loadAutomerge(): Promise<void> {
  loading ??= loadOnce();
  return loading;
}

async function loadOnce(): Promise<void> {
  const [automerge, formats] = await Promise.all([
    import("@automerge/automerge"),
    import("@cambium/core/automerge"),
  ]);
  ({ applyChanges, change, clone, decodeChange, emptyChange, free, getActorId } = automerge);
  ({ getAllChanges, getBackend, getChangesMetaSince, getChangesSince, getHeads } = automerge);
  ({ getLastLocalChange } = automerge);
  ({ getMissingDeps, init, inspectChange, loadIncremental, save, saveSince, stats, view } = automerge);
  ({ genesis, mapIds, readChange } = formats);
}
