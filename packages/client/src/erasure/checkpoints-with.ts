/**
 * Which checkpoints hold some of what is to be erased: there, a gap will be seen.
 *
 * @module
 */
import { checkpointTextId, isCambiumError, type MemoryId, type RecordHash } from "@cambium/core";
import type { HeldHeader } from "../documents/pack-erasure.js";
import type { KnownCheckpoint } from "../space/checkpoint-directory.js";
import type { ErasureServices } from "./services.js";

type Services = Pick<ErasureServices, "checkpoints" | "finder" | "index" | "packs">;

/**
 * Names of those that are kept and show a version that goes.
 *
 * @param whole - memories that go as a whole
 */
export async function checkpointsWith(
  services: Services,
  covered: readonly HeldHeader[],
  whole: ReadonlySet<MemoryId>,
): Promise<readonly string[]> {
  const { checkpoints, packs } = services;
  const going = new Map<MemoryId, Set<RecordHash>>();
  for (const { memory, hash } of covered) {
    const records = going.get(memory);
    if (records === undefined) going.set(memory, new Set([hash]));
    else records.add(hash);
  }
  const names: string[] = [];
  for (const checkpoint of await checkpoints.all()) {
    if (checkpoint.state !== "kept" || packs.erasures.coversMemory(checkpointTextId(checkpoint.id))) continue;
    if (await isShownAt(services, checkpoint, { going, whole })) names.push(checkpoint.name);
  }
  return names;
}

interface Going {
  readonly going: ReadonlyMap<MemoryId, ReadonlySet<RecordHash>>;
  readonly whole: ReadonlySet<MemoryId>;
}

async function isShownAt(
  { finder, index }: Services,
  { id }: KnownCheckpoint,
  { going, whole }: Going,
): Promise<boolean> {
  const { states, tables } = index;
  try {
    const { state } = await finder.find({ at: `checkpoint:${id}` });
    for (const [memory, records] of going) {
      const number = tables.memories.find(memory);
      const shown = number === undefined ? undefined : states.memory(state, number);
      if (shown === undefined) continue;
      if (whole.has(memory) || shown.conflicts.length > 0 || records.has(shown.record)) return true;
    }
    return false;
  } catch (error) {
    if (!isCambiumError(error)) throw error;
    return true; // what it holds is not here, and may be what goes
  }
}
