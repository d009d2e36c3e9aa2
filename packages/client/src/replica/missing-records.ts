/**
 * Records that memories of a branch refer to and that are not here, with who wrote them.
 *
 * @module
 */
import { type PackId, readMemory } from "@cambium/core";
import type { SpaceStatus } from "../api.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { CatalogKeeper } from "./catalog-keeper.js";
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
    const absent = reading?.absent.map(({ reference }) => reference) ?? view.referencesOf(id);
    for (const { record, pack } of absent) {
      const writer = writerOf(catalog, pack);
      missing.push({ record, memory: id, ...(writer === undefined ? {} : { writer }) });
    }
  }
  return missing;
}

/** The name of the replica that writes a pack. */
function writerOf({ current }: CatalogKeeper, pack: PackId): string | undefined {
  const writer = current.packs.get(pack)?.value.writer;
  return writer === undefined ? undefined : (current.replicas.get(writer)?.value.name ?? writer);
}
