/**
 * Records that memories of a branch refer to and that are not here, with who wrote them.
 *
 * @module
 */
import {
  type MemoryId,
  type PackId,
  type RecordLoader,
  type RecordReading,
  type Reference,
  readMemory,
} from "@cambium/core";
import type { SpaceStatus } from "../api.js";
import type { CatalogKeeper } from "../documents/catalog-keeper.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { BranchDirectory } from "./branch-directory.js";
import type { BranchViews } from "./branch-views.js";
import type { FoundState } from "./state-finder.js";

export async function missingRecords(
  { state, view }: FoundState,
  index: SpaceIndex,
  catalog: CatalogKeeper,
): Promise<SpaceStatus["missing"]> {
  const incomplete = index.states.unsettled(state).filter((memory) => memory.incomplete !== undefined);
  const unreadable = index.states.unreadable(state).map((number) => index.tables.memories.idOf(number));
  const missing: SpaceStatus["missing"][number][] = [];
  for (const id of [...incomplete.map((memory) => memory.id), ...unreadable]) {
    const reading = await readMemory(view.stateOf(id), id, index.load);
    const absent = reading?.absent ?? (await unreadRecords(view.referencesOf(id), id, index.load));
    for (const one of absent) {
      const writer = writerOf(catalog, one.reference.pack);
      missing.push({
        ...{ record: one.reference.record, memory: id },
        ...(writer === undefined ? {} : { writer }),
        ...(one.status === "invalid" && one.code !== undefined ? { code: one.code } : {}),
      });
    }
  }
  return missing;
}

/** Branches of which nobody here can tell what they hold. Deleted ones nobody misses. */
export async function absentBranches({
  directory,
  views,
}: {
  readonly directory: BranchDirectory;
  readonly views: BranchViews;
}): Promise<SpaceStatus["branchesNotHere"]> {
  const absent: SpaceStatus["branchesNotHere"][number][] = [];
  for (const { id, name, status } of await directory.all()) {
    const absence = status === "deleted" ? undefined : await views.absenceOf(id);
    if (absence === undefined) continue;
    const { madeBy } = absence;
    absent.push({ id, name, ...(madeBy === undefined ? {} : { madeBy }) });
  }
  return absent;
}

/** Of a memory of which nothing can be read: what its records are, one by one. */
export async function unreadRecords(
  references: readonly Reference[],
  memory: MemoryId,
  load: RecordLoader,
): Promise<readonly Exclude<RecordReading, { readonly status: "here" }>[]> {
  const readings: Exclude<RecordReading, { readonly status: "here" }>[] = [];
  for (const reference of references) {
    const reading = await load(reference, memory);
    if (reading.status !== "here") readings.push(reading);
  }
  return readings;
}

/** The name of the replica that writes a pack. */
function writerOf({ current }: CatalogKeeper, pack: PackId): string | undefined {
  const writer = current.packs.get(pack)?.value.writer;
  return writer === undefined ? undefined : (current.replicas.get(writer)?.value.name ?? writer);
}
