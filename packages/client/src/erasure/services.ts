/**
 * What erasing needs of a space.
 *
 * @module
 */
import type { Erasure, ProgressOptions } from "../api.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { ErasureNote } from "../documents/erasure-note.js";
import type { PackErasure } from "../documents/pack-erasure.js";
import type { CheckpointDirectory } from "../space/checkpoint-directory.js";
import type { DuplicateFinder } from "../space/duplicate-finder.js";
import type { SpaceServices } from "../space/space-services.js";
import type { SpaceVectors } from "../space/space-vectors.js";
import type { Differences } from "../versions/differences.js";
import type { SummaryMaker } from "../versions/summary-maker.js";
import type { VersionReader } from "../versions/version-reader.js";

export interface ErasureServices
  extends Pick<
    SpaceServices,
    | "codec"
    | "documents"
    | "packs"
    | "directory"
    | "views"
    | "finder"
    | "index"
    | "reader"
    | "now"
    | "replica"
  > {
  readonly catalog: CatalogKeeper;
  readonly packErasure: PackErasure;
  readonly checkpoints: CheckpointDirectory;
  readonly duplicateFinder: DuplicateFinder;
  readonly versions: VersionReader;
  readonly vectors: SpaceVectors | undefined;
  readonly summaries: SummaryMaker | undefined;
  readonly differences: Differences;
  readonly note: ErasureNote;
  /** Where the space keeps its files. */
  readonly dir: string;
  /** Whether this replica may write to the space. */
  readonly mayWrite: () => boolean;
  /** Whether the relay has destroyed what it was asked to. */
  readonly relay: () => Erasure["relay"];
  /** Makes the index again, from documents that hold nothing erased by then. */
  readonly rebuildIndex: (options: ProgressOptions) => Promise<void>;
  /** Keeps the catalog in the index as well: the rules are known then, also where the store is lost. */
  readonly keepCatalog: () => void;
}

/** With the id of a replica: the setting in which it lists what it has destroyed. */
export const ACKNOWLEDGED = "erased:";
/** Likewise, what it keeps although others have destroyed it. */
export const REFUSED = "erasures-refused:";
