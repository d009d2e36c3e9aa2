/**
 * Recall: from a question in words to the memories of a state that answer it.
 *
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { CambiumError, FILTER_LABELS, type Memory, type MemoryId } from "@cambium/core";
import type { Recalled, RecalledMemory, RecallOptions } from "../api.js";
import type { RecallQueries } from "../index-store/recall-queries.js";
import type { SearchLists } from "../index-store/search-lists.js";
import type { SnapshotId } from "../index-store/snapshot-columns.js";
import type { SpaceIndex } from "../index-store/space-index.js";
import { bestMatches, type TextMatches } from "../search/full-text.js";
import { parseQuery, type SearchQuery, type Term } from "../search/query.js";
import { type RecalledSnapshot, recallSnapshots } from "../search/recall-snapshots.js";
import { type Snippet, snippetsOf } from "../search/snippet.js";
import { Stemmer } from "../search/stemmer.js";
import { ofFuture } from "./future-state.js";
import { filtered, type Judged, type Passes } from "./memory-filter.js";
import { type Answered, periodRead, recalledOf, spellingRead } from "./recalled.js";
import type { Respelt, RespeltQuery } from "./respelt-query.js";
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

  /** @throws {CambiumError} BAD_INPUT when there are neither words nor filters, or a date is none */
  async recall(
    text: string | undefined,
    found: FoundState,
    limit: number,
    options: RecallOptions,
  ): Promise<Recalled> {
    const { index, now } = this.#options;
    const hasWords = text !== undefined && text.trim() !== "";
    if (!hasWords && !isFilter(options))
      throw new CambiumError("BAD_INPUT", "The query is empty. Give words to search for, or a filter.");
    const asked = hasWords ? await this.#asked(text, found, limit, options) : undefined;
    const { answer, advice } = await filtered(
      options,
      { states: index.states, found, now: now() },
      async (passes) =>
        asked === undefined
          ? searchedFor(this.#listed(found, passes, limit))
          : await this.#searched(asked, { found, limit, passes }),
    );
    const ofTime = asked?.query.asked;
    const readings = [
      ...advice,
      ...answer.respelt.map(spellingRead),
      ...(ofTime === undefined ? [] : [periodRead(ofTime)]),
      ...(await ofFuture(found, now())),
    ];
    return recalledOf(answer.memories, {
      advice: readings,
      wordsOnly: asked?.vectors === undefined,
      hasWords,
    });
  }

  async #asked(text: string, found: FoundState, limit: number, options: RecallOptions): Promise<Asked> {
    const { now, nearest } = this.#options;
    const query = await this.#parsed(text);
    const priorsAt = options.priors === false ? undefined : (found.at ?? now());
    const isAsWritten = options.spelling === false;
    return { text, query, vectors: await nearest(text, limit), priorsAt, isAsWritten };
  }

  async #parsed(text: string): Promise<SearchQuery> {
    this.#stemmer ??= new Stemmer();
    return await parseQuery(text, { now: this.#options.now(), stemmer: this.#stemmer });
  }

  async #searched(asked: Asked, search: Search): Promise<Searched> {
    const { index, lists, usageOf } = this.#options;
    const { found, passes } = search;
    const past = !(found.isNow && found.state.levels.length === 1 && found.branch.name === "main");
    const state = index.recallState({ state: found.state, past, passes, usageOf });
    const matches = lists.text.match(asked.query, { past });
    const read = asked.isAsWritten
      ? undefined
      : await this.#respelt(asked.text, matches.unknown, { state, past });
    if (read === undefined) return searchedFor(await this.#answers(asked, search, { state, past, matches }));
    const query = await this.#parsed(read.text);
    return searchedFor(await this.#answers({ ...asked, query }, search, { state, past }), read.words);
  }

  /** With words that no memory says as those that were meant; undefined when there are none, as for nearly all queries. */
  async #respelt(
    text: string,
    unknown: readonly Term[],
    { state, past }: Where,
  ): Promise<RespeltQuery | undefined> {
    if (unknown.length === 0) return undefined;
    const { respeltQuery } = await import("./respelt-query.js"); // a list of words that few searches need
    const { vocabulary } = this.#options.lists.text;
    return respeltQuery(text, unknown, { vocabulary, state, past, stemmer: this.#stemmer as Stemmer });
  }

  async #answers(
    { query, vectors, priorsAt }: Asked,
    { found, limit, passes }: Search,
    { state, past, matches }: Where,
  ): Promise<readonly Answered[]> {
    const request = { query, matches, limit, past, vectors, priorsAt };
    const snapshots = recallSnapshots(this.#options.lists.text, state, request);
    const memories = state.memories(snapshots.map(({ facts }) => facts.snapshot));
    const snippets = await this.#snippets(memories, query);
    const answers = snapshots.map((snapshot, place) =>
      answer(snapshot, { query, memory: memories[place] as Memory, snippet: snippets[place] as Snippet }),
    );
    const canList = query.asksForList || answers.length === 0;
    if (!canList || (query.asked ?? query.period ?? query.kinds) === undefined) return answers;
    const coverage = query.asksForList ? 1 : 0;
    const listed = this.#listed(
      found,
      (memory) => passes(memory) && isAskedFor(memory, query),
      limit,
      coverage,
    );
    const known = new Set(listed.map(({ memory }) => memory.id));
    return [...listed, ...answers.filter(({ memory }) => !known.has(memory.id))].slice(0, limit);
  }

  /** What a filter chooses, newest first. */
  #listed({ state }: FoundState, passes: Passes, limit: number, coverage = 1): readonly Answered[] {
    const memories = this.#options.index.states.list(
      state,
      { forgotten: "without", passes },
      limit,
      undefined,
    );
    this.#stemmer ??= new Stemmer();
    const snippets = snippetsOf(
      memories.map(({ content }) => content),
      [],
      this.#stemmer,
    );
    return memories.map((memory, place) => ({
      memory: recalledMemory(memory, snippets[place] as Snippet),
      coverage,
    }));
  }

  /**
   * Memories of which some text that one of the branches has shown, now or ever, says nearly as much of the query as
   * any does; the one that says it most first.
   *
   * @param withConcealed - also those that no state shows because they are concealed
   * @throws {CambiumError} BAD_INPUT when the query is empty
   */
  async everMatching(
    text: string,
    on: readonly FoundState[],
    { withConcealed = false } = {},
  ): Promise<readonly MemoryId[]> {
    if (text.trim() === "")
      throw new CambiumError("BAD_INPUT", "The query is empty. Give words to search for.");
    const { index, lists } = this.#options;
    const query = await this.#parsed(text);
    index.tables.bringListsUpToDate();
    const { weights, rarity } = lists.text.match(query, { past: true });
    const matchedRarity = (snapshot: SnapshotId): number =>
      rarity.reduce((sum, one, term) => sum + ((weights.get(snapshot)?.[term] ?? 0) > 0 ? one : 0), 0);
    const matches = bestMatches(weights, MAX_SNAPSHOTS).map(({ snapshot }) => snapshot);
    const shown = new Set(
      on.flatMap(({ state }) => [...index.tables.intervals.everShown(state.levels, matches)]),
    );
    if (withConcealed) for (const snapshot of index.tables.concealed.formsAmong(matches)) shown.add(snapshot);
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

interface Asked {
  readonly text: string;
  readonly query: SearchQuery;
  readonly vectors: readonly SnapshotId[] | undefined;
  readonly priorsAt: number | undefined;
  /** Whether no word may be read as another. */
  readonly isAsWritten: boolean;
}

interface Search {
  readonly found: FoundState;
  readonly limit: number;
  readonly passes: Passes;
}

interface Where {
  readonly state: RecallQueries;
  readonly past: boolean;
  readonly matches?: TextMatches;
}

interface Searched {
  readonly memories: readonly Answered[];
  readonly respelt: readonly Respelt[];
  readonly length: number;
}

const searchedFor = (memories: readonly Answered[], respelt: readonly Respelt[] = []): Searched => ({
  ...{ memories, respelt, length: memories.length },
});

const isFilter = (options: RecallOptions): boolean =>
  FILTER_NAMES.some((name) => options[name] !== undefined);

const FILTER_NAMES = [
  ...FILTER_LABELS,
  "device",
  "conversation",
  "not",
  "since",
  "until",
  "validAt",
] as const;

/** Whether a memory is of the time and of a kind that a query names. */
function isAskedFor({ kind, occurredAt, at }: Judged, { asked, period, kinds }: SearchQuery): boolean {
  const time = occurredAt ?? at;
  const isThen =
    asked === undefined
      ? period === undefined || (time >= period.start && time < period.end)
      : time >= (asked.from ?? time) && time <= (asked.until ?? time);
  return isThen && (kinds === undefined || kinds.has(kind?.toLowerCase() ?? ""));
}

interface Found {
  readonly query: SearchQuery;
  readonly memory: Memory;
  readonly snippet: Snippet;
}

function answer(
  { score, folded, terms, coverage }: RecalledSnapshot,
  { query, memory, snippet }: Found,
): Answered {
  const matched = new Set([
    ...snippet.matchedTerms,
    ...terms.flatMap((term) => query.terms[term]?.text ?? []),
  ]);
  const recalled = recalledMemory(memory, snippet, { score, matched: [...matched] });
  if (folded.length === 0) return { memory: recalled, coverage };
  return { memory: { ...recalled, alike: folded.map((one) => one.memory as MemoryId) }, coverage };
}

/** What a filter alone has chosen scores alike. */
const recalledMemory = (
  memory: Memory,
  snippet: Snippet,
  why: Pick<RecalledMemory, "score" | "matched"> = { score: 1, matched: [] },
): RecalledMemory => ({
  ...memory,
  ...{ score: why.score, snippet: snippet.text, highlights: snippet.matches, matched: why.matched },
});
