/**
 * What a space answers from its index: every question goes to a part of it as it is.
 *
 * @module
 */
import type { ConsolidationProposal, DecayProposal } from "@cambium/core";
import { SIGNATURES } from "../api/signatures.js";
import type {
  AtRef,
  CompareOptions,
  DecayOptions,
  DiffResult,
  DuplicateOptions,
  Evolution,
  EvolutionOptions,
  EvolutionTopic,
  GraphQuery,
  KnowledgeGraph,
  ListOptions,
  MemoryStrength,
  SimilarMemory,
  SimilarOptions,
  SimilarTo,
  SpaceReader,
} from "../api.js";
import { checkCallsOf } from "../arguments/check-calls.js";
import type { SpaceParts } from "./space-parts.js";

type ReadingParts = Pick<SpaceParts, "reader" | "upkeep" | "duplicateFinder">;

export class ReadingSpace {
  readonly #parts: () => ReadingParts;

  /** @param parts - asked for at each question, since a space is put together after this */
  constructor(parts: () => ReadingParts) {
    this.#parts = parts;
  }

  get(id: string, options?: AtRef): ReturnType<SpaceReader["get"]> {
    return this.#parts().reader.get(id, options);
  }

  list(options?: ListOptions): ReturnType<SpaceReader["list"]> {
    return this.#parts().reader.list(options);
  }

  history(id: string, options?: AtRef): ReturnType<SpaceReader["history"]> {
    return this.#parts().reader.history(id, options);
  }

  version(id: string, version: number | string, options?: AtRef): ReturnType<SpaceReader["version"]> {
    return this.#parts().reader.version(id, version, options);
  }

  compare(id: string, options?: CompareOptions): ReturnType<SpaceReader["compare"]> {
    return this.#parts().reader.compare(id, options);
  }

  blame(id: string, options?: AtRef): ReturnType<SpaceReader["blame"]> {
    return this.#parts().reader.blame(id, options);
  }

  supersededBy(id: string, options?: AtRef): ReturnType<SpaceReader["supersededBy"]> {
    return this.#parts().reader.supersededBy(id, options);
  }

  beforeCorrection(id: string, options?: AtRef): ReturnType<SpaceReader["beforeCorrection"]> {
    return this.#parts().reader.beforeCorrection(id, options);
  }

  evolution(topic: EvolutionTopic, options?: EvolutionOptions): Promise<Evolution> {
    return this.#parts().reader.evolution(topic, options);
  }

  log(options?: Parameters<SpaceReader["log"]>[0]): ReturnType<SpaceReader["log"]> {
    return this.#parts().reader.log(options);
  }

  conflicts(options?: AtRef): ReturnType<SpaceReader["conflicts"]> {
    return this.#parts().reader.conflicts(options);
  }

  diff(from: string, to?: string): Promise<DiffResult> {
    return this.#parts().reader.diff(from, to);
  }

  graph(query?: GraphQuery): Promise<KnowledgeGraph> {
    return this.#parts().reader.graph(query);
  }

  alike(of: SimilarTo, options?: SimilarOptions): Promise<readonly SimilarMemory[]> {
    return this.#parts().duplicateFinder.find(of, options);
  }

  strength(id: string, options?: AtRef): Promise<MemoryStrength> {
    return this.#parts().upkeep.strength(id, options);
  }

  decay(options?: DecayOptions): Promise<readonly DecayProposal[]> {
    return this.#parts().upkeep.decay(options);
  }

  duplicates(options?: DuplicateOptions): Promise<readonly ConsolidationProposal[]> {
    return this.#parts().upkeep.duplicates(options);
  }
}

checkCallsOf(ReadingSpace, SIGNATURES.space);
