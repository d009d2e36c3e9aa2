/**
 * How the understanding of something changed: finds the memories it is about, what they superseded, and tells.
 *
 * @module
 */
import {
  CambiumError,
  type ChangeNote,
  type EvolvingMemory,
  evolutionOf,
  isCambiumError,
  type MemoryId,
  type MemoryReading,
  type Superseding,
  supersedingsOf,
  type Version,
  versionsOf,
} from "@cambium/core";
import type { Evolution, EvolutionOptions, EvolutionTopic, EvolvedMemory, SupersededBy } from "../api.js";
import { endOf, startOf } from "../arguments/date-option.js";
import type { SnapshotId } from "../index-store/snapshot-columns.js";
import type { FoundState } from "../space/state-finder.js";
import type { ReadingServices } from "./reading-services.js";
import { readSupersedings, relatedTo } from "./superseding-index.js";

export interface EvolutionReaderOptions extends ReadingServices {
  readonly noteFor: (version: Version, previous: Version | undefined) => ChangeNote;
}

interface Read extends EvolvingMemory {
  readonly reading: MemoryReading;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;
/** Of what the asked memories superseded, and so on. */
const MAX_RELATED = 100;

export class EvolutionReader {
  readonly #options: EvolutionReaderOptions;

  constructor(options: EvolutionReaderOptions) {
    this.#options = options;
  }

  /** @throws {CambiumError} BAD_INPUT, MEMORY_NOT_FOUND, AMBIGUOUS_MEMORY, BRANCH_NOT_FOUND */
  async tell(
    topic: EvolutionTopic,
    { branch, from, to, limit = DEFAULT_LIMIT }: EvolutionOptions = {},
  ): Promise<Evolution> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
      throw new CambiumError("BAD_INPUT", `limit has to be a whole number from 1 to ${MAX_LIMIT}.`);
    const { finder, index, now, noteFor } = this.#options;
    const found = await finder.find({ branch });
    const period = {
      from: await startOf(from, now()),
      to: await endOf(to, now()),
    };
    const all = await this.#asked(topic, found);
    const asked = await this.#readAll(found, all.slice(0, limit));
    const supersedings = readSupersedings(index.tables);
    const ids = asked.map(({ id }) => id);
    const related = await this.#readAll(found, relatedTo(ids, supersedings, MAX_RELATED));
    const memories = [...asked, ...related];
    return {
      branch: found.branch.name,
      memories: memories.map((memory) => evolvedMemory(memory, memories, asked.includes(memory))),
      steps: evolutionOf(memories, { ...period, tell: noteFor }),
      ...(all.length > limit ? { more: all.length - limit } : {}),
    };
  }

  async supersededBy(found: FoundState, id: MemoryId): Promise<readonly SupersededBy[]> {
    const newer = readSupersedings(this.#options.index.tables)
      .filter(({ older }) => older === id)
      .map((one) => one.newer);
    const own = await this.#readAll(found, [id]);
    const others = await this.#readAll(found, [...new Set(newer)]);
    return others.flatMap((other) => standing(other, id, own[0])).sort((a, b) => a.at - b.at);
  }

  /** Best first. */
  async #asked(topic: EvolutionTopic, found: FoundState): Promise<readonly MemoryId[]> {
    if (typeof topic === "string") return this.#describedAs(topic, found);
    if ("id" in topic) return [(await this.#options.reader.reading(found, topic.id)).id];
    return this.#ofCategory(topic.category, found);
  }

  /** What says so now or ever did; where nothing does, what recall finds by other ways. */
  async #describedAs(query: string, found: FoundState): Promise<readonly MemoryId[]> {
    const { recaller } = this.#options;
    const ever = this.#inState(await recaller.everMatching(query, [found]), found);
    if (ever.length > 0) return ever;
    return (await recaller.recall(query, found, DEFAULT_LIMIT, { spelling: false })).map(({ id }) => id);
  }

  /** Those that are or ever were of it, the last written first. */
  #ofCategory(category: string, found: FoundState): readonly MemoryId[] {
    const { index, snapshots } = this.#options.index.tables;
    const rows = index
      .prepare(
        "SELECT max(id) FROM forms WHERE json_extract(about, '$.category') = ? GROUP BY memory ORDER BY max(id) DESC",
      )
      .all(category) as unknown as [SnapshotId][];
    return this.#inState(
      snapshots.metadataOf(rows.map(([snapshot]) => snapshot)).map(({ id }) => id),
      found,
    );
  }

  #inState(ids: readonly MemoryId[], { state }: FoundState): readonly MemoryId[] {
    const { tables, states } = this.#options.index;
    return ids.filter((id) => {
      const number = tables.memories.find(id);
      return number !== undefined && states.has(state, number);
    });
  }

  /** Memories of which nothing is readable have no story. */
  async #readAll(found: FoundState, ids: readonly MemoryId[]): Promise<readonly Read[]> {
    const read: Read[] = [];
    for (const id of this.#inState(ids, found)) {
      const reading = await this.#options.reader.reading(found, id).catch(undefinedIfNotHere);
      if (reading === undefined) continue;
      read.push({ id, reading, versions: versionsOf(reading) });
    }
    return read;
  }
}

function undefinedIfNotHere(error: unknown): undefined {
  if (!isCambiumError(error, "CONTENT_NOT_HERE")) throw error;
}

/** What its newest versions say: a link that was taken away again counts no more. */
const supersedingsNow = ({ id, versions, reading }: Read): readonly Superseding[] =>
  versions
    .filter(({ record }) => reading.shownTips.includes(record))
    .flatMap((version) => supersedingsOf(id, version));

function evolvedMemory(memory: Read, all: readonly Read[], isAsked: boolean): EvolvedMemory {
  const { id, reading, versions } = memory;
  const { content, deleted } = reading.resolved.fields;
  const newer = all.flatMap(supersedingsNow).filter(({ older }) => older === id);
  const supersededBy = [...new Set(newer.map((one) => one.newer))];
  return { id, content, deleted, versions: versions.length, isAsked, supersededBy };
}

/** The first version that said it, of those memories that still say it. */
function standing(other: Read, older: MemoryId, own: Read | undefined): readonly SupersededBy[] {
  const isIt = (one: Superseding): boolean => one.older === older && one.newer === other.id;
  const now = [...supersedingsNow(other), ...(own === undefined ? [] : supersedingsNow(own))].find(isIt);
  if (now === undefined) return [];
  const tellers = [other, ...(own === undefined ? [] : [own])];
  const first = tellers
    .flatMap(({ id, versions }) => versions.filter((version) => supersedingsOf(id, version).some(isIt)))
    .sort((a, b) => a.at - b.at)[0];
  if (first === undefined) return [];
  const { record, at, by, reason } = first;
  const { content, deleted } = other.reading.resolved.fields;
  const how =
    supersedingsOf(other.versions.includes(first) ? other.id : older, first).find(isIt)?.how ?? now.how;
  return [
    {
      ...{ memory: other.id, record, how, at, by, content, deleted },
      ...(reason === undefined ? {} : { reason }),
    },
  ];
}
