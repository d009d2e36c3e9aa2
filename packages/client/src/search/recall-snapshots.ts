/**
 * Recall on what an index holds: search, look around, rank, join with vectors, fold duplicates.
 *
 * @module
 */
import { foldDuplicates, type WithText } from "./duplicates.js";
import { bestMatches, type FullText, type TextMatches } from "./full-text.js";
import { fuse } from "./fuse.js";
import type { SearchQuery } from "./query.js";
import {
  type CandidateFacts,
  DEFAULT_RANK_SETTINGS,
  type RankedSnapshot,
  type RankSettings,
  rankSnapshots,
} from "./rank.js";

/** What a state shows, after the caller's filters. */
export interface RecallState {
  /** Of those among `forms` that it shows and the filters let through; in any order. */
  facts(snapshots: readonly number[]): readonly CandidateFacts[];
  /**
   * The forms that it shows of each session in which one of `facts` stands, in the order of their places and
   * memory ids. What the filters leave out stands there too: filters choose what is answered, not what was said beside it.
   */
  sessions(facts: readonly CandidateFacts[]): readonly (readonly number[])[];
  /** The texts of forms, in their order; reading several at once costs a third of reading them alone. */
  contents(snapshots: readonly number[]): readonly string[];
}

export interface RecallRequest {
  readonly query: SearchQuery;
  /** What the words of the query match, if it is known already. */
  readonly matches?: TextMatches | undefined;
  readonly limit: number;
  /** Whether the state may show forms that main does not show now. */
  readonly past: boolean;
  /** Milliseconds since 1970, for recency, importance and use; undefined leaves them out. */
  readonly priorsAt?: number | undefined;
  /** Forms nearest to the query by their vectors, best first. */
  readonly vectors?: readonly number[] | undefined;
  readonly settings?: RankSettings | undefined;
}

export interface RecalledSnapshot extends RankedSnapshot {
  /** Memories that say the same and ranked below, best first. */
  readonly folded: readonly CandidateFacts[];
  /** Indexes of the query's terms that its text holds; empty when its surroundings or its vector found it. */
  readonly terms: readonly number[];
  /** How much of the query its text says, 0 to 1. */
  readonly coverage: number;
}

/** Matches looked at first, for each memory asked for and at least. */
const MATCHES_PER_RESULT = 10;
const LEAST_MATCHES = 100;
/** More are looked at, so many times as many, until so many per memory asked for have passed the filters. */
const WIDENING = 4;
const PASSED_PER_RESULT = 3;
/** Of so many per memory asked for, the surroundings are looked at. */
const LOOKED_AROUND_PER_RESULT = 5;
/** Texts read beyond the limit at first: the next one, and some for those that are folded away. */
const SPARE_TEXTS = 3;

/** Best first, at most `limit`. */
export function recallSnapshots(
  text: FullText,
  state: RecallState,
  request: RecallRequest,
): readonly RecalledSnapshot[] {
  const { query, limit, past, priorsAt, vectors = [], settings = DEFAULT_RANK_SETTINGS } = request;
  const { matches = text.match(query, { past }) } = request;
  const found = bestFacts(matches, state, limit);
  const sessions = state.sessions(found.slice(0, LOOKED_AROUND_PER_RESULT * limit));
  const ranked = rankSnapshots(
    {
      ...{ query, matches, found, sessions, priorsAt },
      facts: (snapshots) => state.facts(snapshots),
      shapes: (snapshots) => text.shapes(snapshots, { past }),
    },
    settings,
  );
  const joined = vectors.length === 0 ? ranked : withVectors([...ranked], vectors, state);
  return foldDuplicates(withTexts(joined, limit + SPARE_TEXTS, state), limit).map(({ item, folded }) => {
    const terms = (matches.weights.get(item.facts.snapshot) ?? []).flatMap((weight, index) =>
      weight > 0 ? [index] : [],
    );
    const coverage = terms.reduce((sum, term) => sum + (matches.shares[term] ?? 0), 0);
    return { ...item, folded: folded.map((one) => one.facts), terms, coverage };
  });
}

/** Reads texts so many at a time. */
function* withTexts(
  ranked: Iterable<RankedSnapshot>,
  count: number,
  state: RecallState,
): Generator<WithText<RankedSnapshot>, undefined> {
  for (const items of inGroups(ranked, count)) {
    const texts = state.contents(items.map(({ facts }) => facts.snapshot));
    for (const [index, item] of items.entries()) yield { item, text: texts[index] ?? "" };
  }
  return undefined;
}

function* inGroups<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[], undefined> {
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
  return undefined;
}

/** Best match first; looks further while the filters let too few of the matches through. */
function bestFacts({ weights }: TextMatches, state: RecallState, limit: number): readonly CandidateFacts[] {
  for (let wanted = Math.max(LEAST_MATCHES, MATCHES_PER_RESULT * limit); ; wanted *= WIDENING) {
    const best = bestMatches(weights, wanted);
    const facts = state.facts(best.map(({ snapshot }) => snapshot));
    if (facts.length < PASSED_PER_RESULT * limit && wanted < weights.size) continue;
    const scores = new Map(best.map(({ snapshot, score }) => [snapshot, score]));
    // Equal scores by memory id, because the numbers of forms differ from device to device.
    return facts.toSorted(
      (a, b) =>
        (scores.get(b.snapshot) ?? 0) - (scores.get(a.snapshot) ?? 0) || (a.memory < b.memory ? -1 : 1),
    );
  }
}

/** By reciprocal rank, as text scores and distances of vectors have no common unit. */
function withVectors(
  ranked: readonly RankedSnapshot[],
  vectors: readonly number[],
  state: RecallState,
): readonly RankedSnapshot[] {
  const factsBySnapshot = new Map(
    [...state.facts(vectors), ...ranked.map(({ facts }) => facts)].map((facts) => [facts.snapshot, facts]),
  );
  const shown = vectors.filter((snapshot) => factsBySnapshot.has(snapshot));
  const byMemory = (snapshot: number): string => factsBySnapshot.get(snapshot)?.memory ?? "";
  return fuse([ranked.map(({ facts }) => facts.snapshot), shown])
    .toSorted((a, b) => b.score - a.score || (byMemory(a.item) < byMemory(b.item) ? -1 : 1))
    .flatMap(({ item, score }) => {
      const facts = factsBySnapshot.get(item);
      return facts === undefined ? [] : [{ facts, score }];
    });
}
