/**
 * Looking after what is remembered: how strong memories are, which have faded, which say the same. All of
 * it only proposes; what is done about it is an ordinary write.
 *
 * @module
 */
import {
  addUsage,
  type ConsolidationProposal,
  type DecayFacts,
  type DecayProposal,
  type Memory,
  type MemoryId,
  NO_USAGE,
  proposeConsolidation,
  proposeDecay,
  retentionStrength,
} from "@cambium/core";
import type { AtRef, DecayOptions, DuplicateOptions, MemoryStrength } from "../api.js";
import type { SpaceServices } from "../space/space-services.js";

export type UpkeepOptions = Pick<SpaceServices, "finder" | "reader" | "index" | "uses" | "now">;

export class Upkeep {
  readonly #options: UpkeepOptions;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  async strength(id: string, options?: AtRef): Promise<MemoryStrength> {
    const { reader, uses, now } = this.#options;
    const memory = await reader.get(id, options);
    const { count, lastUsedAt } = await uses.usageOf(memory.id);
    const facts = { importance: memory.importance, at: memory.at, uses: count };
    const isUsed = count > 0;
    const strength = retentionStrength({ ...facts, ...(isUsed ? { lastUsedAt } : {}) }, now());
    return { id: memory.id, strength, uses: count, ...(isUsed ? { lastUsedAt } : {}) };
  }

  async decay({ branch, ...thresholds }: DecayOptions = {}): Promise<readonly DecayProposal[]> {
    const memories = await this.#visible(branch);
    const uses = await this.#options.uses.all();
    const links = linksTo(memories);
    const facts = memories.map((memory): DecayFacts => {
      const { count, lastUsedAt } = addUsage(uses.get(memory.id), NO_USAGE);
      const { id, at, importance, pins, validUntil, deleted } = memory;
      return {
        ...{ id, at, importance, pins, validUntil, deleted, uses: count, linksTo: links.get(id) ?? 0 },
        ...(count > 0 ? { lastUsedAt } : {}),
      };
    });
    return proposeDecay(facts, { ...thresholds, now: this.#options.now() });
  }

  async duplicates({ branch, ...options }: DuplicateOptions = {}): Promise<readonly ConsolidationProposal[]> {
    return proposeConsolidation(await this.#visible(branch), options);
  }

  async #visible(branch: string | undefined): Promise<readonly Memory[]> {
    const { state } = await this.#options.finder.find({ branch });
    const filter = { forgotten: "without" as const, passes: () => true };
    return this.#options.index.states.list(state, filter, Number.MAX_SAFE_INTEGER, undefined);
  }
}

/** How many memories link to each. */
function linksTo(memories: readonly Memory[]): ReadonlyMap<MemoryId, number> {
  const counts = new Map<MemoryId, number>();
  for (const { links } of memories) {
    for (const { to } of links) counts.set(to as MemoryId, (counts.get(to as MemoryId) ?? 0) + 1);
  }
  return counts;
}
