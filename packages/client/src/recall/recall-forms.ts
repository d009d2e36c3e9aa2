/**
 * Recall on what an index holds: search, look around, rank, join with vectors, fold duplicates.
 *
 * @module
 */
import { foldDuplicates } from "./duplicates.js";
import type { FullText, TextMatch } from "./full-text.js";
import { fuse } from "./fuse.js";
import type { SearchQuery } from "./query.js";
import {
  type CandidateFacts,
  DEFAULT_RANK_SETTINGS,
  type Neighbours,
  type RankedForm,
  type RankSettings,
  rankForms,
} from "./rank.js";

/** What a state shows, after the caller's filters. */
export interface RecallState {
  /** Of those among `forms` that it shows and the filters let through; in any order. */
  facts(forms: readonly number[]): readonly CandidateFacts[];
  /**
   * Who stands within `reach` of each of `facts`, in the same session of the same group, ordered by place
   * and memory id. Neighbours follow the same rules as `facts`: what is not shown is not counted either.
   */
  around(facts: readonly CandidateFacts[], reach: number): Surroundings;
  content(form: number): string;
}

export interface Surroundings {
  /** Of the neighbours; some may be in what was asked about. */
  readonly facts: readonly CandidateFacts[];
  readonly pairs: readonly Neighbours[];
}

export interface RecallRequest {
  readonly query: SearchQuery;
  readonly limit: number;
  /** Whether the state may show forms that main does not show now. */
  readonly past: boolean;
  /** Milliseconds since 1970, for recency, importance and use; undefined leaves them out. */
  readonly priorsAt?: number | undefined;
  /** Forms nearest to the query by their vectors, best first. */
  readonly vectors?: readonly number[] | undefined;
  readonly settings?: RankSettings | undefined;
}

export interface RecalledForm extends RankedForm {
  /** Memories that say the same and ranked below, best first. */
  readonly folded: readonly CandidateFacts[];
  /** Indexes of the query's terms that its text holds; empty when its surroundings or its vector found it. */
  readonly terms: readonly number[];
}

/** Matches fetched at first, for each memory asked for and at least. */
const MATCHES_PER_RESULT = 10;
const LEAST_MATCHES = 100;
/** More are fetched, so many times as many, until so many per memory asked for have passed the filters. */
const WIDENING = 4;
const PASSED_PER_RESULT = 3;
/** Of so many per memory asked for, the surroundings are looked at. */
const LOOKED_AROUND_PER_RESULT = 5;

/** Best first, at most `limit`. */
export function recallForms(
  text: FullText,
  state: RecallState,
  request: RecallRequest,
): readonly RecalledForm[] {
  const { query, limit, past, priorsAt, vectors = [], settings = DEFAULT_RANK_SETTINGS } = request;
  const found = findMatches(text, state, request);
  const surroundings = state.around(
    found.facts.slice(0, LOOKED_AROUND_PER_RESULT * limit),
    settings.near.length,
  );
  const facts = distinct([...found.facts, ...surroundings.facts]);
  const forms = facts.map(({ form }) => form);
  const weights = text.weigh(query, forms, { past });
  const ranked = rankForms(
    { query, facts, neighbours: surroundings.pairs, scores: found.scores, weights, priorsAt },
    settings,
  );
  const joined = vectors.length === 0 ? ranked : withVectors(ranked, vectors, state);
  return foldDuplicates(joined, limit, ({ facts: { form } }) => state.content(form)).map(
    ({ item, folded }) => ({
      ...item,
      folded: folded.map((one) => one.facts),
      terms: (weights.get(item.facts.form) ?? []).flatMap((weight, index) => (weight > 0 ? [index] : [])),
    }),
  );
}

interface Found {
  /** Best match first. */
  readonly facts: readonly CandidateFacts[];
  readonly scores: ReadonlyMap<number, number>;
}

/** Asks for more while the filters let too few of the matches through. */
function findMatches(text: FullText, state: RecallState, { query, limit, past }: RecallRequest): Found {
  for (let wanted = Math.max(LEAST_MATCHES, MATCHES_PER_RESULT * limit); ; wanted *= WIDENING) {
    const matches = text.match(query, { past, limit: wanted });
    const facts = inOrder(matches, state.facts(matches.map(({ form }) => form)));
    if (facts.length >= PASSED_PER_RESULT * limit || matches.length < wanted)
      return { facts, scores: new Map(matches.map(({ form, score }) => [form, score])) };
  }
}

/** Equal scores by memory id, because the numbers of forms differ from device to device. */
function inOrder(matches: readonly TextMatch[], facts: readonly CandidateFacts[]): readonly CandidateFacts[] {
  const scores = new Map(matches.map(({ form, score }) => [form, score]));
  return facts.toSorted(
    (a, b) => (scores.get(b.form) ?? 0) - (scores.get(a.form) ?? 0) || (a.memory < b.memory ? -1 : 1),
  );
}

const distinct = (facts: readonly CandidateFacts[]): readonly CandidateFacts[] => [
  ...new Map(facts.map((one) => [one.form, one])).values(),
];

/** By reciprocal rank, as text scores and distances of vectors have no common unit. */
function withVectors(
  ranked: readonly RankedForm[],
  vectors: readonly number[],
  state: RecallState,
): readonly RankedForm[] {
  const factsByForm = new Map(
    [...state.facts(vectors), ...ranked.map(({ facts }) => facts)].map((facts) => [facts.form, facts]),
  );
  const shown = vectors.filter((form) => factsByForm.has(form));
  const byMemory = (form: number): string => factsByForm.get(form)?.memory ?? "";
  return fuse([ranked.map(({ facts }) => facts.form), shown])
    .toSorted((a, b) => b.score - a.score || (byMemory(a.item) < byMemory(b.item) ? -1 : 1))
    .flatMap(({ item, score }) => {
      const facts = factsByForm.get(item);
      return facts === undefined ? [] : [{ facts, score }];
    });
}
