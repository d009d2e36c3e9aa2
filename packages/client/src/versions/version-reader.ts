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
  type PartHash,
  patchBetween,
  previousOf,
  type Source,
  type Version,
  versionsOf,
  withoutLinksTo,
  wordChanges,
} from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import type {
  AtRef,
  CompareOptions,
  Correction,
  Evolution,
  EvolutionOptions,
  EvolutionTopic,
  HistoryVersion,
  SourceFetcher,
  SupersededBy,
  TextOptions,
  VersionComparison,
  VersionReading,
  VersionText,
} from "../api.js";
import type { FoundState } from "../space/state-finder.js";
import type { Differences } from "./differences.js";
import { EvolutionReader } from "./evolution-reader.js";
import type { ReadingServices } from "./reading-services.js";
import { piecesOf } from "./source-pieces.js";
import type { SummaryMaker } from "./summary-maker.js";

export interface VersionReaderOptions extends ReadingServices {
  /** Without one, the rules write every sentence. */
  readonly summaries: SummaryMaker | undefined;
  /** By the kinds of sources that they read. */
  readonly fetchers: Readonly<Record<string, SourceFetcher>>;
  /** Of pruned texts. */
  readonly differences: Pick<Differences, "rebuilt">;
  /** Returns a test of whether a text is the one that was pruned. */
  readonly prunedTextTest: (part: PartHash) => (text: string) => boolean;
}

/** What became of reading a text again. */
interface ReadAgain {
  readonly text?: string;
  readonly problem?: string;
}

const NOT_ASKED: ReadAgain = {};

export class VersionReader implements VersionReading {
  readonly #options: VersionReaderOptions;
  readonly #evolution: EvolutionReader;
  readonly #noteFor: (version: Version, previous: Version | undefined) => ChangeNote;

  constructor(options: VersionReaderOptions) {
    this.#options = options;
    const noteFor = options.summaries?.noteFor ?? byRules;
    this.#noteFor = (version, previous) => noteFor(this.#shown(version), previous && this.#shown(previous));
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

  async text(
    id: string,
    version: number | string,
    { sources = [], signal, ...options }: TextOptions = {},
  ): Promise<VersionText> {
    const read = await this.#versionsOf(id, options);
    const found = findVersion(read.id, read.versions, version);
    const { record, erased, content, summary, source } = found;
    if (erased === undefined) return { how: "whole", text: content, record };
    const part = read.reading.records.get(record)?.parts.content.hash;
    if (erased !== "pruned") return { how: "none", text: "", record, isErased: true };
    const isPruned = part !== undefined;
    const rebuilt = isPruned ? await this.#options.differences.rebuilt(read.id, part) : undefined;
    if (rebuilt !== undefined) return { how: "difference", text: rebuilt, record };
    const again = isPruned
      ? await this.#asked(source, [sources].flat(), { isIt: this.#options.prunedTextTest(part), signal })
      : NOT_ASKED;
    if (again.text !== undefined) return { how: "source", text: again.text, record };
    const left =
      summary === undefined ? { how: "none" as const, text: "" } : { how: "summary" as const, text: summary };
    return { ...left, record, ...again };
  }

  async #asked(
    source: Source | undefined,
    allowed: readonly string[],
    { isIt, signal }: { readonly isIt: (text: string) => boolean; readonly signal: AbortSignal | undefined },
  ): Promise<ReadAgain> {
    if (allowed.length === 0) return NOT_ASKED;
    if (source === undefined) return { problem: "Nothing says where it came from." };
    // What was imported are files, unless somebody brings a fetcher of their own.
    const kind = source.kind === "import" ? "file" : source.kind;
    if (allowed.includes(kind) || allowed.includes(source.kind))
      return await this.#readAgain(source, isIt, signal);
    return { problem: `It was not read again: its source is of the kind ${kind}, which was not asked.` };
  }

  async #readAgain(
    source: Source,
    isIt: (text: string) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<ReadAgain> {
    const fetcher = this.#options.fetchers[source.kind];
    if (fetcher === undefined) return { problem: `Nothing here reads sources of the kind ${source.kind}.` };
    try {
      const whole = await fetcher.fetch(source, { signal });
      if (whole === undefined) return { problem: "There is no text at its source." };
      const text = piecesOf(whole).find(isIt);
      return text === undefined ? { problem: "Its source says something else by now." } : { text };
    } catch (error) {
      return { problem: messageOf(error) };
    }
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
    const versions = versionsOf(reading).map((version) => this.#shown(version));
    return { id: reading.id, found, reading, versions };
  }

  /** Sentences and patches name what a memory links to. */
  #shown(version: Version): Version {
    const { concealed } = this.#options.index.tables;
    return concealed.isEmpty ? version : withoutLinksTo((id) => concealed.hasId(id), version);
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
