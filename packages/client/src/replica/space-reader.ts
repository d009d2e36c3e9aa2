/**
 * Reading a space, with all that stands on its states: versions and what differs between them, and the graph.
 *
 * @module
 */
import type { MemoryReading } from "@cambium/core";
import type {
  AtRef,
  Blame,
  CompareOptions,
  Correction,
  Evolution,
  EvolutionOptions,
  EvolutionTopic,
  GraphQuery,
  HistoryVersion,
  KnowledgeGraph,
  SpaceReader,
  SupersededBy,
  VersionComparison,
} from "../api.js";
import { readGraph } from "../graph/read-graph.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import type { FoundState, StateFinder } from "../space/state-finder.js";
import { StateReader, type StateReaderOptions } from "../space/state-reader.js";
import type { SummaryMaker } from "../versions/summary-maker.js";
import { VersionReader } from "../versions/version-reader.js";

export interface ReaderOptions extends StateReaderOptions {
  readonly summaries: SummaryMaker | undefined;
}

export class Reader extends StateReader implements SpaceReader {
  readonly #finder: StateFinder;
  readonly #index: SpaceIndex;
  readonly #versions: VersionReader;

  constructor({ summaries, ...options }: ReaderOptions) {
    super(options);
    this.#finder = options.finder;
    this.#index = options.index;
    const reading = (found: FoundState, id: string): Promise<MemoryReading> => this.reading(found, id);
    this.#versions = new VersionReader({ ...options, summaries, reading });
  }

  /** The same reader fixed at a ref. */
  at(ref: string): SpaceReader {
    const fixed = <Options extends AtRef>(options: Options | undefined): Options => ({
      ...(options as Options),
      at: ref,
    });
    return {
      get: (id, options) => this.get(id, fixed(options)),
      list: (options) => this.list(fixed(options)),
      recall: (query, options) => this.recall(query, fixed(options)),
      history: (id, options) => this.history(id, fixed(options)),
      log: (options) => this.log(fixed(options)),
      conflicts: (options) => this.conflicts(fixed(options)),
      version: (id, version, options) => this.version(id, version, fixed(options)),
      compare: (id, options) => this.compare(id, fixed(options)),
      blame: (id, options) => this.blame(id, fixed(options)),
      supersededBy: (id, options) => this.supersededBy(id, fixed(options)),
      beforeCorrection: (id, options) => this.beforeCorrection(id, fixed(options)),
    };
  }

  history(id: string, options?: AtRef): Promise<readonly HistoryVersion[]> {
    return this.#versions.history(id, options);
  }

  version(id: string, version: number | string, options?: AtRef): Promise<HistoryVersion> {
    return this.#versions.version(id, version, options);
  }

  compare(id: string, options?: CompareOptions): Promise<VersionComparison> {
    return this.#versions.compare(id, options);
  }

  blame(id: string, options?: AtRef): Promise<Blame> {
    return this.#versions.blame(id, options);
  }

  supersededBy(id: string, options?: AtRef): Promise<readonly SupersededBy[]> {
    return this.#versions.supersededBy(id, options);
  }

  beforeCorrection(id: string, options?: AtRef): Promise<Correction | undefined> {
    return this.#versions.beforeCorrection(id, options);
  }

  evolution(topic: EvolutionTopic, options?: EvolutionOptions): Promise<Evolution> {
    return this.#versions.evolution(topic, options);
  }

  async graph({ branch, at, ...query }: GraphQuery = {}): Promise<KnowledgeGraph> {
    const { state } = await this.#finder.find({ branch, at });
    return readGraph(this.#index.graph, state, query);
  }
}
