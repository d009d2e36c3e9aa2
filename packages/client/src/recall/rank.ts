/**
 * From what a search found to what a recall answers.
 *
 * What a memory itself says of the query counts most. A turn of a conversation is seldom understood alone,
 * though: so for each term, the nearest memory of the same session that says it lends part of what it is
 * worth there, and the session as a whole lends part of what it says anywhere. Both lift memories that
 * matched nothing, such as the answer "Oscar, my guinea pig" to the question that named the pet. Then
 * follow preferences, each a factor near 1: who spoke, when it happened, and how recent and used it is.
 *
 * Pure, and the same for the same input: ties are decided by memory id.
 *
 * @module
 */
import type { Period } from "./period.js";
import type { SearchQuery } from "./query.js";
import { wordsOf } from "./words.js";

/** What ranking has to know of a form that the state shows and the caller's filters let through. */
export interface CandidateFacts {
  readonly form: number;
  readonly memory: string;
  /** Milliseconds since 1970, when it became known. */
  readonly at: number;
  /** Milliseconds since 1970. */
  readonly occurredAt?: number | undefined;
  /** 0 to 1. */
  readonly importance?: number | undefined;
  /** How often it was recalled. */
  readonly uses?: number | undefined;
  /** See `placeInSource`. */
  readonly group?: string | undefined;
  readonly session?: string | undefined;
  readonly speaker?: string | undefined;
}

/** Two memories that stand near each other in one session of one source. */
export interface Neighbours {
  readonly of: number;
  readonly near: number;
  /** 1 for the previous and the next. */
  readonly distance: number;
}

export interface RankInput {
  readonly query: SearchQuery;
  readonly facts: readonly CandidateFacts[];
  readonly neighbours: readonly Neighbours[];
  /** Full-text score by form, for those that matched. */
  readonly scores: ReadonlyMap<number, number>;
  /** What each term contributes, by form, in the order of the terms. */
  readonly weights: ReadonlyMap<number, readonly number[]>;
  /** Milliseconds since 1970; undefined leaves recency, importance and use out. */
  readonly priorsAt?: number | undefined;
}

export interface RankSettings {
  /** What the nearest memory that says a term lends, by distance: the first for the previous and the next. */
  readonly near: readonly number[];
  /** What the session lends. */
  readonly session: number;
  /** For what was said by somebody whom the query names. */
  readonly speaker: number;
  /** For what happened in the period that the query speaks of. */
  readonly period: number;
}

export interface RankedForm {
  readonly facts: CandidateFacts;
  /** Greater is better; always above 0. */
  readonly score: number;
}

/** Chosen on conversations; see bench/README.md for how, and for what other choices give. */
export const DEFAULT_RANK_SETTINGS: RankSettings = {
  near: [0.7, 0.5],
  session: 0.2,
  speaker: 0.4,
  period: 0.5,
};

/** Mild on purpose: together they move a memory past one that says the query a third better, at most. */
const PRIORS = { recency: 0.1, importance: 0.1, use: 0.1 };
const RECENCY_HALF_LIFE_MS = 180 * 86_400_000;
/** Uses at which the prior of use is half spent. */
const HALF_USES = 5;
/** People misremember dates: this long beside the period, a quarter of its length if that is more. */
const PERIOD_SLACK_MS = 3 * 86_400_000;

/** Best first. */
export function rankForms(input: RankInput, settings = DEFAULT_RANK_SETTINGS): readonly RankedForm[] {
  const spoken = namedSpeakers(input);
  const evidence = evidenceByForm(input, spoken.terms, settings);
  return input.facts
    .map((facts) => ({
      facts,
      score:
        (evidence.get(facts.form) ?? 0) *
        (1 + (spoken.names.has(facts.speaker ?? "") ? settings.speaker : 0)) *
        (1 + settings.period * nearness(input.query.period, facts)) *
        prior(facts, input.priorsAt),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.facts.memory < b.facts.memory ? -1 : 1));
}

interface NamedSpeakers {
  readonly names: ReadonlySet<string>;
  /** Indexes of the terms that are these names, and say nothing else. */
  readonly terms: ReadonlySet<number>;
}

/** A term that is a speaker's name chooses among speakers; memories that say it are mostly by somebody else. */
function namedSpeakers({ query, facts }: RankInput): NamedSpeakers {
  const [names, terms] = [new Set<string>(), new Set<number>()];
  const indexByWord = new Map(query.terms.map(({ text }, index) => [text.toLowerCase(), index]));
  for (const speaker of new Set(facts.flatMap((one) => one.speaker ?? []))) {
    for (const { text } of wordsOf(speaker)) {
      const index = indexByWord.get(text.toLowerCase());
      if (index === undefined) continue;
      names.add(speaker);
      terms.add(index);
    }
  }
  return { names, terms: terms.size === query.terms.length ? new Set() : terms };
}

function evidenceByForm(
  { facts, neighbours, scores, weights }: RankInput,
  unspoken: ReadonlySet<number>,
  { near, session }: RankSettings,
): ReadonlyMap<number, number> {
  const nearby = nearbyForms(neighbours);
  const told = new Map(
    [...weights].map(([form, ofTerms]) => [
      form,
      ofTerms.map((weight, index) => (unspoken.has(index) ? 0 : weight)),
    ]),
  );
  const sessions = strongestBySession(facts, told);
  return new Map(
    facts.map((one) => {
      const names = [...unspoken].map((index) => weights.get(one.form)?.[index] ?? 0);
      const own = Math.max(sum(told.get(one.form) ?? []), (scores.get(one.form) ?? 0) - sum(names));
      const lent = strongest(
        (nearby.get(one.form) ?? []).map(({ form, distance }) =>
          (told.get(form) ?? []).map((weight) => weight * (near[distance - 1] ?? 0)),
        ),
      );
      const ofSession = sessions.get(sessionKey(one) ?? "") ?? [];
      return [one.form, own + sum(lent) + session * sum(ofSession)];
    }),
  );
}

function nearbyForms(
  neighbours: readonly Neighbours[],
): ReadonlyMap<number, readonly { readonly form: number; readonly distance: number }[]> {
  const nearby = new Map<number, { form: number; distance: number }[]>();
  const add = (of: number, form: number, distance: number): void => {
    const list = nearby.get(of);
    if (list === undefined) nearby.set(of, [{ form, distance }]);
    else list.push({ form, distance });
  };
  for (const { of, near, distance } of neighbours) {
    add(of, near, distance);
    add(near, of, distance);
  }
  return nearby;
}

/** What each term is worth where a session says it best. */
function strongestBySession(
  facts: readonly CandidateFacts[],
  told: ReadonlyMap<number, readonly number[]>,
): ReadonlyMap<string, readonly number[]> {
  const bySession = new Map<string, (readonly number[])[]>();
  for (const one of facts) {
    const [key, weights] = [sessionKey(one), told.get(one.form)];
    if (key === undefined || weights === undefined) continue;
    const list = bySession.get(key);
    if (list === undefined) bySession.set(key, [weights]);
    else list.push(weights);
  }
  return new Map([...bySession].map(([key, list]) => [key, strongest(list)]));
}

const sessionKey = ({ group, session }: CandidateFacts): string | undefined =>
  group === undefined ? undefined : JSON.stringify([group, session ?? ""]);

/** Of every term its greatest weight; a neighbour that repeats a word adds nothing. */
function strongest(lists: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = lists;
  return others.reduce<readonly number[]>(
    (best, list) => best.map((weight, index) => Math.max(weight, list[index] ?? 0)),
    first,
  );
}

/** 1 within the period, falling by a factor of e with each length of slack beside it; 0 without one. */
function nearness(period: Period | undefined, { occurredAt, at }: CandidateFacts): number {
  if (period === undefined) return 0;
  const time = occurredAt ?? at;
  const beside = Math.max(period.start - time, time - (period.end - 1), 0);
  return Math.exp(-beside / Math.max(PERIOD_SLACK_MS, (period.end - period.start) / 4));
}

function prior({ at, importance = 0, uses = 0 }: CandidateFacts, now: number | undefined): number {
  if (now === undefined) return 1;
  const recency = 2 ** (-Math.max(0, now - at) / RECENCY_HALF_LIFE_MS);
  const used = uses / (uses + HALF_USES);
  return 1 + PRIORS.recency * recency + PRIORS.importance * importance + PRIORS.use * used;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
