/**
 * Keeps what pruned texts differ by from those that stay, just before they are destroyed, and lets go of it where the
 * rules want that, or something of the memory is erased.
 *
 * @module
 */
import {
  isCambiumError,
  type MemoryId,
  type PartHash,
  type RetentionRule,
  readSettings,
  retentionRule,
  type Sealed,
  type SetSetting,
  textsByAge,
} from "@cambium/core";
import type { HeldHeader } from "../documents/pack-erasure.js";
import { ShortTurns } from "../platform/short-turns.js";
import type { KeptDifferences } from "../versions/kept-differences.js";
import { type KnownCoverage, touchedBy } from "./coverage-here.js";
import { differencesOf } from "./memory-differences.js";
import { retentionNow, retentionRecord } from "./pruning-plan.js";
import type { ErasureServices } from "./services.js";

/** What stays of pruned texts, so that they can be put together again. */
export interface KeptOfPruned {
  /** So many of those that go can be. */
  readonly texts: number;
  /** That this takes more than before. */
  readonly bytes: number;
}

export const KEPT_NOTHING: KeptOfPruned = { texts: 0, bytes: 0 };

type ByMemory = ReadonlyMap<MemoryId, readonly HeldHeader[]>;
type Settings = ReadonlyMap<string, SetSetting>;
type Rows = Map<MemoryId, Sealed | undefined>;

interface Row extends KeptOfPruned {
  readonly sealed: Sealed | undefined;
}

/** Memories that are looked at before others get on. */
const MEMORIES_AT_ONCE = 16;
/** Sealed texts that are held in memory at once. */
const BATCH_BYTES = 64 * 1_048_576;
/** A row in the file, beside its bytes. */
const ROW_BYTES = 24;
/** All that is kept of a memory's texts takes at most this part of the room that they took, or it is not worth it. */
const MAX_SHARE = 2 / 3;

export class DifferenceKeeper {
  readonly #services: ErasureServices;

  constructor(services: ErasureServices) {
    this.#services = services;
  }

  /**
   * To be called before what is covered is destroyed. Nothing is kept of a memory of which anything is erased. Durable
   * when it resolves.
   */
  async keep(known: KnownCoverage): Promise<KeptOfPruned> {
    const { differences, catalog } = this.#services;
    const touched = touchedBy(known);
    differences.forget(touched);
    const { coverage, headers } = known;
    const pruned = headers.filter(
      ({ hash, memory }) => coverage.records.get(hash) === "pruned" && !touched.has(memory),
    );
    if (pruned.length === 0) return KEPT_NOTHING;
    const going = new Set(pruned.map(({ content }) => content.hash));
    const byMemory = Map.groupBy(headers, ({ memory }) => memory);
    const settings = readSettings(catalog.current.settings);
    try {
      return await this.#plan(going, byMemory, settings, (rows) => differences.put(rows));
    } catch (error) {
      // What goes has to go, whether or not something can be kept of it.
      if (!isCambiumError(error)) throw error;
      return KEPT_NOTHING;
    }
  }

  /** What would be kept if these texts went. */
  preview(going: ReadonlySet<PartHash>, byMemory: ByMemory, settings: Settings): Promise<KeptOfPruned> {
    return this.#plan(going, byMemory, settings, () => {});
  }

  /** Lets go of what the rules do not keep any more. Durable when it resolves. */
  async tend(byMemory: ByMemory, settings: Settings): Promise<void> {
    const { differences } = this.#services;
    const memories = differences.memories();
    if (memories.length === 0) return;
    const rows: Rows = new Map();
    const rowOf = await this.#planning(settings);
    for (const memory of memories) {
      const row = await rowOf(memory, byMemory.get(memory) ?? [], new Map());
      if (row !== undefined) rows.set(memory, row.sealed);
    }
    differences.put(rows);
  }

  async #plan(
    going: ReadonlySet<PartHash>,
    byMemory: ByMemory,
    settings: Settings,
    put: (rows: Rows) => void,
  ): Promise<KeptOfPruned> {
    const { packErasure } = this.#services;
    const sizes = await packErasure.sizesOf(going);
    if (sizes.size === 0) return KEPT_NOTHING;
    const rowOf = await this.#planning(settings);
    let [texts, bytes] = [0, 0];
    for (const batch of batchesOf(byMemory, sizes)) {
      const parts = await packErasure.sealedParts(new Set([...batch.values()].flat()));
      const rows: Rows = new Map();
      for (const [memory, own] of batch) {
        const sealed = new Map(own.flatMap((part) => entryOf(parts, part)));
        const row = await rowOf(memory, byMemory.get(memory) ?? [], sealed);
        if (row === undefined) continue;
        rows.set(memory, row.sealed);
        texts += row.texts;
        bytes += row.bytes;
      }
      put(rows);
    }
    return { texts, bytes };
  }

  /** Returns what says what is to lie in the row of a memory; undefined where that stays as it is. */
  async #planning(settings: Settings) {
    const { codec, packs, differences } = this.#services;
    const [rulesOf, now] = [await this.#rules(settings), retentionNow(this.#services, settings)];
    const turns = new ShortTurns({ pieces: MEMORIES_AT_ONCE });
    return async (
      memory: MemoryId,
      headers: readonly HeldHeader[],
      going: ReadonlyMap<PartHash, Sealed>,
    ): Promise<Row | undefined> => {
      await turns.piece();
      const before = await differences.of(memory);
      const records = headers.map(retentionRecord);
      const texts = textsByAge({ records, rules: rulesOf(memory) }, now);
      if (texts === undefined) return undefined;
      const about = { memory, codec, packs, headers, texts, before, going };
      const rowOf = async (kept: KeptDifferences): Promise<Row> => {
        const sealed = await differences.sealed(memory, kept);
        const size = (bytes: number): number => (bytes === 0 ? 0 : bytes + ROW_BYTES);
        const added = [...kept.entries.keys()].filter((key) => !before.entries.has(key));
        const bytes = size(sealed?.length ?? 0) - size(differences.sizeOf(memory));
        return { sealed, texts: added.length, bytes };
      };
      const kept = await differencesOf({ ...about, addsMore: true });
      const room = [...going.values()].reduce((sum, { length }) => sum + length, 0);
      if (isSame(before, kept)) return undefined;
      const row = await rowOf(kept);
      if (row.texts === 0 || row.bytes <= room * MAX_SHARE) return row;
      const less = await differencesOf({ ...about, addsMore: false });
      return isSame(before, less) ? undefined : rowOf(less);
    };
  }

  /** Of each branch that shows a memory, the rule for it there; of one that none shows, that of the space. */
  async #rules(settings: Settings): Promise<(memory: MemoryId) => readonly RetentionRule[]> {
    const { directory, views, index } = this.#services;
    const rules = new Map<MemoryId, RetentionRule[]>();
    for (const { id, status } of await directory.all()) {
      if (status === "deleted") continue;
      const view = await views.look(id);
      if (view.absence !== undefined) continue;
      const state = index.states.stateAt(view.row, undefined);
      for (const { id: memory, category, area } of index.states.metadata(state, "with"))
        rules.set(memory, [...(rules.get(memory) ?? []), retentionRule(settings, { category, area })]);
    }
    const ofSpace = [retentionRule(settings, {})];
    return (memory) => rules.get(memory) ?? ofSpace;
  }
}

const entryOf = (parts: ReadonlyMap<PartHash, Sealed>, part: PartHash): readonly [PartHash, Sealed][] => {
  const sealed = parts.get(part);
  return sealed === undefined ? [] : [[part, sealed]];
};

const isSame = (before: KeptDifferences, after: KeptDifferences): boolean =>
  before.entries.size === after.entries.size &&
  [...after.entries].every(([key, entry]) => before.entries.get(key) === entry);

/** Memories with the texts of theirs that go, as many at once as fit into memory. */
function* batchesOf(
  byMemory: ByMemory,
  sizes: ReadonlyMap<PartHash, number>,
): Generator<ReadonlyMap<MemoryId, readonly PartHash[]>, undefined> {
  let [batch, bytes] = [new Map<MemoryId, readonly PartHash[]>(), 0];
  for (const [memory, headers] of byMemory) {
    const parts = [...new Set(headers.map(({ content }) => content.hash))].filter((part) => sizes.has(part));
    if (parts.length === 0) continue;
    batch.set(memory, parts);
    bytes += parts.reduce((sum, part) => sum + (sizes.get(part) ?? 0), 0);
    if (bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [new Map(), 0];
  }
  if (batch.size > 0) yield batch;
  return undefined;
}
