/**
 * Recall: from a question in words to the memories of a state that answer it.
 *
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { CambiumError, type Memory, type MemoryId } from "@cambium/core";
import type { RecalledMemory, RecallOptions } from "../api.js";
import { endOf, startOf } from "../arguments/date-option.js";
import type { RecallFacts } from "../index-store/recall-queries.js";
import type { SearchLists } from "../index-store/search-lists.js";
import type { SnapshotId } from "../index-store/snapshot-columns.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import { bestMatches } from "../search/full-text.js";
import { parseQuery, type SearchQuery } from "../search/query.js";
import { type RecalledSnapshot, recallSnapshots } from "../search/recall-snapshots.js";
import { type Snippet, snippetsOf } from "../search/snippet.js";
import { Stemmer } from "../search/stemmer.js";
import type { FoundState } from "./state-finder.js";

/** A memory has several wordings, so that this is some hundred memories. */
const MAX_SNAPSHOTS = 1_000;
const NEARLY_AS_MUCH = 0.7;
/** Of so many UTF-16 units the snippets are made in one go, which takes some 20 ms. */
const AT_ONCE = 131_072;
const LONG = 16_384;

export interface RecallerOptions {
  readonly index: SpaceIndex;
  readonly lists: SearchLists;
  readonly now: () => number;
  /** How often a memory was recalled so far. */
  readonly usageOf: (memory: MemoryId) => number;
  /** Forms nearest by meaning, best first; undefined when there is no such search, or no answer in time. */
  readonly nearest: (query: string, limit: number) => Promise<readonly SnapshotId[] | undefined>;
}

export class Recaller implements Disposable {
  readonly #options: RecallerOptions;
  #stemmer: Stemmer | undefined;

  constructor(options: RecallerOptions) {
    this.#options = options;
  }

  /** @throws {CambiumError} BAD_INPUT when the query is empty or a date is none */
  async recall(
    text: string,
    found: FoundState,
    limit: number,
    options: RecallOptions,
  ): Promise<readonly RecalledMemory[]> {
    if (text.trim() === "")
      throw new CambiumError("BAD_INPUT", "The query is empty. Give words to search for.");
    const { index, lists, now, usageOf, nearest } = this.#options;
    this.#stemmer ??= new Stemmer();
    const query = await parseQuery(text, { now: now(), stemmer: this.#stemmer });
    const passes = await filterOf(options, now());
    const vectors = await nearest(text, limit);
    const past = !(found.isNow && found.state.levels.length === 1 && found.branch.name === "main");
    const state = index.recallState({ state: found.state, past, passes, usageOf });
    const snapshots = recallSnapshots(lists.text, state, {
      ...{ query, limit, past, vectors },
      priorsAt: options.priors === false ? undefined : (found.at ?? now()),
    });
    const memories = state.memories(snapshots.map(({ facts }) => facts.snapshot));
    const snippets = await this.#snippets(memories, query);
    return snapshots.map((snapshot, index) =>
      answer(snapshot, { query, memory: memories[index] as Memory, snippet: snippets[index] as Snippet }),
    );
  }

  /**
   * Memories of which some text that the branch has shown, now or ever, says nearly as much of the query as any
   * does; the one that says it most first.
   *
   * @throws {CambiumError} BAD_INPUT when the query is empty
   */
  async everMatching(text: string, { state }: FoundState): Promise<readonly MemoryId[]> {
    if (text.trim() === "")
      throw new CambiumError("BAD_INPUT", "The query is empty. Give words to search for.");
    const { index, lists, now } = this.#options;
    this.#stemmer ??= new Stemmer();
    const query = await parseQuery(text, { now: now(), stemmer: this.#stemmer });
    index.tables.bringListsUpToDate();
    const { weights, rarity } = lists.text.match(query, { past: true });
    const matchedRarity = (snapshot: SnapshotId): number =>
      rarity.reduce((sum, one, term) => sum + ((weights.get(snapshot)?.[term] ?? 0) > 0 ? one : 0), 0);
    const matches = bestMatches(weights, MAX_SNAPSHOTS).map(({ snapshot }) => snapshot);
    const shown = index.tables.intervals.everShown(state.levels, matches);
    const most = Math.max(0, ...matches.filter((snapshot) => shown.has(snapshot)).map(matchedRarity));
    const snapshots = matches.filter(
      (snapshot) => shown.has(snapshot) && matchedRarity(snapshot) >= NEARLY_AS_MUCH * most,
    );
    return [...new Set(index.tables.snapshots.metadataOf(snapshots).map(({ id }) => id))];
  }

  /** Of much text, one at a time: others want to get on too. */
  async #snippets(memories: readonly Memory[], { terms }: SearchQuery): Promise<readonly Snippet[]> {
    const contents = memories.map(({ content }) => content);
    const stemmer = this.#stemmer as Stemmer;
    if (contents.reduce((sum, { length }) => sum + length, 0) <= AT_ONCE)
      return snippetsOf(contents, terms, stemmer);
    const snippets: Snippet[] = [];
    for (const content of contents) {
      if (content.length > LONG) await nextTurn();
      snippets.push(...snippetsOf([content], terms, stemmer));
    }
    return snippets;
  }

  [Symbol.dispose](): void {
    this.#stemmer?.[Symbol.dispose]();
  }
}

interface Answered {
  readonly query: SearchQuery;
  readonly memory: Memory;
  readonly snippet: Snippet;
}

function answer(
  { score, folded, terms }: RecalledSnapshot,
  { query, memory, snippet }: Answered,
): RecalledMemory {
  const matched = new Set([
    ...snippet.matchedTerms,
    ...terms.flatMap((term) => query.terms[term]?.text ?? []),
  ]);
  return {
    ...memory,
    ...{ score, snippet: snippet.text, highlights: snippet.matches, matched: [...matched] },
    ...(folded.length === 0 ? {} : { alike: folded.map((one) => one.memory as MemoryId) }),
  };
}

async function filterOf(options: RecallOptions, now: number): Promise<(memory: RecallFacts) => boolean> {
  const { category, tag, tags, kind, area, agent } = options;
  const validAt = await endOf(options.validAt, now);
  const since = (await startOf(options.since, now)) ?? Number.NEGATIVE_INFINITY;
  const until = (await endOf(options.until, now)) ?? Number.POSITIVE_INFINITY;
  const wantedTags = [...(tags ?? []), ...(tag === undefined ? [] : [tag])];
  return (memory) => {
    const happened = memory.occurredAt ?? memory.at;
    return (
      (category === undefined || memory.category === category) &&
      (kind === undefined || memory.kind === kind) &&
      (area === undefined || memory.area === area) &&
      (agent === undefined || memory.by.agent === agent) &&
      wantedTags.every((wanted) => memory.tags.includes(wanted)) &&
      happened >= since &&
      happened <= until &&
      (validAt === undefined || isValid(memory, validAt))
    );
  };
}

const isValid = ({ validFrom, validUntil }: RecallFacts, at: number): boolean =>
  (validFrom ?? Number.NEGATIVE_INFINITY) <= at && at < (validUntil ?? Number.POSITIVE_INFINITY);
