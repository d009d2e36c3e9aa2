/**
 * The past of single memories: their versions, compared, blamed, and as a story. Answered from the index.
 *
 * @module
 */
import {
  type Blame,
  blameOf,
  byRules,
  CambiumError,
  type ChangeNote,
  correctionsIn,
  differingFields,
  findVersion,
  type MemoryId,
  type MemoryReading,
  patchBetween,
  previousOf,
  type Version,
  versionsOf,
  wordChanges,
} from "@cambium/core";
import type {
  AtRef,
  CompareOptions,
  Correction,
  Evolution,
  EvolutionOptions,
  EvolutionTopic,
  HistoryVersion,
  SupersededBy,
  VersionComparison,
  VersionReading,
} from "../api.js";
import type { FoundState } from "../space/state-finder.js";
import { EvolutionReader } from "./evolution-reader.js";
import type { ReadingServices } from "./reading-services.js";
import type { SummaryMaker } from "./summary-maker.js";

export interface VersionReaderOptions extends ReadingServices {
  /** Without one, the rules write every sentence. */
  readonly summaries: SummaryMaker | undefined;
}

export class VersionReader implements VersionReading {
  readonly #options: VersionReaderOptions;
  readonly #evolution: EvolutionReader;
  readonly #noteFor: (version: Version, previous: Version | undefined) => ChangeNote;

  constructor(options: VersionReaderOptions) {
    this.#options = options;
    this.#noteFor = options.summaries?.noteFor ?? byRules;
    this.#evolution = new EvolutionReader({ ...options, noteFor: this.#noteFor });
  }

  async history(id: string, options?: AtRef): Promise<readonly HistoryVersion[]> {
    const { versions } = await this.#versionsOf(id, options);
    return versions.map((version) => this.#describe(version, versions));
  }

  async version(id: string, version: number | string, options?: AtRef): Promise<HistoryVersion> {
    const read = await this.#versionsOf(id, options);
    return this.#describe(findVersion(read.id, read.versions, version), read.versions);
  }

  async compare(id: string, { from, to, ...options }: CompareOptions = {}): Promise<VersionComparison> {
    const { id: full, versions, reading } = await this.#versionsOf(id, options);
    const later = findVersion(full, versions, to ?? reading.resolved.shown);
    const earlier = from === undefined ? previousOf(later, versions) : findVersion(full, versions, from);
    if (earlier === undefined) {
      throw new CambiumError("BAD_INPUT", `Version ${later.version} of the memory ${full} is its first.`, {
        hint: "Say what to compare it with.",
      });
    }
    return {
      ...{ id: full, from: earlier, to: later, fields: differingFields(earlier, later) },
      patch: await patchBetween(earlier, later),
      words: wordChanges(earlier.content, later.content),
      ...this.#noteBetween(earlier, later, versions),
    };
  }

  async blame(id: string, options?: AtRef): Promise<Blame> {
    return blameOf((await this.#versionsOf(id, options)).reading);
  }

  async beforeCorrection(id: string, options?: AtRef): Promise<Correction | undefined> {
    const { id: full, versions } = await this.#versionsOf(id, options);
    const found = correctionsIn(versions).at(-1);
    if (found === undefined) return undefined;
    const { before, correction } = found;
    return {
      ...{ id: full, before, correction, words: wordChanges(before.content, correction.content) },
      ...this.#noteFor(correction, before),
      ...(correction.reason === undefined ? {} : { reason: correction.reason }),
    };
  }

  async supersededBy(id: string, options?: AtRef): Promise<readonly SupersededBy[]> {
    const { id: full, found } = await this.#versionsOf(id, options);
    return this.#evolution.supersededBy(found, full);
  }

  evolution(topic: EvolutionTopic, options?: EvolutionOptions): Promise<Evolution> {
    return this.#evolution.tell(topic, options);
  }

  async #versionsOf(
    id: string,
    options: AtRef | undefined,
  ): Promise<{
    readonly id: MemoryId;
    readonly found: FoundState;
    readonly reading: MemoryReading;
    readonly versions: readonly Version[];
  }> {
    const found = await this.#options.finder.find(options);
    const reading = await this.#options.reader.reading(found, id);
    return { id: reading.id, found, reading, versions: versionsOf(reading) };
  }

  #describe(version: Version, versions: readonly Version[]): HistoryVersion {
    return { ...version, change: this.#noteFor(version, previousOf(version, versions)) };
  }

  /** Of a version and the one before it, what `history` says; of two others, what lies between. */
  #noteBetween(from: Version, to: Version, versions: readonly Version[]): ChangeNote {
    const isStep = previousOf(to, versions)?.record === from.record;
    return this.#noteFor(isStep ? to : { ...to, parents: [from.record] }, from);
  }
}
